// Which open asks are on show: the oldest, as many as there is room for. The others wait.

/** How many are on show at a time, and how many characters of JSON they have at most: each reader of the page gets all. */
const SHOWN = 100, SHOWN_SIZE = 1_000_000

/** What takes room. */
export interface Sized {
  /** In characters of JSON. */
  readonly size: number
}

/** The room on the page. */
export class Room<T extends Sized> {
  /** Oldest first. */
  readonly #shown = new Set<T>()
  readonly #waiting = new Set<T>()
  #size = 0

  /** What is on show, the oldest first. */
  get shown(): readonly T[] {
    return Array.from(this.#shown)
  }

  /** How many wait until there is room. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Whether it is on show. */
  shows(one: T): boolean {
    return this.#shown.has(one)
  }

  /** @returns what there is room for now. */
  add(one: T): readonly T[] {
    this.#waiting.add(one)
    return this.#fill()
  }

  /** @returns what there is room for now. */
  remove(one: T): readonly T[] {
    if (this.#shown.delete(one)) this.#size -= one.size
    this.#waiting.delete(one)
    return this.#fill()
  }

  #fill(): readonly T[] {
    const added: T[] = []
    for (const one of this.#waiting) {
      if (this.#shown.size === SHOWN || this.#size + one.size > SHOWN_SIZE) break
      this.#waiting.delete(one)
      this.#shown.add(one)
      this.#size += one.size
      added.push(one)
    }
    return added
  }
}
