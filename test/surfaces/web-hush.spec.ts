// "Quiet for an hour" from the page: what it asks of the router, who may, and what every page is told.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Whereabouts } from '../../src/surfaces/web/wire.ts'
import { type BootedWeb, bootWeb, NAME, readStream } from '../helpers/web.ts'

const MINUTE = 60_000
const NOON = Date.UTC(2026, 5, 1, 12, 0, 30)

describe('the page hushes the surfaces', () => {
  let page: BootedWeb

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOON })
    page = await bootWeb()
  })
  afterEach(async () => {
    await page.close()
    vi.useRealTimers()
  })

  const hush = (body: unknown, headers: Record<string, string> = {}) => page.api('hush', body, headers)

  it('for an hour by the host\'s clock, and tells every page until when; ends it', async () => {
    const { lines } = readStream(await page.api('events', { browser: 'b' }))
    const before = await page.snapshot()
    expect(before.whereabouts).not.toHaveProperty('hushedUntil')
    const response = await hush({ minutes: 60 })
    const said = await response.json() as Whereabouts
    // Up to the full minute.
    expect(said).toEqual({ presence: 'home', hushedUntil: NOON + 60 * MINUTE + 30_000, version: before.version + 1 })
    expect(page.registry.hushedUntil).toBe(said.hushedUntil)
    expect((await page.snapshot()).whereabouts).toEqual(said)
    const ended = await (await hush({ minutes: 0 })).json() as Whereabouts
    expect(ended).toEqual({ presence: 'home', version: said.version + 1 })
    expect(page.registry.hushedUntil).toBeUndefined()
    await expect.poll(() => lines.slice(1)).toEqual([{ type: 'presence', ...said }, { type: 'presence', ...ended }])
  })

  it('follows a hush from elsewhere and its end, and keeps it when the person leaves', async () => {
    page.registry.hush(NOON + 30 * MINUTE)
    page.registry.presence = 'away'
    const { hushedUntil } = page.registry
    expect((await page.snapshot()).whereabouts).toMatchObject({ presence: 'away', hushedUntil })
    await vi.advanceTimersByTimeAsync(31 * MINUTE)
    expect((await page.snapshot()).whereabouts).not.toHaveProperty('hushedUntil')
  })

  it.each([[{ minutes: -1 }], [{ minutes: 24 * 60 + 1 }], [{ minutes: 1.5 }], [{ minutes: '60' }], [{}], [{ minutes: 60, all: true }]])('%j is refused', async (body) => {
    expect((await hush(body)).status).toBe(422)
    expect(page.registry.hushedUntil).toBeUndefined()
  })

  it('nobody without the link may, nor with the link of one question, which does not tell of it either', async () => {
    expect((await hush({ minutes: 60 }, { authorization: 'Bearer wrong' })).status).toBe(401)
    page.ask([NAME])
    const authorization = `Bearer ${page.linkFor(page.id)!.split('#g=')[1]!}`
    expect((await hush({ minutes: 60 }, { authorization })).status).toBe(403)
    expect(page.registry.hushedUntil).toBeUndefined()
    page.registry.hush(NOON + 30 * MINUTE)
    expect(await (await page.api('asks', undefined, { authorization })).json()).not.toHaveProperty('whereabouts')
  })
})
