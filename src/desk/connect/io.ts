// What `connect` and `disconnect` have of the world: replaced in tests.
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Place, Program } from './programs.ts'

/** Where a command runs. */
export interface ConnectIo extends Place {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable
  /** The program that runs the hook. */
  readonly node: string
  /** The built hook of a program. */
  hookFile(program: Program): string
}

/** This process. */
export function ioOfProcess(): ConnectIo {
  const { stdin, stdout, stderr, env, execPath } = process
  return { stdin, stdout, stderr, env, home: homedir(), cwd: process.cwd(), node: execPath, hookFile }
}

/** In the package, wherever in it this file was bundled. */
function hookFile({ name }: Program): string {
  let root = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(root, 'package.json')) && root !== dirname(root)) root = dirname(root)
  return join(root, 'dist', 'sources', name, 'hook.js')
}

/**
 * Ask the person.
 *
 * @returns whether they said yes; `undefined` where nobody can be asked.
 */
export async function confirm({ stdin, stdout }: ConnectIo, question: string): Promise<boolean | undefined> {
  if (!stdin.isTTY || !stdout.isTTY) return undefined
  const lines = createInterface({ input: stdin, output: stdout, terminal: false }), closed = new AbortController()
  // The end of the input is no answer, and so no yes.
  lines.on('close', () => closed.abort())
  try {
    return /^\s*y(es)?\s*$/i.test(await lines.question(`${question} [y/N] `, { signal: closed.signal }))
  } catch {
    stdout.write('\n')
    return false
  } finally {
    lines.close()
  }
}
