// What one participant does stays with it: the copy of a request that nobody can change, the copies of an answer (rules 7 and 8, "the surface protocol"),
// and what a malformed question, an odd agent or an odd signal do (rules 1, 11 and 17).
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import { openAsk, setUp, startAsk } from '../helpers/ask.ts'
import { boot, dispatch, logged, register } from '../helpers/cordis.ts'
import { agentOf, choice, FakeHost, FakeSurface, hang, question, says } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const PLAN: AskUserQuestionItem = {
  id: 'db', question: 'db?', options: [{ label: 'Postgres', displayLabel: { en: 'Postgres', zh: '甲' } }, { label: 'SQLite' }], detail: 'a plan', intent: { kind: 'plan-review', approve: 'Postgres' },
}

/** Whatever a careless surface makes of what it was given. */
const CHANGES: [string, (request: AskUserQuestionRequest) => void][] = [
  ['the list', ({ questions }) => void questions.splice(0)],
  ['the list\'s order', ({ questions }) => { questions.unshift(questions.pop()!) }],
  ['an id', ({ questions }) => { questions[0]!.id = 'other' }],
  ['a text', ({ questions }) => { questions[0]!.question = 'Rotten?' }],
  ['the options', ({ questions }) => void questions[0]!.options!.splice(0)],
  ['a label', ({ questions }) => { questions[0]!.options![0]!.label = 'Oracle' }],
  ['a label in one language', ({ questions }) => { Object.assign(questions[0]!.options![0]!.displayLabel!, { zh: '乙' }) }],
  ['the kind', ({ questions }) => { questions[0]!.multiSelect = true }],
  ['the intent', ({ questions }) => { questions[0]!.intent!.approve = 'SQLite' }],
  ['a field of the request', request => { request.questions = [] }],
]

describe('a surface that would change its request', () => {
  const ask = () => ({ questions: [PLAN, choice('os', ['Linux', 'BSD'])] })
  const answer = { answers: [...says('Postgres').answers, { id: 'os', selected: ['BSD'] }] }

  it.each(CHANGES)('7: %s, while it is asked: the others show and answer what was asked', async (_, change) => {
    const { a, b, registry, host, open } = await setUp()
    const request = ask()
    a.whenAsked(change)
    const asked = open(request)
    await macrotask()
    expect(b.request.questions).toEqual(ask().questions)
    expect(registry.pending()[0]!.questions).toEqual(ask().questions)
    expect(request.questions).toEqual(ask().questions)
    expect(host.asked).toBe(1)
    await b.answer(answer)
    expect(asked.value).toEqual(answer)
  })

  it.each(CHANGES)('7: %s, while it is asked for its claim', async (_, change) => {
    const { a, b, open } = await setUp()
    a.claim.mockImplementation((request) => {
      change(request)
      return false
    })
    const asked = open(ask())
    expect(b.request.questions).toEqual(ask().questions)
    await b.answer(answer)
    expect(asked.value).toEqual(answer)
  })

  it('7: neither does the asker that changes its own, nor who looks at the open asks', async () => {
    const { a, ask: asked, registry } = await openAsk()
    const { questions } = registry.pending()[0]!
    expect(() => questions[0]!.options!.splice(0)).toThrow(TypeError)
    await a.answer()
    expect(asked.value).toEqual(says('Postgres'))
    const request = question()
    const second = await openAsk({ request })
    request.questions[0]!.options!.splice(0)
    await second.a.answer()
    expect(second.ask.value).toEqual(says('Postgres'))
  })

  it('has every unknown field in its copy, of whatever kind', async () => {
    const odd: Record<string, unknown> = { list: [1, { deep: true }], map: new Map([[1, 2]]), none: null, call: () => 1 }
    odd['circle'] = odd
    const item = { ...choice('db', ['Postgres'], { odd } as never), options: [{ label: 'Postgres', preview: odd }], intent: 'later' as never }
    const { a } = await openAsk({ request: question({ questions: [item], odd }) })
    const [copy] = a.request.questions as unknown as [typeof item & { odd: unknown }]
    expect([copy.odd, copy.options[0]!.preview, (a.request as unknown as typeof copy).odd]).toEqual([odd, odd, odd])
    expect(copy.odd).toBe(odd)
    expect(copy.intent).toBe('later')
  })
})

it('8: losers get the answer each for itself', async () => {
  const { a, b, c, ask, ctx } = await setUp({ names: ['a', 'b', 'c'] }).then(all => ({ ...all, ask: all.open() }))
  const seen: unknown[] = []
  ctx.on('ask-surfaces/settled', (_, outcome) => void seen.push(outcome))
  a.settled.mockImplementation((_, __, answer) => void answer!.answers.splice(0))
  await c.answer()
  expect(b.settled.mock.lastCall![2]).toEqual(says('Postgres'))
  expect(ask.value).toEqual(says('Postgres'))
  expect(seen).toEqual([{ kind: 'answered', by: 'c', answer: says('Postgres') }])
})

