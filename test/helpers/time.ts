// Fake time, and the two steps of the event loop that are no time at all: all microtasks, and one macrotask.
import { afterEach, beforeEach, vi } from 'vitest'

// Taken before anybody fakes it: the real one runs when every microtask has.
const realImmediate = setImmediate

/** Let every microtask run, and nothing else. */
export function flush(): Promise<void> {
  return new Promise(resolve => {
    realImmediate(resolve)
  })
}

/** Let every microtask and everything that waits for the next macrotask run, without any time passing. */
export async function macrotask(): Promise<void> {
  await flush()
  vi.advanceTimersByTime(0)
  await flush()
}

/** Let time pass, with all microtasks after each timer. (`advanceTimersByTimeAsync` waits a real millisecond at each.) */
export async function pass(ms: number): Promise<void> {
  await flush()
  const end = { isReached: false }
  setTimeout(() => { end.isReached = true }, ms)
  while (!end.isReached) {
    vi.advanceTimersToNextTimer()
    await flush()
  }
  // What was set meanwhile for this very moment.
  await macrotask()
}

/** Fake time in every test of this file. */
export function useFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** What a promise has come to so far. */
export class Watch<T> {
  state: 'open' | 'resolved' | 'rejected' = 'open'
  value: T | undefined
  error: unknown

  constructor(promise: Promise<T>) {
    void this.#follow(promise)
  }

  async #follow(promise: Promise<T>): Promise<void> {
    try {
      this.value = await promise
      this.state = 'resolved'
    } catch (error) {
      this.error = error
      this.state = 'rejected'
    }
  }
}

/** Follow a promise; its rejection counts as handled. */
export function watch<T>(promise: Promise<T>): Watch<T> {
  return new Watch(promise)
}

/** Every rejection that nobody handled while a callback ran, and a little after. */
export async function unhandledRejections(callback: () => Promise<unknown>): Promise<unknown[]> {
  const seen: unknown[] = []
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', error => void seen.push(error))
  try {
    await callback()
    await flush()
    await flush()
  } finally {
    process.removeAllListeners('unhandledRejection')
    for (const listener of others) process.on('unhandledRejection', listener)
  }
  return seen
}
