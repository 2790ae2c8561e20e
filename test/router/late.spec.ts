// Timed questions (rule 26): the agent goes on, the question stays open on its surfaces, and a late answer reaches the agent
// by dsh's own way. dsh is a stand-in (helpers/timed.ts).
import { getEventListeners } from 'node:events'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { AskContext, AskOutcome, PendingAsk } from '../../src/protocol/surface.ts'
import { LateReader } from '../helpers/ask.ts'
import { boot, load, logged, register } from '../helpers/cordis.ts'
import { Page, Phone } from '../helpers/modes.ts'
import { agentOf, cancelled, choice, codeOf, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'
import { timedOut, TimedQuestions, WINDOW } from '../helpers/timed.ts'

useFakeTime()

const PENDING = { pending: true, callId: 'c1' }

const AGENT = agentOf('s1')

/** A surface that says that the agent has gone on. */
class LateSurface extends FakeSurface {
  readonly late = vi.fn<(request: AskUserQuestionRequest, context: AskContext) => void>()
}

const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))

afterEach(() => {
  expect(unhandled.splice(0)).toEqual([])
})

interface Setting {
  readonly config?: unknown
  readonly surfaces?: readonly FakeSurface[]
  readonly request?: AskUserQuestionRequest
  /** Put on the request beside its `wait`, or over it. */
  readonly more?: object
  readonly service?: (dsh: TimedQuestions) => object
}

/** A timed question that is open. */
async function open({ config, surfaces, request = question(), more, service = dsh => dsh }: Setting = {}) {
  let dsh!: TimedQuestions, plugin!: PromiseLike<{ dispose(): Promise<void> }>
  const { ctx, fiber, logs } = await boot(config, root => {
    dsh = new TimedQuestions(root)
    plugin = root.plugin({ name: 'user-questions', apply: (inner: Context) => void inner.provide('userQuestions', service(dsh) as never) })
  })
  const a = new LateSurface('a'), b = new LateSurface('b')
  for (const one of surfaces ?? [a, b]) one.dispose = register(ctx, one)[0]!
  const ui = new LateReader(ctx), registry = ctx.get('askSurfaces')!
  const ends: [PendingAsk, AskOutcome][] = []
  ctx.on('ask-surfaces/settled', (ask, outcome) => void ends.push([ask, outcome]))
  const turn = new AbortController()
  const ask = watch(dsh.askTimed({ ...request, agent: AGENT, signal: turn.signal }, 'c1', WINDOW, more))
  await macrotask()
  return {
    a, b, ctx, fiber, dsh, service: await plugin, ask, turn, ui, registry, ends,
    states: () => Object.fromEntries((registry.pending()[0] ?? ends[0]![0]).participants.map(({ name, state }) => [name, state])),
    warned: () => logged(logs, 'warn'),
  }
}

/** One whose agent has gone on. */
async function goOn(setting: Setting = {}) {
  const all = await open(setting)
  await pass(WINDOW)
  return all
}

/** Nothing is open any more, and nothing is left of it. */
function expectNothingLeft({ registry, dsh }: Awaited<ReturnType<typeof open>>) {
  expect(registry.pending()).toEqual([])
  expect(getEventListeners(dsh.signal, 'abort')).toEqual([])
  expect(vi.getTimerCount()).toBe(0)
}

