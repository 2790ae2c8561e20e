// One request to the server that changes something there: tried again while that can help, and given up with a sentence when
// it cannot, or tried for as long as it is wanted. What is under way ends with the plugin.
import { pause, waitAfter } from './backoff.ts'
import type { NtfyClient, Published } from './client.ts'
import { failureOfError, NtfyFailure } from './failure.ts'

/** A request is given up after this time, in milliseconds. */
const GIVE_UP_MS = 60_000

const BACKOFF = { firstMs: 1000, longestMs: 16_000 }

/** The same where nothing is given up. */
const SLOW = { firstMs: 1000, longestMs: 60_000 }

/** Who hears of troubles; `message` holds nothing secret. */
export type Trouble = (message: string) => void

/** How long a request is tried. */
export interface Trying {
  /** No further attempt is made once it aborts. */
  readonly stop?: AbortSignal | undefined
  /**
   * Read before each further attempt. With this the request is given up only when it says no, whatever the server says: what
   * lasts may end too, and the person is to hear of it then.
   */
  readonly isWanted?: () => boolean
}

/** Requests of one kind. */
interface Kind {
  /** What begins its troubles. */
  readonly prefix: string
  /** The last trouble that was told: one notice for a burst, and again only after a success. */
  told: string | undefined
}

/** The requests of one plugin. */
export class Delivery {
  readonly #client: NtfyClient
  readonly #topic: string
  readonly #trouble: Trouble
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  readonly #publishing: Kind = { prefix: '', told: undefined }
  readonly #removing: Kind = { prefix: 'a notification that is out of date stays for now, ', told: undefined }

  /** @param topic from which notifications are removed. */
  constructor(client: NtfyClient, topic: string, trouble: Trouble) {
    this.#client = client
    this.#topic = topic
    this.#trouble = trouble
  }

  /**
   * Publish a message.
   *
   * @param write makes the JSON for each attempt, since what it says may depend on the hour; what it throws ends the trying.
   * @throws NtfyFailure
   */
  publish(write: () => string, trying?: Trying): Promise<Published> {
    return this.#try(this.#publishing, signal => this.#client.publish(write(), signal), trying)
  }

  /**
   * Take a notification from the phone.
   *
   * @throws NtfyFailure
   */
  remove(sequence: string, trying?: Trying): Promise<Published> {
    return this.#try(this.#removing, signal => this.#client.remove(this.#topic, sequence, signal), trying)
  }

  /** Let {@link Delivery.close} wait for something that makes requests one after the other. */
  track(promise: Promise<unknown>): void {
    this.#running.add(promise)
    const remove = () => void this.#running.delete(promise)
    promise.then(remove, remove)
  }

  /**
   * Stop: what is under way has a moment left, then it is aborted.
   *
   * @param ms the moment, in milliseconds.
   */
  async close(ms: number): Promise<void> {
    const left = new AbortController()
    await Promise.race([pause(ms, left.signal), this.#drain()])
    left.abort()
    this.#closing.abort(new Error('the plugin is unloaded'))
    await this.#drain()
  }

  async #drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  #try(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, trying: Trying = {}): Promise<Published> {
    const tried = this.#tryAgain(kind, request, trying)
    this.track(tried)
    return tried
  }

  async #tryAgain(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, { stop, isWanted }: Trying): Promise<Published> {
    const { signal } = this.#closing
    const started = performance.now()
    for (let failures = 1; ; failures++) {
      // What this throws is a mistake of ours, which the next attempt would make again.
      const attempt = request(signal)
      try {
        const published = await attempt
        kind.told = undefined
        return published
      } catch (error) {
        const failure = error instanceof NtfyFailure ? error : failureOfError(error)
        if (signal.aborted || stop?.aborted) throw failure
        if (failure.message !== kind.told) this.#trouble(kind.prefix + failure.message)
        kind.told = failure.message
        const isLasting = failure.kind === 'lasting'
        const ms = isWanted ? waitAfter(isLasting ? Infinity : failures, SLOW) : waitAfter(failures, BACKOFF)
        if (!isWanted && (isLasting || performance.now() - started + ms > GIVE_UP_MS)) throw failure
        await pause(ms, signal, ...stop ? [stop] : [])
        if (signal.aborted || stop?.aborted || isWanted?.() === false) throw failure
      }
    }
  }
}
