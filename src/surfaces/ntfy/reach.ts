// Whether the phone can be reached now, by what became of its publishes and its stream; and the attempts that wait for the
// server: once it is back they are woken one at a time, since all at once would be too many for it.
import { pause } from './backoff.ts'

/** However good the news, an attempt does not follow the one before sooner, in milliseconds: by chance up to half less. */
const REST_MS = 1000

/** What is known of one server. */
export class Reach {
  /** How often a stream has opened: an attempt that began before may have failed for what is over. */
  openings = 0
  readonly #waiting = new Set<AbortController>()
  /** The questions that the server could not be given so far. */
  readonly #held = new Set<object>()
  /** Whether one of them was the last that was heard of the server. */
  #isLost = false
  #isDeaf = false
  #isWatched = true
  #changed: (() => void) | undefined

  /** @param changed is called when {@link Reach.isWatched} is another one, until it is closed. */
  constructor(changed?: () => void) {
    this.#changed = changed
  }

  /** Whether a question that is on its way, or there, can be seen and answered, for all that is known. */
  get isWatched(): boolean {
    return this.#isWatched
  }

  /** The server could not be given a question, for a reason that may pass. */
  held(question: object): void {
    this.#held.add(question)
    this.#isLost = true
    this.#tell()
  }

  /** It is not tried any more, or has been taken. */
  released(question: object): void {
    this.#held.delete(question)
    this.#tell()
  }

  /** The server has taken something: so it may take what waits. */
  taken(): void {
    this.#isLost = false
    this.#tell()
    this.#wake()
  }

  /** A stream has opened. */
  opened(): void {
    this.openings++
    this.#isLost = this.#isDeaf = false
    this.#tell()
    this.#wake()
  }

  /** There is no stream, and that is more than a moment. */
  deaf(): void {
    this.#isDeaf = true
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
    this.#changed = undefined
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
    const isWatched = this.#held.size === 0 && !this.#isLost && !this.#isDeaf
    if (isWatched === this.#isWatched) return
    this.#isWatched = isWatched
    this.#changed?.()
  }
}
