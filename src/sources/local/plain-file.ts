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

/**
 * Read the end of a file as text; all of it where it has no more.
 *
 * @param most in bytes.
 * @throws as {@link openPlain} does.
 */
export async function readEnd(path: string, most: number): Promise<string> {
  const { file, size } = await openPlain(path), length = Math.min(size, most)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}
