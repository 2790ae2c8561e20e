// TEST ONLY. Two surfaces ("desk" and "phone") that do what the test tells them and report what they saw. Only the desk takes
// approvals.
import { isTested, obey, report } from './ipc.js'

export const name = 'ask-probe'

const SURFACES = ['desk', 'phone']

export const apply = ctx => {
  if (!isTested) return
  const open = new Map() // `${surface}/${ask}`: how to settle what the surface returned
  const ids = new WeakMap() // a surface sees one request object from claim to settled
  let registry
  let claims = [] // the sessions that the desk drives, or 'all'

  const surface = label => ({
    name: label,
    approvals: label === 'desk',
    claim: request => label === 'desk' && (claims === 'all' || claims.includes(request.agent?.session?.id)),
    ask: (request, context) => {
      const ask = context.id
      ids.set(request, ask)
      for (const [signal, source] of [['request', request.signal], ['context', context.signal]]) {
        source?.addEventListener('abort', () =>
          report({ type: 'aborted', surface: label, ask, signal, code: source.reason?.code ?? JSON.stringify(source.reason) }))
      }
      const { agent, questions, approval } = request
      report({ type: 'asked', surface: label, ask, sessionId: agent?.session?.id, questions, approval })
      return new Promise((resolve, reject) => open.set(`${label}/${ask}`, { resolve, reject }))
    },
    settled: (request, by, answer) => report({ type: 'settled', surface: label, ask: ids.get(request), by, answer }),
  })

  obey(ctx, {
    answer: ({ surface: label, ask, answer }) => open.get(`${label}/${ask}`)?.resolve(answer),
    refuse: ({ surface: label, ask, code }) =>
      open.get(`${label}/${ask}`)?.reject(Object.assign(new Error('the person said no'), { name: 'UserQuestionError', code })),
    claim: ({ sessions }) => { claims = sessions },
    list: ({ call }) =>
      report({
        type: 'listed',
        call,
        surfaces: registry?.list().map(entry => entry.name) ?? [],
        pending: registry?.pending().map(({ id, participants }) => ({ id, participants })) ?? [],
      }),
    ask: async ({ call, questions }) => {
      try {
        report({ type: 'answered', call, answer: await ctx.get('userQuestions').ask({ questions }) })
      } catch (error) {
        report({ type: 'refused', call, code: error.code ?? null, message: error.message })
      }
    },
  })
  ctx.logger.exporter({
    levels: { default: 2 },
    export: ({ name: logger, type: level, args }) =>
      report({ type: 'log', logger, level, text: args.map(arg => (arg instanceof Error ? arg.stack : String(arg))).join(' ') }),
  })
  ctx.inject(['askSurfaces'], inner => {
    registry = inner.get('askSurfaces')
    for (const label of SURFACES) registry.register(surface(label))
    report({ type: 'registered' })
    return () => {
      registry = undefined
      report({ type: 'unregistered' })
    }
  })
  ctx.on('ask-surfaces/settled', (ask, outcome) => report({ type: 'outcome', ask: ask.id, outcome }))
  const booted = () => setImmediate(() => report({ type: 'booted' }))
  ctx.get('loader')?.await().then(booted, () => {}) // a tree that does not load ends the process, and says why itself
}
