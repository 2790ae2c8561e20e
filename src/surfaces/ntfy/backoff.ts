// How long to wait before trying again, and a wait that can be cut short.

/** Waits grow from the first to the longest, in milliseconds. */
export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * The wait before one more attempt: twice the one before, and by chance up to half less, so that many who were cut off
 * together do not come back together.
 *
 * @param failures how many attempts have failed, at least one.
 * @returns milliseconds.
 */
export function backoffDelay(failures: number, { firstMs, longestMs }: Backoff): number {
  const most = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30))
  return Math.round(most * (1 - Math.random() / 2))
}

/** Wait, or until a signal aborts. Never rejects. */
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
