// No property runs for ever: one that fails is not made simpler for longer than this, and what was found until then is
// reported. (Nothing here can end a single run that does not end: for that CI has its own limits.)
import * as fc from 'fast-check'

/** How many schedules with moves from inside calls are run at least; CI's long run says so (`npm run test:long`). */
export const SCHEDULES = Number(process.env['SCHEDULES'] ?? 0)

/** How many schedules there are of a source whose own dialog may be quicker, and of settings that `connect` writes to; more in the long run. */
export const SOURCE_RUNS = Number(process.env['SOURCE_RUNS'] ?? 300)

/** In milliseconds. All take some seconds, on a machine that is busy with something else some more. */
const LIMIT_MS = 200_000 + 50 * SCHEDULES

fc.installGlobalPlugin(fc.interruptAfterTimeLimit(LIMIT_MS, { failOnInterrupt: true }))
