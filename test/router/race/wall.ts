// The clock on the wall in a schedule: time zones as tables of what they are ahead of UTC, and quiet hours in minutes
// of the day. Nothing here knows how the router reads a clock.
import fc from 'fast-check'

const MINUTE = 60_000
const DAY = 1440

/** What a zone is ahead of UTC, in minutes, around an instant at which that may change. */
interface Zone {
  readonly name: string
  readonly edge: number
  readonly before: number
  readonly after: number
}

const zone = (name: string, edge: string, before: number, after = before): Zone => ({ name, edge: Date.parse(edge), before, after })

/** Summer time begins and ends by an hour or by half of one; elsewhere it is midnight, or nothing happens at all. */
const ZONES: readonly Zone[] = [
  zone('UTC', '2026-06-10T00:00Z', 0),
  zone('Asia/Kolkata', '2026-06-09T18:30Z', 330),
  zone('Europe/Berlin', '2026-03-29T01:00Z', 60, 120),
  zone('America/New_York', '2026-11-01T06:00Z', -240, -300),
  zone('Australia/Lord_Howe', '2026-04-04T15:00Z', 660, 630),
]

/** Quiet hours as a schedule has them. */
export interface QuietPlan {
  readonly zone: Zone
  /** Minutes of the day. */
  readonly from: number
  readonly to: number
  /** The surfaces that they are for, by number. */
  readonly who: readonly number[]
}

/** A time of day as the configuration writes it. */
export function written(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
}

function minuteOfDay({ edge, before, after }: Zone, instant: number): number {
  return (Math.floor(instant / MINUTE) + (instant < edge ? before : after) + DAY) % DAY
}

/** Whether it is quiet at an instant, in milliseconds since the epoch. */
export function isQuietAt({ zone: where, from, to }: QuietPlan, instant: number): boolean {
  const sinceFrom = (minuteOfDay(where, instant) - from + DAY) % DAY
  return sinceFrom < (to - from + DAY) % DAY
}

// Not a multiple of the schedule's unit from the minute, so that what happens on the minute has a time of its own.
const OFF_THE_MINUTE = 37

/** When a schedule begins, in milliseconds since the epoch, and its quiet hours. */
export const walls = (count: number) => fc.record({
  where: fc.constantFrom(...ZONES),
  minutesBefore: fc.integer({ min: -2, max: 4 }),
  into: fc.integer({ min: 0, max: 599 }),
  from: fc.oneof(fc.integer({ min: -5, max: 6 }), fc.constantFrom(-720, -60, -30, 28, 30, 58, 60, 62, 720)),
  length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constantFrom(30, 60, 61, 600, 1439)),
  who: fc.subarray([...Array(count).keys()], { minLength: Math.min(1, count) }),
  isSet: fc.constantFrom(true, true, true, false),
}).map(({ where, minutesBefore, into, from, length, who, isSet }) => {
  const start = where.edge - minutesBefore * MINUTE + into * 100 - OFF_THE_MINUTE
  const begins = (minuteOfDay(where, start) + from + DAY) % DAY
  const quiet: QuietPlan | undefined = isSet && who.length > 0 ? { zone: where, from: begins, to: (begins + length) % DAY, who } : undefined
  return { start, quiet }
})
