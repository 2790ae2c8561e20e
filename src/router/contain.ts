// Calls into a surface whose mistakes must not hurt the ask.
import type { Registration, RouterLog } from './world.ts'

/**
 * Call a method of a surface. What it throws, and what a promise of it rejects with, is logged and goes no further.
 *
 * @returns what the method returned; `undefined` when it threw.
 */
export function contain(log: RouterLog, { name }: Registration, method: 'claim' | 'settled', call: () => unknown): unknown {
  const threw = (error: unknown) => log.warn(`${method} of "${name}" threw`, error)
  try {
    const returned = call()
    if (returned && returned !== true) Promise.resolve(returned).catch(threw)
    return returned
  } catch (error) {
    threw(error)
    return undefined
  }
}
