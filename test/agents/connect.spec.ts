// What `connect claude-code` writes, on the real Claude Code: it runs our hook, in a session that is open already, too; after
// `disconnect` it does not, and its settings are what they were.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect, disconnect } from '../../src/desk/connect/index.ts'
import type { ConnectIo } from '../../src/desk/connect/io.ts'
import * as plugin from '../../src/sources/claude-code/index.ts'
import { boot, load } from '../helpers/cordis.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { AnthropicMock } from './helpers/anthropic-mock.ts'
import { ClaudeHome } from './helpers/claude.ts'
import { KEY } from './helpers/terminal.ts'

const HOOK = fileURLToPath(new URL('../../src/sources/claude-code/hook.ts', import.meta.url))
const ORIGINAL = '{ "theme" : "dark" }'

class Surface extends FakeSurface {
  readonly approvals = true
}

describe('connect claude-code', () => {
  const model = new AnthropicMock()
  let home: ClaudeHome, io: ConnectIo, ctx: Context, surface: Surface

  beforeAll(async () => {
    await model.listen()
    home = new ClaudeHome(model)
    const hook = join(home.folder, 'hook.mjs')
    await build({ entryPoints: [HOOK], outfile: hook, bundle: true, platform: 'node', format: 'esm' })
    writeFileSync(home.settings, ORIGINAL)
    io = {
      stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), env: { XDG_STATE_HOME: home.state },
      home: home.home, cwd: home.project, node: process.execPath, hookFile: () => hook,
    }
  })
  afterAll(() => model.close())

  beforeEach(async () => {
    ({ ctx } = await boot())
    surface = new Surface('page')
    await load(ctx, surface)
    const folder = join(home.state, 'dsh-ask-router')
    await ctx.plugin(plugin, { folder })
    await vi.waitFor(() => expect(readdirSync(folder)).toContain('claude-code.sock'))
  })
  afterEach(() => ctx.fiber.dispose())

  it('lets a session that is open already ask at the desk', async () => {
    const terminal = await home.start()
    expect(await connect(['claude-code', '--yes'], io)).toBe(0)
    // Claude Code reads its settings anew a second or two after they have changed, and says nothing of it.
    for (let tries = 0; surface.asked === 0 && tries < 5; tries++) {
      await terminal.say('DO bash')
      await terminal.waitFor('Do you want to proceed?')
      await vi.waitUntil(() => surface.asked > 0, { timeout: 3000 }).catch(() => terminal.press(KEY.escape))
    }
    expect(surface.asked).toBe(1)
    await surface.answer({ answers: [{ id: surface.request.questions[0]!.id, selected: ['allow'] }] })
    await vi.waitFor(() => expect(readdirSync(home.project)).toContain('made_by_bash'), { timeout: 20_000 })
    terminal.kill()
  })

  it('asks once where a project is connected beside the user', async () => {
    expect(await disconnect(['claude-code', '--yes'], io)).toBe(0)
    expect(await connect(['claude-code', '--project', '--yes'], io)).toBe(0)
    expect(await connect(['claude-code', '--yes'], io)).toBe(0)
    const done = home.print('DO echo')
    await vi.waitFor(() => expect(surface.asked).toBe(1), { timeout: 20_000 })
    await surface.answer({ answers: [{ id: surface.request.questions[0]!.id, selected: ['reject'], custom: 'Not now.' }] })
    expect((await done).stdout.trim()).toBe('TOLD: [is_error] Not now.')
    expect(surface.asked).toBe(1)
  })

  it('leaves nothing after disconnect', async () => {
    expect(await disconnect(['claude-code', '--yes'], io)).toBe(0)
    expect(await disconnect(['claude-code', '--project', '--yes'], io)).toBe(0)
    expect(readFileSync(home.settings, 'utf8')).toBe(ORIGINAL)
    expect(readdirSync(home.project)).not.toContain('.claude')
    await home.print('DO echo')
    expect(surface.asked).toBe(0)
  })
})
