// Times and policies for the commands' results.
import { REMIND_MAX, type SurfaceTiming } from '../protocol/policy.ts'
import type { CommandTexts, Unit } from './texts.ts'

const UNITS: readonly (readonly [Unit, number])[] = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000], ['ms', 1]]

/**
 * A configured time, without rounding, in the largest unit that gives a whole number of 2 or more: "60 s", "5 min".
 *
 * @param ms milliseconds.
 */
export function formatExactly(ms: number, texts: CommandTexts): string {
  const [unit, size] = UNITS.find(([name, one]) => ms % one === 0 && ms / one >= (name === 's' ? 1 : 2)) ?? UNITS.at(-1)!
  return texts.time(ms / size, unit)
}

/**
 * A time that is running, rounded down to the largest unit that gives 2 or more; never finer than seconds.
 *
 * @param ms milliseconds; a negative time counts as 0, since clocks get set back.
 */
export function formatRoughly(ms: number, texts: CommandTexts): string {
  const [unit, size] = UNITS.find(([name, one]) => name === 's' || ms >= 2 * one)!
  return texts.time(Math.floor(Math.max(0, ms) / size), unit)
}

/**
 * When a surface is asked in one mode, how often it reminds and how long it is waited for.
 *
 * @param timing the policy's values; `false` when it is not asked.
 * @param canRemind whether the surface can be reminded.
 */
export function formatTiming(timing: SurfaceTiming | false, canRemind: boolean, texts: CommandTexts): string {
  if (!timing) return texts.notAsked
  const { delayMs = 0, timeoutMs, remindMs, remindMax = REMIND_MAX } = timing
  const parts = [formatDelay(delayMs, texts)]
  if (canRemind && remindMs !== undefined && remindMax > 0) parts.push(texts.reminder(formatExactly(remindMs, texts), remindMax))
  if (timeoutMs !== undefined) parts.push(texts.waitedFor(formatExactly(timeoutMs, texts)))
  return parts.join(texts.comma)
}

/** When a surface with this delay is asked. */
export function formatDelay(delayMs: number, texts: CommandTexts): string {
  return delayMs > 0 ? texts.after(formatExactly(delayMs, texts)) : texts.atOnce
}
