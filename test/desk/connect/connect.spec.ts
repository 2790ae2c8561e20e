// Our hook in somebody else's settings: what is shown, asked and written, and what is left after it.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Home } from './support.ts'

let home: Home

beforeEach(() => {
  home = new Home()
})

afterEach(() => home.remove())

const handler = (node = '/usr/bin/node') => ({
  type: 'command', command: node, args: [join(home.state, 'claude-code-hook.mjs'), home.state], timeout: 604_800,
})
const withHook = (node?: string) => ({ hooks: { PermissionRequest: [{ matcher: '*', hooks: [handler(node)] }] } })

/** What connect says where it fails with one line and changes nothing. */
async function refusal(args = 'claude-code --yes'): Promise<string> {
  const before = home.everything(), { code, err, out } = await home.run('connect', args), [line, ...more] = err.split('\n')
  expect({ code, out, more }).toEqual({ code: 1, out: '', more: [''] })
  expect(home.everything()).toEqual(before)
  return line!
}

describe('connect claude-code', () => {
  it('puts one hook into the user\'s settings, and a copy of it and a record where only this user can read them', async () => {
    expect(await home.run('connect', 'claude-code --yes')).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Claude Code is connected.') as string })
    expect(home.json(home.user)).toEqual(withHook())
    expect(home.read(join(home.state, 'claude-code-hook.mjs'))).toBe('the hook')
    expect(statSync(home.state).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(home.state)) expect(statSync(join(home.state, name)).mode & 0o777).toBe(0o600)
  })

  it('goes by CLAUDE_CONFIG_DIR and XDG_STATE_HOME', async () => {
    home.env = { CLAUDE_CONFIG_DIR: join(home.base, 'config'), XDG_STATE_HOME: join(home.base, 's') }
    await home.run('connect', 'claude-code --yes')
    expect(home.read(join(home.base, 'config', 'settings.json'))).toContain(join(home.base, 's', 'dsh-ask-router', 'claude-code-hook.mjs'))
    await home.run('disconnect', 'claude-code --yes')
    expect([existsSync(join(home.base, 'config')), existsSync(join(home.base, 's'))]).toEqual([false, false])
  })

  it('shows the lines that change, asks, and writes for a yes', async () => {
    home.write(home.user, '{\n  "a": 1,\n  "model": "opus"\n}\n')
    const { code, out } = await home.run('connect', 'claude-code', 'y\n')
    expect(code).toBe(0)
    expect(out).toMatch(/settings\.json\n {4}"a": 1,\n- {3}"model": "opus"\n\+ {3}"model": "opus",\n\+ {3}"hooks": \{\n(\+.*\n)+ {2}\}\nWrite this\? \[y\/N\] /)
    expect(home.json(home.user)).toEqual({ a: 1, model: 'opus', ...withHook() })
  })

  it.each([
    ['a no', 'n\n'], ['nothing', '\n'], ['words', 'yes please\n'], ['the end of the input', (stdin: PassThrough) => void stdin.end()],
  ])('writes nothing for %s', async (_, typed) => {
    home.write(home.user, '{}')
    const before = home.everything()
    expect(await home.run('connect', 'claude-code', typed)).toMatchObject({ code: 1, out: expect.stringContaining('Nothing was changed.') as string })
    expect(home.everything()).toEqual(before)
  })

  it('only says what it would do where there is no terminal', async () => {
    const before = home.everything(), { code, out, err } = await home.run('connect', 'claude-code')
    expect(code).toBe(2)
    expect(out).toContain('+   "hooks": {')
    expect(err).toMatch(/no terminal to ask on\. With --yes/)
    expect(home.everything()).toEqual(before)
  })

  it('changes nothing the second time, but brings the newer hook', async () => {
    await home.run('connect', 'claude-code --yes')
    const before = home.everything()
    expect(await home.run('connect', 'claude-code')).toMatchObject({ code: 0, out: expect.stringContaining('already connected') as string })
    expect(home.everything()).toEqual(before)
    home.write(home.built, 'a newer hook')
    await home.run('connect', 'claude-code')
    expect(home.read(join(home.state, 'claude-code-hook.mjs'))).toBe('a newer hook')
  })

  it('replaces a hook of ours with an old path, wherever it is, and still leaves the file as it was before the first time', async () => {
    const original = '{ "hooks": {"PermissionRequest" :[ ] }}'
    home.write(home.user, original)
    await home.run('connect', 'claude-code --yes')
    home.node = '/opt/node/bin/node'
    await home.run('connect', 'claude-code --yes')
    expect(home.json(home.user)).toEqual(withHook('/opt/node/bin/node'))
    await home.run('disconnect', 'claude-code --yes')
    expect(home.read(home.user)).toBe(original)
    const mine = { type: 'command', command: 'mine' }, old = { type: 'command', command: 'node', args: ['/old/dsh-ask-router/claude-code-hook.mjs'] }
    home.node = '/usr/bin/node'
    home.write(home.user, JSON.stringify({ hooks: { PermissionRequest: [{ matcher: 'Bash', hooks: [old, mine] }], Stop: [{ hooks: [old] }] } }))
    await home.run('connect', 'claude-code --yes')
    expect(home.json(home.user)).toEqual({ hooks: { PermissionRequest: [{ matcher: 'Bash', hooks: [mine] }, ...withHook().hooks.PermissionRequest], Stop: [] } })
  })

  it('writes behind a symbolic link, and keeps the link and the mode', async () => {
    const target = join(home.base, 'dotfiles', 'claude.json')
    home.write(target, '{}\n', 0o640)
    mkdirSync(dirname(home.user))
    symlinkSync(target, home.user)
    await home.run('connect', 'claude-code --yes')
    expect(lstatSync(home.user).isSymbolicLink()).toBe(true)
    expect(home.json(target)).toEqual(withHook())
    expect(statSync(target).mode & 0o777).toBe(0o640)
    await home.run('disconnect', 'claude-code --yes')
    expect(home.read(target)).toBe('{}\n')
  })

  it.skipIf(process.getuid?.() !== 0)('leaves the file with its owner', async () => {
    home.write(home.user, '{}')
    const { chownSync } = await import('node:fs')
    chownSync(home.user, 12_345, 23_456)
    await home.run('connect', 'claude-code --yes')
    expect(statSync(home.user)).toMatchObject({ uid: 12_345, gid: 23_456 })
  })

  it('takes an empty file for no settings, as Claude Code does', async () => {
    home.write(home.user, '\n')
    await home.run('connect', 'claude-code --yes')
    expect(home.json(home.user)).toEqual(withHook())
    await home.run('disconnect', 'claude-code --yes')
    expect(home.read(home.user)).toBe('\n')
  })

  it('refuses what it cannot change, with one sentence', async () => {
    for (const text of ['{ "a": 1, }', '// mine\n{}', '{', Buffer.from([0x7B, 0xFF, 0x7D])]) {
      home.write(home.user, text)
      expect(await refusal()).toMatch(/settings\.json is no valid JSON/)
    }
    for (const text of ['[]', 'null', '"hooks"', '{"hooks":[]}', '{"hooks":{"Stop":{}}}', '{"hooks":{"Stop":[1]}}', '{"hooks":{"Stop":[{"hooks":{}}]}}']) {
      home.write(home.user, text)
      expect(await refusal()).toMatch(/settings\.json (is no JSON object|has )/)
    }
    unlinkSync(home.user)
    mkdirSync(home.user)
    expect(await refusal()).toMatch(/is no file/)
    rmSync(home.user, { recursive: true })
    execFileSync('mkfifo', [home.user])
    expect(await refusal()).toMatch(/is no file/)
  })

  it('refuses a file that somebody keeps from being written', async () => {
    home.write(home.user, '{}', 0o444)
    expect(await refusal()).toMatch(/is read-only/)
    chmodSync(home.user, 0o644)
    linkSync(home.user, join(home.base, 'other'))
    expect(await refusal()).toMatch(/hard links/)
    unlinkSync(home.user)
    symlinkSync(join(home.base, 'gone'), home.user)
    expect(await refusal()).toMatch(/link to a file that is not there/)
  })

  it('refuses where the hook would not run: hooks are off, or the administrator\'s alone', async () => {
    home.write(home.user, '{"disableAllHooks":true}')
    expect(await refusal()).toMatch(/disableAllHooks/)
    home.write(home.user, '{}')
    const managed = join(home.base, 'managed', 'managed-settings.d', '10.json')
    home.write(managed, '{"allowManagedHooksOnly":true}')
    expect(await refusal()).toMatch(/administrator's settings .*10\.json/)
    home.write(managed, '{"allowManagedHooksOnly":false}')
    home.write(join(home.project, '.claude', 'settings.json'), '{"disableAllHooks":true}')
    expect(await refusal('claude-code --project --yes')).toMatch(/shop\/\.claude\/settings\.json has "disableAllHooks"/)
    expect(await home.run('connect', 'claude-code --yes')).toMatchObject({ code: 0 })
  })

  it('refuses when another program changed the file while the person was asked', async () => {
    home.write(home.user, '{}')
    const { code, err } = await home.run('connect', 'claude-code', (stdin) => {
      setTimeout(() => {
        writeFileSync(home.user, '{"model":"opus"}')
        stdin.write('y\n')
      }, 20)
    })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('changed meanwhile') as string })
    expect(home.read(home.user)).toBe('{"model":"opus"}')
  })

  it('refuses without the built hook, and where a socket\'s path would be too long', async () => {
    rmSync(home.built)
    expect(await refusal()).toMatch(/hook for Claude Code is not there/)
    home.write(home.built, 'the hook')
    home.env = { XDG_STATE_HOME: join(home.base, 'x'.repeat(90)) }
    expect(await refusal()).toMatch(/too long for a socket/)
  })

  it('speaks Chinese, too', async () => {
    home.lang = 'zh'
    home.write(home.user, '{')
    expect(await refusal()).toBe(`${home.user} 不是有效的 JSON。没有任何改动。`)
    expect(await home.run('connect', '')).toMatchObject({ code: 2, err: expect.stringContaining('用法：dsh-ask-router connect') as string })
  })

  it.each(['', 'claude', 'claude-code codex', 'claude-code --force', 'codex --project'])('says how it is used for "%s"', async (args) => {
    expect(await home.run('connect', args)).toMatchObject({ code: 2, err: expect.stringContaining('Usage: dsh-ask-router connect claude-code [--project] [--yes]') as string })
  })
})

