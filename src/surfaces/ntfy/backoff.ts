// Delays between attempts.

/** Delays grow from the first to the longest, in milliseconds. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * The delay before the next attempt. It doubles each time, and a random part of up to half is taken off, so that clients
 * that were cut off together do not all come back at once.
 *
 * @param failures how many attempts have failed, at least one.
 * @returns milliseconds.
 */
export function backoffDelay(failures: number, { firstMs, longestMs }: Backoff): number {
  const most = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(most * (1 - Math.random() / 2))
}

/** Wait for a time, or until one of the signals aborts. Never rejects. */
export function pause(ms: number, ...signals: AbortSignal[]): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    for (const signal of signals) signal.addEventListener('abort', end)
    if (signals.some(({ aborted }) => aborted)) end()
  })
}
