// Quiet hours: who is asked silently, who waits, who is reminded when they end (rule 22).
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { quietNow } from '../../src/router/quiet.ts'
import { startAsk } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { Phone } from '../helpers/modes.ts'
import { FakeSurface, says } from '../helpers/surface.ts'
import { pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const night = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin', surfaces: ['phone'] }
const MINUTE = 60_000, HOUR = 60 * MINUTE

/** An ask of these surfaces that is opened at that instant. */
function start(at: string, surfaces: FakeSurface[], config: object = {}) {
  vi.setSystemTime(at)
  return startAsk({ config: { quiet: night, ...config }, surfaces })
}

describe('whether it is quiet', () => {
  const at = (hours: object, instant: string, name = 'phone') => {
    vi.setSystemTime(instant)
    return quietNow([{ ...night, ...hours }])(name)
  }

  it('22: goes by the wall clock of the zone, across midnight, from its first minute to before its last', () => {
    // Berlin is two hours ahead in summer.
    expect(['19:59:59', '20:00:00', '22:00:00', '23:30:00'].map(time => at({}, `2026-06-10T${time}Z`))).toEqual([false, true, true, true])
    expect(['00:00:00', '05:29:59', '05:30:00', '12:00:00'].map(time => at({}, `2026-06-10T${time}Z`))).toEqual([true, true, false, false])
  })

  it('22: is for the surfaces that are named', () => {
    expect([at({}, '2026-06-10T22:00Z'), at({}, '2026-06-10T22:00Z', 'desk')]).toEqual([true, false])
  })

  it('22: within a day is within that day', () => {
    const noon = { from: '12:00', to: '14:00', timeZone: 'UTC' }
    expect(['11:59', '12:00', '13:59', '14:00', '00:00'].map(time => at(noon, `2026-06-10T${time}Z`))).toEqual([false, true, true, false, false])
  })

  it('22: an hour that summer time skips is not quiet, one that comes twice is quiet twice', () => {
    const hour = { from: '02:15', to: '03:15' }
    // 02:00 becomes 03:00 in Berlin at 01:00 UTC.
    expect(['00:59', '01:00', '01:14', '01:15'].map(time => at(hour, `2026-03-29T${time}Z`))).toEqual([false, true, true, false])
    // 03:00 becomes 02:00 again at 01:00 UTC.
    expect(['00:14', '00:15', '00:59', '01:00', '01:15', '02:14', '02:15'].map(time => at(hour, `2026-10-25T${time}Z`)))
      .toEqual([false, true, true, false, true, true, false])
  })

  it('22: without a zone goes by this process’ own', () => {
    const here = new Date('2026-06-10T12:34Z').toTimeString().slice(0, 5)
    expect(at({ timeZone: undefined, from: here, to: here.replace(/\d$/, last => String((Number(last) + 1) % 10)) }, '2026-06-10T12:34Z')).toBe(true)
  })

  it('22: midnight is 00:00', () => {
    expect(at({ from: '00:00', to: '00:01', timeZone: 'UTC' }, '2026-06-10T00:00:30Z')).toBe(true)
  })

  // 2026-06-08 is a Monday.
  const week = ['08', '09', '10', '11', '12', '13', '14']
  const days = (hours: object, time: string) => week.map(day => at({ timeZone: 'UTC', ...hours }, `2026-06-${day}T${time}Z`) ? 1 : 0).join('')

  it.each([
    [['mon-fri'], '1111100'],
    [['sat', 'sun'], '0000011'],
    [['wed'], '0010000'],
    [['sat-mon'], '1000011'],
    [['mon-tue', 'tue-wed', 'sun'], '1110001'],
    [['mon-sun'], '1111111'],
    [['fri-thu'], '1111111'],
    [undefined, '1111111'],
  ])('22: on %j it is quiet on those days alone', (given, expected) => {
    expect(days({ days: given, from: '12:00', to: '14:00' }, '13:00')).toBe(expected)
    expect(days({ days: given, from: '12:00', to: '14:00' }, '14:00')).toBe('0000000')
  })

  it('22: a night belongs to the day on which it begins', () => {
    const nights = { days: ['mon-fri'], from: '22:00', to: '07:30' }
    expect([days(nights, '23:00'), days(nights, '06:00')]).toEqual(['1111100', '0111110'])
    const sunday = { ...nights, days: ['sun'] }
    expect([days(sunday, '23:00'), days(sunday, '06:00')]).toEqual(['0000001', '1000000'])
  })

  it('22: a day is that of the zone', () => {
    // 23:30 of a Monday in London is Tuesday in Berlin.
    expect(at({ days: ['tue'], from: '00:00', to: '01:00' }, '2026-06-08T22:30Z')).toBe(true)
    expect(at({ days: ['mon'], from: '00:00', to: '01:00' }, '2026-06-08T22:30Z')).toBe(false)
  })

  it('22: on the night that summer time makes shorter or longer it is the wall clock that counts', () => {
    // Sunday 2026-03-29 and 2026-10-25 in Berlin; the nights began on a Saturday.
    const hours = { days: ['sat'], from: '22:00', to: '03:30' }
    expect(['2026-03-28T20:59', '2026-03-28T21:00', '2026-03-29T00:59', '2026-03-29T01:29', '2026-03-29T01:30'].map(time => at(hours, `${time}Z`)))
      .toEqual([false, true, true, true, false])
    expect(['2026-10-24T19:59', '2026-10-24T20:00', '2026-10-25T01:00', '2026-10-25T02:29', '2026-10-25T02:30'].map(time => at(hours, `${time}Z`)))
      .toEqual([false, true, true, true, false])
    // The clocks of Beirut go from Sunday's 00:00 back to Saturday's 23:00: that hour comes twice, and is Saturday's both times.
    const beirut = { days: ['sat'], from: '23:00', to: '00:30', timeZone: 'Asia/Beirut' }
    expect(['2026-10-24T19:59', '2026-10-24T20:00', '2026-10-24T21:30', '2026-10-24T22:29', '2026-10-24T22:30'].map(time => at(beirut, `${time}Z`)))
      .toEqual([false, true, true, true, false])
  })

  it('22: is as long as from its beginning on one of its days to its end, at any minute of a week', () => {
    const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], DAY = 24 * 60
    const minute = fc.nat(DAY - 1)
    const window = fc.tuple(fc.subarray([...DAYS.keys()], { minLength: 1 }), minute, minute).filter(([, from, to]) => from !== to)
    const written = (time: number) => [time / 60, time % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
    fc.assert(fc.property(fc.array(window, { maxLength: 3 }), fc.array(fc.nat(7 * DAY - 1), { minLength: 1, maxLength: 20 }), (windows, minutes) => {
      const isQuiet = quietNow(windows.map(([on, from, to]) => ({
        days: on.map(day => DAYS[day]!), from: written(from), to: written(to), timeZone: 'UTC', surfaces: ['phone'],
      })))
      for (const now of minutes) {
        const expected = windows.some(([on, from, to]) => on.some(day => {
          const since = (now - day * DAY - from + 7 * DAY) % (7 * DAY)
          return since < (to - from + DAY) % DAY
        }))
        vi.setSystemTime(Date.UTC(2026, 5, 8) + now * MINUTE)
        expect(isQuiet('phone')).toBe(expected)
      }
    }))
  })

  it('22: of several each holds for its own surfaces, days and zone', () => {
    const several = quietNow([
      { ...night, days: ['mon-fri'], timeZone: 'UTC' },
      { ...night, days: ['sat-sun'], from: '20:00', to: '10:00', timeZone: 'UTC', surfaces: ['phone', 'tv'] },
    ])
    const quietAt = (instant: string) => {
      vi.setSystemTime(instant)
      return ['phone', 'tv', 'desk'].filter(name => several(name)).join(' ')
    }
    expect(['2026-06-12T21:00Z', '2026-06-12T23:00Z', '2026-06-13T07:00Z', '2026-06-13T08:00Z', '2026-06-13T21:00Z', '2026-06-15T09:00Z'].map(quietAt))
      .toEqual(['', 'phone', 'phone', '', 'phone tv', 'phone tv'])
  })
})

describe('inside', () => {
  it('22: a surface that can is asked silently, in both modes', async () => {
    for (const presence of ['home', 'away']) {
      const phone = new Phone()
      await start('2026-06-10T21:00Z', [phone], { presence })
      expect([phone.asked, phone.context.quiet]).toEqual([1, true])
    }
  })

  it('22: what is said of it is of the moment: a question that was asked by day is quiet at night', async () => {
    const phone = new Phone()
    await start('2026-06-10T19:59:30Z', [phone])
    expect(phone.context.quiet).toBe(false)
    await pass(30_000)
    expect(phone.context.quiet).toBe(true)
  })

  it('22: others are asked as always', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone()]
    await start('2026-06-10T21:00Z', [desk, phone])
    expect([desk.asked, desk.context.quiet]).toEqual([1, false])
  })

  it('22: outside, nobody is asked silently', async () => {
    const phone = new Phone()
    await start('2026-06-10T12:00Z', [phone])
    expect(phone.context.quiet).toBe(false)
  })

  it('22: one that cannot be silent waits until they end', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone('phone', {}, false)]
    await start('2026-06-11T05:00Z', [desk, phone])
    await pass(30 * MINUTE - 1)
    expect([desk.asked, phone.asked]).toEqual([1, 0])
    await pass(1)
    expect([phone.asked, phone.context.quiet]).toEqual([1, false])
  })

  it('22: unless it is the last', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone('phone', {}, false)]
    const { host } = await start('2026-06-10T21:00Z', [desk, phone])
    await host.isEmpty()
    expect(phone.asked).toBe(0)
    await desk.fail()
    expect([phone.asked, phone.context.quiet]).toEqual([1, true])
  })

  it('22: at home the host may answer for it, away the host is nobody', async () => {
    const [phone, other] = [new Phone('phone', {}, false), new Phone('phone', {}, false)]
    await start('2026-06-10T21:00Z', [phone])
    await start('2026-06-10T21:00Z', [other], { presence: 'away' })
    expect([phone.asked, other.asked]).toEqual([0, 1])
  })

  it('22: a fallback host is asked before it', async () => {
    const phone = new Phone('phone', {}, false)
    const { host } = await start('2026-06-10T21:00Z', [phone], { host: 'fallback' })
    expect([host.asked, phone.asked]).toEqual([1, 0])
    await host.isEmpty()
    expect(phone.asked).toBe(1)
  })

  it('22: one that waits for its delay when they begin waits for their end', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone('phone', { delayMs: 10 * MINUTE }, false)]
    await start('2026-06-10T19:55Z', [desk, phone])
    await pass(HOUR)
    expect(phone.asked).toBe(0)
    await pass(9 * HOUR)
    expect(phone.asked).toBe(1)
  })

  it('22: and does so when the machine slept through their beginning', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone('phone', { delayMs: 10_000 }, false)]
    await start('2026-06-10T19:55Z', [desk, phone])
    vi.setSystemTime('2026-06-10T21:55:00Z')
    await pass(10_000)
    expect(phone.asked).toBe(0)
  })

  it('22: a clock that is set back in the middle makes no delay longer', async () => {
    const [desk, phone] = [new FakeSurface('desk'), new Phone('phone', { delayMs: 10 * MINUTE })]
    await start('2026-06-10T12:00Z', [desk, phone])
    vi.setSystemTime('2026-06-10T08:00Z')
    await pass(10 * MINUTE)
    expect(phone.asked).toBe(1)
  })
})

