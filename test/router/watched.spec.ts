// Surfaces that know whether anybody sees them (rule 12).
import { describe, expect, it, vi } from 'vitest'
import { openAsk, startAsk } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { Page, Phone } from '../helpers/modes.ts'
import { FakeSurface, question, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const LATER = { delayMs: 30_000 }

/** An ask of these surfaces, with a host that says that nobody is there. */
async function start(surfaces: FakeSurface[], config: object = {}) {
  const all = await startAsk({ config, surfaces })
  await all.host.isEmpty()
  return all
}

describe('a surface that ends the ask when it is looked at', () => {
  it('11: keeps the host from being asked after the end', async () => {
    const controller = new AbortController(), page = new Page('page', true, true)
    const { host, ask } = await openAsk({ request: question({ signal: controller.signal }), surfaces: [page, new FakeSurface('b', true)] })
    page.watched.mockImplementation(() => (controller.abort(), true))
    await macrotask()
    expect([ask.state, host.asked, page.watched.mock.calls.length > 0]).toEqual(['rejected', 0, true])
  })
})

describe('a surface that nobody watches', () => {
  it('12: is asked, and delays nobody', async () => {
    const [page, phone] = [new Page('page', false), new Phone('phone', LATER)]
    const { ask } = await start([page, phone])
    expect([page.asked, phone.asked]).toEqual([1, 1])
    await page.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('12: is somebody while it is watched', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    await start([page, phone])
    await pass(29_000)
    expect(phone.asked).toBe(0)
    await pass(1000)
    expect(phone.asked).toBe(1)
  })

  it('12: is noticed at once when it says that its viewers have gone', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    const { registry } = await start([page, phone])
    page.watched.mockReturnValue(false)
    expect(phone.asked).toBe(0)
    registry.reconsider()
    expect(phone.asked).toBe(1)
  })

  it('12: is noticed within a minute when it does not say so', async () => {
    vi.setSystemTime('2026-06-10T12:00:30Z')
    const [page, phone] = [new Page('page', true), new Phone('phone', { delayMs: 600_000 })]
    await start([page, phone])
    page.watched.mockReturnValue(false)
    await pass(29_999)
    expect(phone.asked).toBe(0)
    await pass(1)
    expect(phone.asked).toBe(1)
  })

  it('12: one after the other is asked until somebody sees the question', async () => {
    const [page, tablet, tv, phone] = [
      new Page('page', false), new Page('tablet', false), new Page('tv', true), new Phone('phone', { delayMs: 9000 }),
    ]
    await start([page, tablet, tv, phone], { surfaces: { tablet: { delayMs: 1000 }, tv: { delayMs: 2000 } } })
    expect([tablet.asked, tv.asked, phone.asked]).toEqual([1, 1, 0])
  })

  it('12: and after its delay delays nobody either', async () => {
    const [desk, page, phone] = [new FakeSurface('desk'), new Page('page', false), new Phone('phone', { delayMs: 60_000 })]
    await start([desk, page, phone], { surfaces: { desk: { timeoutMs: 1000 }, page: { delayMs: 2000 } } })
    await pass(1000)
    expect([page.asked, phone.asked]).toEqual([1, 1])
  })

  it('2: keeps no question from the others by its claim', async () => {
    const [page, other] = [new Page('page', false, true), new FakeSurface('other')]
    await start([page, other])
    expect([page.asked, other.asked]).toEqual([1, 1])
  })

  it('4: does not keep a question from a fallback host', async () => {
    const page = new Page('page', false)
    const { host, ask } = await startAsk({ config: { host: 'fallback' }, surfaces: [page] })
    expect(host.asked).toBe(1)
    await page.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('12: alone, it may still answer, and the ask stays open', async () => {
    const page = new Page('page', false)
    const { ask } = await start([page])
    await pass(100_000)
    expect(ask.state).toBe('open')
    await page.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('7: keeps a blank answer of another from winning', async () => {
    const [page, desk] = [new Page('page', false), new FakeSurface('desk')]
    const { ask } = await start([page, desk])
    await desk.answer({ answers: [] })
    expect(ask.state).toBe('open')
  })
})

describe('what is said of viewers', () => {
  it.each<[string, unknown]>([['a promise', Promise.resolve(true)], ['a number', 3], ['nothing', undefined]])('12: %s is no yes', async (_, value) => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    page.watched.mockReturnValue(value as never)
    await start([page, phone])
    expect(phone.asked).toBe(1)
  })

  it('12: what is thrown is logged, and is no yes', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    page.watched.mockThrow(new Error('broken'))
    const { logs } = await start([page, phone])
    expect(phone.asked).toBe(1)
    expect(logged(logs, 'warn')).toContain('watched of "page" threw')
  })

  it('12: a surface that wants the open asks decided again whenever it is looked at gets nowhere, and keeps nobody busy', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    const { registry } = await start([page, phone])
    let isThere = true
    page.watched.mockImplementation(() => {
      registry.reconsider()
      return isThere
    })
    registry.reconsider()
    await pass(1000)
    expect([phone.asked, page.watched.mock.calls.length < 10]).toEqual([0, true])
    isThere = false
    registry.reconsider()
    expect(phone.asked).toBe(1)
  })

  it('12: a surface that says where the person is while it is looked at is heard right after', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', { home: LATER, away: {} })]
    const { registry } = await start([page, phone])
    page.watched.mockImplementationOnce(() => {
      registry.presence = 'away'
      return true
    })
    registry.reconsider()
    await macrotask()
    expect(phone.asked).toBe(1)
  })
})

it('15: the minutes tick only while an ask is open and somebody can be watched', async () => {
  const page = new Page('page', true)
  const { ask } = await start([page])
  expect(vi.getTimerCount()).toBe(1)
  await page.answer()
  expect([ask.state, vi.getTimerCount()]).toEqual(['resolved', 0])
  const other = await start([new FakeSurface('plain')])
  expect([other.ask.state, vi.getTimerCount()]).toEqual(['open', 0])
})

it('15: nor do they go on when the one that can be watched has left', async () => {
  const page = new Page('page', true)
  const { ask } = await start([new FakeSurface('plain'), page])
  await page.leave()
  await pass(60_000)
  expect([ask.state, vi.getTimerCount()]).toEqual(['open', 0])
})

it('15: unloading the router in the middle of it leaves nothing', async () => {
  const pages = [new Page('page', true), new Page('tablet', true)]
  const { fiber, registry } = await start(pages)
  for (const { watched } of pages) {
    watched.mockImplementation(() => {
      registry.presence = registry.presence === 'home' ? 'away' : 'home'
      return false
    })
  }
  registry.reconsider()
  // One for the minute, and one for both changes of the presence, which are heard right after.
  expect(vi.getTimerCount()).toBe(2)
  await fiber.dispose()
  expect(vi.getTimerCount()).toBe(0)
})
