// The program that Claude Code runs as its `PermissionRequest` hook: `node hook.js <state folder>`. It sends what it got to the desk
// and prints what the desk says. Without a desk, and on any fault, it prints nothing, so that Claude Code's own dialog is all there
// is. It is built into one file without dependencies.
import { existsSync } from 'node:fs'
import { callSource, LONGEST_MESSAGE } from '../local/client.ts'
import { folderProblem, socketPath } from '../local/folder.ts'

/** How often it looks whether Claude Code is still there, in milliseconds: a killed one says nothing. */
const PARENT_EVERY_MS = 1000

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined || folderProblem(folder) !== undefined || !existsSync(socketPath(folder, 'claude-code'))) return
  const input = await readInput()
  if (input === undefined) return
  const gone = new AbortController(), parent = process.ppid
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => gone.abort())
  setInterval(() => {
    if (process.ppid !== parent) gone.abort()
  }, PARENT_EVERY_MS).unref()
  const reply = await callSource({ folder, name: 'claude-code', body: { hook: input }, signal: gone.signal })
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

process.stdout.on('error', () => {
  // Claude Code waits no longer.
})
// Any other end is one without a word.
void main(process.argv[2]).catch(() => {}).then(() => process.exit(0))
