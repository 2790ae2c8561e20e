// Who can see the page now. A page says with every request whether it can reach its person; it counts until it cannot, its
// streams end or, where the network went without a word, for so long after its last one.

/** How long a page counts after its last word: two heartbeats, each of which it answers. In milliseconds. */
const SILENT_MS = 30_000

/** A reload drops a page for a moment, and so does a restart of the plugin; nobody has left then. In milliseconds. */
const GRACE_MS = 3000

interface Page {
  silence: NodeJS.Timeout
  streams: number
}

/** The pages that somebody can see. Counts nothing before {@link Viewers.start}. */
export class Viewers {
  /** By the name that each made for itself. */
  readonly #pages = new Map<string, Page>()
  #watched = false
  #grace: NodeJS.Timeout | undefined
  #onChange: (() => void) | undefined

  /** Whether somebody can see the page, or could a moment ago. */
  get watched(): boolean {
    return this.#watched
  }

  /** Count from now on; who was counted before a {@link Viewers.stop} has a moment to come back. */
  start(onChange: () => void): void {
    this.#onChange = onChange
    if (this.#watched) this.#wait()
  }

  /** Count nobody any more, and leave no timer behind. */
  stop(): void {
    this.#onChange = undefined
    clearTimeout(this.#grace)
    for (const { silence } of this.#pages.values()) clearTimeout(silence)
    this.#pages.clear()
  }

  /** A page has said that it can be seen. */
  seen(name: string): void {
    if (this.#onChange) this.#find(name)
  }

  /** A page has said that it cannot. */
  hidden(name: string): void {
    if (this.#pages.has(name)) this.#leave(name)
  }

  /**
   * A stream of such a page is open.
   *
   * @returns the stream has ended; the page may have others.
   */
  streams(name: string): () => void {
    if (!this.#onChange) return () => {}
    const page = this.#find(name)
    page.streams++
    return () => {
      if (--page.streams === 0 && this.#pages.get(name) === page) this.#leave(name)
    }
  }

  #find(name: string): Page {
    // Not refreshed: made-up timers lose others then (fake-timers 15).
    const silence = setTimeout(() => this.#leave(name), SILENT_MS).unref()
    let page = this.#pages.get(name)
    if (page) {
      clearTimeout(page.silence)
      page.silence = silence
    } else {
      page = { silence, streams: 0 }
      this.#pages.set(name, page)
    }
    clearTimeout(this.#grace)
    this.#set(true)
    return page
  }

  #leave(name: string): void {
    clearTimeout(this.#pages.get(name)!.silence)
    this.#pages.delete(name)
    if (this.#pages.size === 0) this.#wait()
  }

  #wait(): void {
    this.#grace = setTimeout(() => this.#set(false), GRACE_MS).unref()
  }

  #set(watched: boolean): void {
    if (watched === this.#watched) return
    this.#watched = watched
    this.#onChange!()
  }
}
