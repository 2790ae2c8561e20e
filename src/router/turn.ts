// The signal of a turn: one listener of ours on it, however many asks it ends. Adding one to an EventTarget reads all that are
// there, so with a listener for each ask many asks on one signal would cost the square of their number.

const endings = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Call back when a signal aborts.
 *
 * @param signal unchecked: what is no signal never aborts.
 * @returns a function that ends it. The last one takes the listener off.
 */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (typeof signal?.addEventListener !== 'function') return () => {}
  const ends = endings.get(signal) ?? new Set()
  if (ends.size === 0) {
    endings.set(signal, ends)
    signal.addEventListener('abort', endAll)
  }
  ends.add(end)
  return () => {
    ends.delete(end)
    if (ends.size === 0) signal.removeEventListener?.('abort', endAll)
  }
}

function endAll(this: AbortSignal): void {
  for (const end of endings.get(this)!) end()
}
