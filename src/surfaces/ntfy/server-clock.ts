// The server's clock. Replies are compared with questions by it, because it need not agree with this machine's. It only has
// seconds, so events also get a number in the order of their arrival.

/** When something happened, and where it stands in the order of arrival. */
export interface Moment {
  /** In seconds since the epoch, by the server's clock. */
  readonly time: number
  /** Counts all events, as they become known here. */
  readonly order: number
}

/** Shared by all plugins of this process, so that what an earlier plugin settled stays comparable. */
let order = 0

/** One server's clock, estimated from the times of its messages. */
export class ServerClock {
  /** The server's time minus the monotonic one, in seconds. Messages arrive late, so the largest value is the best estimate. */
  #offset: number | undefined

  /** Record an event to which the server gave a time. */
  at(time: number): Moment {
    this.#offset = Math.max(this.#offset ?? -Infinity, time - performance.now() / 1000)
    return { time, order: ++order }
  }

  /** Record an event that happens now, on this machine. */
  now(): Moment {
    return { time: this.#offset === undefined ? Date.now() / 1000 : performance.now() / 1000 + this.#offset, order: ++order }
  }
}
