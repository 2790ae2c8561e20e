// Quiet hours: whether the wall clock of a time zone is between two times of day (rule 22 of docs/routing.md).

/** Quiet hours as they are configured. */
export interface QuietHours {
  /** When they begin, as `HH:MM` on a 24-hour clock. */
  readonly from: string
  /** When they end. Before `from`, they cross midnight. */
  readonly to: string
  /** The IANA name of the zone. Default: the process's own. */
  readonly timeZone?: string | undefined
  /** The names of the surfaces that they hold for. */
  readonly surfaces: readonly string[]
}

/**
 * Make a function that says whether it is quiet now for the surface of a name.
 *
 * It reads the wall clock at each call, so that it follows sleep and daylight saving: an hour that is skipped is not
 * quiet, one that comes twice is quiet twice.
 */
export function quietNow({ from, to, timeZone, surfaces }: QuietHours): (name: string) => boolean {
  // This locale writes midnight as 00:00, so times of day compare as text.
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
  return (name) => {
    if (!surfaces.includes(name)) return false
    const now = clock.format(Date.now())
    return from < to ? from <= now && now < to : from <= now || now < to
  }
}
