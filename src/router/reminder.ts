// When a surface that shows an open ask draws attention to it once more.
import { NO_TIMING, REMIND_MAX } from '../protocol/policy.ts'
import type { Registration, World } from './world.ts'

/** The reminders of one surface for one ask, from being asked to its end. */
export class Reminder {
  readonly #entry: Registration
  readonly #world: World
  readonly #remind: () => unknown
  #shownAt = Date.now()
  #count = 0
  /** Whether it was shown silently, or kept silent, and is reminded when the quiet hours end. */
  #owed: boolean
  #timer: NodeJS.Timeout | undefined
  /** What {@link Reminder.#timer} was set to. */
  #everyMs: number | undefined
  #stopped = false

  /** @param remind draws attention. */
  constructor(entry: Registration, world: World, remind: () => unknown) {
    this.#entry = entry
    this.#world = world
    this.#owed = world.isQuiet(entry)
    this.#remind = remind
    this.reconsider()
  }

  /** Wait for the next reminder as the policy in force says, or remind at once when the quiet hours are over. */
  reconsider(): void {
    if (this.#stopped) return
    const timing = this.#world.timing(this.#entry)
    if (timing && this.#owed && !this.#world.isQuiet(this.#entry)) {
      this.#owed = false
      return this.#now()
    }
    const { remindMs, remindMax = REMIND_MAX } = timing || NO_TIMING
    const everyMs = this.#owed || this.#count >= remindMax ? undefined : remindMs
    // A timer that runs is not set anew: the wall clock may have been set since.
    if (everyMs === this.#everyMs) return
    clearTimeout(this.#timer)
    this.#everyMs = everyMs
    if (everyMs !== undefined) this.#timer = setTimeout(() => this.#due(), everyMs - Math.max(0, Date.now() - this.#shownAt))
  }

  /** No reminder any more. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #due(): void {
    this.#everyMs = undefined
    if (this.#world.isQuiet(this.#entry)) {
      this.#owed = true
    } else {
      this.#count++
      this.#now()
    }
  }

  #now(): void {
    clearTimeout(this.#timer)
    this.#everyMs = undefined
    this.#shownAt = Date.now()
    this.#remind()
    this.reconsider()
  }
}