describe('when the time of a question is over', () => {
  it('26: its agent goes on at once, and it stays open on its surfaces, which are told once', async () => {
    const { a, b, ask, dsh, registry, ends } = await open()
    await pass(WINDOW - 1)
    expect([ask.state, a.context.late, a.late.mock.calls]).toEqual(['open', false, []])
    expect(registry.pending()[0]).not.toHaveProperty('late')
    await pass(1)
    expect([ask.value, dsh.routed.state]).toEqual([PENDING, 'rejected'])
    expect(dsh.routed.error).toMatchObject({ code: 'ASK_ABORTED', cause: { code: 'ASK_TIMED_OUT' } })
    for (const one of [a, b]) {
      expect(one.late.mock.calls).toEqual([[one.request, one.context]])
      expect([one.context.late, stopCode(one.context.signal), stopCode(one.request.signal!), one.settled.mock.calls]).toEqual([true, undefined, undefined, []])
    }
    expect(registry.pending()).toMatchObject([{ late: true, sessionId: 's1' }])
    expect(ends).toEqual([])
  })

  it('26: the host\'s UIs take it away, and are not asked again', async () => {
    const { a, b, ui, states } = await open()
    const { signal } = ui
    expect(states()).toEqual({ a: 'asked', b: 'asked', host: 'asked' })
    await pass(WINDOW)
    expect([stopCode(signal), ui.host.asked]).toEqual(['ASK_TIMED_OUT', 1])
    expect(states()).toEqual({ a: 'asked', b: 'asked', host: 'left' })
    await ui.host.answer()
    await Promise.all([a.fail(), b.fail()])
    expect(ui.host.asked).toBe(1)
  })

  it('26: a host that is the fallback is not asked any more', async () => {
    const { a, b, ui, states } = await goOn({ config: { host: 'fallback' } })
    expect(states()).toEqual({ a: 'asked', b: 'asked', host: 'left' })
    await Promise.all([a.fail(), b.fail()])
    expect(ui.host.asked).toBe(0)
  })

  it('26: one that timed out may still answer, so it is told; one that is out is not', async () => {
    const [slow, blank, broken] = [new LateSurface('slow'), new LateSurface('blank'), new LateSurface('broken')]
    const { dsh } = await open({ surfaces: [slow, blank, broken], config: { surfaces: { slow: { timeoutMs: 5000 } } } })
    await blank.answer({ answers: [] })
    await broken.fail()
    await pass(WINDOW)
    expect([slow, blank, broken].map(one => one.late.mock.calls.length)).toEqual([1, 0, 0])
    await slow.answer()
    expect(dsh.replies.get('c1')).toEqual(says('Postgres'))
  })

  it('26: what a surface throws then, or rejects with, is contained', async () => {
    const [throws, rejects] = [new LateSurface('throws'), new LateSurface('rejects')]
    throws.late.mockImplementation(() => { throw new Error('no') })
    rejects.late.mockImplementation((() => Promise.reject(new Error('no'))) as never)
    const { dsh, warned } = await goOn({ surfaces: [throws, rejects, new FakeSurface('plain')] })
    expect(warned()).toBe('late of "throws" threw\nlate of "rejects" threw')
    await rejects.answer()
    expect(dsh.replies.size).toBe(1)
  })

  it('26: a surface may have the router unloaded from inside', async () => {
    const all = await open()
    all.a.late.mockImplementation(() => void all.fiber.dispose())
    await pass(WINDOW)
    expect([all.b.late.mock.calls.length, stopCode(all.b.context.signal)]).toEqual([1, 'ASK_ABORTED'])
    expectNothingLeft(all)
  })

  it('26: a surface may end the time while it is asked: everybody else is asked late, and the host is not', async () => {
    const a = new FakeSurface('a'), b = new LateSurface('b')
    let dsh!: TimedQuestions
    a.whenAsked(() => dsh.endTime())
    const { ask, ui, registry } = await open({ surfaces: [a, b], service: one => dsh = one })
    expect([ask.value, b.asked, b.context.late, b.late.mock.calls, ui.host.asked]).toEqual([PENDING, 1, true, [], 0])
    await b.answer()
    expect([dsh.replies.size, registry.pending()]).toEqual([1, []])
  })

  it('26: surfaces are reminded as before', async () => {
    const phone = new Phone('phone', { remindMs: WINDOW / 2 * 3 })
    const { dsh } = await goOn({ surfaces: [phone] })
    expect(phone.remind).not.toHaveBeenCalled()
    await pass(WINDOW)
    expect(phone.remind.mock.calls).toEqual([[phone.request, expect.objectContaining({ late: true })]])
    await phone.answer()
    expect(dsh.replies.size).toBe(1)
  })
})

