// Asks within asks: what a surface dispatches while it is asked (rule 1), and routers behind each other (rule 16).
import { describe, expect, it } from 'vitest'
import * as plugin from '../../src/index.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { AskContext } from '../../src/protocol/surface.ts'
import { setUp } from '../helpers/ask.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { choice, FakeHost, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

type Remake = (request: AskUserQuestionRequest, context: AskContext) => AskUserQuestionRequest

const OWN = () => new AbortController().signal

/** A relay that dispatches what it is asked with, and beside it a surface that hangs. */
async function relaying(remake: Remake) {
  const { ctx, a: other, host, open } = await setUp({ names: ['a'], config: { host: 'fallback' } })
  const relay = new FakeSurface('relay')
  relay.ask.mockImplementation((request, context) => {
    if (relay.asked > 10) throw new Error('round in circles')
    return dispatch(ctx, remake(request, context), host.next)
  })
  register(ctx, relay)
  open()
  await flush()
  return { relay, other, host }
}

describe('a surface that dispatches what it is asked with', () => {
  it.each<[string, Remake]>([
    ['as it is', request => request],
    ['under its own signal from us', (request, { signal }) => ({ ...request, signal })],
    ['with the questions in another list', request => ({ ...request, questions: [...request.questions] })],
    ['in part', request => ({ ...request, questions: request.questions.slice(0, 1) })],
    ['without any question', request => ({ ...request, questions: [] })],
  ])('1: %s, reaches the host behind', async (_, remake) => {
    const { relay, other, host } = await relaying(remake)
    expect([relay.asked, other.asked, host.asked]).toEqual([1, 1, 1])
  })

  it.each<[string, Remake]>([
    ['under a signal of its own', request => ({ ...request, signal: OWN() })],
    ['without a signal', ({ questions }) => ({ questions })],
    ['the questions in another list, under a signal of its own', ({ questions }) => ({ questions: [...questions], signal: OWN() })],
    ['other questions, under our signal', request => ({ ...request, questions: [choice('sure', ['Yes'])] })],
    ['the questions and one more', request => ({ ...request, questions: [...request.questions, choice('sure', ['Yes'])] })],
  ])('1: %s, is a new question, but only once', async (_, remake) => {
    const { relay, other, host } = await relaying(remake)
    expect([relay.asked, other.asked, host.asked]).toEqual([2, 2, 1])
  })

  it('1: two questions at a time are no deeper than one', async () => {
    const { ctx, a, open } = await setUp({ names: ['a'] })
    open()
    open({ questions: [choice('sure', ['Yes'])] })
    dispatch(ctx, question()).catch(() => {})
    expect(a.asked).toBe(3)
  })
})

describe('two routers, the inner one in an isolated context', () => {
  async function start(config?: unknown) {
    const { ctx } = await boot(config)
    const inner = ctx.isolate('askSurfaces')
    const fiber = await inner.plugin(plugin)
    // The last one loaded stands first; this one goes behind.
    const [first, second] = [ctx.get('askSurfaces')!, inner.get('askSurfaces')!]
    const a = new FakeSurface('a'), b = new FakeSurface('b')
    first.register(a)
    second.register(b)
    return { ctx, fiber, a, b }
  }

  it.each([
    ['the first', 0],
    ['the second', 1],
  ])('16: an answer to %s takes the question back from the other and the host', async (_, winner) => {
    const { ctx, a, b } = await start()
    const host = new FakeHost(), turn = new AbortController(), request = question({ signal: turn.signal })
    let shown: AbortSignal | undefined
    const ask = watch(dispatch(ctx, request, () => {
      shown = request.signal
      return host.next()
    }))
    await pass(10)
    expect([a.asked, b.asked, host.asked]).toEqual([1, 1, 1])
    const [won, lost] = winner === 0 ? [a, b] : [b, a]
    await won.answer(says('Postgres'))
    expect(ask.value).toEqual(says('Postgres'))
    expect(stopCode(lost.context.signal)).toMatch(/^ASK_(SETTLED|ABORTED)$/)
    expect(shown!.aborted).toBe(true)
    expect(request.signal).toBe(turn.signal)
    expect([ctx.get('askSurfaces')!.pending(), turn.signal.aborted]).toEqual([[], false])
  })

  it('11: the end of the turn is the end of both', async () => {
    const { ctx, a, b } = await start()
    const turn = new AbortController()
    const ask = watch(dispatch(ctx, question({ signal: turn.signal }), new FakeHost().next))
    await pass(10)
    turn.abort()
    await flush()
    expect(ask.state).toBe('rejected')
    expect([a, b].map(one => stopCode(one.context.signal))).toEqual(['ASK_ABORTED', 'ASK_ABORTED'])
  })
})
