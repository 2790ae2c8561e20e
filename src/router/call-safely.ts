// Calls of a surface's methods whose mistakes must not hurt the ask.
import type { AskSurface } from '../protocol/surface.ts'
import type { RouterLog } from './log.ts'

/**
 * Call a method of a surface. What it throws, and what a promise of it rejects with, is logged and goes no further.
 *
 * @returns what the method returned; `undefined` when it threw or is not there.
 */
export function callSafely(
  log: RouterLog, { surface, name }: { readonly surface: AskSurface, readonly name: string },
  method: 'claim' | 'settled' | 'watched' | 'remind' | 'late', ...args: unknown[]
): unknown {
  try {
    const returned: unknown = (surface[method] as ((...given: unknown[]) => unknown) | undefined)?.apply(surface, args)
    if (returned && returned !== true) Promise.resolve(returned).catch(logError(log, name, method))
    return returned
  } catch (error) {
    logError(log, name, method)(error)
    return undefined
  }
}

// Made only when it is needed: every ask comes through here for every surface.
function logError(log: RouterLog, name: string, method: string) {
  return (error: unknown) => log.warn(`${method} of "${name}" threw`, error)
}
