// Times and policies in words.
import { REMIND_MAX, type SurfaceTiming } from '../protocol/policy.ts'
import type { CommandTexts, Unit } from './texts.ts'

const UNITS: readonly (readonly [Unit, number])[] = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000], ['ms', 1]]

/**
 * A configured time, exactly: in the largest unit of which there are several and no fraction, so "60 s" and "5 min".
 *
 * @param ms milliseconds.
 */
export function exactly(ms: number, texts: CommandTexts): string {
  const [unit, size] = UNITS.find(([name, one]) => ms % one === 0 && ms / one >= (name === 's' ? 1 : 2)) ?? UNITS.at(-1)!
  return texts.time(ms / size, unit)
}

/**
 * A time that goes on, rounded down to the largest unit of which there are several; seconds at least.
 *
 * @param ms milliseconds; less than none counts as none, since clocks are set back.
 */
export function roughly(ms: number, texts: CommandTexts): string {
  const [unit, size] = UNITS.find(([name, one]) => name === 's' || ms >= 2 * one)!
  return texts.time(Math.floor(Math.max(0, ms) / size), unit)
}

/**
 * When a surface is asked in one mode, and how insistently.
 *
 * @param timing the policy's values; `false` when it is not asked.
 * @param reminds whether the surface repeats itself at all.
 */
export function policyInWords(timing: SurfaceTiming | false, reminds: boolean, texts: CommandTexts): string {
  if (!timing) return texts.notAsked
  const { delayMs = 0, timeoutMs, remindMs, remindMax = REMIND_MAX } = timing
  const parts = [when(delayMs, texts)]
  if (reminds && remindMs !== undefined && remindMax > 0) parts.push(texts.reminder(exactly(remindMs, texts), remindMax))
  if (timeoutMs !== undefined) parts.push(texts.givenUp(exactly(timeoutMs, texts)))
  return parts.join(texts.comma)
}

/** When a surface with this delay is asked. */
export function when(delayMs: number, texts: CommandTexts): string {
  return delayMs > 0 ? texts.after(exactly(delayMs, texts)) : texts.atOnce
}

/**
 * As much of a text as stands well in a line.
 *
 * @param most how many characters at most.
 */
export function short(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('').trimEnd()}…`
}
