// Whether the phone counts as watched: whether publishes get through and the stream is open, as far as that is known.
import type { NtfyFailure } from './failure.ts'
import { Outage } from './outage.ts'
import { RetryQueue } from './retry-queue.ts'

/** What is known of the connection to one server. */
export class ConnectionHealth {
  /** How often a stream has opened. An attempt that began before the last opening may have failed for a reason that is gone. */
  streamOpenings = 0
  /** The requests that wait for the server. */
  readonly retries = new RetryQueue()
  /** Questions that could not be published so far. */
  readonly #undelivered = new Set<object>()
  /** Whether nothing has succeeded since a question last failed. */
  #isUnreachable = false
  #hasNoStream = false
  #isWatched = true
  #onChange: (() => void) | undefined
  readonly #outage: Outage

  /**
   * @param warn told of a long outage and its end.
   * @param onChange called when {@link ConnectionHealth.isWatched} changes, until {@link ConnectionHealth.close}.
   */
  constructor(warn: (message: string) => void, onChange?: () => void) {
    this.#outage = new Outage(warn)
    this.#onChange = onChange
  }

  /** Whether a question can be seen and answered on the phone, as far as is known. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  /** Publishing a question has failed, but may succeed later. */
  questionFailed(question: object): void {
    this.#undelivered.add(question)
    this.#isUnreachable = true
    this.#update()
  }

  /** A question has been published, or is no longer tried. */
  questionDone(question: object): void {
    this.#undelivered.delete(question)
    this.#update()
  }

  /** A request has failed, for a reason that may pass. */
  requestFailed(failure: NtfyFailure): void {
    this.#outage.failed('pushes', failure)
  }

  /** A request has succeeded, so one that waits may succeed too. */
  requestSucceeded(): void {
    this.#isUnreachable = false
    this.#outage.worked('pushes')
    this.#update()
    this.retries.wakeNext()
  }

  /** A stream has opened. */
  streamOpened(): void {
    this.streamOpenings++
    this.#outage.worked('replies')
    this.#isUnreachable = this.#hasNoStream = false
    this.#update()
    this.retries.wakeNext()
  }

  /** There has been no stream for more than a moment. */
  streamLost(failure: NtfyFailure): void {
    this.#hasNoStream = true
    this.#outage.lasts('replies', failure)
    this.#update()
  }

  /** The server refuses the stream. Somebody has been told why. */
  streamRefused(): void {
    this.#hasNoStream = true
    this.#outage.isKnown('replies')
    this.#update()
  }

  /** Stop reporting changes. */
  close(): void {
    this.#onChange = undefined
  }

  #update(): void {
    const isWatched = this.#undelivered.size === 0 && !this.#isUnreachable && !this.#hasNoStream
    if (isWatched === this.#isWatched) return
    this.#isWatched = isWatched
    try {
      this.#onChange?.()
    } catch {
      // What others make of it must not fail the request that was under way.
    }
  }
}
