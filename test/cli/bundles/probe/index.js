// TEST ONLY. Two surfaces ("desk" and "phone") that do what the test tells them and report what they saw, both over
// the IPC channel that the test opened when it started dsh. What travels is typed in ../../probe.ts.
export const name = 'ask-probe'

const SURFACES = ['desk', 'phone']

export const apply = ctx => {
  if (process.send === undefined) return // started by a person and not by a test: nobody to talk to
  const report = message => process.connected && process.send(message)
  const open = new Map() // `${surface}/${ask}`: how to settle what the surface returned
  const ids = new WeakMap() // a surface sees one request object from claim to settled
  let registry
  let claims = [] // the sessions that the desk drives, or 'all'

  const surface = label => ({
    name: label,
    claim: request => label === 'desk' && (claims === 'all' || claims.includes(request.agent?.session?.id)),
    ask: (request, context) => {
      const ask = context.id
      ids.set(request, ask)
      for (const [signal, source] of [['request', request.signal], ['context', context.signal]]) {
        source?.addEventListener('abort', () =>
          report({ type: 'aborted', surface: label, ask, signal, code: source.reason?.code ?? JSON.stringify(source.reason) }))
      }
      report({ type: 'asked', surface: label, ask, sessionId: request.agent?.session?.id, questions: request.questions })
      return new Promise((resolve, reject) => open.set(`${label}/${ask}`, { resolve, reject }))
    },
    settled: (request, by, answer) => report({ type: 'settled', surface: label, ask: ids.get(request), by, answer }),
  })

  const commands = {
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
  }
  const obey = message => commands[message.command]?.(message)
  const leave = () => process.exit(1)

  ctx.effect(() => {
    process.on('message', obey)
    process.once('disconnect', leave) // the test is gone, on whatever way: so is its host
    process.channel?.unref() // what keeps dsh alive has to be dsh
    return () => {
      process.off('message', obey)
      process.off('disconnect', leave)
    }
  }, 'ask-probe: commands')
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
