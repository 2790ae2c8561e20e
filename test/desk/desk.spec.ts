// A desk in this process: what edits do to the rows that run, and what its socket says.
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Desk, type DeskOptions } from '../../src/desk/desk.ts'
import { askStatus } from '../../src/desk/status-command.ts'
import { callSource } from '../../src/sources/local/client.ts'
import { Home, until } from './support.ts'

/** Says when it comes, with what, and when it goes. */
const RECORDER = `
export const name = 'recorder'
export const Config = { '~standard': { version: 1, vendor: 'test', validate: value => ({ value }) } }
export const apply = (ctx, config) => {
  const { log = 'quiet', fails, hangs } = config ?? {}
  const said = globalThis.deskRecord ??= []
  if (fails) throw new Error('it will not')
  if (hangs) return new Promise(resolve => { globalThis.deskGoOn = resolve })
  said.push('+' + log)
  ctx.logger('recorder').warn('%s is here', log)
  ctx.effect(() => () => void said.push('-' + log))
}
`

let home: Home, desk: Desk | undefined
const lines: string[] = []

/** Lets the plugin that hangs go on. */
const goOn = () => (globalThis as { deskGoOn?: () => void }).deskGoOn

const record = (): string[] => (globalThis as { deskRecord?: string[] }).deskRecord ??= []

beforeEach(() => {
  home = new Home()
  // Where the sources have their sockets.
  vi.stubEnv('XDG_STATE_HOME', dirname(home.folder))
  vi.stubEnv('CODEX_HOME', join(home.path, 'codex'))
  home.write(RECORDER, 'recorder.mjs')
  record().length = 0
  delete (globalThis as { deskGoOn?: () => void }).deskGoOn
  lines.length = 0
})

afterEach(async () => {
  await desk?.close()
  desk = undefined
  await home.remove()
  vi.unstubAllEnvs()
})

async function open(text?: string, file = home.file, more: Partial<DeskOptions> = {}): Promise<void> {
  if (text !== undefined) home.write(text)
  desk = await Desk.open({ file, isNeeded: false, folder: home.folder, version: '1.2.3', lang: 'en', print: line => lines.push(line), patienceMs: 2000, ...more })
}

const status = async () => (await askStatus(home.folder, 'en')).status

const row = (config: string, id = 'one', more = '') => `- { id: ${id}, name: ./recorder.mjs, config: ${config}${more} }\n`

const said = (text: string) => until(() => expect(lines.join('\n')).toContain(text))

const applied = 'the new configuration is in use'

const NO_PAGE = '- { id: ask-web, disabled: true }\n'

describe('an edit', { timeout: 60_000 }, () => {
  it('restarts the row that changed, loads the one that came, unloads the one that went, and touches no other', async () => {
    await open(NO_PAGE + row('{ log: a }') + row('{ log: b }', 'two') + row('{ log: c }', 'three'))
    expect(record()).toEqual(['+a', '+b', '+c'])
    home.write(NO_PAGE + row('{ log: a }') + row('{ log: B }', 'two') + row('{ log: c }', 'three', ', disabled: true') + row('{ log: d }', 'four'))
    await said(applied)
    expect(record().slice(3)).toEqual(['-c', '-b', '+B', '+d'])
  })

  it('with a plugin that does not start brings back what there was', async () => {
    await open(NO_PAGE + row('{ log: a }') + row('{ log: b }', 'two'))
    home.write(NO_PAGE + row('{ log: A }') + row('{ fails: true }', 'two'))
    await said('row two did not start: it will not; the old configuration stays')
    expect((await status()).wrong).toEqual(['row two did not start: it will not; the old configuration stays'])
    expect(record().slice(2)).toEqual(['-a', '+A', '-b', '-A', '+a', '+b'])
    home.write(NO_PAGE + row('{ log: a }') + row('{ log: c }', 'two'))
    await said(applied)
    expect(record().slice(-2)).toEqual(['-b', '+c'])
    expect((await status()).wrong).toEqual([])
  })

  it('with a plugin that does not come to a start brings back what there was, and the next one is applied', async () => {
    await open(NO_PAGE + row('{ log: a }'))
    home.write(NO_PAGE + row('{ log: a }') + row('{ hangs: true }', 'two'))
    await said('row two did not start: it is not done after 2 seconds; the old configuration stays')
    home.write(NO_PAGE + row('{ log: b }'))
    await said(applied)
    expect(record()).toEqual(['+a', '-a', '+b'])
    goOn()!()
  })

  it('that came while plugins started is applied', async () => {
    const opening = open(NO_PAGE + row('{ hangs: true }'))
    await until(() => expect(goOn()).toBeTypeOf('function'))
    home.write(NO_PAGE + row('{ log: b }'))
    goOn()!()
    await opening
    await said(applied)
    expect(record()).toEqual(['+b'])
  })

  it('is noticed when the file comes, in a folder that comes', async () => {
    rmSync(dirname(home.file), { recursive: true })
    await open()
    home.write(RECORDER, 'recorder.mjs')
    home.write(row('{ log: late }'))
    await said(applied)
    expect(record()).toEqual(['+late'])
  })

  it('is noticed when an editor puts another file in its place, and again', async () => {
    await open(NO_PAGE)
    for (const log of ['x', 'y']) {
      renameSync(home.write(NO_PAGE + row(`{ log: ${log} }`), 'desk.yml.tmp'), home.file)
      await until(() => expect(record()).toContain(`+${log}`))
    }
  })

  it('is noticed behind a link', async () => {
    const real = join(home.path, 'dotfiles', 'desk.yml')
    mkdirSync(dirname(real))
    writeFileSync(real, NO_PAGE)
    symlinkSync(real, home.file)
    await open()
    writeFileSync(real, NO_PAGE + row('{ log: linked }'))
    await until(() => expect(record()).toEqual(['+linked']))
  })

  it('is none when nothing in the file is another', async () => {
    await open(NO_PAGE + row('{ log: a }'))
    const before = lines.length
    home.write(NO_PAGE + row('{ log: a }'))
    home.write(`${NO_PAGE}${row('{ log: a }')}# a word\n`)
    await until(() => expect(lines).toHaveLength(before + 1))
    expect(record()).toEqual(['+a'])
  })

  it('of the page\'s port says where the page is now', async () => {
    await open()
    home.write('- { id: ask-web, config: { token: rT5xQ9mZ2wK8vB4nL7hJ3p, port: 0 } }\n')
    await said('dsh-ask-router: the page is now at http://')
    expect(lines.join('\n')).not.toContain('rT5xQ9mZ2wK8vB4nL7hJ3p')
  })
})

