// A point in time, as people here write it: the day only if it is another one.
import type { Lang } from '../../../reply/lang.ts'

/** A time as text. */
export function timeOf(at: number, lang: Lang): string {
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  // British and American English write times differently.
  const format = new Intl.DateTimeFormat(navigator.languages.find(tag => tag.startsWith(lang)) ?? lang, { timeStyle: 'short', ...!today && { dateStyle: 'medium' } })
  return format.format(date)
}
