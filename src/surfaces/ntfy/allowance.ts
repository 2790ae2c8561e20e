// Bounds the work that messages from anybody can cause. Whoever may write to a topic could otherwise use up the server's
// quota, which the questions need: on the public server 250 messages a day.

const MINUTE_MS = 60_000, DAY_MS = 86_400_000

/** At most so much in a minute and in a day: a quarter of the public server's quota. */
const PER_MINUTE = 10, PER_DAY = 60

/** One allowance for all that is no answer: files that are fetched, explanations, questions shown again under a new code. */
export class Allowance {
  readonly #onEmpty: () => void
  /** When it was used within the last day, by the monotonic clock, oldest first. */
  #usedAt: number[] = []
  #isEmptyTold = false

  /** @param onEmpty called when it is used up, and again only after there was some once more. */
  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** Use it once. @returns whether there was any left. */
  take(): boolean {
    const now = performance.now()
    this.#usedAt = this.#usedAt.filter(at => now - at < DAY_MS)
    const inMinute = this.#usedAt.filter(at => now - at < MINUTE_MS).length
    if (inMinute < PER_MINUTE && this.#usedAt.length < PER_DAY) {
      this.#usedAt.push(now)
      this.#isEmptyTold = false
      return true
    }
    if (!this.#isEmptyTold) this.#onEmpty()
    this.#isEmptyTold = true
    return false
  }
}