describe('a request that no answer can be checked against', () => {
  const thrower = new Proxy({}, { get() { throw new Error('no') }, ownKeys() { throw new Error('no') }, has() { throw new Error('no') } })
  const MALFORMED: [string, unknown][] = [
    ['none at all', undefined],
    ['a number of questions', { questions: 5 }],
    ['a question that is none', { questions: [null] }],
    ['a hole', { questions: Array(1_000_000_000) }],
    ['a question without an id', { questions: [{ question: 'Which?' }] }],
    ['options that are none', { questions: [{ ...choice('db', []), options: 5 }] }],
    ['an option that is none', { questions: [{ ...choice('db', []), options: [null] }] }],
    ['a label that is none', { questions: [{ ...choice('db', []), options: [{ label: 5 }] }] }],
    ['a request that throws', { get questions() { throw new Error('no') } }],
    ['a question that throws', { questions: [thrower] }],
    ['a signal that throws', { ...question(), get signal() { throw new Error('no') } }],
  ]

  it.each(MALFORMED)('1: %s goes to the host alone, and to nobody without one', async (_, request) => {
    const { ctx, logs } = await boot()
    const a = new FakeSurface(), host = new FakeHost()
    register(ctx, a)
    const asked = watch(dispatch(ctx, request as AskUserQuestionRequest, host.next))
    await host.answer('whatever')
    expect([a.asked, host.asked, asked.value]).toEqual([0, 1, 'whatever'])
    expect(logged(logs, 'warn')).toBe('a malformed question is left to the host')
    await expect(routeAsk([a], request as AskUserQuestionRequest)).rejects.toThrow(Error)
    const nobody = () => Promise.reject(Object.assign(new Error('nobody'), { name: 'UserQuestionError', code: 'NO_PROVIDER' }))
    await expect(dispatch(ctx, request as AskUserQuestionRequest, nobody)).rejects.not.toThrow('nobody')
  })

  it('1: where a listener says something at once, that is the answer', async () => {
    const { ctx } = await boot()
    expect(await dispatch(ctx, { questions: 5 } as never, () => 'whatever')).toBe('whatever')
  })
})

describe('odd parts of a request', () => {
  it('17: an agent whose session is unreadable is logged, and the question goes on', async () => {
    const agent = { get session(): never { throw new Error('not yet') } }
    const { a, ask, logs, registry } = await startAsk({ request: question({ agent }) })
    expect(logged(logs, 'warn')).toContain("an agent's session is unreadable")
    expect(registry.pending()[0]).not.toHaveProperty('sessionId')
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it.each([{}, 5, 'x', { aborted: false, addEventListener() {} }])('11: a signal that is none, %j, is ignored', async signal => {
    const { a, ask } = await startAsk({ request: question({ signal: signal as never }) })
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('16: a request that does not let its signal be changed, or put back, keeps what it has', async () => {
    let isLocked = false
    const request = new Proxy(question(), {
      set: (target, key, value) => !isLocked && Reflect.set(target, key, value),
      deleteProperty() { throw new Error('locked') },
    })
    const { a, ask } = await startAsk({ request })
    isLocked = true
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })
})

describe('a log that breaks', () => {
  const proxy = new Proxy({}, { get() { throw new Error('no') }, getPrototypeOf() { throw new Error('no') }, ownKeys() { throw new Error('no') } })

  it('hurts no question', async () => {
    const { ctx, a, b, c, open } = await setUp({ names: ['a', 'b', 'c'] })
    ctx.logger.exporter({ levels: { default: 3 }, export() { throw new Error('disk full') } })
    a.claim.mockThrow(new Error('claim'))
    a.settled.mockThrow(new Error('settled'))
    const unhandled = await unhandledRejections(async () => {
      const asked = open()
      await b.fail()
      await c.answer({ answers: [{ id: 'x', selected: [] }] })
      await a.answer()
      expect(asked.value).toEqual(says('Postgres'))
    })
    expect(unhandled).toEqual([])
  })

  it('is given something that can be printed, whatever was thrown', async () => {
    const { a, b, open, logs } = await setUp()
    a.claim.mockThrow(proxy)
    const unhandled = await unhandledRejections(async () => {
      const asked = open()
      await b.fail(proxy)
      await a.answer()
      expect(asked.value).toEqual(says('Postgres'))
    })
    expect(unhandled).toEqual([])
    expect(() => logged(logs, 'warn', 'debug')).not.toThrow()
    expect(logged(logs, 'warn')).toMatch(/claim of "a" threw\n"b" failed/)
  })
})

describe('what a surface never returns from', () => {
  it('12 and 23: a watched and a remind that only promise are no answer', async () => {
    const { ctx } = await boot({ host: 'fallback', surfaces: { a: { remindMs: 1000 } } })
    const a = Object.assign(new FakeSurface('a'), { watched: hang as never, remind: hang }), host = new FakeHost()
    register(ctx, a)
    const asked = watch(dispatch(ctx, question({ agent: agentOf('s1') }), host.next))
    await flush()
    expect([a.asked, host.asked]).toEqual([1, 1])
    await a.answer()
    expect(asked.value).toEqual(says('Postgres'))
  })
})
