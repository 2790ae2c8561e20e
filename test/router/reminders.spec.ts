// Reminders: a surface repeats itself while the question stays open (rule 23).
import { describe, expect, it, vi } from 'vitest'
import { startAsk } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { Phone } from '../helpers/modes.ts'
import { pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

/** An ask of a desk and of this phone. */
const start = (phone: Phone, config?: object) => startAsk({ config, names: ['desk'], surfaces: [phone] })

const reminders = (phone: Phone) => phone.remind.mock.calls.length

describe('remindMs', () => {
  it('23: reminds three times, each that long after it was shown last', async () => {
    const phone = new Phone('phone', { remindMs: 1000 })
    await start(phone)
    for (const expected of [0, 1, 2, 3, 3, 3]) {
      expect(reminders(phone)).toBe(expected)
      await pass(1000)
    }
  })

  it('23: or as often as remindMax says', async () => {
    for (const remindMax of [0, 1, 5]) {
      const phone = new Phone()
      await start(phone, { surfaces: { phone: { remindMs: 1000, remindMax } } })
      await pass(100_000)
      expect(reminders(phone)).toBe(remindMax)
    }
  })

  it('23: counts from when it was asked', async () => {
    const phone = new Phone('phone', { delayMs: 500, remindMs: 1000 })
    await start(phone)
    await pass(1499)
    expect(reminders(phone)).toBe(0)
    await pass(1)
    expect(reminders(phone)).toBe(1)
  })

  it('23: gets what the ask got', async () => {
    const phone = new Phone('phone', { remindMs: 1000 })
    await start(phone)
    await pass(1000)
    expect(phone.remind).toHaveBeenCalledExactlyOnceWith(phone.request, phone.context)
    expect(phone.remind.mock.contexts[0]).toBe(phone)
  })

  it('23: is nothing without the method, and nothing without a policy', async () => {
    const phone = new Phone()
    const { logs } = await start(phone, { surfaces: { desk: { remindMs: 1000 } } })
    await pass(100_000)
    expect([reminders(phone), logged(logs, 'warn')]).toEqual([0, ''])
  })

  it.each<[string, (all: Awaited<ReturnType<typeof start>>, phone: Phone) => unknown]>([
    ['is answered there', (_, phone) => phone.answer()],
    ['is answered elsewhere', ({ desk }) => desk.answer()],
    ['is aborted', ({ controller }) => controller.abort()],
    ['fails there', (_, phone) => phone.fail()],
    ['is blank there', (_, phone) => phone.answer({ answers: [] })],
    ['leaves with its surface', (_, phone) => phone.dispose()],
  ])('23: ends when the question %s', async (_, end) => {
    const phone = new Phone('phone', { remindMs: 1000 })
    const all = await start(phone)
    await pass(1500)
    end(all, phone)
    await pass(100_000)
    expect(reminders(phone)).toBe(1)
  })

  it('23: ends when the surface is out of time', async () => {
    const phone = new Phone('phone', { remindMs: 1000, timeoutMs: 2500 })
    await start(phone)
    await pass(100_000)
    expect(reminders(phone)).toBe(2)
  })

  it.each<[string, () => void]>([
    ['throws', () => { throw new Error('broken') }],
    ['returns a promise that rejects', () => Promise.reject(new Error('broken')) as never],
  ])('23: one that %s is logged, and hurts nothing', async (_, remind) => {
    const phone = new Phone('phone', { remindMs: 1000 })
    phone.remind.mockImplementation(remind)
    const { logs, ask } = await start(phone)
    await pass(10_000)
    expect([reminders(phone), ask.state]).toEqual([3, 'open'])
    expect(logged(logs, 'warn')).toContain('remind of "phone" threw')
  })

  it('23: a reminder that ends the question is the last', async () => {
    const phone = new Phone('phone', { remindMs: 1000 })
    const { controller } = await start(phone)
    phone.remind.mockImplementation(() => controller.abort())
    await pass(10_000)
    expect([reminders(phone), vi.getTimerCount()]).toEqual([1, 0])
  })
})

describe('where the person is', () => {
  const modes = { home: {}, away: { remindMs: 1000 } }

  it('23: coming home ends the reminders of away, going away begins them', async () => {
    const phone = new Phone('phone', modes)
    const { registry } = await start(phone, { presence: 'away' })
    await pass(1000)
    registry.presence = 'home'
    await pass(10_000)
    expect(reminders(phone)).toBe(1)
    registry.presence = 'away'
    await pass(1000)
    // It was shown last long ago.
    expect(reminders(phone)).toBeGreaterThan(1)
    await pass(10_000)
    expect(reminders(phone)).toBe(3)
  })

  it('23: a mode in which it is not asked has none', async () => {
    const phone = new Phone('phone', { home: false, away: { remindMs: 1000 } })
    const { registry } = await start(phone, { presence: 'away' })
    registry.presence = 'home'
    await pass(10_000)
    expect(reminders(phone)).toBe(0)
  })

  it('23: deciding again leaves the time to the next one as it is, also when the clock was set', async () => {
    const phone = new Phone('phone', { remindMs: 1000 })
    const { registry } = await start(phone)
    await pass(900)
    vi.setSystemTime(Date.now() - 3_600_000)
    registry.reconsider()
    await pass(100)
    expect(reminders(phone)).toBe(1)
  })
})

it('15: reminders leave no timer behind', async () => {
  const phone = new Phone('phone', { remindMs: 1000 })
  await start(phone)
  expect(vi.getTimerCount()).toBe(1)
  await phone.answer()
  expect(vi.getTimerCount()).toBe(0)
})
