// What a hook's program does: `node hook.js <state folder>` sends its standard input to the desk and prints what the desk says. Without
// a desk, and on any fault, it prints nothing, so that the agent's own dialog is all there is. It has no dependencies, because each
// hook is built into one file.
import { existsSync } from 'node:fs'
import { callSource, LONGEST_MESSAGE } from './client.ts'
import { folderProblem, socketPath } from './folder.ts'

/** How often it looks whether the agent is still there, in milliseconds: a killed one says nothing. */
const PARENT_EVERY_MS = 1000

/**
 * Be the hook of an agent, until the process exits.
 *
 * @param name of the source whose socket is called.
 */
export async function runHook(name: string): Promise<void> {
  process.stdout.on('error', () => {
    // The agent waits no longer.
  })
  // Any other end is one without a word.
  await callDesk(name, process.argv[2]).catch(() => {})
  process.exit(0)
}

async function callDesk(name: string, folder: string | undefined): Promise<void> {
  if (folder === undefined || folderProblem(folder) !== undefined || !existsSync(socketPath(folder, name))) return
  const input = await readInput()
  if (input === undefined) return
  const gone = new AbortController(), parent = process.ppid
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => gone.abort())
  setInterval(() => {
    if (process.ppid !== parent) gone.abort()
  }, PARENT_EVERY_MS).unref()
  const reply = await callSource({ folder, name, body: { hook: input }, signal: gone.signal })
  if ('output' in reply && typeof reply.output === 'object' && reply.output !== null) await print(JSON.stringify(reply.output))
}

/** @returns the standard input, read as JSON; `undefined` where it is too long. */
async function readInput(): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > LONGEST_MESSAGE) return undefined
  }
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown
}

function print(text: string): Promise<void> {
  return new Promise(resolve => void process.stdout.write(text, () => resolve()))
}
