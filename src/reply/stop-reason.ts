// Why a surface's `context.signal` aborted, read from the code of its reason (docs/routing.md, rule 18).

/**
 * Why a surface should stop showing a question: somebody else settled it (`settled` says who), it ended without an answer, or
 * this surface was taken out. A time-out is no reason: it does not deafen.
 */
export type StopReason = 'settled' | 'aborted' | 'gone'

const BY_CODE: Readonly<Record<string, StopReason>> = { ASK_SETTLED: 'settled', SURFACE_GONE: 'gone' }

/**
 * Read why a signal aborted.
 *
 * @param signal the `context.signal` of a surface, aborted.
 * @returns `aborted` for every other reason.
 */
export function stopReasonOf({ reason }: AbortSignal): StopReason {
  const { code } = Object(reason) as { readonly code?: unknown }
  return typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code]! : 'aborted'
}
