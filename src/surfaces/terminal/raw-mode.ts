// Raw mode of this process's own terminal, on a handle that is there only while it is on. On the handle of `process.stdin` it
// would leave a trace for good: Node.js changes the modes of such a terminal once more when the process ends, and that stops
// a process that has gone to the background meanwhile.
import { closeSync, constants, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'

/** Turns raw mode on and off. */
export type SetRaw = (raw: boolean) => void

/**
 * The switch of a terminal's raw mode.
 *
 * @param input the terminal's own stream: where its terminal cannot be opened a second time, its own switch is used.
 * @param path names what the stream reads.
 */
export function rawModeOf(input: { setRawMode?(raw: boolean): unknown }, path: string): SetRaw {
  let handle: ReadStream | undefined
  return (raw) => {
    if (raw) handle ??= open(path)
    if (!handle) return void input.setRawMode?.(raw)
    handle.setRawMode(raw)
    if (raw) return
    handle.destroy()
    handle = undefined
  }
}

function open(path: string): ReadStream | undefined {
  let file: number | undefined
  try {
    // Otherwise a terminal that is not this process's own yet would become so.
    file = openSync(path, constants.O_RDWR | (constants.O_NOCTTY ?? 0))
    // The terminal may go away; then the other streams on it say so.
    return new ReadStream(file).on('error', () => {})
  } catch {
    if (file !== undefined) closeSync(file)
    return undefined
  }
}