describe('connect claude-code --project', () => {
  it('writes the settings that are not shared, and takes their folder away again', async () => {
    const before = home.everything()
    await home.run('connect', 'claude-code --project --yes')
    expect(home.json(home.local)).toEqual(withHook())
    expect(await home.run('disconnect', 'claude-code --project --yes')).toMatchObject({ code: 0 })
    expect(home.everything()).toEqual(before)
  })

  it('has nothing to do where every project is connected', async () => {
    await home.run('connect', 'claude-code --yes')
    const before = home.everything()
    expect(await home.run('connect', 'claude-code --project')).toMatchObject({ code: 0, out: expect.stringContaining('connected for every project already') as string })
    expect(home.everything()).toEqual(before)
  })

  it('keeps the hook while another project needs it', async () => {
    await home.run('connect', 'claude-code --project --yes')
    await home.run('connect', 'claude-code --yes')
    await home.run('disconnect', 'claude-code --yes')
    expect(existsSync(join(home.state, 'claude-code-hook.mjs'))).toBe(true)
    await home.run('disconnect', 'claude-code --project --yes')
    expect(existsSync(home.state)).toBe(false)
  })

  it('keeps nothing for settings that are gone, or stand elsewhere now', async () => {
    await home.run('connect', 'claude-code --project --yes')
    await home.run('connect', 'claude-code --yes')
    rmSync(home.project, { recursive: true })
    renameSync(home.user, join(home.base, 'dotfiles.json'))
    symlinkSync(join(home.base, 'dotfiles.json'), home.user)
    await home.run('disconnect', 'claude-code --yes')
    expect(existsSync(home.state)).toBe(false)
  })
})

