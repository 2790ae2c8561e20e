// Things that come one after the other, for a test that reads each once and waits for the next.

/** How long to wait, in milliseconds: programs of 400 MB are slow on a machine that does other things as well. */
export const LONG_MS = 60_000

/** What has come, and who waits for more. */
export class Arrivals<T> {
  readonly all: T[] = []
  readonly #what: string
  #read = 0
  #arrived = Promise.withResolvers<void>()

  /** @param what finishes the sentence "waited for". */
  constructor(what: string) {
    this.#what = what
  }

  add(value: T): void {
    this.all.push(value)
    this.#arrived.resolve()
    this.#arrived = Promise.withResolvers()
  }

  /** The first one that no `next` has returned yet, once it is there. */
  async next(): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => reject(new Error(`waited for ${this.#what}; so far: ${JSON.stringify(this.all)}`)), LONG_MS)
    try {
      while (this.#read >= this.all.length) await Promise.race([this.#arrived.promise, late])
    } finally {
      clearTimeout(timer)
    }
    return this.all[this.#read++]!
  }
}
