// What is published of each card, in its order: the question, its reminders, then what became of it.
import type { Card } from './cards.ts'
import type { NtfyClient, Published } from './client.ts'
import type { ServerClock } from './server-clock.ts'
import { Delivery, type Warn, type RetryOptions } from './delivery.ts'
import type { ConnectionHealth } from './connection-health.ts'
import { type Reminder, Reminders } from './reminders.ts'

/** So long a card may go on looking open because the server cannot be reached, in milliseconds: nobody waits for its outcome. */
const OUTCOME_MS = 3_600_000

/** Whether a card is on the phone: nobody can say so where the server broke off while it was given it. */
type Place = 'there' | 'maybe' | 'nowhere'

/** The publishes of one plugin. */
export class Outbox {
  readonly #delivery: Delivery
  readonly #reminders: Reminders
  readonly #clock: ServerClock
  readonly #health: ConnectionHealth
  /** The last publish of each card, so that the next comes after it; resolves to where the card is then. */
  readonly #last = new WeakMap<Card, Promise<Place>>()
  /** The cards of which a reminder is still to come. */
  readonly #reminding = new WeakSet<Card>()

  /** @param topic where the cards are. */
  constructor(client: NtfyClient, topic: string, warn: Warn, clock: ServerClock, health: ConnectionHealth) {
    this.#delivery = new Delivery(client, topic, warn, health)
    this.#reminders = new Reminders(this.#delivery)
    this.#clock = clock
    this.#health = health
  }

  /**
   * Publish a question; a server that cannot be reached is waited for, however long that takes.
   *
   * @param write makes the JSON for each attempt.
   * @param stop no further attempt is made once it aborts.
   * @returns what the server says of it.
   * @throws NtfyFailure
   */
  show(card: Card, write: () => string, stop: AbortSignal): Promise<Published> {
    let mayHaveCome = false
    const shown = this.#delivery.publish(write, {
      stop,
      until: Infinity,
      failed: ({ kind, uncertain }) => {
        mayHaveCome ||= uncertain
        if (kind === 'temporary' && !stop.aborted) this.#health.questionFailed(card)
      },
    })
    const release = () => this.#health.questionDone(card)
    shown.then(release, release)
    this.#last.set(card, shown.then(() => 'there', () => mayHaveCome ? 'maybe' : 'nowhere'))
    return shown
  }

  /**
   * Publish a question anew in its place, once the publish before is through; left out where nothing is there.
   *
   * @param write makes the JSON for each attempt, when its time has come.
   * @param stop aborts with the question.
   */
  replace(card: Card, write: () => string, stop: AbortSignal): void {
    this.#follow(card, this.#placeOf(card), async () => {
      if (!stop.aborted) await this.#delivery.publish(write, { stop, until: Infinity }).catch(() => {})
    })
  }

  /**
   * Publish what became of a card in its place, once the publish before is through, and leave nothing else of it: from then on
   * it is known when the phone could say so. Where the card was never there the phone hears nothing of it.
   *
   * @param write makes the JSON for a notification that has this sequence.
   */
  conclude(card: Card, write: (sequence: string) => string): void {
    this.#follow(card, this.#placeOf(card), async place => {
      // The asker gets the answer first: making a request takes longer than all that is between.
      await new Promise(resolve => setImmediate(resolve))
      const trying: RetryOptions = { until: performance.now() + OUTCOME_MS }
      let published: Published | undefined
      if (place === 'there') published = await this.#delivery.publish(() => write(card.sequence), trying).catch(() => undefined)
      // An outcome would be news of a question that nobody has seen.
      else card.staleSequences.add(card.sequence)
      const isClean = card.staleSequences.size === 0
      const isShown = await this.#reminders.sweep(card, trying, write) && (published !== undefined || place === 'maybe')
      card.conclusion = { ...published && isClean ? this.#clock.at(published.time) : this.#clock.now(), isShown }
    })
  }

  /**
   * Publish a question once more, as a notification of its own, and then take the old one back: the phone is never without
   * it. Nothing is done where the question is not there, or while the reminder before is still to come.
   */
  remind(card: Card, reminder: Reminder): void {
    const before = this.#last.get(card)
    if (before === undefined || this.#reminding.has(card)) return
    this.#reminding.add(card)
    this.#follow(card, before, async () => {
      const isThere = await this.#reminders.publish(card, reminder)
      this.#reminding.delete(card)
      if (isThere) await this.#reminders.sweep(card, { stop: reminder.stop })
    })
  }

  /** One that an earlier plugin has shown is there. */
  #placeOf(card: Card): Promise<Place> | undefined {
    return this.#last.get(card) ?? (card.shown && Promise.resolve('there'))
  }

  /** Do something about a card that is there, or may be, once what came before is through. */
  #follow(card: Card, before: Promise<Place> | undefined, act: (place: Place) => Promise<void>): void {
    if (before === undefined) return
    const followed = before.then(async last => {
      // Whatever the server has said, or not: it was seen on its way to the phone, or answered there.
      const place = card.shown ? 'there' : last
      if (place !== 'nowhere') await act(place)
      return place
    })
    this.#last.set(card, followed)
    this.#delivery.track(followed)
  }

  /** Publish something that stands alone; failing is told to the log only. */
  say(json: string): void {
    void this.#delivery.publish(() => json).catch(() => {})
  }

  /**
   * Stop: what is under way has a moment left, then it is aborted.
   *
   * @param ms the moment, in milliseconds.
   */
  close(ms: number): Promise<void> {
    return this.#delivery.close(ms)
  }
}