describe('a surface that was not asked in time', () => {
  const LATER = { b: { delayMs: WINDOW + 60_000 } }

  it('26: is asked when it is due, and finds the question late', async () => {
    const { a, b, dsh } = await goOn({ config: { surfaces: LATER } })
    expect([b.asked, a.late.mock.calls.length]).toEqual([0, 1])
    await pass(60_000)
    expect([b.asked, b.context.late, b.late.mock.calls]).toEqual([1, true, []])
    await b.answer()
    expect(dsh.replies.get('c1')).toEqual(says('Postgres'))
    expect(a.settled.mock.calls).toEqual([[a.request, 'b', says('Postgres')]])
  })

  it('26: is asked at once where nobody else is left, and is named in the log all the same', async () => {
    const b = new LateSurface('b')
    const { warned } = await goOn({ surfaces: [b], config: { surfaces: LATER } })
    // Until now, the host was somebody.
    expect([b.asked, b.context.late]).toEqual([1, true])
    expect(warned()).toBe(`"b" is asked after ${WINDOW + 60_000} ms, but the agent went on after ${WINDOW} ms`)
  })

  it('26: is named in the log once for each question', async () => {
    const { warned } = await goOn({ config: { surfaces: LATER } })
    await pass(60_000)
    expect(warned()).toBe(`"b" is asked after ${WINDOW + 60_000} ms, but the agent went on after ${WINDOW} ms`)
  })

  it('26: is not named where its mode or its quiet hours keep it waiting', async () => {
    const quiet = { from: '00:00', to: '23:59', surfaces: ['c'] }
    const { warned } = await goOn({
      surfaces: ['a', 'b', 'c'].map(name => new LateSurface(name)), config: { quiet, surfaces: { b: { home: false } } },
    })
    expect(warned()).toBe('')
  })

  it('26: may be registered only then', async () => {
    const { ctx, dsh } = await goOn()
    const late = new LateSurface('late')
    register(ctx, late)
    expect([late.asked, late.context.late, late.late.mock.calls]).toEqual([1, true, []])
    await late.answer()
    expect(dsh.replies.size).toBe(1)
  })
})