describe('a start', { timeout: 60_000 }, () => {
  it('that fails leaves nothing', async () => {
    await expect(open(NO_PAGE + row('{ log: a }') + row('{ fails: true }', 'two'))).rejects.toThrow('row two did not start: it will not')
    expect(record()).toEqual(['+a', '-a'])
    await expect(status()).rejects.toMatchObject({ code: 'NO_DESK' })
  })

  it('that is told to end while plugins start leaves nothing', async () => {
    const controller = new AbortController(), opening = open(NO_PAGE + row('{ log: a }') + row('{ hangs: true }', 'two'), home.file, { signal: controller.signal })
    await until(() => expect(goOn()).toBeTypeOf('function'))
    controller.abort(new Error('told to end'))
    setTimeout(() => goOn()!(), 100)
    await expect(opening).rejects.toThrow('told to end')
    expect(record()).toEqual(['+a', '-a'])
    await expect(status()).rejects.toMatchObject({ code: 'NO_DESK' })
  })

  it('with a byte order mark in its file is like any other', async () => {
    await open(`\uFEFF${NO_PAGE}${row('{ log: a }')}`)
    expect(record()).toEqual(['+a'])
  })

  it('without the router says so', async () => {
    await open('- { id: ask-router, disabled: true }')
    expect(lines.join('\n')).toContain('turn the row ask-router on')
    expect((await status()).wrong).toHaveLength(1)
  })
})

describe('the socket', { timeout: 60_000 }, () => {
  it('tells what plugins have warned of, and the status in either language', async () => {
    await open(NO_PAGE + row('{ log: a }'))
    expect(lines).toContain('recorder: a is here')
    expect(await status()).toMatchObject({ version: '1.2.3', pid: process.pid, file: home.file, log: [{ text: 'recorder: a is here' }], surfaces: [] })
    expect((await askStatus(home.folder, 'en')).text).toMatch(/^The desk 1\.2\.3 is open .*\nFile: .*\n\nYou are home\./)
    expect((await askStatus(home.folder, 'zh')).text).toMatch(/^desk 1\.2\.3 已启动/)
  })

  it('says nothing of the page\'s link', async () => {
    await open()
    const { token } = /#t=(?<token>\S+)/.exec(lines.at(-1)!)!.groups!
    expect(JSON.stringify(await askStatus(home.folder, 'en'))).not.toContain(token)
  })

  it.each([[{}], [{ ask: 'status' }], [{ ask: 'stop', lang: 'en' }], [{ ask: 'status', lang: 'en', answer: 1 }], ['status'], [null]])('takes nothing but the request for a status: %j', async (body) => {
    await open(NO_PAGE)
    await expect(callSource({ folder: home.folder, name: 'desk', body })).rejects.toMatchObject({ code: 'NO_REPLY' })
    expect(lines.at(-1)).toMatch(/^desk: a message was refused: /)
    await expect(status()).resolves.toMatchObject({ pid: process.pid })
  })
})
