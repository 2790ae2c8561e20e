// Replies that may be for another host on the same topics. That host then answers or explains them, which is seen on the topic.
// When no host does so in time, there may be none any more, and the sender must not wait in vain.
import { codeOfSequence, noticeSequence } from './cards.ts'

/** How long another host may take, in milliseconds. */
const WAIT_MS = 10_000

/** The most that wait; the sender of another one hears of those. */
const MAX_WAITING = 20

interface Waiting {
  readonly timer: NodeJS.Timeout
  /** The code that the reply starts with, if any. */
  readonly code: string | undefined
}

/** The replies of one plugin that are for nobody here. */
export class Unclaimed {
  readonly #waiting = new Map<string, Waiting>()

  /**
   * Wait whether another host takes a reply.
   *
   * @param id of the reply.
   * @param code that it starts with, if any.
   * @param tell called when none does. It must not throw.
   */
  add(id: string, code: string | undefined, tell: () => void): void {
    if (this.#waiting.size >= MAX_WAITING) return
    const timer = setTimeout(() => {
      this.#waiting.delete(noticeSequence(id))
      tell()
    }, WAIT_MS)
    this.#waiting.set(noticeSequence(id), { timer, code })
  }

  /** Another host has published this: its notice about a reply, or what became of one of its questions. */
  seen(sequence: string): void {
    const code = codeOfSequence(sequence)
    for (const [notice, { timer, code: own }] of this.#waiting) {
      if (notice !== sequence && (code === undefined || code !== own)) continue
      clearTimeout(timer)
      this.#waiting.delete(notice)
    }
  }

  /** Wait no more. */
  close(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer)
    this.#waiting.clear()
  }
}
