// A surface is taken out by its disposer while its ask is open (rule 13).
import { describe, expect, it, vi } from 'vitest'
import { openAsk, setUp, start } from '../helpers/ask.ts'
import { cancelled, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('a plugin that lives on takes its surface out', () => {
  it('13: it is out on the next macrotask, not before', async () => {
    const { a } = await start(undefined, 'a', 'b')
    a.dispose()
    await flush()
    expect(stopCode(a.context.signal)).toBeUndefined()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(a.request.signal!.aborted).toBe(false)
  })

  it('13: an answer that was given just before counts', async () => {
    const { ask, a, b } = await start(undefined, 'a', 'b')
    a.answer(says('SQLite'))
    await a.leave()
    expect(ask.value).toEqual(says('SQLite'))
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', says('SQLite'))
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('13: so does a person\'s no', async () => {
    const { ask, a } = await start(undefined, 'a', 'b')
    const no = cancelled()
    a.fail(no)
    await a.leave()
    expect(ask.error).toBe(no)
  })

  it('13: an answer that comes later does not', async () => {
    const { ask, a } = await start(undefined, 'a', 'b')
    await a.leave()
    await a.answer()
    expect(ask.state).toBe('open')
  })

  it('13: one that was not asked yet is never asked', async () => {
    const { b } = await start({ surfaces: { b: { delayMs: 100 } } }, 'a', 'b')
    b.dispose()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('13: one that was about to be asked in the same sweep is not', async () => {
    const { a, b, open } = await setUp()
    a.whenAsked(() => b.dispose())
    const ask = open()
    await pass(1000)
    expect([b.asked, ask.state]).toEqual([0, 'open'])
  })

  it('13: one that goes while it is being asked is out', async () => {
    const { a, b, open } = await setUp()
    a.whenAsked(() => a.dispose())
    open()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(b.asked).toBe(1)
  })

  it('13: the others go on, and a later question is not shown there', async () => {
    const { open, ask, a, b } = await start(undefined, 'a', 'b')
    await a.leave()
    await b.answer()
    expect(ask.state).toBe('resolved')
    open()
    expect([a.asked, b.asked]).toEqual([1, 2])
  })

  it('13: a surface leaves every open ask', async () => {
    const { open, a } = await start(undefined, 'a', 'b')
    const first = a.context.signal
    open()
    await a.leave()
    expect([stopCode(first), stopCode(a.context.signal)]).toEqual(['SURFACE_GONE', 'SURFACE_GONE'])
  })

  it('13: an ask it was not invited to does not care', async () => {
    const { a, ask, b } = await openAsk({ claims: ['a'] })
    b.dispose()
    await pass(5000)
    expect(ask.state).toBe('open')
    await a.answer()
    expect(ask.state).toBe('resolved')
  })

  it('13: one that had timed out leaves as any other does, and an answer given just before counts', async () => {
    const { a, ask } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a', 'b')
    await pass(10)
    expect(stopCode(a.context.signal)).toBeUndefined()
    a.dispose()
    await a.answer()
    expect(ask.state).toBe('resolved')
  })

  it('13: one that had timed out is told that it left', async () => {
    const { a, ask } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a', 'b')
    await pass(10)
    await a.leave()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    await a.answer()
    expect(ask.state).toBe('open')
  })

  it('13: one whose time is over, or that says nothing of use, while it leaves is told that it left all the same', async () => {
    // As in a loop of events where a timer comes first: immediates are real here.
    vi.useRealTimers()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
    const { a, b, ask, registry } = await start({ surfaces: { a: { timeoutMs: 100 } } }, 'a', 'b', 'c')
    a.dispose()
    vi.advanceTimersByTime(100)
    b.dispose()
    b.answer({ answers: [] })
    await flush()
    expect([a, b].map(one => stopCode(one.context.signal))).toEqual(['SURFACE_GONE', 'SURFACE_GONE'])
    expect(registry.pending()[0]!.participants.slice(0, 2).map(({ state }) => state)).toEqual(['left', 'left'])
    expect(ask.state).toBe('open')
  })

  it('12 and 13: where the only one timed out and then left, the ask waits for somebody to join', async () => {
    const { a, ask, host, join } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a')
    host.isEmpty()
    await pass(1_000_000)
    expect(ask.state).toBe('open')
    await a.leave()
    await pass(999)
    expect(ask.state).toBe('open')
    await join('b').answer()
    expect(ask.state).toBe('resolved')
  })
})
