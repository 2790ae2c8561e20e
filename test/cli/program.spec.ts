// The real program: its start, a question and its answer, a second desk, edits, and every way to its end.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRows } from '../../src/desk/rows.ts'
import { askStatus } from '../../src/desk/status-command.ts'
import { ASKER, CLI, Home, until } from '../desk/support.ts'

let home: Home

beforeEach(() => {
  home = new Home()
})

afterEach(() => home.remove())

const status = async () => (await askStatus(home.folder, 'en')).status

describe('dsh-ask-router desk', { timeout: 60_000 }, () => {
  it('says in one line what it serves, with the page\'s link, and ends with SIGTERM without a trace', async () => {
    const desk = await home.desk()
    expect(desk.stderr).toMatch(/^dsh-ask-router: the desk is open: Claude Code, Codex, MCP; shown on web; answer at http:\/\/127\.0\.0\.1:\d+\/#t=\S+\n$/m)
    expect(await desk.api('asks')).toMatchObject({ open: [] })
    expect(statSync(home.folder).mode & 0o777).toBe(0o700)
    desk.child.kill('SIGTERM')
    expect(await desk.ended).toBe(0)
    expect(desk.stderr).toMatch(/the desk closes\n$/)
    expect(desk.stdout).toBe('')
    expect(existsSync(home.folder)).toBe(false)
    expect(existsSync(home.file)).toBe(false)
  })

  it.each(['SIGINT', 'SIGHUP'] as const)('ends with %s, too, also where it comes twice at once, as from a terminal and npx', async (signal) => {
    const desk = await home.desk()
    desk.child.kill(signal)
    await desk.says('the desk closes')
    desk.child.kill(signal)
    expect(await desk.ended).toBe(0)
  })

  it('takes a question of Claude Code by its hook, and one of an agent that speaks MCP, without a file', async () => {
    const desk = await home.desk()
    expect(desk.stderr).toContain('Claude Code, Codex, MCP')
    const ask = { questions: [{ question: 'Which database?', header: 'Storage', multiSelect: false, options: [{ label: 'Postgres', description: '' }, { label: 'SQLite', description: '' }] }] }
    const hook = home.hook({
      session_id: 'one', transcript_path: '/nowhere.jsonl', cwd: '/srv/shop', permission_mode: 'default', hook_event_name: 'PermissionRequest',
      tool_name: 'AskUserQuestion', tool_input: ask,
    })
    const opened = () => until(async () => {
      const { open } = await status()
      expect(open).toHaveLength(1)
      return open[0]!
    })
    const first = await opened()
    expect(first.origin).toContain('Claude Code')
    expect((await status()).sources).toContainEqual({ name: 'Claude Code', state: 'connected' })
    await desk.api(`asks/${first.id}/answer`, { answers: [{ selected: [1] }] })
    expect(await hook.ended).toBe(0)
    expect(JSON.parse(hook.stdout)).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow', updatedInput: { answers: { 'Which database?': 'SQLite' } } } } })

    const client = new Client({ name: 'tester', version: '1' })
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env: home.env as Record<string, string> }))
    const result = client.callTool({ name: 'ask_user_question', arguments: { questions: [{ id: 'db', question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }] } })
    const second = await opened()
    await desk.api(`asks/${second.id}/answer`, { answers: [{ selected: [0] }] })
    expect(JSON.stringify(await result)).toContain('A')
    await client.close()
  })

  it('leaves Claude Code\'s own dialog alone when it is killed', async () => {
    const desk = await home.desk()
    const hook = home.hook({
      session_id: 'one', transcript_path: '/nowhere.jsonl', cwd: '/srv/shop', permission_mode: 'default', hook_event_name: 'PermissionRequest',
      tool_name: 'Bash', tool_input: { command: 'ls' },
    })
    await until(async () => expect((await status()).open).toMatchObject([{ kind: 'approval' }]))
    desk.child.kill('SIGKILL')
    expect([await hook.ended, hook.stdout]).toEqual([0, ''])
  })

  it('a plugin from beside the file asks, the page answers, status has what is open', async () => {
    home.write(ASKER, 'asker.mjs')
    home.write('- id: asker\n  name: ./asker.mjs\n')
    const desk = await home.desk()
    const [open] = await until(async () => {
      const asks = (await status()).open
      expect(asks).toHaveLength(1)
      return asks
    })
    expect(open).toMatchObject({ kind: 'question', title: 'Storage', origin: 'Tester · laptop · shop' })
    expect(home.run(['status']).stdout).toContain('Storage · Tester · laptop · shop')
    expect(JSON.parse(home.run(['status', '--json']).stdout)).toEqual(await status())
    await desk.api(`asks/${open!.id}/answer`, { answers: [{ selected: [0] }] })
    await desk.says('asker: web: {"answers":[{"id":"db","selected":["Postgres"]}]}')
    expect((await status()).open).toEqual([])
  })

  it('gives open questions back when it is told to end', async () => {
    home.write(ASKER, 'asker.mjs')
    home.write('- id: asker\n  name: ./asker.mjs\n')
    const desk = await home.desk()
    desk.child.kill('SIGTERM')
    expect(await desk.ended).toBe(0)
    expect(desk.stderr).toContain('asker: ASK_ABORTED')
  })

  it('goes on when nobody reads what it says any longer', async () => {
    const desk = await home.desk()
    desk.child.stderr!.destroy()
    home.write('- wrong\n')
    await until(async () => expect((await status()).wrong).toHaveLength(1))
    desk.child.kill('SIGTERM')
    expect(await desk.ended).toBe(0)
  })

  it('ends at once when it is told twice, even if a plugin does not come to an end', async () => {
    home.write('export const apply = ctx => { setInterval(() => {}, 1000); ctx.effect(() => () => new Promise(() => {})) }', 'stuck.mjs')
    home.write('- id: stuck\n  name: ./stuck.mjs\n')
    const desk = await home.desk()
    desk.child.kill('SIGINT')
    await desk.says('the desk closes')
    const again = setInterval(() => desk.child.kill('SIGINT'), 100)
    expect(await desk.ended).toBe(1)
    clearInterval(again)
  })

  it('a second desk says that one is running, and ends with 3; after a SIGKILL there is room for another', async () => {
    const desk = await home.desk()
    const second = home.run(['desk'])
    expect(second).toEqual({ code: 3, stdout: '', stderr: `A desk of yours is running already (pid ${desk.child.pid}); see dsh-ask-router status.\n` })
    expect((await status()).pid).toBe(desk.child.pid)
    desk.child.kill('SIGKILL')
    expect(await desk.ended).toBe('SIGKILL')
    expect(readdirSync(home.folder)).toContain('desk.sock')
    expect(home.run(['status']).code).toBe(1)
    await home.desk()
  })

  it('of desks that start at the same time, one opens', async () => {
    const all = [home.start('desk'), home.start('desk'), home.start('desk')]
    const isSettled = (text: string) => /is open|running already/.test(text)
    await until(() => expect(all.filter(({ stderr }) => isSettled(stderr))).toHaveLength(3))
    expect(all.filter(({ stderr }) => stderr.includes('is open'))).toHaveLength(1)
  })
})

