// Whether this process is in the foreground of its terminal. In the background a read, and a change of the terminal's modes,
// would stop the whole process.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** How often to look while that matters, in milliseconds: bash gives the foreground to a running job without a signal. */
const LOOK_MS = process.platform === 'linux' ? 250 : 2000

/**
 * Whether a process is in the foreground of its terminal, or has none: then no job control can stop it.
 *
 * @param groups its process group, and the one in the foreground of its terminal.
 */
export function isForeground([own = 0, front = 0]: readonly number[]): boolean {
  // Without a terminal the group in its foreground is -1, and outside of this PID namespace 0.
  return !(own > 0 && front > 0) || own === front
}

/** Node.js has no tcgetpgrp. */
function readGroups(): number[] {
  if (process.platform === 'win32') return []
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim().split(/\s+/).map(Number)
    }
    // The name of the program, in brackets, may contain anything; after it: state, parent, group, session, terminal, foreground.
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const [, , group, , , front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return [Number(group), Number(front)]
  } catch {
    return []
  }
}

/** Whether one terminal can be used now. */
export interface Foreground {
  /** Whether it can, read at each call. */
  isHere(): boolean
  /**
   * Be told when that may have changed: this looks again from time to time, and whenever the process continues.
   *
   * @returns ends it.
   */
  watch(listener: () => void): () => void
}

/** What is no terminal, or not the process's own, is always there. */
export const always: Foreground = { isHere: () => true, watch: () => () => {} }

/** The foreground of this process's own terminal. */
export const own: Foreground = {
  isHere: () => isForeground(readGroups()),
  watch(listener) {
    const timer = setInterval(listener, LOOK_MS).unref()
    process.on('SIGCONT', listener)
    return () => {
      clearInterval(timer)
      process.off('SIGCONT', listener)
    }
  },
}
