// One request to the server that changes something there: tried again while that can help and it is not too late, and given
// up with a sentence otherwise, or tried for as long as it is wanted. What is under way ends with the plugin.
import { pause, backoffDelay } from './backoff.ts'
import type { NtfyClient, Published } from './client.ts'
import { failureOfError, NtfyFailure } from './failure.ts'
import type { ConnectionHealth } from './connection-health.ts'

/** Where nobody says otherwise a request is given up after this time, in milliseconds; so is one that the server puts off. */
const GIVE_UP_MS = 60_000

const BACKOFF = { firstMs: 1000, longestMs: 60_000 }

/** The same where the server asks to slow down, which it does for seconds. */
const LIMITED = { firstMs: 1000, longestMs: 16_000 }

/** Who hears of troubles; `message` holds nothing secret. */
export type Warn = (message: string) => void

/** How long a request is tried. */
export interface RetryOptions {
  /** No further attempt is made once it aborts. */
  readonly stop?: AbortSignal | undefined
  /**
   * Read before each further attempt. With this the request is given up only when it says no, whatever the server says: what
   * lasts may end too, and the person is to hear of it then.
   */
  readonly isWanted?: () => boolean
  /** Until then a server that cannot be reached is waited for, by the monotonic clock. */
  readonly until?: number
  /** Hears of each attempt that has failed. */
  readonly failed?: (failure: NtfyFailure) => void
}

/** Requests of one kind. */
interface Kind {
  /** What begins its troubles. */
  readonly prefix: string
  /** The troubles that were told: one notice of each for a burst, and again only after a success. */
  readonly told: Set<string>
}

/** The requests of one plugin. */
export class Delivery {
  readonly #client: NtfyClient
  readonly #topic: string
  readonly #warn: Warn
  readonly #health: ConnectionHealth
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  readonly #publishing: Kind = { prefix: '', told: new Set() }
  readonly #removing: Kind = { prefix: 'a notification that is out of date stays for now, ', told: new Set() }

  /** @param topic from which notifications are removed. */
  constructor(client: NtfyClient, topic: string, warn: Warn, health: ConnectionHealth) {
    this.#client = client
    this.#topic = topic
    this.#warn = warn
    this.#health = health
  }

  /**
   * Publish a message.
   *
   * @param write makes the JSON for each attempt, since what it says may depend on the hour; what it throws ends the trying.
   * @throws NtfyFailure
   */
  publish(write: () => string, trying?: RetryOptions): Promise<Published> {
    return this.#try(this.#publishing, signal => this.#client.publish(write(), signal), trying)
  }

  /**
   * Take a notification from the phone.
   *
   * @throws NtfyFailure
   */
  remove(sequence: string, trying?: RetryOptions): Promise<Published> {
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

  #try(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, trying: RetryOptions = {}): Promise<Published> {
    const tried = this.#tryAgain(kind, request, trying)
    this.track(tried)
    return tried
  }

  async #tryAgain(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, trying: RetryOptions): Promise<Published> {
    const { signal } = this.#closing
    const { stop, isWanted, until = performance.now() + GIVE_UP_MS, failed } = trying
    if (signal.aborted) throw failureOfError(signal.reason)
    /** When the server began to ask for less. */
    let limited: number | undefined
    for (let failures = 1; ; failures++) {
      const { streamOpenings } = this.#health
      // What this throws is a mistake of ours, which the next attempt would make again.
      const attempt = request(signal)
      try {
        const published = await attempt
        kind.told.clear()
        this.#health.requestSucceeded()
        return published
      } catch (error) {
        const failure = error instanceof NtfyFailure ? error : failureOfError(error)
        failed?.(failure)
        if (signal.aborted || stop?.aborted) throw failure
        this.#tell(kind, failure)
        const now = performance.now()
        limited = failure.kind === 'rate-limited' ? limited ?? now : undefined
        // It was on its way to a server that has come back meanwhile.
        if (streamOpenings !== this.#health.streamOpenings) failures = 1
        const ms = waitFor(failure, failures, isWanted !== undefined)
        const latest = limited === undefined ? until : limited + GIVE_UP_MS
        if (!isWanted && (failure.kind === 'permanent' || now + ms > latest)) throw failure
        const ends = stop ? [signal, stop] : [signal]
        await (failure.kind === 'temporary' ? this.#health.wait(ms, ...ends) : pause(ms, ...ends))
        if (signal.aborted || stop?.aborted || isWanted?.() === false) throw failure
      }
    }
  }

  #tell(kind: Kind, { message }: NtfyFailure): void {
    if (!kind.told.has(message)) this.#warn(kind.prefix + message)
    kind.told.add(message)
  }
}

/** @param isEndless whether it is tried for as long as it is wanted. */
function waitFor({ kind }: NtfyFailure, failures: number, isEndless: boolean): number {
  if (kind === 'permanent') return backoffDelay(Infinity, BACKOFF)
  return backoffDelay(failures, kind === 'rate-limited' && !isEndless ? LIMITED : BACKOFF)
}
