// The switch's other end: where the person is, as the page's server takes and tells it.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BootedWeb, bootWeb, NAME } from '../helpers/web.ts'
import type { Snapshot, StreamLine } from '../../src/surfaces/web/wire.ts'

let page: BootedWeb

beforeEach(async () => {
  page = await bootWeb()
})

afterEach(() => page.close())

const registry = () => page.ctx.get('askSurfaces')!

const send = (body: string | undefined, headers: Record<string, string> = {}, method = 'POST') => fetch(`${page.url}api/presence`, {
  method, body, headers: { 'content-type': 'application/json', 'authorization': `Bearer ${page.token}`, ...headers },
} as RequestInit)

const set = (presence: unknown) => send(JSON.stringify({ presence }))

async function read(): Promise<Snapshot> {
  const response = await fetch(`${page.url}api/asks`, { headers: { authorization: `Bearer ${page.token}` } })
  return await response.json() as Snapshot
}

/** Read a stream's lines as they come. */
async function stream() {
  const response = await fetch(`${page.url}api/events`, {
    method: 'POST', body: '{"browser":"b1"}', headers: { 'content-type': 'application/json', 'authorization': `Bearer ${page.token}` },
  })
  const lines: StreamLine[] = []
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body!) {
      lines.push(...decoder.decode(chunk).split('\n').slice(0, -1).map(line => JSON.parse(line) as StreamLine))
    }
  })().catch(() => {})
  return lines
}

describe('where the person is', () => {
  it('is part of what the page shows, is set through it, and told to every page', async () => {
    const lines = await stream()
    const { whereabouts } = await read()
    expect(whereabouts?.presence).toBe('home')
    const response = await set('away')
    expect(response.status).toBe(200)
    expect(registry().presence).toBe('away')
    const said = await response.json() as { version: number }
    expect(said).toEqual({ presence: 'away', version: expect.any(Number) as number })
    expect(said.version).toBeGreaterThan(whereabouts!.version)
    await expect.poll(() => lines.slice(1)).toEqual([{ type: 'presence', ...said }])
    expect((await read()).whereabouts).toEqual(said)
  })

  it('that it is there already is no change', async () => {
    const before = await read()
    expect((await set('home')).status).toBe(200)
    expect(await read()).toEqual(before)
  })

  it('changed elsewhere, is told to every page', async () => {
    const lines = await stream()
    await expect.poll(() => lines.length).toBe(1)
    registry().presence = 'away'
    await expect.poll(() => lines.at(-1)).toMatchObject({ type: 'presence', presence: 'away' })
    expect((await read()).whereabouts?.presence).toBe('away')
  })

  it('is the router\'s word, also after that was loaded anew', async () => {
    await set('away')
    const before = await read()
    await page.router.restart()
    await page.fiber.await()
    const after = await read()
    expect(registry().presence).toBe('home')
    expect(after).toMatchObject({ epoch: before.epoch, whereabouts: { presence: 'home' } })
    expect(after.whereabouts!.version).toBeGreaterThan(before.whereabouts!.version)
    await set('away')
    expect(registry().presence).toBe('away')
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
    expect(registry().presence).toBe('home')
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
    expect(registry().presence).toBe('home')
  })

  it('is neither told to nor taken from whoever has the link of one question', async () => {
    page.ask([NAME], {}, () => new Promise(() => {}))
    const authorization = `Bearer ${page.linkFor(page.id)!.split('#g=')[1]!}`
    expect((await send('{"presence":"away"}', { authorization })).status).toBe(403)
    expect(registry().presence).toBe('home')
    const response = await fetch(`${page.url}api/asks`, { headers: { authorization } })
    expect(await response.json()).not.toHaveProperty('whereabouts')
  })
})
