// The further notifications of a card: a reminder is one of its own, since one that is updated makes no sound, and those that
// it leaves behind are taken from the phone.
import { type Card, nextSequence } from './cards.ts'
import type { Delivery } from './delivery.ts'

/** The reminders of one plugin. */
export class Reminders {
  readonly #delivery: Delivery

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  /**
   * Publish a card's question once more, under a new sequence.
   *
   * @param write makes the JSON for a notification that has this sequence.
   * @param stop no further attempt is made once it aborts.
   * @returns whether it is there, and what was there before is left to be swept.
   */
  async publish(card: Card, write: (sequence: string) => string, stop: AbortSignal): Promise<boolean> {
    const sequence = nextSequence(card)
    try {
      await this.#delivery.publish(() => write(sequence), stop)
    } catch {
      // It may have come all the same: the server need not have said so.
      card.leftovers.add(sequence)
      return false
    }
    card.leftovers.add(card.sequence)
    card.sequence = sequence
    return true
  }

  /**
   * Take the leftovers of a card from the phone.
   *
   * @param stop no further attempt is made once it aborts.
   * @param instead what replaces one that cannot be taken.
   * @returns whether none is left.
   */
  async sweep(card: Card, stop?: AbortSignal, instead?: (sequence: string) => string): Promise<boolean> {
    for (const sequence of card.leftovers) {
      const isDone = await succeeds(this.#delivery.remove(sequence, stop))
        || (instead && await succeeds(this.#delivery.publish(() => instead(sequence), stop)))
      if (isDone) card.leftovers.delete(sequence)
    }
    return card.leftovers.size === 0
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