describe('a late answer', () => {
  it('26: goes to the agent by dsh\'s own way, once; the others are told, and so is who listens', async () => {
    const all = await goOn()
    const { a, b, dsh, ends, ask } = all
    await b.answer(says('SQLite'))
    expect(dsh.answer.mock.calls).toEqual([[AGENT, 'c1', says('SQLite')]])
    expect(a.settled.mock.calls).toEqual([[a.request, 'b', says('SQLite')]])
    expect([stopCode(a.context.signal), b.context.signal.aborted, b.settled.mock.calls]).toEqual(['ASK_SETTLED', false, []])
    expect(a.request.signal!.aborted).toBe(false)
    expect(ends).toEqual([[expect.objectContaining({ late: true }), { kind: 'answered', by: 'b', answer: says('SQLite') }]])
    expect(all.states()).toEqual({ a: 'asked', b: 'answered', host: 'left' })
    await a.answer()
    expect([dsh.answer.mock.calls.length, ask.value]).toEqual([1, PENDING])
    expectNothingLeft(all)
  })

  it('26: has each question once, in dsh\'s form, whatever the surface left out', async () => {
    const questions = [choice('db', ['Postgres', 'SQLite']), choice('checks', ['Tests', 'Types'], { multiSelect: true }), choice('name', [])]
    const { a, dsh, ends } = await goOn({ request: { questions } })
    const words = { id: 'db', selected: ['Postgres'], custom: 'on the small machine' }
    await a.answer({ answers: [{ id: 'checks', selected: ['Types'], custom: 'and more' }, words] })
    expect(dsh.replies.get('c1')).toEqual({ answers: [
      { id: 'db', selected: [], custom: 'Postgres: on the small machine' }, { id: 'checks', selected: ['Types'], custom: 'and more' }, { id: 'name', selected: [] },
    ] })
    expect(ends[0]![1]).toMatchObject({ kind: 'answered', answer: { answers: [words, {}, {}] } })
  })

  it('26: may be a skip', async () => {
    const { a, dsh } = await goOn()
    await a.answer({ answers: [{ id: 'db', selected: [] }] })
    expect(dsh.replies.get('c1')).toEqual({ answers: [{ id: 'db', selected: [] }] })
  })

  it('26: that fits no question takes its surface out, and is not passed on', async () => {
    const { a, b, dsh, states } = await goOn()
    await a.answer({ answers: [{ id: 'db', selected: ['Postgres', 'SQLite'] }] })
    expect([dsh.answer.mock.calls, states()]).toEqual([[], { a: 'failed', b: 'asked', host: 'left' }])
    await b.answer()
    expect(dsh.replies.size).toBe(1)
  })

  it('26: that is blank is none: the agent waits for nothing, and its person may answer at the host', async () => {
    const all = await goOn()
    await all.a.answer({ answers: [] })
    expect(all.ends).toEqual([])
    await all.b.answer({ answers: [{ id: 'db', selected: ['  '] }] })
    expect(all.dsh.answer).not.toHaveBeenCalled()
    expect(all.ends.map(([, outcome]) => outcome)).toEqual([{ kind: 'aborted' }])
    expectNothingLeft(all)
  })

  it('26: a blank one from before is none either', async () => {
    const { a, b, dsh, ends } = await open()
    await a.answer({ answers: [] })
    await pass(WINDOW)
    await b.fail()
    expect([dsh.answer.mock.calls, ends.map(([, { kind }]) => kind)]).toEqual([[], ['aborted']])
  })

  it('26: after somebody else\'s, everybody is told that the host settled it, the one who answered too', async () => {
    const all = await goOn()
    const { a, b, dsh, ends, states, warned } = all
    dsh.answer(AGENT, 'c1', says('SQLite'))
    await a.answer()
    expect(dsh.replies.get('c1')).toEqual(says('SQLite'))
    for (const one of [a, b]) {
      expect([one.settled.mock.calls, stopCode(one.context.signal)]).toEqual([[[one.request, 'host', undefined]], 'ASK_SETTLED'])
      expect(one.request.signal!.aborted).toBe(false)
    }
    expect(ends.map(([, outcome]) => outcome)).toEqual([{ kind: 'cancelled', by: 'host' }])
    expect([states(), warned()]).toEqual([{ a: 'asked', b: 'asked', host: 'left' }, ''])
    expectNothingLeft(all)
  })

  it.each<[string, (parts: Awaited<ReturnType<typeof open>>) => unknown, unknown]>([
    ['says no', ({ dsh }) => dsh.answer.mockReturnValue(false), 'ASK_ABORTED'],
    ['finds it wrong', ({ dsh }) => dsh.answer.mockImplementation(() => { throw Object.assign(new Error('no'), { name: 'UserQuestionError', code: 'BAD_ANSWER' }) }), 'BAD_ANSWER'],
    ['throws anything', ({ dsh }) => dsh.answer.mockImplementation(() => { throw undefined }), undefined],
    ['has lost the agent', ({ dsh }) => dsh.dispose(AGENT), 'CALLER_NOT_LIVE'],
  ])('26: fails where dsh %s: it is logged, and nobody is told that it was answered', async (_, prepare, code) => {
    const all = await goOn()
    const { a, b, ends, states, warned } = all
    prepare(all)
    await a.answer()
    for (const one of [a, b]) {
      expect([one.settled.mock.calls, stopCode(one.context.signal), stopCode(one.request.signal!)]).toEqual([[], 'ASK_ABORTED', 'ASK_ABORTED'])
    }
    const [[, outcome]] = ends as [[PendingAsk, AskOutcome & { kind: 'failed' }]]
    expect([outcome.kind, codeOf(outcome.error)]).toEqual(['failed', code])
    expect([states(), warned()]).toEqual([{ a: 'failed', b: 'asked', host: 'left' }, 'a late answer from "a" was not taken'])
    expectNothingLeft(all)
  })

  it('26: goes to the service that is there then, which may be another one', async () => {
    const taken = vi.fn<() => boolean>(() => true)
    const { a, b, ctx, dsh, service, ends } = await goOn()
    await service.dispose()
    await ctx.plugin({ name: 'newer', apply: (inner: Context) => void inner.provide('userQuestions', { answer: taken } as never) })
    await a.answer()
    expect(taken).toHaveBeenCalledExactlyOnceWith(AGENT, 'c1', says('Postgres'))
    expect(dsh.answer).not.toHaveBeenCalled()
    expect([ends[0]![1].kind, b.settled.mock.calls.length]).toEqual(['answered', 1])
  })

  it('26: is not taken where there is no such service any more', async () => {
    const { a, b, service, ends } = await goOn()
    await service.dispose()
    await a.answer()
    expect(ends[0]![1]).toMatchObject({ kind: 'failed', error: { code: 'ASK_ABORTED' } })
    expect([stopCode(a.context.signal), b.settled.mock.calls]).toEqual(['ASK_ABORTED', []])
  })

  it('26: is no answer where the person declines: nothing goes to the agent', async () => {
    const all = await goOn()
    const { a, b, dsh, ends } = all
    await a.fail(cancelled())
    expect([dsh.answer.mock.calls, b.settled.mock.calls]).toEqual([[], [[b.request, 'a', undefined]]])
    expect(ends.map(([, outcome]) => outcome)).toEqual([{ kind: 'cancelled', by: 'a' }])
    expectNothingLeft(all)
  })
})

