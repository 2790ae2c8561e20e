// Who can see the page now. A page says with every request whether it reaches its person. It counts until it says no, its
// last stream ends, or it has been silent for too long: a network can go down without a word.

/** How long a silent page still counts, in milliseconds: two heartbeats, since it answers each. */
const SILENT_MS = 30_000

/** How long a page may be missing, in milliseconds: a reload or a restart of the plugin drops it for a moment. */
const GRACE_MS = 3000

interface Page {
  silence: NodeJS.Timeout
  streams: number
}

/** The pages that somebody can see. Counts nothing before {@link Viewers.start}. */
export class Viewers {
  /** By the name that each made up for itself. */
  readonly #pages = new Map<string, Page>()
  #watched = false
  #grace: NodeJS.Timeout | undefined
  #onChange: (() => void) | undefined

  /** Whether somebody can see the page, or could a moment ago. */
  get watched(): boolean {
    return this.#watched
  }

  /** Start counting; a page that counted before a {@link Viewers.stop} gets a moment to come back. */
  start(onChange: () => void): void {
    this.#onChange = onChange
    if (this.#watched) this.#wait()
  }

  /** Stop counting, and leave no timer behind. */
  stop(): void {
    this.#onChange = undefined
    clearTimeout(this.#grace)
    for (const { silence } of this.#pages.values()) clearTimeout(silence)
    this.#pages.clear()
  }

  /** A page has said that it reaches its person. */
  seen(name: string): void {
    if (this.#onChange) this.#find(name)
  }

  /** A page has said that it does not. */
  hidden(name: string): void {
    if (this.#pages.has(name)) this.#leave(name)
  }

  /**
   * A page that reaches its person has opened a stream.
   *
   * @returns to be called when the stream ends; the page may have others.
   */
  streamOpened(name: string): () => void {
    if (!this.#onChange) return () => {}
    const page = this.#find(name)
    page.streams++
    return () => {
      if (--page.streams === 0 && this.#pages.get(name) === page) this.#leave(name)
    }
  }

  #find(name: string): Page {
    // Not `refresh()`: with it fake-timers 15 loses other timers.
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
