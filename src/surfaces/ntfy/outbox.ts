// Everything that is published: a question, then what became of it, in that order for each card; tried again while that
// can help, and given up with a sentence when it cannot.
import { pause, waitAfter } from './backoff.ts'
import type { Card } from './cards.ts'
import type { NtfyClient, Published } from './client.ts'
import type { Clock } from './clock.ts'
import { failureOfError, NtfyFailure } from './failure.ts'

const BACKOFF = { firstMs: 1000, longestMs: 16_000 }

/** A publish is given up after this time, in milliseconds. */
const GIVE_UP_MS = 60_000

/** Who hears of troubles; `message` holds nothing secret. */
export type Trouble = (message: string) => void

/** The publishes of one plugin. */
export class Outbox {
  readonly #client: NtfyClient
  readonly #trouble: Trouble
  readonly #clock: Clock
  readonly #closing = new AbortController()
  /** The last publish of each card, so that the next comes after it; resolves to whether the phone may show the card. */
  readonly #last = new WeakMap<Card, Promise<boolean>>()
  readonly #running = new Set<Promise<unknown>>()
  /** The last trouble that was told: one notice for a burst, and again only after a success. */
  #told: string | undefined

  constructor(client: NtfyClient, trouble: Trouble, clock: Clock) {
    this.#client = client
    this.#trouble = trouble
    this.#clock = clock
  }

  /**
   * Publish a question.
   *
   * @param stop no further attempt is made once it aborts.
   * @returns what the server says of it.
   * @throws NtfyFailure
   */
  show(card: Card, json: string, stop: AbortSignal): Promise<Published> {
    const shown = this.#publish(json, stop)
    this.#last.set(card, shown.then(() => true, error => error instanceof NtfyFailure && error.uncertain))
    return shown
  }

  /**
   * Publish something in the place of a card, once the publish before it is through; left out where nothing is there.
   *
   * @param write makes the JSON when its time has come.
   */
  replace(card: Card, write: () => string): void {
    this.#replace(card, write, false)
  }

  /** The same with what became of the card: from then on it is known when the phone could say so. */
  conclude(card: Card, write: () => string): void {
    this.#replace(card, write, true)
  }

  #replace(card: Card, write: () => string, isOutcome: boolean): void {
    // One that an earlier plugin has shown is there.
    const before = this.#last.get(card) ?? (card.shown && Promise.resolve(true))
    if (before === undefined) return
    const replaced = before.then(async isThere => {
      // The asker gets the answer first: making a request takes longer than all that is between.
      await new Promise(resolve => setImmediate(resolve))
      if (!isThere) return false
      const published = await this.#publish(write()).catch(() => undefined)
      if (isOutcome) card.settled = { ...published ? this.#clock.at(published.time) : this.#clock.now(), isShown: published !== undefined }
      return true
    })
    this.#last.set(card, replaced)
    this.#track(replaced)
  }

  /** Publish something that stands alone; failing is told to the log only. */
  say(json: string): void {
    this.#track(this.#publish(json).catch(() => {}))
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

  #track(promise: Promise<unknown>): void {
    this.#running.add(promise)
    const remove = () => void this.#running.delete(promise)
    promise.then(remove, remove)
  }

  #publish(json: string, stop?: AbortSignal): Promise<Published> {
    const published = this.#try(json, stop)
    this.#track(published)
    return published
  }

  async #try(json: string, stop: AbortSignal | undefined): Promise<Published> {
    const { signal } = this.#closing
    const started = performance.now()
    for (let failures = 1; ; failures++) {
      try {
        const published = await this.#client.publish(json, signal)
        this.#told = undefined
        return published
      } catch (error) {
        const failure = error instanceof NtfyFailure ? error : failureOfError(error)
        if (signal.aborted || stop?.aborted) throw failure
        if (failure.message !== this.#told) this.#trouble(failure.message)
        this.#told = failure.message
        const ms = waitAfter(failures, BACKOFF)
        if (failure.kind === 'lasting' || performance.now() - started + ms > GIVE_UP_MS) throw failure
        await pause(ms, stop ?? signal)
        if (signal.aborted || stop?.aborted) throw failure
      }
    }
  }
}
