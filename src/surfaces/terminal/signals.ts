// The signals that end or stop a process which does not listen to them, as far as a listener may be there. Whoever holds the
// terminal hears them first, gives it back and is a listener no longer; then what would have happened without it happens.
import { constants } from 'node:os'

// Left out: what cannot be heard (SIGKILL, SIGSTOP); what a broken process gets (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP);
// what Node.js or V8 uses or ignores itself (SIGUSR1, SIGPROF, SIGPIPE, SIGXFSZ); SIGTTIN and SIGTTOU, whose system calls
// begin again after a listener, for ever.
const NAMES: readonly NodeJS.Signals[] = [
  'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGTERM', 'SIGUSR2', 'SIGVTALRM', 'SIGXCPU', 'SIGIO', 'SIGPWR', 'SIGSTKFLT', 'SIGSYS', 'SIGTSTP',
]

/** Those of them that this system has. */
export const SIGNALS: readonly NodeJS.Signals[] = process.platform === 'win32'
  ? ['SIGHUP', 'SIGINT', 'SIGTERM']
  : NAMES.filter(name => constants.signals[name] !== undefined)

/**
 * Let a signal that was caught have its effect after all: listeners that are left have it to themselves, and without one
 * it does what it does by default. Call it from the first listener, once that is off: a listener for one time is off itself
 * when the next one runs.
 */
export function passOn(signal: NodeJS.Signals): void {
  // A signal may have two names, and listeners by both.
  const names = Object.entries(constants.signals).filter(([, number]) => number === constants.signals[signal])
  if (names.every(([name]) => process.listenerCount(name) === 0)) process.kill(process.pid, signal)
}