describe('a question whose agent has gone on', () => {
  it('26: ends when every surface has failed', async () => {
    const all = await goOn()
    await all.a.fail()
    expect(all.ends).toEqual([])
    await all.b.fail()
    expect(all.ends.map(([, { kind }]) => kind)).toEqual(['failed'])
    expectNothingLeft(all)
  })

  it('26: ends with the router, for the surfaces as every unanswered question does', async () => {
    const all = await goOn()
    await all.fiber.dispose()
    for (const one of [all.a, all.b]) {
      expect([stopCode(one.context.signal), stopCode(one.request.signal!), one.settled.mock.calls]).toEqual(['ASK_ABORTED', 'ASK_ABORTED', []])
    }
    expectNothingLeft(all)
  })

  it('26: does not care what becomes of the turn, and is told of nothing twice', async () => {
    const { a, b, dsh, turn, ui } = await goOn()
    turn.abort(new Error('the person pressed stop'))
    await ui.host.fail(timedOut())
    expect([a, b].map(one => [one.late.mock.calls.length, one.context.signal.aborted])).toEqual([[1, false], [1, false]])
    await a.answer()
    expect(dsh.replies.size).toBe(1)
  })

  it('26: waits for a surface that restarts', async () => {
    const a = new LateSurface('a'), again = new LateSurface('a')
    const all = await open({ surfaces: [] })
    const fiber = await load(all.ctx, a)
    await pass(WINDOW - 500)
    await fiber.dispose()
    await pass(500)
    expect(all.registry.pending()).toMatchObject([{ late: true }])
    await load(all.ctx, again)
    await again.answer()
    expect(all.dsh.replies.size).toBe(1)
    expectNothingLeft(all)
  })

  it('26: goes on when the time is over while it waits for one', async () => {
    const a = new LateSurface('a')
    const { ui, dsh, registry, ends } = await open({ surfaces: [a], config: { rejoinMs: 5000 } })
    await ui.host.fail()
    await pass(WINDOW - 1000)
    await a.leave()
    await pass(1000)
    expect([dsh.routed.state, registry.pending().length]).toEqual(['rejected', 1])
    await pass(4000)
    expect(ends.map(([, { kind }]) => kind)).toEqual(['failed'])
  })

  it('26: is shown by a page that nobody looks at, and may be answered there', async () => {
    const page = new Page('page', false)
    const { dsh } = await goOn({ surfaces: [page] })
    await page.answer()
    expect(dsh.replies.size).toBe(1)
  })

  it('26: leaves the next one alone', async () => {
    const { a, dsh, registry } = await goOn()
    const next = watch(dsh.askTimed({ ...question(), agent: AGENT }, 'c2'))
    await macrotask()
    expect(registry.pending().map(({ late }) => late)).toEqual([true, undefined])
    await a.answer(says('SQLite'))
    expect([next.value, dsh.replies.size, registry.pending().length]).toEqual([says('SQLite'), 0, 1])
  })
})

