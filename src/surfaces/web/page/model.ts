// What the page knows: which asks are open, which have ended, and where the person is. Snapshots and changes come in
// several ways and may be late; each counts once, and none brings back what has ended.
import type { Card, Change, Ended, Snapshot, Whereabouts } from '../wire.ts'

/** Shows what the page knows. */
export interface ModelView {
  /** An ask is open. */
  opened(card: Card): void
  /** An ask has ended; it may never have been shown open. */
  ended(ended: Ended): void
  /** An ask is no longer open, and nobody can say how it ended. */
  gone(id: string): void
  /** The person is to be reminded of an open ask. */
  reminded(id: string, reminders: number): void
  /** The agent of an open ask that is on show has gone on; an answer still reaches it. */
  late(id: string): void
  /** So many more asks are open, and appear when there is room. */
  waiting(count: number): void
  /** Where the person is, and whether the surfaces are hushed; `undefined` when this page may not know. */
  presence(whereabouts: Whereabouts | undefined): void
}

/** The page's knowledge. */
export class Model {
  readonly #view: ModelView
  #epoch: string | undefined
  #version = -1
  /** The open asks, as they are known. */
  readonly #open = new Map<string, Pick<Card, 'reminders' | 'late'>>()
  /** The version at which the presence changed last. */
  #presenceVersion = -1
  /** The version at which each ask ended. */
  readonly #ended = new Map<string, number>()

  constructor(view: ModelView) {
    this.#view = view
  }

  /** How many asks are open. */
  get count(): number {
    return this.#open.size
  }

  /** Apply a snapshot, unless it is older than what is known. */
  apply({ epoch, version, open, ended, waiting = 0, whereabouts }: Snapshot): void {
    if (epoch === this.#epoch && version < this.#version) return
    // A different host counts from the start.
    if (epoch !== this.#epoch) {
      for (const id of this.#ended.keys()) this.#ended.set(id, -1)
      this.#presenceVersion = -1
    }
    this.#epoch = epoch
    this.#version = version
    for (const one of ended.toReversed()) this.end(one)
    this.keepOnly(open.map(({ id }) => id))
    for (const card of open) {
      this.#opened(card, version)
      this.#reminded(card.id, card.reminders)
      if (card.late) this.#late(card.id)
    }
    this.#view.waiting(waiting)
    if (whereabouts) this.setWhereabouts(whereabouts)
    else {
      this.#presenceVersion = -1
      this.#view.presence(undefined)
    }
  }

  /**
   * Every other ask is no longer open, and nobody said how it ended.
   *
   * @param open the ids of those that are.
   */
  keepOnly(open: readonly string[]): void {
    for (const id of Array.from(this.#open.keys())) {
      if (open.includes(id)) continue
      this.#open.delete(id)
      this.#view.gone(id)
    }
  }

  /** Apply a change that follows a snapshot, once. */
  change(change: Change): void {
    if (change.version <= this.#version) return
    this.#version = change.version
    switch (change.type) {
      case 'opened': return this.#opened(change.card, change.version)
      case 'ended': return this.end(change.ended)
      case 'reminded': return this.#reminded(change.id, change.reminders)
      case 'late': return this.#late(change.id)
      case 'waiting': return this.#view.waiting(change.waiting)
      case 'presence': return this.setWhereabouts(change)
    }
  }

  /** Where the person is; also told by the response to a switch, which may overtake the changes. */
  setWhereabouts(whereabouts: Whereabouts): void {
    if (whereabouts.version <= this.#presenceVersion) return
    this.#presenceVersion = whereabouts.version
    this.#view.presence(whereabouts)
  }

  /** An ask has ended; also told by the response to an answer, which may overtake the changes. */
  end(ended: Ended): void {
    if (this.#ended.has(ended.id)) return
    this.#ended.set(ended.id, ended.version)
    this.#open.delete(ended.id)
    this.#view.ended(ended)
  }

  #opened(card: Card, version: number): void {
    if (this.#open.has(card.id) || version <= (this.#ended.get(card.id) ?? -1)) return
    this.#ended.delete(card.id)
    this.#open.set(card.id, card)
    this.#view.opened(card)
  }

  #reminded(id: string, reminders: number): void {
    const known = this.#open.get(id)
    if (known === undefined || reminders <= known.reminders) return
    this.#open.set(id, { ...known, reminders })
    this.#view.reminded(id, reminders)
  }

  #late(id: string): void {
    const known = this.#open.get(id)
    if (known === undefined || known.late) return
    this.#open.set(id, { ...known, late: true })
    this.#view.late(id)
  }
}
