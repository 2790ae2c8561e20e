// The switch's other end: where the person is, as the page's server takes and tells it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BootedWeb, bootWeb, NAME, readStream } from '../helpers/web.ts'

let page: BootedWeb

beforeEach(async () => {
  page = await bootWeb()
})

afterEach(() => page.close())

const send = (body: string | undefined, headers: Record<string, string> = {}, method = 'POST') => fetch(`${page.url}api/presence`, {
  method, body, headers: { 'content-type': 'application/json', 'authorization': `Bearer ${page.token}`, ...headers },
} as RequestInit)

const set = (presence: unknown) => page.api('presence', { presence })

const stream = async () => readStream(await page.api('events', { browser: 'b1' })).lines

describe('where the person is', () => {
  it('is part of what the page shows, is set through it, and told to every page', async () => {
    const lines = await stream()
    const { whereabouts } = await page.snapshot()
    expect(whereabouts?.presence).toBe('home')
    const response = await set('away')
    expect(response.status).toBe(200)
    expect(page.registry.presence).toBe('away')
    const said = await response.json() as { version: number }
    expect(said).toEqual({ presence: 'away', version: expect.any(Number) as number })
    expect(said.version).toBeGreaterThan(whereabouts!.version)
    await expect.poll(() => lines.slice(1)).toEqual([{ type: 'presence', ...said }])
    expect((await page.snapshot()).whereabouts).toEqual(said)
  })

  it('that it is there already is no change', async () => {
    const before = await page.snapshot()
    expect((await set('home')).status).toBe(200)
    expect(await page.snapshot()).toEqual(before)
  })

  it('changed elsewhere, is told to every page', async () => {
    const lines = await stream()
    await expect.poll(() => lines.length).toBe(1)
    page.registry.presence = 'away'
    await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'presence', presence: 'away' })
    expect((await page.snapshot()).whereabouts?.presence).toBe('away')
  })

  it('is the router\'s word, also after that was loaded anew', async () => {
    await set('away')
    const before = await page.snapshot()
    await page.router.restart()
    await page.fiber.await()
    const after = await page.snapshot()
    expect(page.registry.presence).toBe('home')
    expect(after).toMatchObject({ epoch: before.epoch, whereabouts: { presence: 'home' } })
    expect(after.whereabouts!.version).toBeGreaterThan(before.whereabouts!.version)
    await set('away')
    expect(page.registry.presence).toBe('away')
  })

  it.each([
    ['another value', 422, '{"presence":"out"}', /^presence: .*"home".*"away"/],
    ['no value', 422, '{}', /^presence: .*"home".*"away"/],
    ['a value of another kind', 422, '{"presence":true}', /^presence: .*"home".*"away"/],
    ['another key', 422, '{"presence":"away","for":1}', /unknown key for; it may be presence/],
    ['no object', 422, '"away"', /object/],
    ['no JSON', 400, 'away', /JSON/],
  ])('%s: %i, as an answer of the wrong shape, with the field and what it may be', async (_what, status, body, message) => {
    const response = await send(body)
    expect(response.status).toBe(status)
    expect((await response.json() as { message: string }).message).toMatch(message)
    expect(page.registry.presence).toBe('home')
  })

  it.each([
    ['no token', 401, { authorization: '' }, 'POST'],
    ['a wrong token', 401, { authorization: 'Bearer x' }, 'POST'],
    ['a foreign Origin', 403, { origin: 'https://evil.example' }, 'POST'],
    ['another port as Origin', 403, { origin: 'http://127.0.0.1:1' }, 'POST'],
    ['a form', 415, { 'content-type': 'application/x-www-form-urlencoded' }, 'POST'],
    ['GET', 405, {}, 'GET'],
  ])('%s: %i, and nothing changes', async (_what, status, headers, method) => {
    const response = await send(method === 'GET' ? undefined : '{"presence":"away"}', headers as Record<string, string>, method)
    expect(response.status).toBe(status)
    expect(page.registry.presence).toBe('home')
  })

  it('is neither told to nor taken from whoever has the link of one question', async () => {
    page.ask([NAME], {}, () => new Promise(() => {}))
    const authorization = `Bearer ${page.linkFor(page.id)!.split('#g=')[1]!}`
    expect((await send('{"presence":"away"}', { authorization })).status).toBe(403)
    expect(page.registry.presence).toBe('home')
    const response = await page.api('asks', undefined, { authorization })
    expect(await response.json()).not.toHaveProperty('whereabouts')
  })
})
