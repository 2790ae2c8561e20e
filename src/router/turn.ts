// The signal of a turn: one listener of ours on it, however many asks it ends. Adding one to an EventTarget reads all that are
// there, so with a listener for each ask many asks on one signal would cost the square of their number.

interface Waiting {
  readonly asks: Set<() => void>
  readonly listener: () => void
}

const waiting = new WeakMap<AbortSignal, Waiting>()

/**
 * Call back when a signal aborts.
 *
 * @param signal unchecked: what is no signal never aborts.
 * @returns a function that ends it. The last one takes the listener off.
 */
export function onAbort(signal: AbortSignal | undefined, abort: () => void): () => void {
  if (typeof signal?.addEventListener !== 'function') return () => {}
  let one = waiting.get(signal)
  if (!one) {
    const asks = new Set<() => void>()
    one = { asks, listener: () => { for (const end of asks) end() } }
    signal.addEventListener('abort', one.listener)
    waiting.set(signal, one)
  }
  const { asks, listener } = one
  asks.add(abort)
  return () => {
    asks.delete(abort)
    if (asks.size > 0) return
    waiting.delete(signal)
    signal.removeEventListener?.('abort', listener)
  }
}
