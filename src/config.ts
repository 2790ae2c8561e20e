// The plugin's configuration: its values, their defaults, and what each may be.
import { milliseconds, presenceSchema, surfacePolicySchema } from './protocol/policy.ts'
import { isHostName } from './protocol/surface.ts'
import { eitherOf, strictObject, z } from './protocol/zod.ts'
import type { RouterSettings } from './router/policies.ts'
import { daysOf, type QuietHours } from './router/quiet.ts'

const surfaceName = z.string().refine(name => !isHostName(name) && name.trim() !== '', { error: ({ input }) => `"${String(input)}" is no surface` })

const NAMES = 'must be a list of names of surfaces, at least one'

// Without quotes, some YAML parsers read it as a number.
const TIME = 'must be a time of day in quotes, from "00:00" to "23:59"'

const timeOfDay = z.string({ error: TIME }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: TIME })

const DAY = 'must be a list of days, such as [mon-fri, sun]'

const day = z.string({ error: DAY }).refine(text => daysOf(text) !== undefined, { error: DAY })

const quietHours = strictObject({
  days: z.array(day, { error: DAY }).min(1, { error: DAY }).optional(),
  from: timeOfDay,
  to: timeOfDay,
  timeZone: z.string().refine(isTimeZone, { error: 'must be the name of a time zone, such as "Europe/Berlin"' }).optional(),
  surfaces: z.array(surfaceName, { error: NAMES }).min(1, { error: NAMES }),
}).refine(({ from, to }) => from !== to, { path: ['to'], error: 'must not be the same as from' })

const quiet = eitherOf<QuietHours | readonly QuietHours[]>(given => Array.isArray(given) ? z.array(quietHours) : quietHours)

/** Whether this machine knows a time zone of that name. */
function isTimeZone(timeZone: string): boolean {
  try {
    return !!new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    // A RangeError: there is no such time zone.
    return false
  }
}

/**
 * The plugin's configuration.
 *
 * - `host`: `race` (default) asks every UI of the host together with the surfaces; `first` only the first of them, which may
 *   keep the question from the others; `fallback` asks all of them, but only when every surface is out, or nobody watches those
 *   that are left.
 * - `approvals`: `race` (default) routes approvals (a tool needs permission) to the surfaces that take them; `off` leaves them
 *   to the host.
 * - `surfaces`: policies by surface name. `delayMs`: ask only if the question is still open after that time. `timeoutMs`:
 *   take the surface out when it has not answered that long after being asked (default: never). `remindMs`: remind it
 *   each time the question has been open that long since it was last shown (default: never). `remindMax`: at most that
 *   often (default 3). `home` and `away` take the same values for one mode; `false` there is "not asked in this mode".
 *   `approvals` takes the same values again, for what differs for approvals.
 * - `rejoinMs`: how long a question whose last surface left waits for another one (default 1,000).
 * - `presence`: where the person is at the start, `home` (default) or `away`.
 * - `quiet`: the quiet hours, or a list of several. `from` and `to`, as "22:00"; `days` on which they begin, as
 *   `[mon-fri, sun]`, by default every day; `timeZone`, by default this machine's; the `surfaces` they hold for.
 */
export const Config = strictObject({
  host: z.enum(['race', 'first', 'fallback']).default('race'),
  approvals: z.enum(['race', 'off']).default('race'),
  surfaces: z.record(
    surfaceName,
    surfacePolicySchema,
    { error: issue => issue.code === 'invalid_key' ? issue.issues[0]!.message : 'must be an object of policies by the name of a surface' },
  ).default({}),
  rejoinMs: milliseconds.default(1000),
  presence: presenceSchema.default('home'),
  quiet,
}).prefault({})

/** The validated configuration. */
export type Config = RouterSettings
