// Shorter waits for tests with real sockets: each takes a twentieth of its time. For `vi.mock` of backoff.ts.
import type * as backoff from '../../../src/surfaces/ntfy/backoff.ts'

type Backoff = typeof backoff

/** The delays between attempts. */
export async function quickBackoff(original: () => Promise<Backoff>): Promise<Backoff> {
  const real = await original()
  return { ...real, backoffDelay: (...args) => real.backoffDelay(...args) / 20 }
}

/** These, and all other waits, such as the one for the last pushes. */
export async function quickPauses(original: () => Promise<Backoff>): Promise<Backoff> {
  const real = await original()
  return { ...real, pause: (ms, ...signals) => real.pause(ms / 20, ...signals) }
}
