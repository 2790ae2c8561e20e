// Quiet hours: whether the wall clock of one time zone is between two times of day.

/** Quiet hours as they are configured. */
export interface QuietHours {
  /** When they begin, as `HH:MM` on a 24-hour clock. */
  readonly from: string
  /** When they end; before `from`, they go across midnight. */
  readonly to: string
  /** The IANA name of the zone. Default: the process's own. */
  readonly timeZone?: string | undefined
  /** The surfaces that they are for, by name. */
  readonly surfaces: readonly string[]
}

/**
 * Make the question whether it is quiet now.
 *
 * The clock on the wall is read each time, so that sleep and daylight saving need no care: an hour that is skipped is
 * not quiet, one that comes twice is quiet twice.
 *
 * @returns says whether the hours hold for a surface of that name at this moment.
 */
export function quietNow({ from, to, timeZone, surfaces }: QuietHours): (name: string) => boolean {
  // Writes midnight as 00:00; such times of day are in the order of their text.
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })
  return (name) => {
    if (!surfaces.includes(name)) return false
    const now = clock.format(Date.now())
    return from < to ? from <= now && now < to : from <= now || now < to
  }
}
