// The hook as Claude Code runs it: a process that prints what the desk says, or nothing, and always ends well.
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { serveSource } from '../../../src/sources/local/server.ts'
import { BASH, hookInput } from '../../helpers/claude-code.ts'

const SOURCE = fileURLToPath(new URL('../../../src/sources/claude-code/hook.ts', import.meta.url))
const OUTPUT = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }
const INPUT = JSON.stringify(hookInput('Bash', BASH))

let built: string, base: string, folder: string
const open: { close(): unknown }[] = []

beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), 'hook-'))
  await build({ entryPoints: [SOURCE], outfile: join(built, 'hook.mjs'), bundle: true, platform: 'node', format: 'esm', minify: true })
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'desk-'))
  folder = join(base, 'state')
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
  rmSync(base, { recursive: true, force: true })
})

/** Start the hook. */
function start(args: readonly string[] = [folder], input: string | Buffer = INPUT) {
  const child = spawn(process.execPath, [join(built, 'hook.mjs'), ...args], { stdio: ['pipe', 'pipe', 'pipe'], env: { PATH: process.env['PATH'], SECRET: 'hunter2' } })
  let out = '', err = ''
  child.stdout.on('data', chunk => void (out += String(chunk)))
  child.stderr.on('data', chunk => void (err += String(chunk)))
  child.stdin.on('error', () => {
    // It reads no more.
  })
  child.stdin.end(input)
  const ended = new Promise<{ code: number | null, out: string, err: string }>(resolve => void child.on('close', code => resolve({ code, out, err })))
  return { child, ended }
}

const silent = { code: 0, out: '', err: '' }

/** A desk, and what it was sent. */
async function desk(answer: (signal: AbortSignal) => Promise<unknown>) {
  const heard: unknown[] = [], gone: boolean[] = []
  open.push(await serveSource({
    folder, name: 'claude-code', warn: () => {},
    handle: async (body, signal) => {
      heard.push(body)
      signal.addEventListener('abort', () => gone.push(true))
      return { output: await answer(signal) }
    },
  }))
  return { heard, gone }
}

/** Something that listens there and is no desk. */
async function impostor(take: (socket: Socket, line: string) => void): Promise<void> {
  mkdirSync(folder, { mode: 0o700 })
  const sockets = new Set<Socket>(), server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {
      // The hook has ended.
    })
    socket.on('data', chunk => take(socket, String(chunk)))
  })
  await new Promise<void>(resolve => void server.listen(join(folder, 'claude-code.sock'), resolve))
  open.push({
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
}

/** Wait until a process has sent something. */
const until = async (is: () => boolean) => {
  for (let i = 0; i < 500 && !is(); i++) await new Promise(resolve => setTimeout(resolve, 10))
  expect(is()).toBe(true)
}

const end = (child: ChildProcess, signal: NodeJS.Signals) => child.kill(signal)

describe('the hook', () => {
  it('sends what it got and nothing else, and prints what the desk says', async () => {
    const { heard } = await desk(async () => OUTPUT)
    expect(await start().ended).toEqual({ code: 0, out: JSON.stringify(OUTPUT), err: '' })
    expect(heard).toEqual([{ hook: JSON.parse(INPUT) }])
  })

  it('sends text of any language that came in pieces', async () => {
    const { heard } = await desk(async () => null), input = Buffer.from(JSON.stringify({ say: '部署？' }))
    const child = spawn(process.execPath, [join(built, 'hook.mjs'), folder])
    for (const byte of input) child.stdin.write(Buffer.from([byte]))
    child.stdin.end()
    await new Promise(resolve => child.on('close', resolve))
    expect(heard).toEqual([{ hook: { say: '部署？' } }])
  })

  it('prints nothing where the desk leaves it to the dialog, or says what is no output', async () => {
    const outputs: unknown[] = [null, undefined, 'allow', 3, true]
    await desk(async () => outputs.shift())
    for (let left = outputs.length; left > 0; left--) expect(await start().ended).toEqual(silent)
  })

  it.each([
    ['no folder', () => {}],
    ['an empty folder', () => void mkdirSync(folder, { mode: 0o700 })],
    ['a file', () => void writeFileSync(folder, '')],
    ['a socket of a desk that was killed', () => {
      mkdirSync(folder, { mode: 0o700 })
      writeFileSync(join(folder, 'claude-code.sock'), '')
    }],
  ])('prints nothing with %s', async (_, prepare) => {
    prepare()
    expect(await start().ended).toEqual(silent)
  })

  it('prints nothing without an argument, and in a folder whose path is too long', async () => {
    const long = join(base, 'x'.repeat(120))
    mkdirSync(long, { mode: 0o700 })
    expect([await start([]).ended, await start([long]).ended]).toEqual([silent, silent])
  })

  it('does not enter a folder that others can enter', async () => {
    const { heard } = await desk(async () => OUTPUT)
    chmodSync(folder, 0o750)
    expect([await start().ended, heard]).toEqual([silent, []])
  })

  it.each([['nothing', ''], ['no JSON', '{"hook'], ['too much', Buffer.alloc(2 * 1024 * 1024, 32)]])('prints nothing when it gets %s', async (_, input) => {
    const { heard } = await desk(async () => OUTPUT)
    expect([await start([folder], input).ended, heard]).toEqual([silent, []])
  })

  it.each([
    ['of another version', (line: string) => JSON.stringify({ ...JSON.parse(line), v: 2, output: OUTPUT })],
    ['to another call', (line: string) => JSON.stringify({ ...JSON.parse(line), id: 'x', output: OUTPUT })],
    ['that says what is wrong', (line: string) => JSON.stringify({ ...JSON.parse(line), error: 'no', output: OUTPUT })],
    ['that is no JSON', () => 'allow'],
    ['that is endless', () => 'x'.repeat(3 * 1024 * 1024)],
  ])('prints nothing for a reply %s', async (_, reply) => {
    await impostor((socket, line) => void socket.write(`${reply(line)}\n`))
    expect(await start().ended).toEqual(silent)
  })

  it('prints nothing when the desk goes away', async () => {
    await impostor(socket => void socket.destroy())
    expect(await start().ended).toEqual(silent)
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends at once on %s, and the desk hears it', async (signal) => {
    const { heard, gone } = await desk(() => new Promise(() => {})), { child, ended } = start()
    await until(() => heard.length > 0)
    end(child, signal)
    expect(await ended).toEqual(silent)
    await until(() => gone.length > 0)
  })

  it('ends when Claude Code was killed', async () => {
    const { heard, gone } = await desk(() => new Promise(() => {}))
    // Claude Code, as far as this goes: a process that starts the hook.
    const script = 'const c = require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: ["pipe", "ignore", "ignore"] }); c.stdin.end("{}"); setInterval(() => {}, 1000)'
    const parent = spawn(process.execPath, ['-e', script, join(built, 'hook.mjs'), folder], { stdio: 'ignore' })
    await until(() => heard.length > 0)
    end(parent, 'SIGKILL')
    await until(() => gone.length > 0)
    expect(heard).toEqual([{ hook: {} }])
  })
})
