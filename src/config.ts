// The plugin's configuration: what two deployments may want to differ in, and what each value may be.
import { z } from 'zod'
import type { RouterSettings } from './router/world.ts'

/** The longest time that a timer can wait, in milliseconds (24.8 days). */
const MAX_MS = 2_147_483_647

const milliseconds = z.int().min(0).max(MAX_MS)

/** An object of these keys; one that has others is told which it may have. */
function only<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue => issue.code === 'unrecognized_keys'
      ? `unknown key ${issue.keys.join(', ')}; it may be ${Object.keys(shape).join(', ')}`
      : undefined,
  })
}

/**
 * The plugin's configuration.
 *
 * - `host`: `race` (default) asks the host's own UI together with the surfaces; `fallback` asks it only when every
 *   surface is out.
 * - `surfaces`: by surface name, `delayMs` (ask only if the question is still open after that time) and `timeoutMs`
 *   (take the surface out when it has not answered that long after being asked). No timeout by default.
 * - `rejoinMs`: how long a question whose last surface left waits for one to come (default 1,000).
 */
export const Config = only({
  host: z.enum(['race', 'fallback']).default('race'),
  surfaces: z.record(
    z.string().refine(name => name !== 'host'),
    only({ delayMs: milliseconds.optional(), timeoutMs: milliseconds.optional() }),
    { error: issue => issue.code === 'invalid_key' ? '"host" is no surface' : undefined },
  ).default({}),
  rejoinMs: milliseconds.default(1000),
}).prefault({})

/** The configuration as it is after validation. */
export type Config = RouterSettings
