// What Claude Code's hook costs: its start where nobody is to be asked, next to a bare Node.js; and the way from a tap on a surface to
// Claude Code going on, next to a bare process that waits on a socket. And what a desk costs that nobody needs.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { AskUserQuestionAnswer } from '../src/protocol/answer.ts'
import * as claudeCode from '../src/sources/claude-code/index.ts'
import { isServed } from '../src/sources/local/server.ts'
import { COLOUR, FakeClaude } from '../test/helpers/claude-code.ts'
import { boot, register } from '../test/helpers/cordis.ts'
import { median, table } from './table.ts'

const STARTS = 40, TAPS = 40

/** The most that the start may take, as a multiple of a bare Node.js. */
const TARGET = 1.3

const CLI = fileURLToPath(new URL('../dist/desk/cli.js', import.meta.url))

/** How long an idle desk is watched, in seconds. */
const IDLE_S = 30

const input = (claude: FakeClaude) => JSON.stringify({
  session_id: claude.id, transcript_path: claude.transcript, cwd: '/home/me/shop', hook_event_name: 'PermissionRequest',
  tool_name: 'AskUserQuestion', tool_input: { questions: [COLOUR] },
})

/** How long a program runs, in milliseconds. */
function timeOf(args: readonly string[], stdin: string): number {
  const from = performance.now()
  const { status } = spawnSync(process.execPath, args, { input: stdin })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return performance.now() - from
}

function benchStart(hook: string, folder: string, stdin: string): void {
  const bare: number[] = [], ours: number[] = []
  for (let at = 0; at < STARTS; at++) {
    bare.push(timeOf(['-e', '0'], stdin))
    ours.push(timeOf([hook, join(folder, 'nobody')], stdin))
  }
  const ratio = median(ours) / median(bare)
  table(`The hook without a desk (${STARTS} starts)`, ['node -e 0', 'hook', 'ratio', 'target'], [
    [`${median(bare).toFixed(1)} ms`, `${median(ours).toFixed(1)} ms`, ratio.toFixed(2), String(TARGET)],
  ])
}

/** From when something is done until a process has ended, in milliseconds; it is done once the process waits. */
async function untilEnd(args: readonly string[], stdin: string, isWaiting: () => boolean, act: () => void): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(stdin)
  let printed = ''
  child.stdout.on('data', chunk => void (printed += String(chunk)))
  while (!isWaiting()) await wait(2)
  const from = performance.now()
  act()
  await once(child, 'close')
  if (printed === '') throw new Error('nothing was printed')
  return performance.now() - from
}

async function benchTap(hook: string, folder: string): Promise<void> {
  const { ctx, fiber } = await boot(), claude = new FakeClaude()
  let tap: ((answer: AskUserQuestionAnswer) => void) | undefined
  register(ctx, { name: 'page', personal: true, ask: () => new Promise(resolve => { tap = resolve }) })
  const source = await ctx.plugin(claudeCode, { folder })
  while (!await isServed(join(folder, 'claude-code.sock'))) await wait(5)

  const path = join(folder, 'bare.sock'), waiter = join(folder, 'bare.mjs')
  let answer: (() => void) | undefined
  const server = createServer((socket) => {
    answer = () => socket.end('{}\n')
  }).listen(path)
  writeFileSync(waiter, 'import { connect } from "node:net"\nconnect(process.argv[2]).on("data", line => process.stdout.write(line, () => process.exit(0)))\n')

  const bare: number[] = [], ours: number[] = []
  for (let at = 0; at < TAPS; at++) {
    answer = tap = undefined
    bare.push(await untilEnd([waiter, path], '', () => answer !== undefined, () => answer!()))
    ours.push(await untilEnd([hook, folder], input(claude), () => tap !== undefined, () => tap!({ answers: [{ id: 'q1', selected: ['Red'] }] })))
  }
  server.close()
  await source.dispose()
  await fiber.dispose()
  claude.remove()
  table(`From a tap on a surface to Claude Code going on (${TAPS} questions)`, ['bare socket', 'through the router and the hook', 'ratio'], [
    [`${median(bare).toFixed(1)} ms`, `${median(ours).toFixed(1)} ms`, (median(ours) / median(bare)).toFixed(2)],
  ])
}

/** How often the threads of a process were switched to, of themselves or not. */
function switchesOf(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return sum + [...status.matchAll(/ctxt_switches:\s*(\d+)/g)].reduce((all, [, count]) => all + Number(count), 0)
  }, 0)
}

async function benchIdle(folder: string): Promise<void> {
  if (!existsSync(CLI) || !existsSync('/proc/self/status')) return console.log('\nAn idle desk: skipped, it wants a build (npm run build) and /proc')
  const desk = spawn(process.execPath, [CLI, 'desk'], { stdio: ['ignore', 'ignore', 'pipe'], env: { PATH: process.env['PATH'], HOME: folder } })
  await once(desk.stderr, 'data')
  // Until the last plugin is there and the first garbage is collected.
  await wait(5000)
  const before = switchesOf(desk.pid!)
  await wait(IDLE_S * 1000)
  const [, resident] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${desk.pid}/status`, 'utf8'))!, perMinute = (switchesOf(desk.pid!) - before) * 60 / IDLE_S
  desk.kill()
  await once(desk, 'exit')
  table(`A desk with page, Claude Code, Codex and MCP that nobody uses (${IDLE_S} s)`, ['resident memory', 'context switches a minute, all threads'], [
    [`${Math.round(Number(resident) / 1024)} MB`, String(Math.round(perMinute))],
  ])
}

/** Measure the hook and the desk. */
export async function benchHook(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-hook-')), hook = join(folder, 'hook.mjs'), claude = new FakeClaude()
  await build({
    entryPoints: [fileURLToPath(new URL('../src/sources/claude-code/hook.ts', import.meta.url))], outfile: hook, bundle: true, format: 'esm', platform: 'node',
  })
  try {
    benchStart(hook, folder, input(claude))
    await benchTap(hook, join(folder, 'state'))
    await benchIdle(folder)
  } finally {
    claude.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}
