// What the registry says of the surfaces and of who shows a question since when (rules 17 and 21).
import { expect, it, vi } from 'vitest'
import { setUp, startAsk } from '../helpers/ask.ts'
import { Page, Phone } from '../helpers/modes.ts'
import { pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

it('21: the surfaces in order, with what holds for each', async () => {
  vi.setSystemTime('2026-06-10T23:00Z')
  const { registry } = await setUp({
    config: {
      surfaces: { phone: { remindMs: 5000 }, desk: { away: false } },
      quiet: { from: '22:00', to: '07:00', timeZone: 'UTC', surfaces: ['phone'] },
    },
    names: ['desk'],
    surfaces: [new Phone('phone', { home: { delayMs: 60_000 } }), new Page('page', false)],
  })
  expect(registry.status()).toEqual([
    { name: 'desk', watched: true, quiet: false, home: {}, away: false },
    { name: 'phone', watched: true, quiet: true, home: { delayMs: 60_000, remindMs: 5000 }, away: { remindMs: 5000 } },
    { name: 'page', watched: false, quiet: false, home: {}, away: {} },
  ])
})

it('21: what is configured by a name that no surface has', async () => {
  const config = { surfaces: { desk: {}, tv: {} }, quiet: { from: '22:00', to: '07:00', surfaces: ['tv', 'phone'] } }
  const { fiber, registry, join } = await setUp({ config, names: ['desk'] })
  expect(registry.absent()).toEqual(['tv', 'phone'])
  const tv = join('tv')
  expect(registry.absent()).toEqual(['phone'])
  tv.dispose()
  await fiber.update({ surfaces: { tv: {} } })
  expect(registry.absent()).toEqual(['tv'])
})

it('17: a participant says since when it shows the question; one that waits does not', async () => {
  vi.setSystemTime(1_000_000)
  const { registry } = await startAsk({ names: ['desk'], surfaces: [new Phone('phone', { delayMs: 5000 }), new Phone('tv', { delayMs: 9000 })] })
  await pass(6000)
  const [ask] = registry.pending()
  expect(ask!.participants).toEqual([
    { name: 'desk', state: 'asked', since: 1_000_000 },
    { name: 'phone', state: 'asked', since: expect.closeTo(1_005_000, -2) as number },
    { name: 'tv', state: 'waiting' },
    { name: 'host', state: 'asked', since: expect.closeTo(1_000_000, -2) as number },
  ])
})