describe('disconnect claude-code', () => {
  it('leaves everything as it was', async () => {
    home.write(home.user, '{"permissions":{"allow":["Bash(ls)"]}}', 0o600)
    const before = home.everything()
    await home.run('connect', 'claude-code --yes')
    expect(await home.run('disconnect', 'claude-code', 'y\n')).toMatchObject({ code: 0, out: expect.stringContaining('Claude Code is disconnected') as string })
    expect(home.everything()).toEqual(before)
  })

  it('asks, too, and leaves the hook there for a no', async () => {
    await home.run('connect', 'claude-code --yes')
    const before = home.everything()
    expect(await home.run('disconnect', 'claude-code', 'n\n')).toMatchObject({ code: 1 })
    expect(await home.run('disconnect', 'claude-code')).toMatchObject({ code: 2 })
    expect(home.everything()).toEqual(before)
  })

  it('has nothing to do where nothing of ours is, and changes nothing', async () => {
    home.write(home.user, '{"hooks":{"PermissionRequest":[]}}')
    const before = home.everything()
    expect(await home.run('disconnect', 'claude-code')).toMatchObject({ code: 0, out: expect.stringContaining('not connected') as string })
    expect(home.everything()).toEqual(before)
  })

  it('keeps what others put into a file that we made, and removes one in which nothing is left', async () => {
    await home.run('connect', 'claude-code --yes')
    home.write(home.user, JSON.stringify({ ...withHook(), model: 'opus' }))
    await home.run('disconnect', 'claude-code --yes')
    expect(home.read(home.user)).toBe('{"model":"opus"}')
    rmSync(home.user)
    await home.run('connect', 'claude-code --yes')
    home.write(home.user, JSON.stringify(withHook()))
    await home.run('disconnect', 'claude-code --yes')
    expect(existsSync(home.user)).toBe(false)
  })

  it('does not touch a file that is no JSON any longer', async () => {
    await home.run('connect', 'claude-code --yes')
    home.write(home.user, `${home.read(home.user)}//`)
    const before = home.everything()
    expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 1, err: expect.stringContaining('no valid JSON') as string })
    expect(home.everything()).toEqual(before)
  })
})

