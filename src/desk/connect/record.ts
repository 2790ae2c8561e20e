// What `connect` remembers of a settings file, in the state folder: how the file was before, so that `disconnect` can leave it
// just so. The settings may hold secrets, so only this user can read it.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from '../../protocol/zod.ts'
import { draftOf, writeAtomically } from './settings-file.ts'

const recordSchema = z.object({
  /** The settings file, where it really is. */
  target: z.string(),
  /** What the file was before, as base64; `null` where there was none. */
  original: z.string().nullable(),
  /** The hashes of what we wrote: a file with one of them was changed by nobody since. */
  written: z.array(z.string()),
  /** See `Connected.made`. */
  made: z.array(z.string()),
  /** The folders that we made, the outermost first. */
  folders: z.array(z.string()),
})

/** What is remembered of one file. */
export type ConnectionRecord = z.infer<typeof recordSchema>

/** The hash by which a record knows what we wrote. */
export function hashOf(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** @returns the record of a file; `undefined` where there is none that can be read. */
export function readRecord(folder: string, program: string, target: string): ConnectionRecord | undefined {
  try {
    const record = recordSchema.parse(JSON.parse(readFileSync(pathOf(folder, program, target), 'utf8')))
    return record.target === target ? record : undefined
  } catch {
    // None, or not ours: then the file itself says what is ours in it.
    return undefined
  }
}

export function writeRecord(folder: string, program: string, record: ConnectionRecord): void {
  writeAtomically(pathOf(folder, program, record.target), JSON.stringify(record), 0o600)
}

/**
 * Forget a file, and take away what nothing needs any longer: the copy of the hook, and the folder.
 *
 * @param hook the path of the copy.
 */
export function forget(folder: string, program: string, target: string, hook: string): void {
  const path = pathOf(folder, program, target)
  for (const one of [path, draftOf(path)]) rmSync(one, { force: true })
  const stale = recordsOf(folder, program).filter(name => isStale(join(folder, name)))
  for (const name of stale) rmSync(join(folder, name), { force: true })
  if (recordsOf(folder, program).length === 0) for (const one of [hook, draftOf(hook)]) rmSync(one, { force: true })
  removeFolder(folder)
}

/** Remove a folder if nothing is in it. */
export function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody's files are in it, or it is gone.
  }
}

/** Whether the file that a record tells of is gone, or stands elsewhere now, with a link in its place. */
function isStale(path: string): boolean {
  try {
    const { target } = recordSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
    return lstatSync(target).isSymbolicLink()
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

/** The names of the records of a program. */
function recordsOf(folder: string, program: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.startsWith(`${program}-`) && name.endsWith('.json'))
  } catch {
    return []
  }
}

function pathOf(folder: string, program: string, target: string): string {
  return join(folder, `${program}-${hashOf(target).slice(0, 12)}.json`)
}
