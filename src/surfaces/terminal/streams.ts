// The terminal to use: by default this process's own, which need not be its standard output.
import { openSync } from 'node:fs'
import { WriteStream } from 'node:tty'
import { type Foreground, own } from './foreground.ts'
import { rawModeOf, type SetRaw } from './raw-mode.ts'
import type { Output } from './screen.ts'
import type { Input } from './takeover.ts'

/** An output that was opened here, and is to be closed. */
export type OpenedOutput = Output & { close(): void }

/** The terminal to use. */
export interface TerminalStreams {
  readonly input: Input
  readonly output: Output
  /** Other outputs that may go to the same terminal. */
  readonly others?: readonly Output[]
  /** Opens the terminal itself, for when no output goes to it. */
  readonly open?: () => OpenedOutput | undefined
  /** Default: it is always in the foreground. */
  readonly foreground?: Foreground
  /** Default: that of the input. */
  readonly setRaw?: SetRaw
  /** Handles Ctrl-C. */
  readonly onInterrupt: () => void
  /** Handles Ctrl-Z. */
  readonly onSuspend: () => void
  /** Holds `TERM`, `NO_COLOR` and the locale; default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** This process's own terminal. */
export const ownStreams: TerminalStreams = {
  input: process.stdin,
  output: process.stdout,
  others: [process.stderr],
  open: openTerminal,
  foreground: own,
  setRaw: rawModeOf(process.stdin, '/dev/fd/0'),
  // What the terminal itself does outside raw mode. A suspension is for the whole job: a shell waits for all of its
  // processes.
  onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  onSuspend: () => process.platform === 'win32' || process.kill(0, 'SIGTSTP'),
}

/** The first output that is a terminal. */
export function screenOf({ output, others = [] }: TerminalStreams): Output | undefined {
  return [output, ...others].find(one => one.isTTY)
}

/** The terminal that this process belongs to; `undefined` where it has none. */
function openTerminal(): OpenedOutput | undefined {
  const open = () => new WriteStream(openSync('/dev/tty', 'w')).on('error', () => {})
  try {
    const terminal = open()
    // Node.js follows the size of the standard streams only; another stream knows the one that it was opened at.
    const onResize = () => {
      try {
        const { columns, rows } = open().destroy()
        Object.assign(terminal, { columns, rows }).emit('resize')
      } catch {
        // It is gone, which the input says too.
      }
    }
    process.on('SIGWINCH', onResize)
    return Object.assign(terminal, {
      close() {
        process.off('SIGWINCH', onResize)
        terminal.destroy()
      },
    })
  } catch {
    return undefined
  }
}
