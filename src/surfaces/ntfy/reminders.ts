// Reminders of a card. Each is a notification of its own, because an updated one makes no sound; the older ones are removed.
import { type Card, nextSequence } from './cards.ts'
import type { Delivery, RetryOptions } from './delivery.ts'

/** A reminder that is due. */
export interface Reminder {
  /** Makes the JSON for a notification with this sequence. */
  readonly write: (sequence: string) => string
  /** Whether it may come now. In quiet hours it may not: a reminder without a sound is useless. */
  readonly isWanted: () => boolean
  /** Aborts when the question is settled. */
  readonly stop: AbortSignal
}

/** The reminders of one plugin. */
export class Reminders {
  readonly #delivery: Delivery

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  /**
   * Publish a card's question again under a new sequence. It is tried for as long as it is wanted: after quiet hours it may be
   * the first notification that makes a sound.
   *
   * @returns whether it is on the phone. The notification before is then stale.
   */
  async publish(card: Card, { write, isWanted, stop }: Reminder): Promise<boolean> {
    if (stop.aborted || !isWanted()) return false
    const sequence = nextSequence(card)
    try {
      await this.#delivery.publish(() => write(sequence), { stop, isWanted })
    } catch {
      // It may have arrived without the server's confirmation.
      card.staleSequences.add(sequence)
      return false
    }
    card.staleSequences.add(card.sequence)
    card.sequence = sequence
    return true
  }

  /**
   * Remove a card's stale notifications from the phone.
   *
   * @param replacement makes the JSON that replaces one that cannot be removed.
   * @returns whether none is left.
   */
  async removeStale(card: Card, options?: RetryOptions, replacement?: (sequence: string) => string): Promise<boolean> {
    for (const sequence of card.staleSequences) {
      const isDone = await succeeds(this.#delivery.remove(sequence, options))
        || (replacement && await succeeds(this.#delivery.publish(() => replacement(sequence), options)))
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
    // Delivery has already warned about it.
    return false
  }
}
