// Fetches messages that were published while the stream was being reopened. ntfy delivers a message to its subscribers
// before it stores it. A subscriber that connects in between gets it neither live nor replayed. That gap lasts milliseconds
// by default, and longer on a server that stores in batches (`cache-batch-timeout`). So the stored messages are polled later.
import { pause } from './backoff.ts'
import type { NtfyClient } from './client.ts'

/** When to poll after the stream has opened, in milliseconds. Servers batch for one second, or for twenty. */
const AFTER_MS = [1000, 5000, 30_000]

/** How far back to poll before the last sign of life, in seconds, because the server's clocks may differ a little. */
const OVERLAP_S = 2

/** Polls for missed messages after each reopening of the stream. */
export class CatchUp {
  readonly #client: NtfyClient
  readonly #topics: readonly string[]
  readonly #onLine: (line: string) => void
  readonly #closing: AbortSignal
  #running: AbortController | undefined
  /** From when on messages may have been missed, in seconds since the epoch. */
  #from: number | undefined

  /**
   * @param onLine called with each stored line, including those that the stream has already brought.
   * @param closing stops the polling.
   */
  constructor(client: NtfyClient, topics: readonly string[], onLine: (line: string) => void, closing: AbortSignal) {
    this.#client = client
    this.#topics = topics
    this.#onLine = onLine
    this.#closing = closing
  }

  /**
   * The stream has been opened again.
   *
   * @param from when the previous stream was last alive, by the server's clock, in seconds since the epoch.
   */
  reopened(from: number): void {
    this.#running?.abort()
    // Also covers the gap before, if its polls were not finished.
    this.#from ??= from - OVERLAP_S
    void this.#run(this.#from, this.#running = new AbortController())
  }

  async #run(from: number, { signal }: AbortController): Promise<void> {
    let waited = 0
    for (const ms of AFTER_MS) {
      await pause(ms - waited, signal, this.#closing)
      waited = ms
      if (signal.aborted || this.#closing.aborted) return
      // A failed poll is covered by the next one, or by the polls after the next reopening.
      const lines = await this.#client.stored(this.#topics, from, this.#closing).catch(() => '')
      for (const line of lines.split('\n')) this.#onLine(line)
    }
    if (!signal.aborted) this.#from = undefined
  }
}
