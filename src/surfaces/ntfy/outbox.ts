// Publishes each card's notifications in order: the question, its reminders, then its outcome.
import type { Card } from './cards.ts'
import type { NtfyClient, Published } from './client.ts'
import type { ConnectionHealth } from './connection-health.ts'
import { Delivery, type RetryOptions, type Warn } from './delivery.ts'
import { type Reminder, Reminders } from './reminders.ts'
import type { ServerClock } from './server-clock.ts'

/** How long an outcome is tried while the server is unreachable, in milliseconds. After that the card keeps looking open. */
const OUTCOME_MS = 3_600_000

/** Whether a card is on the phone. It may be when the connection broke while the question was being published. */
type OnPhone = 'yes' | 'maybe' | 'no'

/** The pushes of one plugin. */
export class Outbox {
  readonly #delivery: Delivery
  readonly #reminders: Reminders
  readonly #clock: ServerClock
  readonly #health: ConnectionHealth
  /** The last publish of each card; the next one waits for it. */
  readonly #last = new WeakMap<Card, Promise<OnPhone>>()
  /** Cards with a reminder that is not published yet. */
  readonly #reminding = new WeakSet<Card>()

  /** @param topic where the cards are published. */
  constructor(client: NtfyClient, topic: string, warn: Warn, clock: ServerClock, health: ConnectionHealth) {
    this.#delivery = new Delivery(client, topic, warn, health)
    this.#reminders = new Reminders(this.#delivery)
    this.#clock = clock
    this.#health = health
  }

  /**
   * Publish a question. While the server is unreachable, it is tried without a time limit.
   *
   * @param write makes the JSON for each attempt.
   * @param stop once it aborts, no further attempt is made.
   * @throws NtfyFailure
   */
  show(card: Card, write: () => string, stop: AbortSignal): Promise<Published> {
    let mayBeThere = false
    const shown = this.#delivery.publish(write, {
      stop,
      deadline: Infinity,
      onFailure: ({ kind, mayHaveArrived }) => {
        mayBeThere ||= mayHaveArrived
        if (kind === 'temporary' && !stop.aborted) this.#health.questionFailed(card)
      },
    })
    const remove = () => this.#health.questionDone(card)
    shown.then(remove, remove)
    this.#last.set(card, shown.then(() => 'yes', () => mayBeThere ? 'maybe' : 'no'))
    return shown
  }

  /**
   * Publish a question again in its place, after the publish before. Skipped when the card is not on the phone.
   *
   * @param write makes the JSON for each attempt.
   * @param stop aborts when the question is settled.
   */
  replace(card: Card, write: () => string, stop: AbortSignal): void {
    this.#follow(card, this.#onPhone(card), async () => {
      if (!stop.aborted) await this.#delivery.publish(write, { stop, deadline: Infinity }).catch(() => {})
    })
  }

  /**
   * Publish a card's outcome in its place, after the publish before, and remove its other notifications. Sets the card's
   * `conclusion`. Skipped when the card was never on the phone.
   *
   * @param write makes the JSON for a notification with this sequence.
   */
  conclude(card: Card, write: (sequence: string) => string): void {
    this.#follow(card, this.#onPhone(card), async onPhone => {
      // Making a request takes a while; the answer should reach the agent first.
      await new Promise(resolve => setImmediate(resolve))
      const options: RetryOptions = { deadline: performance.now() + OUTCOME_MS }
      let published: Published | undefined
      if (onPhone === 'yes') published = await this.#delivery.publish(() => write(card.sequence), options).catch(() => undefined)
      // Nobody may have seen the question, so its outcome would only confuse. Remove the notification instead.
      else card.staleSequences.add(card.sequence)
      const isClean = card.staleSequences.size === 0
      const isShown = await this.#reminders.removeStale(card, options, write) && (published !== undefined || onPhone === 'maybe')
      card.conclusion = { ...published && isClean ? this.#clock.at(published.time) : this.#clock.now(), isShown }
    })
  }

  /**
   * Publish a question once more as a new notification, then remove the old one, so that the phone always shows one. Skipped
   * when the question is not on the phone or the last reminder is still being published.
   */
  remind(card: Card, reminder: Reminder): void {
    const before = this.#last.get(card)
    if (before === undefined || this.#reminding.has(card)) return
    this.#reminding.add(card)
    this.#follow(card, before, async () => {
      const isThere = await this.#reminders.publish(card, reminder)
      this.#reminding.delete(card)
      if (isThere) await this.#reminders.removeStale(card, { stop: reminder.stop })
    })
  }

  /** Publish a message that belongs to no card. A failure is only logged. */
  say(json: string): void {
    void this.#delivery.publish(() => json).catch(() => {})
  }

  /**
   * Let what is under way finish, then abort the rest.
   *
   * @param ms how long to wait, in milliseconds.
   */
  close(ms: number): Promise<void> {
    return this.#delivery.close(ms)
  }

  /** A card without a publish of ours is on the phone if an earlier plugin has shown it. */
  #onPhone(card: Card): Promise<OnPhone> | undefined {
    return this.#last.get(card) ?? (card.shown && Promise.resolve('yes'))
  }

  /** Act on a card that is or may be on the phone, after the publish before. */
  #follow(card: Card, before: Promise<OnPhone> | undefined, act: (onPhone: OnPhone) => Promise<void>): void {
    if (before === undefined) return
    const followed = before.then(async last => {
      // Its stream or its answer may prove that it is there, although the publish has failed.
      const onPhone = card.shown ? 'yes' : last
      if (onPhone !== 'no') await act(onPhone)
      return onPhone
    })
    this.#last.set(card, followed)
    this.#delivery.track(followed)
  }
}
