// Everything that is published: a question, its reminders, then what became of it, in that order for each card; tried again
// while that can help, and given up with a sentence when it cannot.
import { pause, waitAfter } from './backoff.ts'
import { type Card, nextSequence } from './cards.ts'
import type { NtfyClient, Published } from './client.ts'
import type { Clock } from './clock.ts'
import { failureOfError, NtfyFailure } from './failure.ts'

const BACKOFF = { firstMs: 1000, longestMs: 16_000 }

/** A publish is given up after this time, in milliseconds. */
const GIVE_UP_MS = 60_000

/** Who hears of troubles; `message` holds nothing secret. */
export type Trouble = (message: string) => void

/** Requests of one kind. */
interface Kind {
  /** What begins its troubles. */
  readonly prefix: string
  /** The last trouble that was told: one notice for a burst, and again only after a success. */
  told: string | undefined
}

/** The publishes of one plugin. */
export class Outbox {
  readonly #client: NtfyClient
  readonly #topic: string
  readonly #trouble: Trouble
  readonly #clock: Clock
  readonly #closing = new AbortController()
  /** The last publish of each card, so that the next comes after it; resolves to whether the phone may show the card. */
  readonly #last = new WeakMap<Card, Promise<boolean>>()
  /** The cards of which a reminder is under way. */
  readonly #reminding = new WeakSet<Card>()
  readonly #running = new Set<Promise<unknown>>()
  readonly #publishing: Kind = { prefix: '', told: undefined }
  readonly #removing: Kind = { prefix: 'a notification that is out of date stays for now, ', told: undefined }

  /** @param topic where the cards are. */
  constructor(client: NtfyClient, topic: string, trouble: Trouble, clock: Clock) {
    this.#client = client
    this.#topic = topic
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
    this.#replace(card, write, async () => {})
  }

  /**
   * The same with what became of the card, of which nothing else is left then: from then on it is known when the phone could
   * say so.
   *
   * @param write makes the JSON for a notification that has this sequence.
   */
  conclude(card: Card, write: (sequence: string) => string): void {
    this.#replace(card, () => write(card.sequence), async published => {
      const isClean = card.leftovers.size === 0
      const isShown = await this.#sweep(card, undefined, write) && published !== undefined
      card.settled = { ...published && isClean ? this.#clock.at(published.time) : this.#clock.now(), isShown }
    })
  }

  /**
   * Publish a question once more, as a notification of its own, and then take the old one back: the phone is never without
   * it. Nothing is done where the question is not there, or while the reminder before is under way.
   *
   * @param write makes the JSON for a notification that has this sequence.
   * @param stop no further attempt is made once it aborts.
   */
  remind(card: Card, write: (sequence: string) => string, stop: AbortSignal): void {
    const before = this.#last.get(card)
    if (before === undefined || this.#reminding.has(card)) return
    this.#reminding.add(card)
    const reminded = before.then(async isThere => {
      if (isThere && !stop.aborted) await this.#remind(card, write, stop)
      this.#reminding.delete(card)
      return isThere
    })
    this.#last.set(card, reminded)
    this.#track(reminded)
  }

  async #remind(card: Card, write: (sequence: string) => string, stop: AbortSignal): Promise<void> {
    const sequence = nextSequence(card)
    try {
      await this.#publish(write(sequence), stop)
    } catch {
      // It may have come all the same: the server need not have said so.
      card.leftovers.add(sequence)
      return
    }
    card.leftovers.add(card.sequence)
    card.sequence = sequence
    await this.#sweep(card, stop)
  }

  /**
   * Take the leftovers of a card from the phone.
   *
   * @param instead what replaces one that cannot be taken.
   * @returns whether none is left.
   */
  async #sweep(card: Card, stop?: AbortSignal, instead?: (sequence: string) => string): Promise<boolean> {
    for (const sequence of card.leftovers) {
      const isDone = await succeeds(this.#remove(sequence, stop)) || (instead && await succeeds(this.#publish(instead(sequence), stop)))
      if (isDone) card.leftovers.delete(sequence)
    }
    return card.leftovers.size === 0
  }

  /** @param then is called with what the server says; with nothing where it did not take it. */
  #replace(card: Card, write: () => string, then: (published: Published | undefined) => Promise<void>): void {
    // One that an earlier plugin has shown is there.
    const before = this.#last.get(card) ?? (card.shown && Promise.resolve(true))
    if (before === undefined) return
    const replaced = before.then(async isThere => {
      // The asker gets the answer first: making a request takes longer than all that is between.
      await new Promise(resolve => setImmediate(resolve))
      if (!isThere) return false
      await then(await this.#publish(write()).catch(() => undefined))
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
    return this.#try(this.#publishing, signal => this.#client.publish(json, signal), stop)
  }

  #remove(sequence: string, stop?: AbortSignal): Promise<Published> {
    return this.#try(this.#removing, signal => this.#client.remove(this.#topic, sequence, signal), stop)
  }

  #try(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, stop?: AbortSignal): Promise<Published> {
    const tried = this.#tryAgain(kind, request, stop)
    this.#track(tried)
    return tried
  }

  async #tryAgain(kind: Kind, request: (signal: AbortSignal) => Promise<Published>, stop?: AbortSignal): Promise<Published> {
    const { signal } = this.#closing
    const started = performance.now()
    for (let failures = 1; ; failures++) {
      try {
        const published = await request(signal)
        kind.told = undefined
        return published
      } catch (error) {
        const failure = error instanceof NtfyFailure ? error : failureOfError(error)
        if (signal.aborted || stop?.aborted) throw failure
        if (failure.message !== kind.told) this.#trouble(kind.prefix + failure.message)
        kind.told = failure.message
        const ms = waitAfter(failures, BACKOFF)
        if (failure.kind === 'lasting' || performance.now() - started + ms > GIVE_UP_MS) throw failure
        await pause(ms, stop ?? signal)
        if (signal.aborted || stop?.aborted) throw failure
      }
    }
  }
}

async function succeeds(request: Promise<unknown>): Promise<boolean> {
  try {
    await request
    return true
  } catch {
    // What went wrong is told where it is tried.
    return false
  }
}