describe('connect codex', () => {
  it('writes hooks.json with a command for a shell, and says who has to trust it', async () => {
    home.node = '/opt/it\'s/node'
    const before = home.everything()
    const { code, out } = await home.run('connect', 'codex --yes'), command = `'/opt/it'\\''s/node' '${home.state}/codex-hook.mjs' '${home.state}'`
    const hooks = [{ type: 'command', command, timeout: 600 }]
    expect(code).toBe(0)
    expect(home.json(home.codex)).toEqual({ hooks: { PreToolUse: [{ matcher: 'request_user_input', hooks }], PermissionRequest: [{ matcher: '*', hooks }] } })
    expect(out).toMatch(/once you have trusted them there.*app-server/)
    expect(await home.run('connect', 'codex')).toMatchObject({ code: 0, out: expect.stringContaining('already connected') as string })
    await home.run('disconnect', 'codex --yes')
    expect(home.everything()).toEqual(before)
  })

  it('goes by CODEX_HOME, beside hooks of others, and is gone without the other program\'s', async () => {
    home.env = { CODEX_HOME: join(home.base, 'c') }
    const path = join(home.base, 'c', 'hooks.json'), original = '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"bell"}]}]}}'
    home.write(path, original)
    await home.run('connect', 'codex --yes')
    await home.run('connect', 'claude-code --yes')
    expect(Object.keys((home.json(path) as { hooks: object }).hooks)).toEqual(['Stop', 'PreToolUse', 'PermissionRequest'])
    await home.run('disconnect', 'codex --yes')
    expect(home.read(path)).toBe(original)
    expect(readdirSync(home.state).filter(name => name.startsWith('codex'))).toEqual([])
    expect(home.json(home.user)).toEqual(withHook())
  })
})
