// The turn is aborted (rule 11).
import { describe, expect, it } from 'vitest'
import { openAsk, setUp, start, startAsk } from '../helpers/ask.ts'
import { answerer, boot, dispatch, register } from '../helpers/cordis.ts'
import { codeOf, FakeSurface, hang, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('abort', () => {
  it('11: rejects at once with ASK_ABORTED and the signal\'s reason as its cause', async () => {
    const { ask, controller } = await start(undefined, 'a')
    const reason = Object.assign(new Error('the turn timed out'), { name: 'UserQuestionError', code: 'ASK_TIMED_OUT' })
    controller.abort(reason)
    await flush()
    const error = ask.error as Error
    expect(codeOf(error)).toBe('ASK_ABORTED')
    expect(error.name).toBe('UserQuestionError')
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
    expect(error.cause).toBe(reason)
  })

  it('11: every participant\'s signal aborts and nobody is told by settled', async () => {
    const { a, b, c, controller } = await start(undefined, 'a', 'b', 'c')
    const early = a.context.signal
    b.fail()
    await c.answer({ answers: [] })
    controller.abort(new Error('stop'))
    // In the same tick: a surface must not show the question a moment longer.
    expect(stopCode(early)).toBe('ASK_ABORTED')
    for (const one of [a, b, c]) {
      expect(stopCode(one.context.signal)).toBe('ASK_ABORTED')
      expect(one.settled).not.toHaveBeenCalled()
    }
    await pass(10_000)
    for (const one of [a, b, c]) expect(one.settled).not.toHaveBeenCalled()
  })

  it('11: so does the signal of the request that surfaces got, which is all that a plain surface has', async () => {
    const { a, controller } = await start(undefined, 'a')
    expect(a.request.signal!.aborted).toBe(false)
    const reason = new Error('stop')
    controller.abort(reason)
    expect(a.request.signal!.aborted).toBe(true)
    expect(a.request.signal!.reason).toBe(reason)
  })

  it('11: a surface that ignores all of it cannot delay the rejection, and its late words change nothing', async () => {
    const { ask, a, host, controller } = await start(undefined, 'a')
    const unhandled = await unhandledRejections(async () => {
      controller.abort()
      await flush()
      expect(ask.state).toBe('rejected')
      a.answer(says('SQLite'))
      host.fail()
    })
    expect(unhandled).toEqual([])
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
  })

  it('11: a surface that answers because of the abort is too late', async () => {
    const { ask, a, controller } = await start(undefined, 'a')
    a.request.signal!.addEventListener('abort', () => a.answer())
    controller.abort()
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
  })

  it('11: who left keeps the reason for which it is out', async () => {
    const { a, controller } = await start(undefined, 'a', 'b')
    await a.leave()
    controller.abort()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
  })

  it('11: an already aborted request asks nobody, not even for a claim, nor the host', async () => {
    for (const surfaces of [[], [new FakeSurface('a')]]) {
      const reason = new Error('before')
      const { ask, host } = await startAsk({ surfaces, request: question({ signal: AbortSignal.abort(reason) }) })
      expect(codeOf(ask.error)).toBe('ASK_ABORTED')
      expect((ask.error as Error).cause).toBe(reason)
      expect(host.asked).toBe(0)
      for (const one of surfaces) expect([one.claim.mock.calls.length, one.asked]).toEqual([0, 0])
    }
  })

  it('11: without a surface, a host that ignores the signal cannot delay it either', async () => {
    const { ask, controller } = await start()
    controller.abort()
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
  })

  it('11: between two surfaces being asked, the second is not asked', async () => {
    const { host, controller, a, b, open } = await setUp()
    a.whenAsked(() => controller.abort())
    const ask = open()
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect([b.asked, host.asked]).toEqual([0, 0])
    expect(stopCode(a.context.signal)).toBe('ASK_ABORTED')
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('11: before the host\'s macrotask, the host is not asked', async () => {
    const { host, controller, ask } = await openAsk({ names: ['a'] })
    controller.abort()
    await macrotask()
    expect(ask.state).toBe('rejected')
    expect(host.asked).toBe(0)
  })

  it('11: surfaces that wait for their delay are never asked', async () => {
    const { b, controller } = await start({ surfaces: { b: { delayMs: 100 } } }, 'a', 'b')
    controller.abort()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('11: while the ask waits for somebody to join', async () => {
    const { ask, controller, host, a } = await start(undefined, 'a')
    host.isEmpty()
    await a.leave()
    expect(ask.state).toBe('open')
    controller.abort()
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
  })

  it('11: after the ask is settled it is nothing any more', async () => {
    const { ask, a, b, controller } = await start(undefined, 'a', 'b')
    await a.answer()
    controller.abort()
    await flush()
    expect(ask.state).toBe('resolved')
    expect(b.settled).toHaveBeenCalledTimes(1)
    expect(stopCode(b.context.signal)).toBe('ASK_SETTLED')
    expect(a.context.signal.aborted).toBe(false)
  })

  it('11: an answer that was given in the same tick before the abort does not count', async () => {
    const { ask, a, controller } = await start(undefined, 'a')
    a.answer()
    controller.abort()
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
  })

  it('11: a host that was asked sees its own signal abort', async () => {
    const { ctx } = await boot()
    register(ctx, new FakeSurface('a'))
    const controller = new AbortController()
    let seen: AbortSignal | undefined
    answerer(ctx, request => {
      seen = request.signal
      return hang()
    })
    watch(dispatch(ctx, question({ signal: controller.signal })))
    await macrotask()
    expect(seen!.aborted).toBe(false)
    const reason = new Error('stop')
    controller.abort(reason)
    expect(seen!.aborted).toBe(true)
    expect(seen!.reason).toBe(reason)
  })
})
