// The plugin's configuration: what two deployments may want to differ in, and what each value may be.
import { z } from 'zod'
import { only } from './protocol/only.ts'
import { milliseconds, presenceSchema, surfacePolicySchema } from './protocol/policy.ts'
import type { RouterSettings } from './router/policies.ts'

const surfaceName = z.string().refine(name => name !== 'host' && name.trim() !== '', { error: ({ input }) => `"${String(input)}" is no surface` })

const NAMES = 'must be a list of names of surfaces, at least one'

// Without quotes some readers of YAML make a number of it.
const TIME = 'must be a time of day in quotes, from "00:00" to "23:59"'

const timeOfDay = z.string({ error: TIME }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: TIME })

const quiet = only({
  from: timeOfDay,
  to: timeOfDay,
  timeZone: z.string().refine(isTimeZone, { error: 'must be the name of a time zone, such as "Europe/Berlin"' }).optional(),
  surfaces: z.array(surfaceName, { error: NAMES }).min(1, { error: NAMES }),
}).refine(({ from, to }) => from !== to, { path: ['to'], error: 'must not be the same as from' })

/** Whether the clock of that name is known here. */
function isTimeZone(timeZone: string): boolean {
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    // What is no time zone is thrown as a RangeError.
    return false
  }
}

/**
 * The plugin's configuration.
 *
 * - `host`: `race` (default) asks the host's own UI together with the surfaces; `fallback` asks it only when every
 *   surface is out, or nobody watches those that are left.
 * - `surfaces`: by surface name, `delayMs` (ask only if the question is still open after that time), `timeoutMs` (take
 *   the surface out when it has not answered that long after being asked; never by default), `remindMs` (let it repeat
 *   itself each time the question has been open for so long) and `remindMax` (so often at most; default 3). Beside them,
 *   or in their place, the same for `home` and `away` alone; `false` there is "not asked in this mode".
 * - `rejoinMs`: how long a question whose last surface left waits for one to come (default 1,000).
 * - `presence`: where the person is at the start, `home` (default) or `away`.
 * - `quiet`: from when to when (`from`, `to`, as "22:00"; `timeZone`, default this machine's) which `surfaces` are asked
 *   silently.
 */
export const Config = only({
  host: z.enum(['race', 'fallback']).default('race'),
  surfaces: z.record(
    surfaceName,
    surfacePolicySchema,
    { error: issue => issue.code === 'invalid_key' ? issue.issues[0]!.message : 'must be an object of policies by the name of a surface' },
  ).default({}),
  rejoinMs: milliseconds.default(1000),
  presence: presenceSchema.default('home'),
  quiet: quiet.optional(),
}).prefault({})

/** The configuration as it is after validation. */
export type Config = RouterSettings
