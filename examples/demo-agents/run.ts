// Claude Code in the demo: in this terminal, or in one that nobody sees while an answer comes over the page, as a browser sends it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

/** How to start it. */
export interface Program {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** How long to wait for its question, in milliseconds. */
const DEADLINE_MS = 60_000

/** Run it in this terminal until the person ends it. */
export async function inSight({ command, args, cwd, env }: Program): Promise<void> {
  // Ctrl-C is for Claude Code.
  const nothing = () => {}
  process.on('SIGINT', nothing)
  await once(spawn(command, args, { cwd, env, stdio: 'inherit' }), 'close')
  process.off('SIGINT', nothing)
}

/**
 * Run it in a terminal of its own.
 *
 * @returns ends it.
 */
export function outOfSight({ command, args, cwd, env }: Program): () => Promise<void> {
  const { spawn: spawnOnTerminal } = createRequire(import.meta.url)('@lydell/node-pty') as typeof import('@lydell/node-pty')
  const terminal = spawnOnTerminal(command, [...args], { cwd, env, cols: 110, rows: 45 })
  const ended = new Promise<void>(resolve => void terminal.onExit(() => resolve()))
  process.once('exit', () => terminal.kill('SIGKILL'))
  return () => {
    terminal.kill()
    return ended
  }
}

/**
 * Answer the first question that comes to the page.
 *
 * @param link of the page.
 * @param input its first line is the number of an answer, counted from 1; the first where there is none.
 */
export async function answerOnPage(link: string, input: NodeJS.ReadableStream): Promise<void> {
  let number = 1
  for await (const line of createInterface({ input })) {
    number = Number(line)
    break
  }
  const [url, token] = link.split('#t=')
  const headers = { 'content-type': 'application/json', 'authorization': `Bearer ${token}` }
  const until = performance.now() + DEADLINE_MS
  while (performance.now() < until) {
    const { open: [ask] } = await (await fetch(`${url}api/asks`, { headers })).json() as { open: { id: string }[] }
    if (ask) {
      const body = JSON.stringify({ answers: [{ selected: [number - 1] }] })
      const { ok, status } = await fetch(`${url}api/asks/${ask.id}/answer`, { method: 'POST', headers, body })
      if (!ok) throw new Error(`the page did not take the answer (${status})`)
      return
    }
    await sleep(50)
  }
  throw new Error('Claude Code did not ask')
}
