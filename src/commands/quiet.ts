// /quiet: hush what makes a sound for a while, end that, or learn how things are.
import type { AskSurfaces } from '../protocol/surface.ts'
import { formatExactly } from './format.ts'
import type { CommandResult } from './host.ts'
import { surfaceInfos } from './surface-info.ts'
import type { CommandTexts } from './texts.ts'

const MINUTE = 60_000, HOUR = 60 * MINUTE, DAY = 24 * HOUR

/**
 * Do what follows `/quiet`.
 *
 * @param words as they were typed.
 * @returns what the person is told; `undefined` when the words say nothing that is known.
 */
export function setQuiet(askSurfaces: AskSurfaces, words: string, texts: CommandTexts): CommandResult | undefined {
  const wanted = words.normalize('NFKC').trim().toLowerCase()
  if (wanted === '') return { kind: 'success', text: stateOf(askSurfaces, texts) }
  if (wanted === 'off') {
    const said = askSurfaces.hushedUntil === undefined ? texts.quiet.wasLoud : texts.quiet.over
    askSurfaces.hush(undefined)
    return { kind: 'success', text: texts.sentence(said, hoursOf(askSurfaces, texts)) }
  }
  const until = endOf(wanted, Date.now())
  if (until === undefined) return undefined
  askSurfaces.hush(until)
  return { kind: 'success', text: stateOf(askSurfaces, texts) }
}

/** "Quiet until 19:24 (60 min)."; `undefined` while it is not hushed. */
export function hushedNote({ hushedUntil }: AskSurfaces, texts: CommandTexts): string | undefined {
  if (hushedUntil === undefined) return undefined
  const left = Math.ceil((hushedUntil - Date.now()) / MINUTE) * MINUTE
  return texts.quiet.until(clockTime(hushedUntil, texts), formatExactly(left, texts))
}

/** How things are: until when it is quiet, and where. */
function stateOf(askSurfaces: AskSurfaces, texts: CommandTexts): string {
  const note = hushedNote(askSurfaces, texts)
  if (note === undefined) return texts.sentence(texts.quiet.loud, hoursOf(askSurfaces, texts))
  const quiet = surfaceInfos(askSurfaces).filter(one => one.quiet)
  const silent = quiet.filter(one => one.silent), waiting = quiet.filter(one => !one.silent)
  return texts.sentence(note, [
    ...silent.length > 0 ? [texts.quiet.silently(namesOf(silent, texts))] : [],
    ...waiting.length > 0 ? [texts.quiet.waits(namesOf(waiting, texts))] : [],
    ...quiet.length === 0 ? [texts.quiet.nobody] : [],
  ])
}

/** Who is in its quiet hours, while it is not hushed. */
function hoursOf(askSurfaces: AskSurfaces, texts: CommandTexts): string[] {
  const quiet = surfaceInfos(askSurfaces).filter(one => one.quiet)
  return quiet.length > 0 ? [texts.quiet.hours(namesOf(quiet, texts))] : []
}

function namesOf(infos: readonly { readonly label: string }[], texts: CommandTexts): string {
  return infos.map(({ label }) => label).join(texts.and)
}

/** When a time that was typed is over: `30m`, `1h`, `2h30m`, `until 07:00`. From a minute to a day. */
function endOf(wanted: string, now: number): number | undefined {
  const [, hour, minute] = /^(?:until|到|至)\s*(\d{1,2}):(\d{2})$/.exec(wanted) ?? []
  if (hour !== undefined) return nextTime(Number(hour), Number(minute), now)
  const [all, hours = '0', minutes = '0'] = /^(?:(\d{1,2})\s*(?:h|小时))?\s*(?:(\d{1,4})\s*(?:m|min|分钟|分))?$/.exec(wanted) ?? []
  const ms = Number(hours) * HOUR + Number(minutes) * MINUTE
  return all !== undefined && ms > 0 && ms <= DAY ? now + ms : undefined
}

/** The next time at which the clock on the wall here shows that. */
function nextTime(hour: number, minute: number, now: number): number | undefined {
  if (hour > 23 || minute > 59) return undefined
  const time = new Date(now)
  time.setHours(hour, minute, 0, 0)
  // The day's length differs where summer time begins or ends.
  if (time.getTime() <= now) time.setDate(time.getDate() + 1)
  return time.getTime()
}

/** The time of day here, with the day of the week if that is not today. */
function clockTime(ms: number, { lang }: CommandTexts): string {
  const day = (at: number) => new Date(at).toDateString()
  return new Intl.DateTimeFormat(lang === 'zh' ? 'zh-CN' : 'en-GB', {
    hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...day(ms) === day(Date.now()) ? {} : { weekday: 'short' },
  }).format(ms)
}
