// What time it is for the server, and what came first: replies are compared with questions by the server's clock, which
// need not be this machine's and has seconds only.
import type { Moment } from './cards.ts'

/** Of this process, not of one plugin: what an earlier plugin put away stays comparable. */
let order = 0

/** One server's clock, as far as its messages show it. */
export class ServerClock {
  /** The server's time less the monotonic one, in seconds. A message arrives after it was stamped: the most is nearest. */
  #ahead: number | undefined

  /** Something with a time of the server's has come. */
  at(time: number): Moment {
    this.#ahead = Math.max(this.#ahead ?? -Infinity, time - performance.now() / 1000)
    return { time, order: ++order }
  }

  /** Something has happened here, of which the server says no time. */
  now(): Moment {
    return { time: this.#ahead === undefined ? Date.now() / 1000 : performance.now() / 1000 + this.#ahead, order: ++order }
  }
}
