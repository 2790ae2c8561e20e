// The plugin in the real cordis.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as plugin from '../../../src/sources/codex/index.ts'
import { codexHome } from '../../../src/sources/codex/config.ts'
import { callSource } from '../../../src/sources/local/client.ts'
import { sourceStatuses } from '../../../src/sources/local/status.ts'
import { boot, logged } from '../../helpers/cordis.ts'
import { StandIn } from './stand-in.ts'
import { WAIT } from './support.ts'

let base: string, folder: string, codex: StandIn

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'state-'))
  folder = join(base, 'state')
  codex = new StandIn()
})

afterEach(async () => {
  await codex.remove()
  rmSync(base, { recursive: true, force: true })
})

describe('the source Codex', () => {
  it('says how it asks, serves the hook, connects, and leaves nothing', async () => {
    const { ctx, logs } = await boot()
    const fiber = await ctx.plugin(plugin, { home: codex.home, folder })
    await vi.waitFor(async () => expect(await callSource({ folder, name: 'codex', body: { hook: 7 } })).toEqual({ output: null }), WAIT)
    expect(logged(logs, 'info')).toBe(`questions of Codex come by the app-server of ${codex.home} while there is one, and by Codex' hook where there is none`)
    await vi.waitFor(() => expect(sourceStatuses(ctx)).toEqual([{ name: 'Codex', state: 'waiting' }]), WAIT)
    await codex.start()
    await vi.waitFor(() => expect(sourceStatuses(ctx)).toEqual([{ name: 'Codex', state: 'connected', note: { en: 'by its app-server', zh: '通过 app-server' } }]), WAIT)
    await fiber.dispose()
    await vi.waitFor(() => expect(codex.clients).toBe(0), WAIT)
    await expect(callSource({ folder, name: 'codex', body: {} })).rejects.toMatchObject({ code: 'NO_DESK' })
    expect(sourceStatuses(ctx)).toEqual([])
  })

  it.each([
    [{ home: 'x' }, 'must be an absolute path'],
    [{ holdMs: -1 }, 'holdMs'],
    [{ homes: [] }, 'homes'],
  ])('refuses %j', (config, message) => {
    expect(() => plugin.Config.parse(config)).toThrow(message)
  })

  it('looks where Codex itself does', () => {
    expect(codexHome({ CODEX_HOME: '/x' })).toBe('/x')
    expect(codexHome({})).toMatch(/\/\.codex$/)
  })
})
