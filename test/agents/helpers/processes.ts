// Every process that was started for a folder, however far it has gone from the one that started it: a process hands its environment
// on to those it starts, and the folder is in it.
import { readdirSync, readFileSync } from 'node:fs'

/** Their ids, without this process' own. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc').map(Number).filter(pid => pid > 0 && pid !== process.pid && environmentOf(pid).includes(folder))
}

/** End them, without giving them a say. */
export function endAllIn(folder: string): void {
  for (const pid of processesIn(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
}

/** Empty for a process that has ended, or is another user's. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
