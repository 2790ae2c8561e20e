// One participant of one ask: a surface that was invited, or the host. It is asked, watched by a timer, and told when
// it is over; what that means for the ask is the race's business.
import { userQuestionError } from '../protocol/errors.ts'
import { NO_TIMING } from '../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOutcome, ParticipantState } from '../protocol/surface.ts'
import { contain } from './contain.ts'
import { LazyContext } from './context.ts'
import { FOR_ANOTHER_MODE, FOR_ITS_DELAY, FOR_QUIET_TO_END } from './decide.ts'
import { Reminder } from './reminder.ts'
import type { Registration, RouterLog, World } from './world.ts'

/** A participant; the race decides on its `state`. */
export class Participant {
  readonly name: string
  /** Absent for the host. */
  readonly entry: Registration | undefined
  state: ParticipantState = 'waiting'
  /** When it was asked. */
  since: number | undefined
  /** What the policy in force says of it, where that has it asked. */
  timing = NO_TIMING
  /** What it waits for while it waits. */
  waits: number = FOR_ITS_DELAY
  /** The delay while waiting, the timeout while asked. */
  #timer: NodeJS.Timeout | undefined
  /** Set while its registration is disposed but its plugin lives on: it is out on the next macrotask. */
  grace: NodeJS.Immediate | undefined
  /** What the surface was given when it was asked. */
  #context: LazyContext | undefined
  #reminder: Reminder | undefined

  constructor(name: string, entry?: Registration) {
    this.name = name
    this.entry = entry
  }

  /**
   * Read the policy in force, while it waits.
   *
   * @returns whether it waits for the same as before, and for as long.
   */
  heed(world: World): boolean {
    const entry = this.entry!, inMode = world.timing(entry), timing = inMode || NO_TIMING
    const waits = !inMode ? FOR_ANOTHER_MODE : world.isQuiet(entry) && !entry.silent ? FOR_QUIET_TO_END : FOR_ITS_DELAY
    const isSame = waits === this.waits && timing.delayMs === this.timing.delayMs
    this.timing = timing
    this.waits = waits
    return isSame
  }

  /** Whether a callback is to run later. */
  get isArmed(): boolean {
    return this.#timer !== undefined
  }

  /** Run one callback later instead of the one that was set before. */
  after(ms: number, callback: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(callback, ms)
  }

  /** Run no callback later. */
  unlimit(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  /** Run one callback on the next macrotask. */
  soon(callback: () => void): void {
    this.grace = setImmediate(callback)
  }

  /** Wait for nothing any more. */
  disarm(): void {
    this.unlimit()
    clearImmediate(this.grace)
    this.grace = undefined
    this.#reminder?.stop()
  }

  /** Show the question on the surface. Throws and returns whatever the surface does. */
  ask(request: AskUserQuestionRequest, id: string, world: World): unknown {
    const entry = this.entry!, { surface } = entry
    const context = this.#context = new LazyContext(id, request, entry, world)
    if (surface.remind) {
      const remind = () => contain(world.log, entry, 'remind', request, context)
      this.#reminder = new Reminder(entry, world, this.waits === FOR_ANOTHER_MODE, remind)
    }
    return surface.ask(request, context)
  }

  /** Whether somebody may see the question on it now. */
  isWatched(world: World): boolean {
    return this.state === 'asked' && world.isWatched(this.entry!)
  }

  /** The policy in force may be another one now. */
  reconsider(): void {
    this.#reminder?.reconsider()
  }

  /** Abort the surface's signal. */
  stop(reason: () => unknown): void {
    if (this.#context) LazyContext.stop(this.#context, reason)
  }

  /**
   * The ask is over and somebody else ended it (ROUTING rules 8 and 11).
   *
   * @param reason makes the reason of its signal.
   */
  dismiss(request: AskUserQuestionRequest, outcome: AskOutcome, reason: () => unknown, log: RouterLog): void {
    const left = this.state === 'left' || this.grace
    this.disarm()
    if (!this.#context) return
    this.stop(left ? () => goneError(this.name) : reason)
    if (left || !('by' in outcome)) return
    contain(log, this.entry!, 'settled', request, outcome.by, outcome.kind === 'answered' ? outcome.answer : undefined)
  }
}

/** Why a surface is out that was taken out of the registry. */
export function goneError(name: string) {
  return userQuestionError('SURFACE_GONE', `unanswered: "${name}" left`)
}
