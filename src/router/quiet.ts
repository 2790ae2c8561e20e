// Quiet hours: whether the wall clock of a time zone is between two times of day, on the days for which they are set (rule 22
// of docs/routing.md).

/** Quiet hours as they are configured. */
export interface QuietHours {
  /** The days on which they begin, as `mon` or `mon-fri`. Default: every day. */
  readonly days?: readonly string[] | undefined
  /** When they begin, as `HH:MM` on a 24-hour clock. */
  readonly from: string
  /** When they end. Before `from`, they cross midnight. */
  readonly to: string
  /** The IANA name of the zone. Default: the process's own. */
  readonly timeZone?: string | undefined
  /** The names of the surfaces that they hold for. */
  readonly surfaces: readonly string[]
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/**
 * Read a day, or a range of days.
 *
 * @param text as `mon` or `mon-fri`; `sat-mon` goes across the end of the week.
 * @returns whether each day of the week, from Monday, is meant; `undefined` when it names none.
 */
export function daysOf(text: string): boolean[] | undefined {
  const [first, last = first, ...more] = text.split('-').map(day => DAYS.indexOf(day)) as [number, ...number[]]
  if (first < 0 || last < 0 || more.length > 0) return undefined
  return DAYS.map((_, at) => first <= last ? first <= at && at <= last : first <= at || at <= last)
}

/**
 * Make a function that says whether it is quiet now for the surface of a name.
 *
 * It reads the wall clock at each call, so that it follows sleep and daylight saving: an hour that is skipped is not
 * quiet, one that comes twice is quiet twice.
 */
export function quietNow(hours: readonly QuietHours[]): (name: string) => boolean {
  const windows = hours.map(({ days = DAYS, from, to, timeZone, surfaces }) => {
    const ranges = days.map(day => daysOf(day)!)
    const begins = DAYS.map((_, at) => ranges.some(range => range[at]))
    // This locale writes "Mon 00:00" at midnight, so times of day compare as text.
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
    return (name: string) => {
      if (!surfaces.includes(name)) return false
      const text = clock.format(Date.now()), now = text.slice(-5), today = DAYS.indexOf(text.slice(0, 3).toLowerCase())
      if (from < to) return from <= now && now < to && begins[today]
      // After midnight it is still the night that began the day before.
      return from <= now ? begins[today] : now < to && begins.at(today - 1)
    }
  })
  return name => windows.some(isQuiet => isQuiet(name))
}
