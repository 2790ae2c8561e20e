// When a surface is asked, and how insistently: the values of a policy, per presence of the person.
import { z } from 'zod'
import { only } from './only.ts'

/** Where the person is: at the desk, or out. */
export type Presence = 'home' | 'away'

/** When one surface is asked and for how long, in milliseconds. */
export interface SurfaceTiming {
  /** Ask only if the ask is still open after this time, counted from its opening. Default: at once. */
  readonly delayMs?: number | undefined
  /** Take the surface out when it has not answered this long after being asked. Default: never. */
  readonly timeoutMs?: number | undefined
  /** Let the surface repeat itself each time the ask has been open for so long since it was last shown. Default: never. */
  readonly remindMs?: number | undefined
  /** How often at most. Default: {@link REMIND_MAX}. */
  readonly remindMax?: number | undefined
}

/** The values of one surface. Those beside `home` and `away` count in both; `false` is "not asked in this mode". */
export interface SurfacePolicy extends SurfaceTiming {
  readonly home?: SurfaceTiming | false | undefined
  readonly away?: SurfaceTiming | false | undefined
}

/** How often a surface repeats itself where a policy does not say. */
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

const values = only(timing)

// No union: its error would not name the value that is wrong.
const inOneMode = z.unknown().transform((given, context): SurfaceTiming | false | undefined => {
  if (given === false || given === undefined) return given
  const { data, error } = values.safeParse(given)
  for (const { code, path, message } of error?.issues ?? []) {
    const isNoObject = code === 'invalid_type' && path.length === 0
    context.addIssue({ code: 'custom', path, message: isNoObject ? 'must be false, or values such as { delayMs: 60000 }' : message })
  }
  return data
}).optional()

/** Schema of {@link SurfacePolicy}. */
export const surfacePolicySchema = only({ ...timing, home: inOneMode, away: inOneMode })

/** What holds for a surface that nobody gave a policy. */
export const NO_TIMING: SurfaceTiming = {}

/**
 * What a policy says of one mode.
 *
 * @returns `undefined` when it says nothing of it.
 */
function said({ home, away, ...both }: SurfacePolicy, presence: Presence): SurfaceTiming | false | undefined {
  const own = presence === 'home' ? home : away
  if (own === false) return false
  return own || Object.keys(both)[0] ? { ...both, ...own } : undefined
}

/**
 * What holds for a surface in one mode.
 *
 * @param own the policy that the surface carries, if it does.
 * @param configured the one that the configuration has for its name; it overrides the surface's own, value by value.
 * @returns `false` when the surface is not asked in this mode.
 */
export function timingIn(
  presence: Presence, own: SurfacePolicy | undefined, configured: SurfacePolicy | undefined,
): SurfaceTiming | false {
  const first = (own && said(own, presence)) ?? NO_TIMING
  const second = configured && said(configured, presence)
  if (second === undefined) return first
  return second && { ...first, ...second }
}
