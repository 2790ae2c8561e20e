// A new configuration applies in place (rule 20), and the router goes and comes back (rule 13, field case 17).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { setUp, start, startAsk, stateOf } from '../helpers/ask.ts'
import { answerer, dispatch, load } from '../helpers/cordis.ts'
import { codeOf, FakeHost, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

/** Whether the host is asked a macrotask after a new question. */
async function hasHost(ctx: Context): Promise<boolean> {
  const host = new FakeHost()
  watch(dispatch(ctx, question(), host.next))
  await macrotask()
  return host.asked === 1
}

describe('a new configuration', () => {
  it('4 and 20: a host that is in the race from now on is asked now, once', async () => {
    const { fiber, host, a, ask } = await start({ host: 'fallback' }, 'a')
    expect(host.asked).toBe(0)
    fiber.update({ host: 'race' })
    expect([host.asked, a.asked]).toEqual([1, 1])
    fiber.update({ host: 'fallback' })
    fiber.update({ host: 'race' })
    await macrotask()
    expect(host.asked).toBe(1)
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('4 and 20: one that was about to be asked is not asked where it is only a fallback by then', async () => {
    const { fiber, host, a, open } = await setUp({ names: ['a'] })
    const ask = open()
    fiber.update({ host: 'fallback' })
    await macrotask()
    expect(host.asked).toBe(0)
    await a.fail()
    expect(host.asked).toBe(1)
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('20: leaves surfaces registered and open asks open', async () => {
    const { fiber, registry, ask, a, b } = await start({}, 'a', 'b')
    fiber.update({ host: 'fallback' })
    await macrotask()
    expect(registry.list()).toEqual([a, b])
    expect(registry.pending()).toHaveLength(1)
    expect([a.asked, a.context.signal.aborted]).toEqual([1, false])
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('20: is the fiber\'s, so that a restart keeps it', async () => {
    const { fiber } = await start({})
    fiber.update({ rejoinMs: 7 })
    expect(fiber.config).toMatchObject({ host: 'race', rejoinMs: 7 })
    await fiber.restart()
    expect(fiber.config).toMatchObject({ rejoinMs: 7 })
  })

  it('20: decides whether the next ask has the host in its race', async () => {
    const { ctx, fiber } = await start({}, 'a')
    fiber.update({ host: 'fallback' })
    expect(await hasHost(ctx)).toBe(false)
    fiber.update({ host: 'race' })
    expect(await hasHost(ctx)).toBe(true)
  })

  it('20: its time-out holds in open asks, for those who are asked from then on and for those who were before', async () => {
    const { join, fiber, registry } = await start({}, 'a')
    await pass(15)
    fiber.update({ surfaces: { a: { timeoutMs: 30 }, b: { timeoutMs: 20 } } })
    join('b')
    await pass(14)
    expect([stateOf(registry, 'a'), stateOf(registry, 'b')]).toEqual(['asked', 'asked'])
    await pass(6)
    // Each counts from being asked.
    expect([stateOf(registry, 'a'), stateOf(registry, 'b')]).toEqual(['timed-out', 'timed-out'])
  })

  it('20: a time-out that it takes away, or makes longer, takes nobody out any more', async () => {
    const { fiber, registry } = await start({ surfaces: { a: { timeoutMs: 30 } } }, 'a')
    await pass(15)
    fiber.update({ surfaces: { a: { timeoutMs: 60 } } })
    await pass(30)
    expect(stateOf(registry, 'a')).toBe('asked')
    fiber.update({})
    await pass(1000)
    expect(stateOf(registry, 'a')).toBe('asked')
  })

  it('20: a time-out that was over before it came takes the surface out at once', async () => {
    const { fiber, registry } = await start({}, 'a')
    await pass(1000)
    fiber.update({ surfaces: { a: { timeoutMs: 500 } } })
    await pass(1)
    expect(stateOf(registry, 'a')).toBe('timed-out')
  })

  it('20: its delay holds for those who are invited from then on', async () => {
    const { join, fiber } = await start({}, 'a')
    fiber.update({ surfaces: { b: { delayMs: 100 } } })
    const b = join('b')
    await pass(99)
    expect(b.asked).toBe(0)
    await pass(1)
    expect(b.asked).toBe(1)
  })

  it('20: its rejoinMs holds for an ask whose last surface leaves from then on', async () => {
    const { fiber, host, ask, a } = await start({}, 'a')
    fiber.update({ rejoinMs: 50 })
    host.isEmpty()
    await a.leave()
    await pass(49)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('20: nothing given is all defaults again', async () => {
    const { ctx, fiber } = await start({ host: 'fallback' }, 'a')
    fiber.update(undefined)
    expect(await hasHost(ctx)).toBe(true)
  })

  it.each([
    ['a wrong value', { host: 'never' }],
    ['an unknown key', { hots: 'race' }],
    ['a wrong time', { surfaces: { a: { timeoutMs: -1 } } }],
  ])('20: %s is refused, and the old one stays', async (_, config) => {
    const { ctx, fiber, registry, a, ask } = await start({ host: 'fallback' }, 'a')
    expect(() => fiber.update(config)).toThrow(/invalid config/)
    await macrotask()
    expect(registry.list()).toEqual([a])
    expect(ask.state).toBe('open')
    expect(fiber.config).toMatchObject({ host: 'fallback' })
    expect(await hasHost(ctx)).toBe(false)
    await a.answer()
    fiber.update({ host: 'race' })
    expect(await hasHost(ctx)).toBe(true)
  })

  it('20: adds no second listener and no second service', async () => {
    const { open, join, fiber } = await start({}, 'a')
    const effects = fiber.getEffects().length
    for (let round = 0; round < 3; round++) fiber.update({ rejoinMs: round })
    expect(fiber.getEffects()).toHaveLength(effects)
    const a = join('late')
    a.ask.mockClear()
    open()
    expect(a.asked).toBe(1)
  })
})

describe('the router is unloaded', () => {
  it('13: every open ask is aborted, every surface puts it away, none is told by settled', async () => {
    const { fiber, ask, open, a, b } = await start({}, 'a', 'b')
    const other = open(question({ signal: new AbortController().signal }))
    await fiber.dispose()
    for (const one of [ask, other]) expect(codeOf(one.error)).toBe('ASK_ABORTED')
    for (const one of [a, b]) {
      expect(stopCode(one.context.signal)).toBe('ASK_ABORTED')
      expect(stopCode(one.request.signal!)).toBe('ASK_ABORTED')
      expect(one.settled).not.toHaveBeenCalled()
    }
  })

  it('13: an ask that ends because another is aborted ends once', async () => {
    const { controller, fiber, open, a } = await startAsk({ names: ['a'], request: question() })
    a.context.signal.addEventListener('abort', () => controller.abort('with the other'))
    const other = open()
    await fiber.dispose()
    expect((other.error as Error).cause).toBe('with the other')
  })

  it('13: also when the surfaces\' plugins go with it, and what they say then is nothing', async () => {
    const { ctx, fiber, open } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    await load(ctx, a, inner => void inner.effect(() => () => void a.answer()))
    const ask = open()
    await fiber.dispose()
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('the next question goes to the host, as if this plugin had never been there', async () => {
    const { ctx, fiber, a } = await start({}, 'a')
    await fiber.dispose()
    const host = new FakeHost()
    const request = question({ signal: new AbortController().signal })
    const { signal } = request
    const ask = watch(dispatch(ctx, request, host.next))
    expect(host.asked).toBe(1)
    expect(request.signal).toBe(signal)
    await host.answer('as it is')
    expect(ask.value).toBe('as it is')
    expect(a.asked).toBe(1)
    expect(ctx.get('askSurfaces')).toBeUndefined()
  })

  it('a question that was dispatched before and reaches it only now goes to the host', async () => {
    const { ctx, fiber, host, a, open } = await setUp({ names: ['a'] })
    // Listeners are fixed at dispatch: one ahead of the router calls next when the router is gone.
    let goOn = () => {}
    answerer(ctx, (_, next) => new Promise(resolve => {
      goOn = () => resolve(next())
    }), true)
    const ask = open()
    await fiber.dispose()
    goOn()
    expect([a.asked, host.asked]).toEqual([0, 1])
    await host.answer('as it is')
    expect(ask.value).toBe('as it is')
  })

  it('loaded again, it starts afresh: the old question is one clean cancellation, the new one is asked once', async () => {
    const { ctx, fiber, open } = await setUp({ config: { host: 'fallback' }, names: [] })
    const a = new FakeSurface('a')
    await load(ctx, a)
    const ask = open()
    await fiber.restart()
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect(ctx.get('askSurfaces')!.pending()).toEqual([])
    expect(a.asked).toBe(1)
    const again = open()
    expect(a.asked).toBe(2)
    await a.answer()
    expect(again.state).toBe('resolved')
  })

  it('disposing it twice is disposing it once', async () => {
    const { ask, fiber } = await start({}, 'a')
    await fiber.dispose()
    await fiber.dispose()
    expect(ask.state).toBe('rejected')
    expect(fiber.getEffects()).toEqual([])
  })
})
