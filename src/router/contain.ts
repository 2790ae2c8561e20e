// Calls into a surface whose mistakes must not hurt the ask.
import type { Registration, RouterLog } from './world.ts'

/**
 * Call a method of a surface. What it throws, and what a promise of it rejects with, is logged and goes no further.
 *
 * @returns what the method returned; `undefined` when it threw.
 */
export function contain(log: RouterLog, { surface, name }: Registration, method: 'claim' | 'settled' | 'watched' | 'remind', ...args: unknown[]): unknown {
  try {
    const returned: unknown = (surface[method] as ((...given: unknown[]) => unknown) | undefined)?.apply(surface, args)
    if (returned && returned !== true) Promise.resolve(returned).catch(threw(log, name, method))
    return returned
  } catch (error) {
    threw(log, name, method)(error)
    return undefined
  }
}

// Made only when it is needed: every ask comes through here for every surface.
function threw(log: RouterLog, name: string, method: string) {
  return (error: unknown) => log.warn(`${method} of "${name}" threw`, error)
}
