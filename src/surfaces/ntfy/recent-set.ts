// A set with a limited size.

/** Remembers the strings that were added last. */
export class RecentSet {
  readonly #values = new Set<string>()
  readonly #max: number

  /** @param max when there are more, the oldest are forgotten. */
  constructor(max: number) {
    this.#max = max
  }

  /** Add a string, or make it the newest again. */
  add(value: string): void {
    this.#values.delete(value)
    this.#values.add(value)
    const [oldest] = this.#values
    if (this.#values.size > this.#max) this.#values.delete(oldest!)
  }

  has(value: string): boolean {
    return this.#values.has(value)
  }
}
