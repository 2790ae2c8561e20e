// The event loop as far as the model needs it: what happens at once (microtasks), what happens right after (immediates),
// and timers.

/** A timer of the loop. */
export interface Timer {
  readonly at: number
  readonly run: () => void
  /** Asked when it is due; a timer that does not count is dropped. */
  readonly counts: () => boolean
}

/** An event loop with a clock of its own. */
export class Loop {
  now = 0
  /** Whether two timers, or a timer and an immediate, were due in the same millisecond, so that nobody can say what comes first. */
  ambiguous = false
  readonly #micro: (() => void)[] = []
  readonly #immediates: (() => void)[] = []
  #timers: Timer[] = []

  /** Run something at once. */
  micro(run: () => void): void {
    this.#micro.push(run)
  }

  /** Run something right after. */
  soon(run: () => void): void {
    this.#immediates.push(run)
  }

  /** Run something at a time. */
  at(at: number, run: () => void, counts = () => true): Timer {
    const timer = { at, run, counts }
    this.#timers.push(timer)
    return timer
  }

  /** Cancel a timer. */
  drop(timer: Timer | undefined): void {
    this.#timers = this.#timers.filter(one => one !== timer)
  }

  /** Run until there is nothing left. */
  run(): void {
    while (this.#next()) {
      // Each may add more.
    }
  }

  #next(): boolean {
    // A fake clock fires an immediate and a timer that is due in one go.
    if (this.#micro.length === 0 && this.#immediates.length > 0) this.ambiguous ||= this.#timers.some(one => one.at <= this.now && one.counts())
    const run = this.#micro.shift() ?? this.#immediates.shift()
    if (run) {
      run()
      return true
    }
    this.#timers = this.#timers.filter(one => one.counts())
    const timer = this.#timers.toSorted((a, b) => a.at - b.at)[0]
    if (!timer) return false
    this.drop(timer)
    if (this.#timers.some(one => one.at === timer.at)) this.ambiguous = true
    this.now = timer.at
    timer.run()
    return true
  }
}
