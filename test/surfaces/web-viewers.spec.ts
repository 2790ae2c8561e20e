// Whether somebody can see the page, and what the router makes of it.
import { request as httpRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Viewers } from '../../src/surfaces/web/viewers.ts'
import { register } from '../helpers/cordis.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { type BootedWeb, bootWeb, DATABASE, NAME } from '../helpers/web.ts'

describe('Viewers', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  function start() {
    const viewers = new Viewers(), changes: boolean[] = []
    const onChange = () => void changes.push(viewers.watched)
    viewers.start(onChange)
    return { viewers, changes, onChange }
  }

  it('nobody looks at first; a page does until its last stream ends, and a moment longer', () => {
    const { viewers, changes } = start()
    expect(viewers.watched).toBe(false)
    const [first, second] = [viewers.streamOpened('a'), viewers.streamOpened('a')]
    first()
    vi.advanceTimersByTime(10_000)
    expect(changes).toEqual([true])
    second()
    vi.advanceTimersByTime(2999)
    expect(viewers.watched).toBe(true)
    vi.advanceTimersByTime(1)
    expect(changes).toEqual([true, false])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('a page that is loaded again has not left', () => {
    const { viewers, changes } = start()
    const end = viewers.streamOpened('a')
    end()
    vi.advanceTimersByTime(2500)
    viewers.streamOpened('b')
    vi.advanceTimersByTime(20_000)
    expect(changes).toEqual([true])
  })

  it('a page that says nothing for 30 s does not count any more, stream or not; one that goes on saying so does', () => {
    const { viewers, changes } = start()
    const end = viewers.streamOpened('a')
    for (let beat = 0; beat < 5; beat++) {
      vi.advanceTimersByTime(15_000)
      viewers.seen('a')
    }
    expect(changes).toEqual([true])
    vi.advanceTimersByTime(33_000)
    expect(changes).toEqual([true, false])
    // It was only slow: it counts again, and its old stream's end is its own.
    viewers.seen('a')
    end()
    expect(changes).toEqual([true, false, true])
    vi.advanceTimersByTime(29_999)
    expect(viewers.watched).toBe(true)
  })

  it('as long as another page is there, nothing changes', () => {
    const { viewers, changes } = start()
    const end = viewers.streamOpened('a')
    viewers.streamOpened('b')
    end()
    vi.advanceTimersByTime(5000)
    expect(changes).toEqual([true])
  })

  it('stopped, it counts nobody and leaves no timer; started again, who was there has a moment to come back', () => {
    const { viewers, changes, onChange } = start()
    const end = viewers.streamOpened('a')
    viewers.stop()
    expect(vi.getTimerCount()).toBe(0)
    end()
    viewers.seen('a')
    viewers.streamOpened('a')()
    expect(vi.getTimerCount()).toBe(0)
    viewers.start(onChange)
    expect(viewers.watched).toBe(true)
    vi.advanceTimersByTime(3000)
    expect(changes).toEqual([true, false])
    viewers.streamOpened('a')
    viewers.stop()
    viewers.start(onChange)
    viewers.seen('a')
    vi.advanceTimersByTime(10_000)
    expect(changes).toEqual([true, false, true])
  })
})

describe('a question for the page and a phone that waits a minute', () => {
  let page: BootedWeb, phone: FakeSurface

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    page = await bootWeb({}, { host: 'fallback', surfaces: { phone: { delayMs: 60_000 } } })
    phone = new FakeSurface('phone')
    register(page.ctx, phone)
  })

  afterEach(async () => {
    await page.close()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const watched = () => page.registry.status()[0]!.watched

  function send(path: string, body: unknown, headers: Record<string, string>) {
    const request = httpRequest(`${page.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST', agent: false, headers: { 'authorization': `Bearer ${page.token}`, 'content-type': 'application/json', ...headers },
    })
    request.on('error', () => {}).end(body === undefined ? undefined : JSON.stringify(body))
    return request
  }

  /** Make a request, and wait until it is answered. */
  const ask = (path: string, body?: unknown, headers: Record<string, string> = {}) => new Promise<number>(resolve => {
    send(path, body, headers).on('response', response => response.resume().on('end', () => resolve(response.statusCode!)))
  })

  /** Open a stream, as a page that can be seen does. */
  const look = (headers: Record<string, string> = { 'ask-page': 'p1 seen' }) => new Promise<() => void>(resolve => {
    const request = send('api/events', { browser: 'b1' }, headers)
    request.on('response', response => {
      response.on('error', () => {}).once('data', () => resolve(() => request.destroy()))
    })
  })

  /** Let the server hear of what was closed, and the moment that follows pass. */
  async function leave(): Promise<void> {
    for (let round = 0; watched() && round < 5; round++) {
      await ask('api/asks')
      await vi.advanceTimersByTimeAsync(3000)
    }
  }

  it('nobody looks: the phone is asked at once', async () => {
    page.ask([NAME])
    expect(phone.asked).toBe(1)
  })

  it('somebody looks: the phone is asked after its minute', async () => {
    await look()
    page.ask([NAME])
    for (let beat = 0; beat < 4; beat++) {
      await vi.advanceTimersByTimeAsync(14_999)
      expect(await ask('api/seen', {}, { 'ask-page': 'p1 seen' })).toBe(204)
    }
    expect(phone.asked).toBe(0)
    await vi.advanceTimersByTimeAsync(4)
    expect(phone.asked).toBe(1)
  })

  it('a page that can be seen and has no stream is looked at too, until it says that it is hidden', async () => {
    for (let round = 0; round < 20; round++) {
      await ask('api/asks', undefined, { 'ask-page': 'p1 seen' })
      await vi.advanceTimersByTimeAsync(3000)
    }
    expect(watched()).toBe(true)
    await ask('api/asks', undefined, { 'ask-page': 'p1 hidden' })
    await vi.advanceTimersByTimeAsync(3000)
    expect(watched()).toBe(false)
  })

  it('whoever looked leaves: the phone is asked then, after the moment that a reload takes', async () => {
    const close = await look()
    page.ask([NAME])
    close()
    await ask('api/asks')
    await vi.advanceTimersByTimeAsync(2000)
    expect(phone.asked).toBe(0)
    await leave()
    expect(phone.asked).toBe(1)
  })

  it('a reload wakes nobody', async () => {
    const close = await look()
    page.ask([NAME])
    const reconsider = vi.spyOn(page.registry, 'reconsider')
    close()
    await ask('api/asks')
    await vi.advanceTimersByTimeAsync(2000)
    await look({ 'ask-page': 'p2 seen' })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(phone.asked).toBe(0)
    expect(reconsider).not.toHaveBeenCalled()
  })

  it('a stream whose page says nothing any more counts no longer than two heartbeats', async () => {
    await look()
    page.ask([NAME])
    await vi.advanceTimersByTimeAsync(29_000)
    expect(phone.asked).toBe(0)
    await vi.advanceTimersByTimeAsync(4000)
    expect(phone.asked).toBe(1)
  })

  it('somebody who comes in time keeps the next question from the phone', async () => {
    page.ask([NAME])
    expect(phone.asked).toBe(1)
    await look()
    page.ask([DATABASE])
    expect(phone.asked).toBe(1)
  })

  it('the link of one question shows the page to nobody, whatever it says of itself', async () => {
    page.ask([DATABASE], { agent: { session: { id: 's' } } })
    const grant = page.linkFor(page.id)!.split('#g=')[1]!
    await look({ 'authorization': `Bearer ${grant}`, 'ask-page': 'p1 seen' })
    expect(watched()).toBe(false)
    expect(await ask('api/seen', {}, { 'authorization': `Bearer ${grant}`, 'ask-page': 'p1 seen' })).toBe(204)
    expect(watched()).toBe(false)
  })

  it('a name that is none, and a page that does not say that it can be seen, count for nobody', async () => {
    for (const name of ['no name! seen', 'p1', 'p1 hidden', `${'p'.repeat(65)} seen`]) await look({ 'ask-page': name })
    await look({})
    expect(watched()).toBe(false)
  })

  it('a question that comes while the page finds its way back after a restart of the plugin waits for it, but not long', async () => {
    await look()
    await page.fiber.restart()
    page.ask([NAME])
    await vi.advanceTimersByTimeAsync(2000)
    expect(phone.asked).toBe(0)
    await look({ 'ask-page': 'p2 seen' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(phone.asked).toBe(0)
    await page.fiber.restart()
    page.ask([DATABASE])
    await vi.advanceTimersByTimeAsync(3000)
    expect(phone.asked).toBe(2)
  })

  it('unloaded, it says nothing any more', async () => {
    await look()
    const registry = page.registry
    const reconsider = vi.spyOn(registry, 'reconsider')
    await page.fiber.dispose()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reconsider).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})
