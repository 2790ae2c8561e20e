// What the page knows: which asks are open, which have ended, and where its person is. Snapshots and changes come by
// several ways and may be late; each is taken once, and none brings back what has ended.
import type { Card, Change, Ended, Presence, Snapshot, Whereabouts } from '../wire.ts'

/** Who shows what the page knows. */
export interface ModelView {
  /** An ask is open. */
  opened(card: Card): void
  /** An ask has ended; shown open before, or not. */
  ended(ended: Ended): void
  /** An ask that was open is not any more, and nobody can say how it ended. */
  gone(id: string): void
  /** Attention is to be drawn to an open ask once more. */
  reminded(id: string, reminders: number): void
  /** Where the person is; `undefined` when this page may not know. */
  placed(presence: Presence | undefined): void
}

/** The page's knowledge. */
export class Model {
  readonly #view: ModelView
  #epoch: string | undefined
  #version = -1
  /** How often its person was reminded of each. */
  readonly #open = new Map<string, number>()
  /** The version from which on the person is where they are. */
  #placedAt = -1
  /** The versions from which on they have ended. */
  readonly #ended = new Map<string, number>()

  constructor(view: ModelView) {
    this.#view = view
  }

  /** How many asks are open. */
  get count(): number {
    return this.#open.size
  }

  /** Take a snapshot, unless it is older than what is known. */
  apply({ epoch, version, open, ended, whereabouts }: Snapshot): void {
    if (epoch === this.#epoch && version < this.#version) return
    // Another host counts anew.
    if (epoch !== this.#epoch) {
      for (const id of this.#ended.keys()) this.#ended.set(id, -1)
      this.#placedAt = -1
    }
    this.#epoch = epoch
    this.#version = version
    for (const one of ended.toReversed()) this.end(one)
    this.lose(open.map(({ id }) => id))
    for (const card of open) {
      this.#opened(card, version)
      this.#reminded(card.id, card.reminders)
    }
    if (whereabouts) this.place(whereabouts)
    else {
      this.#placedAt = -1
      this.#view.placed(undefined)
    }
  }

  /**
   * What was open is so no longer, and nobody said how it ended.
   *
   * @param but the ids of those that are.
   */
  lose(but: readonly string[] = []): void {
    for (const id of Array.from(this.#open.keys())) {
      if (but.includes(id)) continue
      this.#open.delete(id)
      this.#view.gone(id)
    }
  }

  /** Take a change that follows a snapshot, once. */
  change(change: Change): void {
    if (change.version <= this.#version) return
    this.#version = change.version
    switch (change.type) {
      case 'opened': return this.#opened(change.card, change.version)
      case 'ended': return this.end(change.ended)
      case 'reminded': return this.#reminded(change.id, change.reminders)
      case 'presence': return this.place(change)
    }
  }

  /** Where the person is; also by the response to a change, which comes outside the order of changes. */
  place({ presence, version }: Whereabouts): void {
    if (version <= this.#placedAt) return
    this.#placedAt = version
    this.#view.placed(presence)
  }

  /** An ask has ended; also by the response to an answer, which comes outside the order of changes. */
  end(ended: Ended): void {
    if (this.#ended.has(ended.id)) return
    this.#ended.set(ended.id, ended.version)
    this.#open.delete(ended.id)
    this.#view.ended(ended)
  }

  #opened(card: Card, version: number): void {
    if (this.#open.has(card.id) || version <= (this.#ended.get(card.id) ?? -1)) return
    this.#ended.delete(card.id)
    this.#open.set(card.id, card.reminders)
    this.#view.opened(card)
  }

  #reminded(id: string, reminders: number): void {
    if (reminders <= (this.#open.get(id) ?? Infinity)) return
    this.#open.set(id, reminders)
    this.#view.reminded(id, reminders)
  }
}
