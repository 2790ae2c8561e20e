// Where the person is, and who is asked there (rules 12 and 21).
import { describe, expect, it, vi } from 'vitest'
import { openAsk, setUp, stateOf } from '../helpers/ask.ts'
import { load, logged } from '../helpers/cordis.ts'
import { Phone } from '../helpers/modes.ts'
import { codeOf, errorOf, FakeSurface, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const AT_DESK_FIRST = { home: { delayMs: 60_000 }, away: { delayMs: 0 } }

/** A desk, a phone that is asked later at home, and a question. */
async function start(config: object = {}, phone = new Phone('phone', AT_DESK_FIRST)) {
  const all = await setUp({ config, names: ['desk'], surfaces: [phone] })
  const seen: unknown[] = []
  all.ctx.on('ask-surfaces/presence', presence => void seen.push(presence))
  const ask = all.open()
  await macrotask()
  return { ...all, phone, ask, seen }
}

describe('presence', () => {
  it('21: is home, unless the configuration says away', async () => {
    expect((await start()).registry.presence).toBe('home')
    expect((await start({ presence: 'away' })).registry.presence).toBe('away')
  })

  it('21: is set on the registry, through any plugin’s context, and told once', async () => {
    const { ctx, registry, seen } = await start()
    registry.presence = 'away'
    await load(ctx, new FakeSurface('other'), inner => { inner.askSurfaces.presence = 'away' })
    await flush()
    expect([registry.presence, ctx.get('askSurfaces')!.presence, seen]).toEqual(['away', 'away', ['away']])
    await load(ctx, new FakeSurface('another'), inner => { inner.askSurfaces.presence = 'home' })
    await flush()
    expect([registry.presence, seen]).toEqual(['home', ['away', 'home']])
  })

  it.each(['out', '', undefined, true])('21: is not %j', async value => {
    const { registry } = await start()
    const error = errorOf(() => { registry.presence = value as never })
    expect(error).toBeInstanceOf(TypeError)
    expect(error.message).toBe('presence must be "home" or "away"')
    expect(registry.presence).toBe('home')
  })

  it('21: a listener that throws hurts nobody', async () => {
    const { ctx, registry, phone, logs } = await start()
    ctx.on('ask-surfaces/presence', () => { throw new Error('listener') })
    registry.presence = 'away'
    await flush()
    expect([registry.presence, phone.asked]).toEqual(['away', 1])
    expect(logged(logs, 'warn', 'error')).toBe('')
  })

  it('20: an edit of the configuration sets it only when it is about it', async () => {
    const { registry, fiber } = await start()
    registry.presence = 'away'
    await fiber.update({ rejoinMs: 5 })
    expect(registry.presence).toBe('away')
    await fiber.update({ presence: 'away', rejoinMs: 5 })
    await fiber.update({ presence: 'home' })
    expect(registry.presence).toBe('home')
  })
})

describe('a policy for home and away', () => {
  it('12: at home the phone is asked after its delay, away at once', async () => {
    const { desk, phone } = await start()
    await pass(59_999 - 1)
    expect([desk.asked, phone.asked]).toEqual([1, 0])
    await pass(2)
    expect(phone.asked).toBe(1)
    expect((await start({ presence: 'away' }, new Phone('phone', AT_DESK_FIRST))).phone.asked).toBe(1)
  })

  it('12: of the configuration comes before that of the surface', async () => {
    const { phone } = await start({ surfaces: { phone: { home: { delayMs: 10 } } } })
    await pass(10)
    expect(phone.asked).toBe(1)
  })

  it('21: going away asks the phone in open asks at once', async () => {
    const { registry, phone, desk, ask } = await start()
    await pass(10)
    registry.presence = 'away'
    expect([desk.asked, phone.asked]).toEqual([1, 1])
    await phone.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('21: coming home takes nothing back, and asks nobody twice', async () => {
    const { registry, phone } = await start({ presence: 'away' })
    registry.presence = 'home'
    registry.presence = 'away'
    await pass(100_000)
    expect([phone.asked, phone.context.signal.aborted]).toEqual([1, false])
  })

  it('21: a delay counts from the opening of the ask, in whichever mode it is', async () => {
    const { registry, phone } = await start({}, new Phone('phone', { home: { delayMs: 60_000 }, away: { delayMs: 30_000 } }))
    await pass(10_000)
    registry.presence = 'away'
    await pass(19_998)
    expect(phone.asked).toBe(0)
    await pass(2)
    expect(phone.asked).toBe(1)
  })

  it('21: a time-out is that of the mode in which the surface is asked, also where the delay is the same in both', async () => {
    const { registry, phone } = await start({}, new Phone('phone', { delayMs: 500, away: { timeoutMs: 1000 } }))
    registry.presence = 'away'
    await pass(500)
    expect(phone.asked).toBe(1)
    await pass(999)
    expect(stateOf(registry, 'phone')).toBe('asked')
    await pass(1)
    expect(stateOf(registry, 'phone')).toBe('timed-out')
  })

  it('21: coming home before an away delay is over puts the phone off', async () => {
    const { registry, phone } = await start({ presence: 'away' }, new Phone('phone', { home: { delayMs: 60_000 }, away: { delayMs: 5000 } }))
    await pass(4000)
    registry.presence = 'home'
    await pass(50_000)
    expect(phone.asked).toBe(0)
    await pass(6000)
    expect(phone.asked).toBe(1)
  })

  it('21: a surface that sets it while it is asked is heard', async () => {
    const [phone, desk] = [new Phone('phone', AT_DESK_FIRST), new FakeSurface('desk')]
    const { open, registry } = await setUp({ surfaces: [phone, desk] })
    desk.whenAsked(() => { registry.presence = 'away' })
    open()
    expect([desk.asked, phone.asked]).toEqual([1, 1])
  })

  it('21: one that sets it while it is asked because of it is heard right after', async () => {
    const [tablet, phone] = [new Phone('tablet', { home: { delayMs: 60_000 }, away: false }), new Phone('phone', AT_DESK_FIRST)]
    const { open, registry } = await setUp({ names: ['desk'], surfaces: [tablet, phone] })
    phone.whenAsked(() => { registry.presence = 'home' })
    open()
    await pass(60_000 - 500)
    registry.presence = 'away'
    await macrotask()
    await pass(1000)
    expect([phone.asked, tablet.asked, registry.presence]).toEqual([1, 1, 'home'])
  })
})

describe('false: not asked in this mode', () => {
  it('12: is not asked while anybody else may answer', async () => {
    const { phone, desk, host } = await start({ surfaces: { phone: { home: false } } })
    await pass(1_000_000)
    expect([phone.asked, desk.asked, host.asked]).toEqual([0, 1, 1])
  })

  it('12: is asked when the person goes where it may be', async () => {
    const { registry, phone } = await start({ surfaces: { phone: { home: false } } })
    registry.presence = 'away'
    expect(phone.asked).toBe(1)
  })

  it('12: the host alone holds the question, where the policy leaves nobody; everybody is asked once it is out', async () => {
    const { phone, desk, host, ask } = await start({ surfaces: { phone: { home: false }, desk: { home: false } } })
    await pass(1_000_000)
    expect([phone.asked, desk.asked, host.asked]).toEqual([0, 0, 1])
    await host.isEmpty()
    expect([phone.asked, desk.asked]).toEqual([1, 1])
    await desk.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('12: so it is with a fallback host, which is asked at once then', async () => {
    const { phone, desk, host } = await start({ host: 'fallback', surfaces: { phone: { home: false }, desk: { home: false } } })
    expect(host.asked).toBe(1)
    await host.fail()
    expect([phone.asked, desk.asked]).toEqual([1, 1])
  })

  it('12: is the last resort when the others are out', async () => {
    const { phone, desk, host } = await start({ surfaces: { phone: { home: false } } })
    host.isEmpty()
    await desk.fail()
    expect(phone.asked).toBe(1)
  })

  it('2: a claimer that is not asked in this mode keeps no question from the others', async () => {
    const { desk, other } = await openAsk({ config: { surfaces: { desk: { home: false } } }, names: ['desk', 'other'], claims: ['desk'] })
    expect([desk.asked, other.asked]).toEqual([0, 1])
  })

  it('12: has no time-out as a last resort, and fails as any other', async () => {
    const { phone, desk, host, ask } = await start({ surfaces: { phone: { home: false, away: { timeoutMs: 5 } } } })
    host.isEmpty()
    desk.fail()
    await pass(100)
    expect(ask.state).toBe('open')
    await phone.fail()
    expect(codeOf(ask.error)).toBeUndefined()
    expect((ask.error as Error).cause).toBeInstanceOf(AggregateError)
  })
})

describe('away, the host is nobody', () => {
  const LATER = { away: { delayMs: 60_000 } }

  it('12: so a delayed surface that is alone with it is asked at once', async () => {
    const { phone, host } = await start({ presence: 'away', surfaces: { desk: { away: false } } }, new Phone('phone', LATER))
    expect([phone.asked, host.asked]).toEqual([1, 1])
  })

  it('12: at home it is somebody', async () => {
    const { phone } = await start({ surfaces: { desk: { home: false } } }, new Phone('phone', { home: { delayMs: 60_000 } }))
    await pass(1000)
    expect(phone.asked).toBe(0)
  })

  it('12: it may answer all the same', async () => {
    const { host, ask } = await start({ presence: 'away' }, new Phone('phone', LATER))
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('12: what is not asked away waits until it is out', async () => {
    const { phone, desk, host } = await start({ presence: 'away', surfaces: { desk: { away: false }, phone: { away: false } } })
    await pass(100_000)
    expect([phone.asked, desk.asked, host.asked]).toEqual([0, 0, 1])
    await host.isEmpty()
    expect([phone.asked, desk.asked]).toEqual([1, 1])
  })
})

it('21: leaves no timer behind', async () => {
  const { registry, desk } = await start()
  registry.presence = 'away'
  await desk.answer()
  expect(vi.getTimerCount()).toBe(0)
})
