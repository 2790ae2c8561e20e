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

/** Hears them, before anybody else, for as long as that is wanted. */
export class SignalListener {
  readonly #onSignal: () => void
  #end: NodeJS.Immediate | undefined

  /**
   * @param onSignal gives the terminal back. What the signal does comes after it: listeners that are left have it to
   *   themselves, and without one it does what it does by default.
   */
  constructor(onSignal: () => void) {
    this.#onSignal = onSignal
  }

  start(): void {
    clearImmediate(this.#end)
    for (const signal of SIGNALS) {
      if (!process.listeners(signal).includes(this.#listener)) process.prependListener(signal, this.#listener)
    }
  }

  /** Stop, a little later: a signal that has come already, but was not told yet, would otherwise be lost. */
  stop(): void {
    clearImmediate(this.#end)
    this.#end = setImmediate(() => {
      this.#end = setImmediate(() => {
        for (const signal of SIGNALS) process.off(signal, this.#listener)
      })
    })
  }

  readonly #listener = (signal: NodeJS.Signals): void => {
    // A signal may have two names, and listeners by both.
    const names = Object.entries(constants.signals).filter(([, number]) => number === constants.signals[signal]).map(([name]) => name)
    process.off(signal, this.#listener)
    // Now, since a listener for one time is off itself when the next one runs; and some look whether they are alone.
    const isHeard = names.some(name => process.listenerCount(name) > 0)
    this.#onSignal()
    if (!isHeard) process.kill(process.pid, signal)
  }
}
