// The further notifications of a card: a reminder is one of its own, since one that is updated makes no sound, and those that
// it leaves behind are taken from the phone.
import { type Card, nextSequence } from './cards.ts'
import type { Delivery, RetryOptions } from './delivery.ts'

/** A reminder that is due. */
export interface Reminder {
  /** Makes the JSON for a notification that has this sequence. */
  readonly write: (sequence: string) => string
  /** Whether it may come now: one that would make no sound is none. */
  readonly isWanted: () => boolean
  /** Aborts with the question. */
  readonly stop: AbortSignal
}

/** The reminders of one plugin. */
export class Reminders {
  readonly #delivery: Delivery

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  /**
   * Publish a card's question once more, under a new sequence: tried for as long as it is wanted, since in the quiet hours
   * it may be the only one that makes a sound.
   *
   * @returns whether it is there, and what was there before is left to be swept.
   */
  async publish(card: Card, { write, isWanted, stop }: Reminder): Promise<boolean> {
    if (stop.aborted || !isWanted()) return false
    const sequence = nextSequence(card)
    try {
      await this.#delivery.publish(() => write(sequence), { stop, isWanted })
    } catch {
      // It may have come all the same: the server need not have said so.
      card.staleSequences.add(sequence)
      return false
    }
    card.staleSequences.add(card.sequence)
    card.sequence = sequence
    return true
  }

  /**
   * Take the staleSequences of a card from the phone.
   *
   * @param instead what replaces one that cannot be taken.
   * @returns whether none is left.
   */
  async sweep(card: Card, trying?: RetryOptions, instead?: (sequence: string) => string): Promise<boolean> {
    for (const sequence of card.staleSequences) {
      const isDone = await succeeds(this.#delivery.remove(sequence, trying))
        || (instead && await succeeds(this.#delivery.publish(() => instead(sequence), trying)))
      if (isDone) card.staleSequences.delete(sequence)
    }
    return card.staleSequences.size === 0
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
