// Quiet for a while, because the person says so: who is asked silently, who waits, and how it ends (rule 22).
import { describe, expect, it, vi } from 'vitest'
import { openAsk, setUp } from '../helpers/ask.ts'
import { load } from '../helpers/cordis.ts'
import { Phone } from '../helpers/modes.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const MINUTE = 60_000
const NOON = Date.parse('2026-06-10T12:00:00Z')
/** Quiet hours at another time of day, for the surface called `loud`. */
const night = { from: '22:00', to: '07:30', timeZone: 'UTC', surfaces: ['loud'] }

/** Surfaces of each kind at noon, and what is told of hushing. */
async function start(config: object = {}) {
  vi.setSystemTime(NOON)
  const phone = new Phone(), plain = new Phone('plain', {}, false), loud = new Phone('loud', {}, false)
  const all = await setUp({ config: { quiet: night, ...config }, surfaces: [phone, plain, loud] })
  const told: unknown[] = []
  all.ctx.on('ask-surfaces/hush', until => void told.push(until))
  return { ...all, phone, plain, loud, told }
}

const quietNames = ({ registry }: Awaited<ReturnType<typeof start>>) => registry.status().filter(one => one.quiet).map(one => one.name)

describe('while it is hushed', () => {
  it('22: it is quiet for those that can be silent and for those that have quiet hours', async () => {
    const all = await start()
    expect(quietNames(all)).toEqual([])
    all.registry.hush(NOON + 60 * MINUTE)
    expect(quietNames(all)).toEqual(['phone', 'loud'])
    all.open()
    await macrotask()
    expect([all.phone.asked, all.phone.context.quiet, all.plain.asked, all.plain.context.quiet, all.loud.asked]).toEqual([1, true, 1, false, 0])
  })

  it('22: nobody reminds who can be silent, whatever its policy; afterwards each is reminded once', async () => {
    const { registry, open, phone, loud } = await start({ surfaces: { phone: { remindMs: 10 * MINUTE } } })
    open()
    registry.hush(NOON + 60 * MINUTE)
    await pass(60 * MINUTE - 1)
    expect([phone.quiet, loud.asked]).toEqual([[], 1])
    await pass(1)
    expect(phone.quiet).toEqual([false])
    await pass(10 * MINUTE)
    expect(phone.quiet).toEqual([false, false])
  })

  it('22: one without a policy that showed the question before is reminded afterwards too', async () => {
    const { registry, open, phone } = await start({ quiet: undefined })
    open()
    registry.hush(NOON + 5 * MINUTE)
    await pass(5 * MINUTE)
    expect(phone.quiet).toEqual([false])
  })

  it('22: who waits is asked in the minute in which it ends', async () => {
    const { registry, open, loud } = await start()
    registry.hush(NOON + 90_000)
    open()
    await pass(2 * MINUTE - 1)
    expect(loud.asked).toBe(0)
    await pass(1)
    expect([loud.asked, loud.context.quiet]).toEqual([1, false])
  })

  it('22: an edit of the configuration leaves it, as it leaves the presence', async () => {
    const all = await start()
    all.registry.hush(NOON + 60 * MINUTE)
    await all.fiber.update({ quiet: { ...night, surfaces: ['plain'] } })
    expect([all.registry.hushedUntil, quietNames(all)]).toEqual([NOON + 60 * MINUTE, ['phone', 'plain']])
  })

  it('22: quiet hours that begin meanwhile go on afterwards', async () => {
    const all = await start({ quiet: { ...night, from: '12:30', surfaces: ['phone'] } })
    all.registry.hush(NOON + 60 * MINUTE)
    await pass(60 * MINUTE)
    expect([all.registry.hushedUntil, quietNames(all)]).toEqual([undefined, ['phone']])
  })
})

describe('until when', () => {
  it('22: is a full minute, is told when it changes and when it is over, and can be read', async () => {
    const { registry, told } = await start()
    registry.hush(NOON + 1)
    registry.hush(NOON + MINUTE)
    expect(registry.hushedUntil).toBe(NOON + MINUTE)
    registry.hush(NOON + 2 * MINUTE)
    await pass(2 * MINUTE)
    expect([registry.hushedUntil, told]).toEqual([undefined, [NOON + MINUTE, NOON + 2 * MINUTE, undefined]])
  })

  it.each([undefined, NOON, 0, -1])('22: %s ends it at once', async until => {
    const { registry, open, phone, loud, told } = await start()
    registry.hush(NOON + 60 * MINUTE)
    open()
    await macrotask()
    registry.hush(until)
    expect([phone.quiet, loud.asked, registry.hushedUntil]).toEqual([[false], 1, undefined])
    registry.hush(until)
    await flush()
    expect(told).toEqual([NOON + 60 * MINUTE, undefined])
  })

  it.each(['1h', [1, 2], NaN, Infinity, {}, 9e15])('22: is not %j', async until => {
    const { registry } = await start()
    expect(() => registry.hush(until as never)).toThrow(new TypeError('until must be a time in milliseconds'))
    expect(registry.hushedUntil).toBe(undefined)
  })

  it('22: goes by the wall clock, also while the machine sleeps', async () => {
    const { registry, told } = await start()
    registry.hush(NOON + 60 * MINUTE)
    vi.setSystemTime(NOON + 8 * 60 * MINUTE)
    expect(registry.hushedUntil).toBe(undefined)
    await pass(MINUTE)
    expect(told).toEqual([NOON + 60 * MINUTE, undefined])
  })

  it('22: is said by any plugin', async () => {
    const { ctx, registry } = await start()
    await load(ctx, new FakeSurface('page'), inner => inner.askSurfaces.hush(NOON + MINUTE))
    expect(registry.hushedUntil).toBe(NOON + MINUTE)
  })
})

describe('what is left behind', () => {
  it('15: one timer, which keeps no process alive unless an ask is open, and none afterwards', async () => {
    const all = await start()
    const setTimeout = vi.spyOn(globalThis, 'setTimeout')
    const isAlive = () => (setTimeout.mock.results.at(-1)!.value as NodeJS.Timeout).hasRef()
    all.registry.hush(NOON + 2 * MINUTE)
    expect([vi.getTimerCount(), isAlive()]).toEqual([1, false])
    all.open()
    await macrotask()
    expect([vi.getTimerCount(), isAlive()]).toEqual([1, true])
    await all.phone.answer()
    expect([vi.getTimerCount(), isAlive()]).toEqual([1, false])
    await pass(2 * MINUTE)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('15: nothing, when the router is unloaded, whatever is said to it then', async () => {
    const { registry, fiber, told } = await start()
    registry.hush(NOON + MINUTE)
    await fiber.dispose()
    expect(vi.getTimerCount()).toBe(0)
    registry.hush(NOON + 2 * MINUTE)
    expect([vi.getTimerCount(), told]).toEqual([0, [NOON + MINUTE]])
  })

  it('21: what a surface says from within its methods counts', async () => {
    const { registry, ctx } = await openAsk({ names: [] })
    ctx.get('askSurfaces')!.register({
      name: 'desk',
      personal: true,
      ask() {
        registry.hush(Date.now() + MINUTE)
        return new Promise(() => {})
      },
    })
    await macrotask()
    expect(registry.hushedUntil).toBeGreaterThan(Date.now())
  })
})
