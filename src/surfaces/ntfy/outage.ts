// Says once that the server is out of reach for a while, and once that it is back, whatever fails meanwhile and how often.
import type { NtfyFailure } from './failure.ts'

/** Shorter failures are nothing that somebody should repair, in milliseconds. */
const LONG_MS = 30_000

/** What fails: to publish, or to keep the stream open. */
type Part = 'pushes' | 'replies'

/** The outages of one server. */
export class Outage {
  readonly #warn: (message: string) => void
  /** Since when each part has been failing, by the monotonic clock. */
  readonly #since = new Map<Part, number>()
  #isTold = false

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** A part has failed, for a reason that may pass. */
  failed(part: Part, failure: NtfyFailure): void {
    const now = performance.now()
    const since = this.#since.get(part) ?? now
    this.#since.set(part, since)
    if (now - since >= LONG_MS) this.#tell(failure)
  }

  /** A part has been failing for long. */
  lasts(part: Part, failure: NtfyFailure): void {
    this.#since.set(part, performance.now())
    this.#tell(failure)
  }

  /** A part fails, which somebody has been told already. */
  isKnown(part: Part): void {
    this.#since.set(part, performance.now())
    this.#isTold = true
  }

  /** A part works. With the stream the server is back as a whole: what could not be published is tried again. */
  worked(part: Part): void {
    if (part === 'replies') this.#since.clear()
    else this.#since.delete(part)
    if (!this.#isTold || this.#since.size > 0) return
    this.#isTold = false
    this.#warn('the ntfy server is back')
  }

  #tell({ message }: NtfyFailure): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#warn(`the phone is out of reach for now, ${message}; open questions stay, and come to it when the server is back`)
  }
}