describe('an edit', { timeout: 60_000 }, () => {
  it('is applied in place: the open question and the page stay', async () => {
    home.write(ASKER, 'asker.mjs')
    const asker = '- id: asker\n  name: ./asker.mjs\n'
    home.write(asker)
    const desk = await home.desk()
    const { link } = desk, [open] = (await status()).open
    home.write(`${asker}- id: ask-router\n  config: { presence: away }\n- id: other\n  name: ./other.mjs\n  disabled: true\n`)
    await desk.says('the new configuration is in use')
    expect(await status()).toMatchObject({ presence: 'away', file: home.file, wrong: [], open: [{ id: open!.id }] })
    expect(desk.link).toBe(link)
    expect(await desk.api('asks')).toMatchObject({ whereabouts: { presence: 'away' } })
  })

  it('that is wrong is told once, and the old configuration stays; mended, it is applied', async () => {
    home.write('- id: ask-router\n  config: { presence: away }\n')
    const desk = await home.desk()
    home.write('- id: ask-router\n  config:\n    presence: nowhere\n')
    await desk.says(`${home.file}, line 3, row ask-router, field config.presence: `)
    expect(await status()).toMatchObject({ presence: 'away', wrong: [expect.stringContaining('the old configuration stays')] })
    home.write('- id: ask-router\n  config: { presence: home }\n')
    await desk.says('the new configuration is in use')
    expect(await status()).toMatchObject({ presence: 'home', wrong: [] })
  })

  it('that removes the file keeps the old configuration', async () => {
    home.write('- id: ask-router\n  config: { presence: away }\n')
    const desk = await home.desk()
    execFileSync('rm', [home.file])
    await desk.says(`${home.file} is gone; the old configuration stays`)
    expect((await status()).presence).toBe('away')
  })
})

describe('the command line', { timeout: 60_000 }, () => {
  it.each([
    ['an unknown word', ['dsek'], 2, 'There is no command "dsek"'],
    ['an unknown option', ['desk', '--port'], 2, 'Unknown option \'--port\''],
    ['a word too many', ['status', 'all'], 2, 'Unexpected argument \'all\''],
    ['nothing', [], 2, 'dsh-ask-router desk'],
    ['status without a desk', ['status'], 1, 'No desk is running.'],
    ['a file that is not there', ['desk', '--config', 'nothing.yml'], 1, 'nothing.yml: it cannot be read (ENOENT)'],
  ])('%s', (_what, argv, code, line) => {
    const result = home.run(argv)
    expect(result.code).toBe(code)
    expect(result.stderr).toContain(line)
    expect(result.stdout).toBe('')
  })

  it('has help and a version', () => {
    expect(home.run(['--help']).stdout).toContain('Exit codes:')
    expect(home.run(['desk', '--help']).stdout).toContain('Exit codes:')
    expect(home.run(['--help'], { LANG: 'zh_CN.UTF-8' }).stdout).toContain('退出码')
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
    expect(home.run(['--version']).stdout).toBe(`${version}\n`)
  })

  it.each([['C.UTF-8'], ['zh_CN.UTF-8']])('--init writes a file that is read, once, for its user alone (%s)', (LANG) => {
    expect(home.run(['desk', '--init'], { LANG })).toMatchObject({ code: 0, stderr: '' })
    expect(statSync(home.file).mode & 0o777).toBe(0o600)
    const text = readFileSync(home.file, 'utf8'), ids = (file: string) => readRows(file, '').map(({ id, config }) => [id, config])
    expect(ids(text)).toEqual(ids(''))
    // Each piece that is commented out works when it is no longer.
    expect(ids(text.replace(/^#(?=[- ] )/gm, '')).map(([id]) => id)).toContain('ask-ntfy')
    writeFileSync(home.file, '# mine\n')
    expect(home.run(['desk', '--init'])).toMatchObject({ code: 1, stdout: '' })
    expect(readFileSync(home.file, 'utf8')).toBe('# mine\n')
  })

  it('a file that is wrong stops the start, with a sentence', () => {
    home.write('- id: ask-web\n  disabled: perhaps\n')
    expect(home.run(['desk'])).toEqual({ code: 1, stdout: '', stderr: `${home.file}, line 2, row ask-web, field disabled: must be true or false\n` })
    expect(existsSync(home.folder)).toBe(false)
  })
})
