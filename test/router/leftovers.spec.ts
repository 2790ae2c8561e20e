// Nothing is left behind (rule 15): after every way out no listener, no timer, nothing pending.
import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openAsk, setUp, start } from '../helpers/ask.ts'
import { load, noAnswerer } from '../helpers/cordis.ts'
import { cancelled, FakeSurface } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

afterEach(() => {
  vi.restoreAllMocks()
})

/** An ask with something of everything: a time-out, a delay, a blank answer kept, one that left, a host. */
async function everything() {
  const all = await start({ surfaces: { slow: { timeoutMs: 5000 }, later: { delayMs: 5000 } } }, 'slow', 'later', 'blank', 'gone', 'leaving')
  all.blank.answer({ answers: [] })
  await all.gone.leave()
  // Still in its last macrotask when the ask ends.
  all.leaving.dispose()
  return all
}

describe('nothing left behind', () => {
  it.each<[string, (parts: Awaited<ReturnType<typeof everything>>) => unknown]>([
    ['an answer', ({ slow }) => slow.answer()],
    ['the host\'s answer', ({ host }) => host.answer()],
    ['a person\'s no', ({ slow }) => slow.fail(cancelled())],
    ['an abort', ({ controller }) => controller.abort()],
    ['the router\'s unload', ({ fiber }) => fiber.dispose()],
  ])('15: after %s', async (_, end) => {
    const parts = await everything()
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    expect(getEventListeners(parts.controller.signal, 'abort')).toHaveLength(1)
    await end(parts)
    await flush()
    expect(parts.ask.state).not.toBe('open')
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(parts.controller.signal, 'abort')).toEqual([])
    expect(parts.registry.pending()).toEqual([])
  })

  it('15: after a failure', async () => {
    const { controller, a, b, open } = await setUp({ config: { surfaces: { b: { timeoutMs: 100 } } } })
    const ask = open(undefined, noAnswerer)
    a.fail()
    await pass(99)
    expect(vi.getTimerCount()).toBe(1)
    await b.fail()
    expect(ask.state).toBe('rejected')
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('12 and 15: a time-out that is over is no timer, though the ask is still open', async () => {
    const { controller, a, ask } = await start({ host: 'fallback', surfaces: { a: { timeoutMs: 100, remindMs: 30 } } }, 'a')
    await pass(100)
    expect([ask.state, vi.getTimerCount()]).toEqual(['open', 0])
    await a.answer()
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('15: after an answer at once, before the host\'s macrotask', async () => {
    const { controller, a } = await openAsk({ names: ['a'] })
    expect(vi.getTimerCount()).toBe(1)
    await a.answer()
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it.each<[string, (a: FakeSurface) => void]>([
    ['an answer', a => a.answer()],
    ['a failure', a => a.fail()],
    ['nothing', a => a.answer({ answers: [] })],
  ])('13 and 15: after the last macrotask of one that left with %s', async (_, end) => {
    const { a } = await openAsk({ config: { host: 'fallback', surfaces: { a: { timeoutMs: 100 } } } })
    a.dispose()
    end(a)
    await flush()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('13 and 15: after one came back while the ask waited, and answered', async () => {
    const { join, open, a } = await setUp({ names: ['a'] })
    open(undefined, noAnswerer)
    await a.leave()
    await macrotask()
    expect(vi.getTimerCount()).toBe(1)
    const late = join('late')
    expect(vi.getTimerCount()).toBe(0)
    await late.answer()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('13 and 15: after an abort while the ask waited for somebody to join', async () => {
    const { controller, open, a } = await setUp({ names: ['a'] })
    open(undefined, noAnswerer)
    await macrotask()
    await a.leave()
    expect(vi.getTimerCount()).toBe(1)
    controller.abort()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('12 and 15: a surface whose delay would begin after the end has none', async () => {
    const { controller, a, open } = await setUp({ config: { surfaces: { b: { delayMs: 100 } } } })
    a.whenAsked(() => controller.abort())
    open()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('12 and 15: a time-out that is not needed any more is no timer', async () => {
    const { a, b } = await openAsk({ config: { host: 'fallback', surfaces: { a: { timeoutMs: 100 }, b: { delayMs: 50 } } } })
    expect(vi.getTimerCount()).toBe(2)
    await a.fail()
    expect(b.asked).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('15: an aborted request leaves no listener, on a signal that somebody else listens to', async () => {
    const { controller, open } = await setUp({ names: [] })
    controller.signal.addEventListener('abort', () => {})
    controller.abort()
    open()
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('15: the plugin\'s fiber holds no effect after it is disposed, nor does one that registered', async () => {
    const { ctx, fiber, open } = await setUp({ names: [] })
    const owner = await load(ctx, new FakeSurface('a'))
    const ask = open()
    const before = ctx.fiber.getEffects().length
    expect(owner.getEffects()).toHaveLength(1)
    await owner.dispose()
    await fiber.dispose()
    await flush()
    expect(owner.getEffects()).toEqual([])
    expect(fiber.getEffects()).toEqual([])
    expect(ctx.fiber.getEffects()).toHaveLength(before - 2)
    expect(ask.state).toBe('rejected')
  })

  it('every effect of the plugin has a label', async () => {
    const { ctx, fiber } = await setUp({ names: ['tv'] })
    const labels = [...fiber.getEffects(), ...ctx.fiber.getEffects()].map(({ label }) => label)
    expect(labels).not.toContain('anonymous')
    expect(labels).toContain('askSurfaces.register(tv)')
  })
})

describe('while an ask is open', () => {
  it('15: its timers keep the process alive', async () => {
    vi.useRealTimers()
    const timers: NodeJS.Timeout[] = []
    const { setTimeout: real } = globalThis
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((...args: Parameters<typeof setTimeout>) => {
      const timer = real(...args)
      timers.push(timer)
      return timer
    }) as typeof setTimeout)
    const { a, b, controller, open } = await setUp({
      config: { host: 'fallback', rejoinMs: 1_000_000, surfaces: { a: { timeoutMs: 1_000_000 }, b: { delayMs: 1_000_000 } } },
    })
    const ask = open(undefined, noAnswerer)
    expect(timers.map(timer => timer.hasRef())).toEqual([true, true])
    for (const one of [a, b]) one.dispose()
    await flush()
    await flush()
    await flush()
    expect(timers.map(timer => timer.hasRef()), 'the wait for somebody to join').toEqual([true, true, true])
    controller.abort()
    await flush()
    expect(ask.state).toBe('rejected')
  })
})
