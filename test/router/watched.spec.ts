// Surfaces that know whether anybody sees them (ROUTING rule 12).
import { describe, expect, it, vi } from 'vitest'
import { boot, dispatch, logged, register } from '../helpers/cordis.ts'
import { Page, Phone } from '../helpers/modes.ts'
import { FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const LATER = { delayMs: 30_000 }

async function start(surfaces: FakeSurface[], config: object = {}, isHostThere = false) {
  const { ctx, logs } = await boot(config)
  register(ctx, ...surfaces)
  const host = new FakeHost()
  const ask = watch(dispatch(ctx, question(), host.next))
  await macrotask()
  if (!isHostThere && host.asked > 0) host.isEmpty()
  await flush()
  return { ctx, logs, registry: ctx.get('askSurfaces')!, host, ask }
}

describe('a surface that nobody watches', () => {
  it('12: is asked, and delays nobody', async () => {
    const [page, phone] = [new Page('page', false), new Phone('phone', LATER)]
    const { ask } = await start([page, phone])
    expect([page.asked, phone.asked]).toEqual([1, 1])
    page.answer()
    await flush()
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
    const { host, ask } = await start([page], { host: 'fallback' }, true)
    expect(host.asked).toBe(1)
    page.answer()
    await flush()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('12: alone, it may still answer, and the ask stays open', async () => {
    const page = new Page('page', false)
    const { ask } = await start([page])
    await pass(100_000)
    expect(ask.state).toBe('open')
    page.answer()
    await flush()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('7: keeps a blank answer of another from winning', async () => {
    const [page, desk] = [new Page('page', false), new FakeSurface('desk')]
    const { ask } = await start([page, desk])
    desk.answer({ answers: [] })
    await flush()
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
    page.watched.mockImplementation(() => { throw new Error('broken') })
    const { logs } = await start([page, phone])
    expect(phone.asked).toBe(1)
    expect(logged(logs, 'warn')).toContain('watched of "page" threw')
  })

  it('12: a surface that wants the open asks decided again whenever it is looked at gets nowhere, and keeps nobody busy', async () => {
    const [page, phone] = [new Page('page', true), new Phone('phone', LATER)]
    const { ctx, registry } = await start([page, phone])
    let isThere = true
    page.watched.mockImplementation(() => {
      ctx.get('askSurfaces')!.reconsider()
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
    const { ctx, registry } = await start([page, phone])
    page.watched.mockImplementationOnce(() => {
      ctx.get('askSurfaces')!.presence = 'away'
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
  page.answer()
  await flush()
  expect([ask.state, vi.getTimerCount()]).toEqual(['resolved', 0])
  const other = await start([new FakeSurface('plain')])
  expect([other.ask.state, vi.getTimerCount()]).toEqual(['open', 0])
})

it('15: unloading the router in the middle of it leaves nothing', async () => {
  const { ctx, fiber } = await boot()
  const page = new Page('page', true)
  register(ctx, page)
  watch(dispatch(ctx, question(), new FakeHost().next))
  const registry = ctx.get('askSurfaces')!
  page.watched.mockImplementation(() => {
    registry.reconsider()
    return true
  })
  registry.reconsider()
  await fiber.dispose()
  expect(vi.getTimerCount()).toBe(0)
})
