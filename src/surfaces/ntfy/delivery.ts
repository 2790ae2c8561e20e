// Requests that change something on the server: each is retried while that can help, and otherwise given up with a sentence
// that says why. When the plugin is unloaded, what is under way is aborted.
import { backoffDelay, pause } from './backoff.ts'
import type { NtfyClient, Published } from './client.ts'
import type { ConnectionHealth } from './connection-health.ts'
import { failureOfError, NtfyFailure } from './failure.ts'

/** How long a request is tried by default, in milliseconds, and how long a server may keep asking to slow down. */
const GIVE_UP_MS = 60_000

const BACKOFF = { firstMs: 1000, longestMs: 60_000 }

/** The same when the server asks to slow down, which lasts for seconds. */
const RATE_LIMIT_BACKOFF = { firstMs: 1000, longestMs: 16_000 }

/** Reports a problem that somebody should repair. Messages contain nothing secret. */
export type Warn = (message: string) => void

/** How long a request is tried. */
export interface RetryOptions {
  /** Once it aborts, no further attempt is made. */
  readonly stop?: AbortSignal | undefined
  /**
   * Read before each further attempt. When given, the request is tried for as long as this returns true, whatever the server
   * says: even a permanent failure may end, and the person is to hear of the question then.
   */
  readonly isWanted?: () => boolean
  /** How long to wait for an unreachable server, as a time of the monotonic clock. */
  readonly deadline?: number
  /** Called after each failed attempt. */
  readonly onFailure?: (failure: NtfyFailure) => void
}

/** Publishes or removals, which are warned about separately. */
interface RequestKind {
  /** Begins its warnings. */
  readonly prefix: string
  /** What was warned about since the last success. A burst of failures makes one warning. */
  readonly warned: Set<string>
}

/** The requests of one plugin. */
export class Delivery {
  readonly #client: NtfyClient
  readonly #topic: string
  readonly #warn: Warn
  readonly #health: ConnectionHealth
  readonly #closing = new AbortController()
  readonly #running = new Set<Promise<unknown>>()
  readonly #publishing: RequestKind = { prefix: '', warned: new Set() }
  readonly #removing: RequestKind = { prefix: 'an outdated notification stays on the phone for now, ', warned: new Set() }

  /** @param topic where notifications are removed. */
  constructor(client: NtfyClient, topic: string, warn: Warn, health: ConnectionHealth) {
    this.#client = client
    this.#topic = topic
    this.#warn = warn
    this.#health = health
  }

  /**
   * Publish a message.
   *
   * @param write makes the JSON for each attempt, because it may depend on the time of day. If it throws, the request fails.
   * @throws NtfyFailure
   */
  publish(write: () => string, options?: RetryOptions): Promise<Published> {
    return this.#start(this.#publishing, signal => this.#client.publish(write(), signal), options)
  }

  /**
   * Remove a notification from the phone.
   *
   * @throws NtfyFailure
   */
  remove(sequence: string, options?: RetryOptions): Promise<Published> {
    return this.#start(this.#removing, signal => this.#client.remove(this.#topic, sequence, signal), options)
  }

  /** Make {@link Delivery.close} wait for a promise that makes several requests in turn. */
  track(promise: Promise<unknown>): void {
    this.#running.add(promise)
    const remove = () => void this.#running.delete(promise)
    promise.then(remove, remove)
  }

  /**
   * Let what is under way finish, then abort the rest.
   *
   * @param ms how long to wait, in milliseconds.
   */
  async close(ms: number): Promise<void> {
    const finished = new AbortController()
    await Promise.race([pause(ms, finished.signal), this.#drain()])
    finished.abort()
    this.#closing.abort(new Error('the plugin is unloaded'))
    await this.#drain()
  }

  async #drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running)
  }

  #start(kind: RequestKind, request: (signal: AbortSignal) => Promise<Published>, options: RetryOptions = {}): Promise<Published> {
    const started = this.#tryRepeatedly(kind, request, options)
    this.track(started)
    return started
  }

  async #tryRepeatedly(kind: RequestKind, request: (signal: AbortSignal) => Promise<Published>, options: RetryOptions): Promise<Published> {
    const { signal } = this.#closing
    const { stop, isWanted, deadline = performance.now() + GIVE_UP_MS, onFailure } = options
    if (signal.aborted) throw failureOfError(signal.reason)
    /** Since when the server has been asking to slow down. */
    let limitedSince: number | undefined
    for (let failures = 1; ; failures++) {
      const { streamOpenings } = this.#health
      // Outside the `try`: an error in making the request would only repeat.
      const attempt = request(signal)
      try {
        const published = await attempt
        kind.warned.clear()
        this.#health.requestSucceeded()
        return published
      } catch (error) {
        const failure = error instanceof NtfyFailure ? error : failureOfError(error)
        onFailure?.(failure)
        if (signal.aborted || stop?.aborted) throw failure
        if (failure.kind === 'temporary') this.#health.requestFailed(failure)
        else this.#warnOnce(kind, failure)
        const now = performance.now()
        limitedSince = failure.kind === 'rate-limited' ? limitedSince ?? now : undefined
        // The server came back while this attempt was under way.
        if (streamOpenings !== this.#health.streamOpenings) failures = 1
        const ms = delayAfter(failure, failures, isWanted !== undefined)
        const latest = limitedSince === undefined ? deadline : limitedSince + GIVE_UP_MS
        if (!isWanted && (failure.kind === 'permanent' || now + ms > latest)) throw failure
        const signals = stop ? [signal, stop] : [signal]
        await (failure.kind === 'temporary' ? this.#health.retries.wait(ms, ...signals) : pause(ms, ...signals))
        if (signal.aborted || stop?.aborted || isWanted?.() === false) throw failure
      }
    }
  }

  #warnOnce(kind: RequestKind, { message }: NtfyFailure): void {
    if (!kind.warned.has(message)) this.#warn(kind.prefix + message)
    kind.warned.add(message)
  }
}

/** @param isEndless whether the request is tried for as long as it is wanted. */
function delayAfter({ kind }: NtfyFailure, failures: number, isEndless: boolean): number {
  if (kind === 'permanent') return backoffDelay(Infinity, BACKOFF)
  return backoffDelay(failures, kind === 'rate-limited' && !isEndless ? RATE_LIMIT_BACKOFF : BACKOFF)
}
