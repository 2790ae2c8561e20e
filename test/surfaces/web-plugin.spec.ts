// The web surface as a plugin in the real cordis: what it says, provides and leaves behind.
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import * as web from '../../src/surfaces/web/index.ts'
import { AGENT, type BootedWeb, bootWeb, DATABASE, NAME } from '../helpers/web.ts'

let booted: BootedWeb | undefined

async function start(config?: Record<string, unknown>): Promise<BootedWeb> {
  booted = await bootWeb(config)
  return booted
}

afterEach(() => booted?.close())

async function takePort() {
  const other = createServer()
  await new Promise<void>(resolve => void other.listen(0, '127.0.0.1', resolve))
  return { other, port: (other.address() as AddressInfo).port }
}

const TOKEN = 'k3vJ9-qLx_27RbTgYw8sZp'

const answer = (page: BootedWeb, id: string, item: object, headers?: Record<string, string>) =>
  page.api(`asks/${id}/answer`, { answers: [item] }, headers)

describe('the web plugin', () => {
  it('prints its link once, and the question of whatever session is answered through it', async () => {
    const page = await start()
    expect(page.lines).toHaveLength(1)
    expect(Buffer.from(page.token, 'base64url')).toHaveLength(32)
    const told = page.ask([DATABASE], { agent: AGENT })
    const { open } = await page.snapshot()
    expect(open).toMatchObject([{ id: page.id, origin: { agent: 'coder', project: 'shop', session: 'Fix the tests' } }])
    await answer(page, page.id, { selected: [1] })
    expect(await told).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  })

  it('is asked whoever claims the session, and keeps no question from others', async () => {
    const page = await start()
    const asked: string[] = []
    for (const [name, claims] of [['owner', true], ['other', false]] as const) {
      page.registry.register({ name, claim: () => claims, ask: () => { asked.push(name); return new Promise(() => {}) } })
    }
    page.ask([NAME])
    expect(asked).toEqual(['owner'])
    expect((await page.snapshot()).open).toHaveLength(1)
  })

  it('never prints a token that was configured', async () => {
    const page = await start({ token: TOKEN })
    expect(page.lines.join('\n')).toContain('http://127.0.0.1:')
    expect(page.lines.join('\n')).not.toContain(TOKEN)
    const url = /http:\/\/\S+?\//.exec(page.lines[0]!)![0]
    expect((await fetch(`${url}api/asks`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
  })

  it('says what listening for other machines means', async () => {
    const page = await start({ host: '0.0.0.0', lang: 'en' })
    expect(page.lines).toHaveLength(2)
    expect(page.lines[0]).toContain('other machines can reach it')
  })

  it('a port that is taken: one sentence, no page, and the host and its other surfaces go on', async () => {
    const { other, port } = await takePort()
    const page = await start({ port, lang: 'en' })
    expect(page.lines).toEqual([`ask-web: port ${port} of 127.0.0.1 is taken, so there is no page; set another port, or 0 for any`])
    expect(page.ctx.get('askWeb')).toBeUndefined()
    expect(page.registry.list()).toEqual([])
    expect(await page.ask([NAME], {}, () => ({ answers: [] }))).toEqual({ answers: [] })
    other.close()
  })

  it('an interface that is not there is said too', async () => {
    const page = await start({ host: '192.0.2.1', lang: 'zh' })
    expect(page.lines[0]).toContain('EADDRNOTAVAIL')
  })

  it('a wrong configuration stops it, in a host that does not check too', async () => {
    await expect(bootWeb({ port: 'x' })).rejects.toThrow(/port/)
    const { ctx } = await start()
    await expect(web.apply(ctx, { tokn: 1 })).rejects.toThrow(/tokn/)
  })

  it('links to one ask: for one that is open, whose grant opens that one alone', async () => {
    const page = await start({ port: 0 })
    expect(page.linkFor('nothing')).toBeUndefined()
    const told = page.ask([NAME])
    const { id } = page
    page.ask([DATABASE])
    const link = page.linkFor(id)!
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#g=/)
    expect(link).not.toContain(page.token)
    const grant = { authorization: `Bearer ${link.split('#g=')[1]!}` }
    expect(await (await page.api('asks', undefined, grant)).json()).toMatchObject({ open: [{ id }] })
    expect((await answer(page, page.id, { selected: [0] }, grant)).status).toBe(403)
    await answer(page, id, { selected: [], custom: 'x' }, grant)
    expect(await told).toEqual({ answers: [{ id: 'name', selected: [], custom: 'x' }] })
    expect(page.linkFor(id)).toBeUndefined()
  })

  it('links for a surface that is asked before the page is', async () => {
    const page = await start()
    await page.fiber.dispose()
    let link: string | undefined
    page.registry.register({
      name: 'push', claim: () => true, ask: (_request, { id }) => { link = page.linkFor(id); return new Promise(() => {}) },
    })
    const quiet = { ...web, apply: (ctx: Context, config: unknown) => web.apply(ctx, config, () => {}) }
    const again = await page.ctx.plugin(quiet as never, undefined as never)
    page.ask([NAME])
    expect(link).toContain('#g=')
    await again.dispose()
  })

  it('a public address is the link\'s', async () => {
    const { other, port } = await takePort()
    await new Promise(resolve => void other.close(resolve))
    const page = await start({ port, publicUrl: 'https://ask.example/here' })
    expect(page.link).toMatch(/^https:\/\/ask\.example\/here\/#t=/)
  })

  it('unload leaves nothing: no server, no stream, no timer, no surface, no service; and the ask goes on', async () => {
    const page = await start()
    const { url } = page
    let settled = false
    page.ask([NAME], {}, () => new Promise(() => {})).finally(() => { settled = true }).catch(() => {})
    const stream = await page.api('events', { browser: 'b' })
    const clear = vi.spyOn(globalThis, 'clearInterval')
    await page.fiber.dispose()
    expect(clear).toHaveBeenCalled()
    clear.mockRestore()
    await expect(stream.text()).rejects.toThrow('terminated')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    expect(page.registry.list()).toEqual([])
    expect(page.ctx.get('askWeb')).toBeUndefined()
    expect(page.fiber.getEffects()).toEqual([])
    expect(settled).toBe(false)
    expect(page.registry.pending()).toHaveLength(1)
  })

  it('whoever answers last is told so, though the host ends with it', async () => {
    const page = await start()
    const ended = page.ask([NAME]).then(() => page.ctx.fiber.dispose())
    const response = await answer(page, page.id, { selected: [], custom: 'x' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ accepted: true })
    await ended
  })

  it('every effect has a label', async () => {
    const page = await start()
    expect(page.fiber.getEffects().map(({ label }) => label)).toEqual([
      'ask-web: server', 'ctx.on("ask-surfaces/presence")', 'ask-web: viewers', 'ctx.provide("askWeb")', 'askSurfaces.register(web)',
    ])
  })

  it('a restart keeps the link, the history and the order of things', async () => {
    const page = await start()
    page.ask([NAME])
    await answer(page, page.id, { selected: [], custom: 'x' })
    page.ask([DATABASE], {}, () => new Promise(() => {}))
    const before = await page.snapshot()
    const { link, id } = page
    await page.fiber.restart()
    expect(page.link).toBe(link)
    const after = await page.snapshot()
    expect(after).toMatchObject({ epoch: before.epoch, open: [{ id }], ended: before.ended })
    expect(after.version).toBeGreaterThan(before.version)
    await page.router.restart()
    await page.fiber.await()
    expect(page.link).toBe(link)
    expect((await page.snapshot()).ended).toHaveLength(2)
  })

  it('a host of its own has a history and a secret of its own', async () => {
    const one = await start()
    const other = await bootWeb()
    expect(other.token).not.toBe(one.token)
    expect((await other.snapshot()).epoch).not.toBe((await one.snapshot()).epoch)
    await other.close()
  })
})

describe('the page\'s code', () => {
  it('is at most 40 KB, script and style together, gzipped', async () => {
    const { script, style } = await buildPage()
    const size = gzipSync(script).length + gzipSync(style).length
    expect(size).toBeLessThan(40 * 1024)
    expect(script).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/)
    // Its types allow what node has, for the sake of the types it shares with the server.
    expect(script).not.toMatch(/(?<!\.)\bprocess\b(?!\()|\b(Buffer|global|setImmediate|require)\b/)
  })
})