describe('a web tab\'s own countdown', () => {
  it('26: does not end the question for the phone', async () => {
    const { a, ask, dsh, ui } = await open()
    await ui.host.fail(timedOut())
    expect(ask.value).toEqual(PENDING)
    expect(dsh.routed.error).toMatchObject({ code: 'ASK_TIMED_OUT' })
    expect([a.late.mock.calls.length, a.context.late, a.context.signal.aborted]).toEqual([1, true, false])
    expect(getEventListeners(dsh.signal, 'abort')).toEqual([])
    await pass(WINDOW)
    expect(a.late).toHaveBeenCalledOnce()
    await a.answer()
    expect(dsh.replies.get('c1')).toEqual(says('Postgres'))
  })

  it('26: takes it away from the host\'s other UIs', async () => {
    const { ctx, ui, registry } = await open({ surfaces: [] })
    const other = new LateReader(ctx)
    const surface = new LateSurface('a')
    register(ctx, surface)
    expect(registry.pending()).toHaveLength(1)
    const { signal } = ui
    await ui.host.fail(timedOut())
    expect([stopCode(signal), other.host.asked, surface.late.mock.calls.length]).toEqual(['ASK_TIMED_OUT', 0, 1])
  })

  it('9: ends the question for everybody where no late answer is possible', async () => {
    const { a, dsh, ui, registry } = await open({ service: () => ({}) })
    await ui.host.fail(timedOut())
    expect(dsh.routed.error).toMatchObject({ code: 'ASK_TIMED_OUT' })
    expect([a.settled.mock.calls, a.late.mock.calls, registry.pending()]).toEqual([[[a.request, 'host', undefined]], [], []])
  })

  it('9: is none where a surface says it', async () => {
    const { a, b, dsh, registry } = await open()
    await a.fail(timedOut())
    expect([dsh.routed.state, b.late.mock.calls, registry.pending().length]).toEqual(['open', [], 1])
  })
})

describe('as before', () => {
  it.each<[string, Setting]>([
    ['on a host that takes no late answers', { service: () => ({}) }],
    ['where it has something else of that name', { service: () => ({ answer: true }) }],
    ['for a question that waits for ever', { more: { wait: { callId: 'c1' } } }],
    ['for one that says so', { more: { wait: { callId: 'c1', timed: false } } }],
    ['for one without a call', { more: { wait: { timed: true } } }],
    ['for one without any of it', { more: { wait: undefined } }],
    ['for one without an agent', { more: { agent: undefined } }],
    ['where nobody is there but the host', { surfaces: [] }],
  ])('11: the time ends the question for everybody %s', async (_, setting) => {
    const all = await goOn(setting)
    expect(all.dsh.routed.error).toMatchObject({ code: 'ASK_ABORTED', cause: { code: 'ASK_TIMED_OUT' } })
    expect(all.ends.map(([, { kind }]) => kind)).toEqual(['aborted'])
    for (const one of setting.surfaces ?? [all.a, all.b]) {
      expect([stopCode(one.context.signal), one.settled.mock.calls]).toEqual(['ASK_ABORTED', []])
    }
    expect(all.a.late).not.toHaveBeenCalled()
    expectNothingLeft(all)
  })

  it('11: so it does where every surface is out', async () => {
    const all = await open()
    await Promise.all([all.a.fail(), all.b.fail()])
    await pass(WINDOW)
    expect(all.ends.map(([, { kind }]) => kind)).toEqual(['aborted'])
  })

  it('11: any other abort ends a timed question', async () => {
    const all = await open()
    const stop = new Error('the person pressed stop')
    all.turn.abort(stop)
    await flush()
    expect(all.dsh.routed.error).toMatchObject({ code: 'ASK_ABORTED', cause: stop })
    expect([all.a, all.b].map(one => [one.late.mock.calls, stopCode(one.context.signal)])).toEqual([[[], 'ASK_ABORTED'], [[], 'ASK_ABORTED']])
    expectNothingLeft(all)
  })

  it('6: an answer in time is an answer', async () => {
    const all = await open()
    await all.a.answer()
    expect([all.ask.value, all.dsh.answer.mock.calls]).toEqual([says('Postgres'), []])
    expectNothingLeft(all)
  })

  it('1: a request whose wait cannot be read is left to the host', async () => {
    const more = { get wait() { return { get callId(): never { throw new Error('no') } } } }
    const seen = await unhandledRejections(async () => {
      const { a, ui } = await open({ more })
      expect([a.asked, ui.host.asked]).toEqual([0, 1])
      await ui.host.answer()
    })
    expect(seen).toEqual([])
  })
})
