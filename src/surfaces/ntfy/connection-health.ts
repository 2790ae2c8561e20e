// Whether the phone can be reached now, by what became of its publishes and its stream; and the attempts that wait for the
// server: once it is back they are woken one at a time, since all at once would be too many for it.
import { pause } from './backoff.ts'

/** However good the news, an attempt does not follow the one before sooner, in milliseconds: by chance up to half less. */
const REST_MS = 1000

/** What is known of one server. */
export class ConnectionHealth {
  /** How often a stream has opened: an attempt that began before may have failed for what is over. */
  streamOpenings = 0
  readonly #waiting = new Set<AbortController>()
  /** The questions that the server could not be given so far. */
  readonly #undelivered = new Set<object>()
  /** Whether one of them was the last that was heard of the server. */
  #isUnreachable = false
  #hasNoStream = false
  #isWatched = true
  #onChange: (() => void) | undefined

  /** @param onChange is called when {@link ConnectionHealth.isWatched} is another one, until it is closed. */
  constructor(onChange?: () => void) {
    this.#onChange = onChange
  }

  /** Whether a question that is on its way, or there, can be seen and answered, for all that is known. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  /** The server could not be given a question, for a reason that may pass. */
  questionFailed(question: object): void {
    this.#undelivered.add(question)
    this.#isUnreachable = true
    this.#tell()
  }

  /** It is not tried any more, or has been taken. */
  questionDone(question: object): void {
    this.#undelivered.delete(question)
    this.#tell()
  }

  /** The server has taken something: so it may take what waits. */
  requestSucceeded(): void {
    this.#isUnreachable = false
    this.#tell()
    this.#wake()
  }

  /** A stream has opened. */
  streamOpened(): void {
    this.streamOpenings++
    this.#isUnreachable = this.#hasNoStream = false
    this.#tell()
    this.#wake()
  }

  /** There is no stream, and that is more than a moment. */
  streamLost(): void {
    this.#hasNoStream = true
    this.#tell()
  }

  /** Wait before one more attempt; not as long when the server is back. Never rejects. */
  async wait(ms: number, ...signals: AbortSignal[]): Promise<void> {
    const wake = new AbortController()
    this.#waiting.add(wake)
    const rest = Math.min(ms, REST_MS * (1 - Math.random() / 2))
    await pause(rest, ...signals)
    await pause(ms - rest, ...signals, wake.signal)
    this.#waiting.delete(wake)
  }

  /** Tell nobody any more. */
  close(): void {
    this.#onChange = undefined
  }

  /** Wake the one that waits longest; the next is woken when the server has taken it. */
  #wake(): void {
    const [longest] = this.#waiting
    if (longest === undefined) return
    this.#waiting.delete(longest)
    // A reason, since making the default one captures a stack.
    longest.abort('the server is back')
  }

  #tell(): void {
    const isWatched = this.#undelivered.size === 0 && !this.#isUnreachable && !this.#hasNoStream
    if (isWatched === this.#isWatched) return
    this.#isWatched = isWatched
    this.#onChange?.()
  }
}
