// A profile's life with the bundle: dsh plugin add, --dump-config, a boot, dsh plugin remove and what is left then.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readPage } from '../../scripts/markdown.ts'
import { Home } from './home.ts'
import { Host } from './host.ts'
import { onProfile } from './profile.ts'
import { DATABASE, SQLITE } from './questions.ts'

const NAME = 'dsh-ask-router'

/** The rows that one layer adds, as `--dump-config` prints them. */
function layer(dump: string, label: string): string | undefined {
  return dump.split(/^# == /m).find(part => part.startsWith(`${label}\n`))?.slice(label.length + 1)
}

/** What differs from one install to the next without anybody having done anything: times, and the order of keys. */
function settled(files: Map<string, string>): Map<string, unknown> {
  const volatile = new Set(['prunedAt', 'lastValidatedTimestamp'])
  return new Map(Array.from(files, ([path, text]) => {
    if (!/\/\.modules\.yaml$|\/\.pnpm-workspace-state[^/]*\.json$/.test(path)) return [path, text]
    return [path, JSON.parse(text, (key, value: unknown) => (volatile.has(key) ? undefined : value))]
  }))
}

describe('a profile with the bundle', () => {
  const home = new Home()
  const { router, bridge, probe } = inject('tarballs')
  let before: Map<string, string>
  let host: Host | undefined

  beforeAll(async () => {
    await home.plugin('p', 'add', bridge, probe)
    await home.dump('p') // writes what every later start finds: the root config and the links to the host's packages
    before = home.files(home.dir)
    await home.plugin('p', 'add', router)
  })

  afterAll(async () => {
    await host?.kill()
    home.remove()
  })

  it('add puts it into dsh.profile.bundles, last, and once however often it is added', async () => {
    const bundles = ['@deepseek-ai/dsh-base', 'dsh-ask-probe', 'dsh-bridge-rc8', NAME]
    expect(home.manifest('p').dsh?.profile?.bundles).toEqual(bundles)
    expect(home.manifest('p').dependencies).toHaveProperty(NAME)
    await home.plugin('p', 'add', router)
    expect(home.manifest('p').dsh?.profile?.bundles).toEqual(bundles)
  })

  it('--dump-config shows its rows: the router and the commands, and its own surfaces disabled', async () => {
    expect(layer(await home.dump('p'), NAME)).toBe([
      '- id: ask-router',
      '  name: dsh-ask-router',
      '- id: ask-commands',
      '  name: dsh-ask-router/commands',
      '- id: ask-terminal',
      '  name: dsh-ask-router/terminal',
      '  disabled: true',
      '- id: ask-web',
      '  name: dsh-ask-router/web',
      '  disabled: true',
      '- id: ask-ntfy',
      '  name: dsh-ask-router/ntfy',
      '  disabled: true',
      '- id: ask-claude-code',
      '  name: dsh-ask-router/sources/claude-code',
      '  disabled: true',
      '- id: ask-codex',
      '  name: dsh-ask-router/sources/codex',
      '  disabled: true',
      '- id: ask-mcp',
      '  name: dsh-ask-router/sources/mcp',
      '  disabled: true',
      '',
    ].join('\n'))
  })

  it('boots, routes a question, and ends when it is told to', async () => {
    host = new Host(home, ['--profile', 'p'])
    await host.report('registered')
    await host.report('booted')
    expect((await host.list()).surfaces).toEqual(['desk', 'phone'])
    const call = host.ask([DATABASE])
    const { ask } = await host.asked('desk')
    await host.asked('phone')
    host.answer('phone', ask, SQLITE)
    expect((await host.report('answered', report => report.call === call)).answer).toEqual(SQLITE)
    expect(await host.report('settled')).toMatchObject({ surface: 'desk', by: 'phone', answer: SQLITE })
    expect(host.reported('log', ({ level }) => level === 'warn' || level === 'error')).toEqual([])
    expect(await host.stop()).toBe(0)
    expect(host.stdout + host.stderr).toBe('')
  })

  it('listing it a second time by hand stops the boot, and says which row is there twice', async () => {
    const bundles = home.manifest('p').dsh?.profile?.bundles ?? []
    home.setBundles('p', [...bundles, NAME])
    const { code, stderr } = await home.attempt('--profile', 'p')
    home.setBundles('p', bundles)
    expect(code).toBe(1)
    expect(stderr).toContain('duplicate loader entry id: ask-router')
  })

  it('remove leaves no trace of it, and the profile boots without it', async () => {
    await home.plugin('p', 'remove', NAME)
    const after = home.files(home.dir)
    expect([...after].filter(([path, text]) => `${path}\n${text}`.includes(NAME)).map(([path]) => path)).toEqual([])
    expect([...after.keys()]).toEqual([...before.keys()])
    expect(settled(after)).toEqual(settled(before))

    // What the person wrote themselves stays theirs: it names a row that is not there now, and that is no reason to stop.
    await home.patch('p', '- id: ask-router\n  config: { host: fallback }\n')
    host = new Host(home, ['--profile', 'p'])
    await host.report('booted')
    const call = host.ask([DATABASE])
    expect(await host.report('refused', report => report.call === call)).toMatchObject({ code: 'NO_PROVIDER' })
    expect(host.reported('registered')).toEqual([])
    expect(await host.stop()).toBe(0)
  })
})

describe('what the README says of the profile\'s own patch file', () => {
  const blocks = readPage(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).code.filter(({ lang }) => lang === 'yaml').map(({ text }) => text.trimEnd())
  const [asItIs = '', asItBecomes = ''] = blocks
  const home = new Home()

  beforeAll(() => home.plugin('web', 'add', inject('tarballs').router))
  afterAll(() => home.remove())

  it('is what dsh writes, and what turns the page on', async () => {
    const path = join(home.profile('web'), 'cordis.patch.yml')
    expect(readFileSync(path, 'utf8').trimEnd()).toBe(asItIs)
    const [lastComment, ...rows] = asItBecomes.split('\n')
    expect(asItIs.split('\n').at(-2)).toBe(lastComment)
    await home.patch('web', `${asItIs.replace(/\[\]$/, rows.join('\n'))}\n`)
    const { code, stdout, stderr } = await home.attempt('--profile', 'web', '--dump-config')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^- id: ask-web\n  name: dsh-ask-router\/web$/m)
    // What the README warns of.
    await home.patch('web', `${asItIs}\n${rows.join('\n')}\n`)
    expect((await home.attempt('--profile', 'web', '--dump-config')).code).not.toBe(0)
    await home.patch('web', `${rows.join('\n')}\n`)
  })

  it('is true after a removal: dsh names each row that is left, and starts', async () => {
    await home.plugin('web', 'remove', NAME)
    const { code, stderr } = await home.attempt('--profile', 'web', '--dump-config')
    expect(code).toBe(0)
    expect(stderr.trim().split('\n').map(line => line.replace(/^.*\] /, ''))).toEqual(['patch: entry "ask-web" not found'])
  })
})

describe('a profile in which nobody can be asked', () => {
  it('says so once, and goes on', async () => {
    await onProfile('- id: ask-probe\n  disabled: true\n', async (host) => {
      const { stderr } = await host.until('the line', () => host.stderr.includes('\n') && host)
      expect(stderr).toMatch(/^ask-router: nobody can be asked: .+\n$/)
      expect(await host.stop()).toBe(0)
      expect(host.stdout + host.stderr).toBe(stderr)
    })
  })
})

describe('a profile of its own', () => {
  it('remove leaves no trace where nothing else was installed', async () => {
    const home = new Home()
    try {
      await home.plugin('alone', 'add', inject('tarballs').router)
      await home.plugin('alone', 'remove', NAME)
      expect(home.manifest('alone').dsh?.profile?.bundles).toEqual(['@deepseek-ai/dsh-base'])
      const left = home.files(home.dir)
      expect([...left].filter(([path, text]) => `${path}\n${text}`.includes(NAME)).map(([path]) => path)).toEqual([])
      expect([...left.keys()].filter(path => path.includes('zod'))).toEqual([])
    } finally {
      home.remove()
    }
  })
})
