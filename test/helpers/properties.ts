// No property runs for ever: one that fails is not made simpler for longer than this, and what was found until then is
// reported. (Nothing here can end a single run that does not end: for that CI has its own limits.)
import * as fc from 'fast-check'

/** Less than the time-outs of the properties that wait for something, in milliseconds; all take some seconds. */
const LIMIT_MS = 45_000

fc.installGlobalPlugin(fc.interruptAfterTimeLimit(LIMIT_MS, { failOnInterrupt: true }))
