// Requests that wait to be tried again. Once the server is back they are woken one at a time, so as not to swamp it.
import { pause } from './backoff.ts'

/** The least time between two attempts, in milliseconds, even when the server is back sooner; at random up to half less. */
const MIN_DELAY_MS = 1000

/** The waiting requests of one server. */
export class RetryQueue {
  readonly #waiting = new Set<AbortController>()

  /** Wait before the next attempt, or less if it is woken or a signal aborts. Never rejects. */
  async wait(ms: number, ...signals: AbortSignal[]): Promise<void> {
    const wake = new AbortController()
    this.#waiting.add(wake)
    const least = Math.min(ms, MIN_DELAY_MS * (1 - Math.random() / 2))
    await pause(least, ...signals)
    await pause(ms - least, ...signals, wake.signal)
    this.#waiting.delete(wake)
  }

  /** Wake the request that has waited longest. */
  wakeNext(): void {
    const [longest] = this.#waiting
    if (longest === undefined) return
    this.#waiting.delete(longest)
    // An explicit reason, because making the default one captures a stack.
    longest.abort('the server is back')
  }
}
