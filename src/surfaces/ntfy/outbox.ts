// What is published of each card, in its order: the question, its reminders, then what became of it.
import type { Card } from './cards.ts'
import type { NtfyClient, Published } from './client.ts'
import type { Clock } from './clock.ts'
import { Delivery, type Trouble } from './delivery.ts'
import { NtfyFailure } from './failure.ts'
import { type Reminder, Reminders } from './reminders.ts'

/** The publishes of one plugin. */
export class Outbox {
  readonly #delivery: Delivery
  readonly #reminders: Reminders
  readonly #clock: Clock
  /** The last publish of each card, so that the next comes after it; resolves to whether the phone may show the card. */
  readonly #last = new WeakMap<Card, Promise<boolean>>()
  /** The cards of which a reminder is still to come. */
  readonly #reminding = new WeakSet<Card>()

  /** @param topic where the cards are. */
  constructor(client: NtfyClient, topic: string, trouble: Trouble, clock: Clock) {
    this.#delivery = new Delivery(client, topic, trouble)
    this.#reminders = new Reminders(this.#delivery)
    this.#clock = clock
  }

  /**
   * Publish a question.
   *
   * @param write makes the JSON for each attempt.
   * @param stop no further attempt is made once it aborts.
   * @returns what the server says of it.
   * @throws NtfyFailure
   */
  show(card: Card, write: () => string, stop: AbortSignal): Promise<Published> {
    const shown = this.#delivery.publish(write, { stop })
    this.#last.set(card, shown.then(() => true, error => error instanceof NtfyFailure && error.uncertain))
    return shown
  }

  /**
   * Publish something in the place of a card, once the publish before it is through; left out where nothing is there.
   *
   * @param write makes the JSON for each attempt, when its time has come.
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
      const isShown = await this.#reminders.sweep(card, undefined, write) && published !== undefined
      card.settled = { ...published && isClean ? this.#clock.at(published.time) : this.#clock.now(), isShown }
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

  /** @param then is called with what the server says; with nothing where it did not take it. */
  #replace(card: Card, write: () => string, then: (published: Published | undefined) => Promise<void>): void {
    // One that an earlier plugin has shown is there.
    const before = this.#last.get(card) ?? (card.shown && Promise.resolve(true))
    if (before === undefined) return
    this.#follow(card, before, async () => {
      // The asker gets the answer first: making a request takes longer than all that is between.
      await new Promise(resolve => setImmediate(resolve))
      await then(await this.#delivery.publish(write).catch(() => undefined))
    })
  }

  /** Do something about a card that is there, once what came before is through. */
  #follow(card: Card, before: Promise<boolean>, act: () => Promise<void>): void {
    const followed = before.then(async isThere => {
      if (isThere) await act()
      return isThere
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
