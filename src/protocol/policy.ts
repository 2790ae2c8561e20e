// When a surface is asked, for how long, and how often it is reminded: policies, with values for home and away.
import { eitherOf, strictObject, z } from './zod.ts'

/** Where the person is: at the desk, or out. */
export type Presence = 'home' | 'away'

/** When one surface is asked and for how long, in milliseconds. */
export interface SurfaceTiming {
  /** Ask only if the ask is still open after this time, counted from its opening. Default: at once. */
  readonly delayMs?: number | undefined
  /** Take the surface out when it has not answered this long after being asked. Default: never. */
  readonly timeoutMs?: number | undefined
  /** Remind the surface each time the ask has been open this long since it was last shown. Default: never. */
  readonly remindMs?: number | undefined
  /** Remind it at most this often. Default: {@link REMIND_MAX}. */
  readonly remindMax?: number | undefined
}

/** Values by mode. Those beside `home` and `away` hold in both; `false` is "not asked in this mode". */
export interface ModePolicy extends SurfaceTiming {
  readonly home?: SurfaceTiming | false | undefined
  readonly away?: SurfaceTiming | false | undefined
}

/** The policy of one surface. */
export interface SurfacePolicy extends ModePolicy {
  /** What differs for approvals; a value that is not here is that of questions. */
  readonly approvals?: ModePolicy | undefined
}

/** How often a surface is reminded at most when its policy does not say. */
export const REMIND_MAX = 3

/** The longest time that a timer can wait, in milliseconds (24.8 days). */
const MAX_MS = 2_147_483_647

/** Schema of a time in milliseconds. */
export const milliseconds = millisecondsFrom(0)

/** Schema of {@link Presence}. */
export const presenceSchema = z.enum(['home', 'away'])

const COUNT = 'must be a whole number from 0'

function millisecondsFrom(least: number) {
  const error = `must be a whole number of milliseconds from ${least} to ${MAX_MS}`
  return z.int({ error }).min(least, { error }).max(MAX_MS, { error })
}

const timing = {
  delayMs: milliseconds.optional(),
  timeoutMs: milliseconds.optional(),
  remindMs: millisecondsFrom(1).optional(),
  remindMax: z.int({ error: COUNT }).min(0, { error: COUNT }).optional(),
}

const values = strictObject(timing, 'must be false, or values such as { delayMs: 60000 }')

const inOneMode = eitherOf<SurfaceTiming | false>(given => given === false ? undefined : values)

const byMode = { ...timing, home: inOneMode, away: inOneMode }

/** Schema of {@link SurfacePolicy}. */
export const surfacePolicySchema = strictObject({ ...byMode, approvals: strictObject(byMode).optional() })

/** The values of a surface without a policy. */
export const NO_TIMING: SurfaceTiming = {}

/** The values of both, the second one's first. `undefined`, as code may pass it on, says nothing. */
function over(first: SurfaceTiming, second: SurfaceTiming): SurfaceTiming {
  const given = Object.entries(second).filter(([, value]) => value !== undefined)
  return { ...first, ...Object.fromEntries(given) }
}

/**
 * What a policy says about one mode.
 *
 * @returns `undefined` when it says nothing.
 */
function said(policy: ModePolicy, presence: Presence): SurfaceTiming | false | undefined {
  const own = policy[presence]
  if (own === false) return false
  const both = Object.fromEntries(Object.keys(timing).map(key => [key, policy[key as keyof SurfaceTiming]]))
  const inForce = over(over({}, both), own ?? {})
  return own || Object.keys(inForce)[0] ? inForce : undefined
}

/**
 * What holds for a surface in one mode.
 *
 * @param own the surface's own policy, if it has one.
 * @param configured the one that the configuration has for its name. It overrides the surface's own, value by value.
 * @param forApprovals whether what differs for approvals holds.
 * @returns `false` when the surface is not asked in this mode.
 */
export function timingIn(
  presence: Presence, own: SurfacePolicy | undefined, configured: SurfacePolicy | undefined, forApprovals = false,
): SurfaceTiming | false {
  let inForce: SurfaceTiming | false = NO_TIMING
  for (const policy of forApprovals ? [own, own?.approvals, configured, configured?.approvals] : [own, configured]) {
    const more = policy && said(policy, presence)
    if (more !== undefined) inForce = more && over(inForce || {}, more)
  }
  return inForce
}
