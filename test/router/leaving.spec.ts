// A surface is taken out by its disposer while its ask is open (ROUTING rule 13).
import { describe, expect, it } from 'vitest'
import { start } from '../helpers/ask.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { cancelled, FakeHost, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('a plugin that lives on takes its surface out', () => {
  it('13: it is out on the next macrotask, not before', async () => {
    const { a, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await flush()
    expect(stopCode(a.context.signal)).toBeUndefined()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(a.request.signal!.aborted).toBe(false)
  })

  it('13: an answer that was given just before counts', async () => {
    const { ask, a, b, disposers } = await start(undefined, 'a', 'b')
    a.answer(says('SQLite'))
    disposers[0]!()
    await macrotask()
    expect(ask.value).toEqual(says('SQLite'))
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', says('SQLite'))
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('13: so does a person\'s no', async () => {
    const { ask, a, disposers } = await start(undefined, 'a', 'b')
    const no = cancelled()
    a.fail(no)
    disposers[0]!()
    await macrotask()
    expect(ask.error).toBe(no)
  })

  it('13: an answer that comes later does not', async () => {
    const { ask, a, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await macrotask()
    a.answer()
    await flush()
    expect(ask.state).toBe('open')
  })

  it('13: one that was not asked yet is never asked', async () => {
    const { b, disposers } = await start({ surfaces: { b: { delayMs: 100 } } }, 'a', 'b')
    disposers[1]!()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('13: one that was about to be asked in the same sweep is not', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const [, disposeB] = register(ctx, a, b)
    a.ask.mockImplementation(() => {
      disposeB!()
      return new Promise(() => {})
    })
    const ask = watch(dispatch(ctx, question(), new FakeHost().next))
    await pass(1000)
    expect([b.asked, ask.state]).toEqual([0, 'open'])
  })

  it('13: one that goes while it is being asked is out', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const [disposeA] = register(ctx, a, b)
    a.ask.mockImplementation(() => {
      disposeA!()
      return new Promise(() => {})
    })
    watch(dispatch(ctx, question(), new FakeHost().next))
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(b.asked).toBe(1)
  })

  it('13: the others go on, and a later question is not shown there', async () => {
    const { ctx, ask, a, b, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await macrotask()
    b.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect([a.asked, b.asked]).toEqual([1, 2])
  })

  it('13: a surface leaves every open ask', async () => {
    const { ctx, a, disposers } = await start(undefined, 'a', 'b')
    const first = a.context.signal
    watch(dispatch(ctx, question(), new FakeHost().next))
    disposers[0]!()
    await macrotask()
    expect([stopCode(first), stopCode(a.context.signal)]).toEqual(['SURFACE_GONE', 'SURFACE_GONE'])
  })

  it('13: an ask it was not invited to does not care', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const [, disposeB] = register(ctx, a, b)
    const ask = watch(dispatch(ctx, question(), new FakeHost().next))
    disposeB!()
    await pass(5000)
    expect(ask.state).toBe('open')
    a.answer()
    await flush()
    expect(ask.state).toBe('resolved')
  })

  it('13: one that had timed out keeps that reason', async () => {
    const { a, disposers } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a', 'b')
    await pass(10)
    disposers[0]!()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_TIMEOUT')
  })
})