describe('when they end', () => {
  it('22: and others begin at that moment it goes on', async () => {
    const phone = new Phone()
    const quiet = [night, { ...night, from: '07:30', to: '09:00', days: ['thu'] }]
    await start('2026-06-11T05:00Z', [phone], { quiet })
    await pass(2 * HOUR - 1)
    expect(phone.quiet).toEqual([])
    await pass(1)
    expect(phone.quiet).toEqual([false])
  })

  it('22: of several, the last one’s end counts for the surface that it names', async () => {
    const [desk, tv] = [new FakeSurface('desk'), new Phone('tv', {}, false)]
    await start('2026-06-10T21:00Z', [desk, tv], { quiet: [night, { ...night, surfaces: ['tv'] }] })
    expect(tv.asked).toBe(0)
    await pass(9 * HOUR)
    expect(tv.asked).toBe(1)
  })

  it('22: who was asked silently is reminded once, aloud', async () => {
    const phone = new Phone()
    const { ask } = await start('2026-06-11T05:00Z', [phone])
    await pass(30 * MINUTE - 1)
    expect(phone.quiet).toEqual([])
    await pass(1)
    expect(phone.quiet).toEqual([false])
    expect(phone.remind).toHaveBeenCalledWith(phone.request, phone.context)
    await pass(20 * HOUR)
    expect(phone.quiet).toEqual([false])
    await phone.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('22: who was asked before and had a reminder in them is reminded then', async () => {
    const phone = new Phone('phone', { remindMs: HOUR, remindMax: 2 })
    await start('2026-06-10T19:30Z', [phone])
    await pass(10 * HOUR - 1)
    expect(phone.quiet).toEqual([])
    await pass(1)
    expect(phone.quiet).toEqual([false])
    await pass(10 * HOUR)
    // One was put off to the end, and those of the policy go on from there, as many as ever.
    expect(phone.quiet).toEqual([false, false, false])
  })

  it('22: who was asked before is reminded, too: what it showed meanwhile may have been silent', async () => {
    const phone = new Phone()
    await start('2026-06-10T19:30Z', [phone])
    await pass(24 * HOUR)
    expect(phone.quiet).toEqual([false])
  })

  it('22: who was asked as the last resort, in a mode that forbids it, is reminded as well', async () => {
    const phone = new Phone('phone', { home: false })
    const { host } = await start('2026-06-11T05:00Z', [phone])
    host.isEmpty()
    await pass(HOUR)
    expect([phone.asked, phone.quiet]).toEqual([1, [false]])
  })

  it('22: is noticed within a minute, whatever the machine did meanwhile', async () => {
    const phone = new Phone()
    await start('2026-06-10T21:00:30Z', [phone])
    vi.setSystemTime('2026-06-11T09:00:00Z')
    await pass(30_000)
    expect(phone.quiet).toEqual([false])
  })

  it('22: so is a reminder that falls due in them because the machine slept through their beginning', async () => {
    const phone = new Phone('phone', { remindMs: 10_000 })
    await start('2026-06-10T12:00:00Z', [phone])
    vi.setSystemTime('2026-06-10T21:00:00Z')
    await pass(10_000)
    expect(phone.quiet).toEqual([])
    vi.setSystemTime('2026-06-11T09:00:00Z')
    await pass(MINUTE)
    expect(phone.quiet[0]).toBe(false)
  })

  it('22: is when an edit of the configuration ends them', async () => {
    const [desk, phone, loud] = [new FakeSurface('desk'), new Phone(), new Phone('phone', {}, false)]
    const { fiber } = await start('2026-06-10T21:00Z', [desk, phone, loud])
    await fiber.update({})
    expect([phone.quiet, loud.asked, vi.getTimerCount()]).toEqual([[false], 1, 0])
  })

  it('22: one that is not asked in the mode of that hour is not reminded there', async () => {
    const phone = new Phone('phone', { home: false })
    const { registry } = await start('2026-06-11T05:00Z', [new FakeSurface('desk'), phone], { presence: 'away' })
    registry.presence = 'home'
    await pass(HOUR)
    expect(phone.quiet).toEqual([])
    registry.presence = 'away'
    expect(phone.quiet).toEqual([false])
  })

  it('22: a surface that cannot remind is left alone', async () => {
    const desk = Object.assign(new FakeSurface('phone'), { silent: true })
    const { logs } = await start('2026-06-11T05:00Z', [desk])
    await pass(HOUR)
    expect([desk.asked, logged(logs, 'warn')]).toEqual([1, ''])
  })
})

it('15: quiet hours leave no timer behind', async () => {
  const phone = new Phone()
  await start('2026-06-10T21:00Z', [phone])
  expect(vi.getTimerCount()).toBe(1)
  await phone.answer()
  expect(vi.getTimerCount()).toBe(0)
})
