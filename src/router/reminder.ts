// When a surface that shows an open ask is told to draw attention to it again (rules 22 and 23 of docs/routing.md).
import { REMIND_MAX } from '../protocol/policy.ts'
import type { Policies } from './policies.ts'
import type { Registration } from './registrations.ts'

/** The reminders of one surface for one ask. */
export class Reminder {
  readonly #registration: Registration
  readonly #policies: Policies
  /** Whether it was asked although its mode forbids it, because nobody else was left. */
  readonly #isLastResort: boolean
  readonly #isForApproval: boolean
  readonly #remind: () => unknown
  #shownAt = performance.now()
  #count = 0
  /** Whether it has been quiet since the question was shown last: one reminder is due when that ends. */
  #owed = false
  #timer: NodeJS.Timeout | undefined
  /** What {@link Reminder.#timer} was set to. */
  #everyMs: number | undefined
  #stopped = false

  /** @param remind calls the surface's `remind`. */
  constructor(registration: Registration, policies: Policies, isLastResort: boolean, isForApproval: boolean, remind: () => unknown) {
    this.#registration = registration
    this.#policies = policies
    this.#isLastResort = isLastResort
    this.#isForApproval = isForApproval
    this.#remind = remind
    this.reconsider()
  }

  /** Follow the policy in force: wait for the next reminder, or remind at once when the quiet hours are over. */
  reconsider(): void {
    if (this.#stopped) return
    const timing = this.#policies.timing(this.#registration, this.#isForApproval), isQuiet = this.#policies.isQuiet(this.#registration)
    this.#owed ||= isQuiet
    if (this.#owed && !isQuiet && (timing || this.#isLastResort)) {
      this.#owed = false
      return this.#now()
    }
    const everyMs = timing && !this.#owed && this.#count < (timing.remindMax ?? REMIND_MAX) ? timing.remindMs : undefined
    // The running timer is right already.
    if (everyMs === this.#everyMs) return
    clearTimeout(this.#timer)
    this.#everyMs = everyMs
    if (everyMs !== undefined) this.#timer = setTimeout(() => this.#due(), everyMs - (performance.now() - this.#shownAt))
  }

  /** Stop reminding. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #due(): void {
    this.#everyMs = undefined
    // The machine may have slept into the quiet hours.
    if (this.#policies.isQuiet(this.#registration)) return this.reconsider()
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
