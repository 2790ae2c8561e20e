// When a surface that shows an open ask draws attention to it once more.
import { NO_TIMING, REMIND_MAX } from '../protocol/policy.ts'
import type { Registration, World } from './world.ts'

/** The reminders of one surface for one ask, from being asked to its end. */
export class Reminder {
  readonly #entry: Registration
  readonly #world: World
  /** Whether it was asked although it is not to be asked in this mode, because nobody else was left. */
  readonly #isLastResort: boolean
  readonly #remind: () => unknown
  #shownAt = performance.now()
  #count = 0
  /** Whether it was quiet since it was shown last: it is reminded when that ends. */
  #owed = false
  #timer: NodeJS.Timeout | undefined
  /** What {@link Reminder.#timer} was set to. */
  #everyMs: number | undefined
  #stopped = false

  /** @param remind draws attention. */
  constructor(entry: Registration, world: World, isLastResort: boolean, remind: () => unknown) {
    this.#entry = entry
    this.#world = world
    this.#isLastResort = isLastResort
    this.#remind = remind
    this.reconsider()
  }

  /** Wait for the next reminder as the policy in force says, or remind at once when the quiet hours are over. */
  reconsider(): void {
    if (this.#stopped) return
    const timing = this.#world.timing(this.#entry), isQuiet = this.#world.isQuiet(this.#entry)
    this.#owed ||= isQuiet
    if (this.#owed && !isQuiet && (timing || this.#isLastResort)) {
      this.#owed = false
      return this.#now()
    }
    const { remindMs, remindMax = REMIND_MAX } = timing || NO_TIMING
    const everyMs = this.#owed || this.#count >= remindMax ? undefined : remindMs
    // A timer that runs is not set anew.
    if (everyMs === this.#everyMs) return
    clearTimeout(this.#timer)
    this.#everyMs = everyMs
    if (everyMs !== undefined) this.#timer = setTimeout(() => this.#due(), everyMs - (performance.now() - this.#shownAt))
  }

  /** No reminder any more. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #due(): void {
    this.#everyMs = undefined
    // The machine may have slept into the quiet hours.
    if (this.#world.isQuiet(this.#entry)) return this.reconsider()
    this.#count++
    this.#now()
  }

  #now(): void {
    clearTimeout(this.#timer)
    this.#everyMs = undefined
    this.#shownAt = performance.now()
    this.#remind()
    this.reconsider()
  }
}
