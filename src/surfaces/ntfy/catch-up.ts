// What was said while a stream was opened again. ntfy hands a message to those who listen before it keeps it for those who
// come: one that is said in between is in neither the stream nor its replay, for some milliseconds by default and for as
// long as the server gathers messages before it writes them (`cache-batch-timeout`). So it is asked for afterwards.
import { pause } from './backoff.ts'
import type { NtfyClient } from './client.ts'

/** When it is asked, after the opening of the stream, in milliseconds: servers gather for a second, or for twenty. */
const AFTER_MS = [1000, 5000, 30_000]

/** Clocks of the server's parts need not agree to the second, in seconds. */
const OVERLAP_S = 2

/** The questions after what was missed. */
export class CatchUp {
  readonly #client: NtfyClient
  readonly #topics: readonly string[]
  readonly #onLine: (line: string) => void
  readonly #closing: AbortSignal
  #running: AbortController | undefined
  /** Since when something may have been missed, in seconds since the epoch. */
  #from: number | undefined

  /**
   * @param onLine takes each line that the server has kept since then, also those that were heard.
   * @param closing ends it.
   */
  constructor(client: NtfyClient, topics: readonly string[], onLine: (line: string) => void, closing: AbortSignal) {
    this.#client = client
    this.#topics = topics
    this.#onLine = onLine
    this.#closing = closing
  }

  /**
   * A stream has been opened again.
   *
   * @param from when the one before was alive last, by the server's clock, in seconds since the epoch.
   */
  reopened(from: number): void {
    this.#running?.abort()
    // What the last one was not through with is asked for, too.
    this.#from ??= from - OVERLAP_S
    void this.#run(this.#from, this.#running = new AbortController())
  }

  async #run(from: number, { signal }: AbortController): Promise<void> {
    let waited = 0
    for (const ms of AFTER_MS) {
      await pause(ms - waited, signal, this.#closing)
      waited = ms
      if (signal.aborted || this.#closing.aborted) return
      // One that fails is made good by the next, or by the stream that is opened when this one fails.
      const lines = await this.#client.kept(this.#topics, from, this.#closing).catch(() => '')
      for (const line of lines.split('\n')) this.#onLine(line)
    }
    if (!signal.aborted) this.#from = undefined
  }
}
