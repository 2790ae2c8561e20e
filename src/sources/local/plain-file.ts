// Reads files whose path somebody else names: only plain files, and never waiting for one. Opening a pipe would keep a thread of this
// process until somebody writes into it, and a device has no end.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** An open file. */
export interface PlainFile {
  readonly file: FileHandle
  /** In bytes. */
  readonly size: number
}

/**
 * Open a file for reading.
 *
 * @throws Error where it cannot be read, or is no plain file.
 */
export async function openPlain(path: string): Promise<PlainFile> {
  // Windows has no such flag, and no such files.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`${path} is no plain file`)
    return { file, size: stat.size }
  } catch (error) {
    await file.close()
    throw error
  }
}
