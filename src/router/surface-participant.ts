// A surface in one ask: it is shown the question, reminded of it, and told when it is over.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import { isApproval } from '../protocol/approval.ts'
import { userQuestionError } from '../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOutcome, ParticipantState } from '../protocol/surface.ts'
import { callSafely } from './call-safely.ts'
import { LazyContext } from './context.ts'
import type { RouterLog } from './log.ts'
import { isUnloading } from './owner.ts'
import type { Participant } from './participant.ts'
import { AFTER_QUIET_HOURS, AT_ONCE, LAST_RESORT, type Policies } from './policies.ts'
import { mayAnswer, type Race } from './race.ts'
import { isGoing, type Registration, type Registrations } from './registrations.ts'
import { Reminder } from './reminder.ts'

/** What every ask reads of its router. */
export interface RouterState {
  readonly policies: Policies
  readonly surfaces: Registrations
  readonly log: RouterLog
}

/** What the surfaces of one ask share, and what they tell it. */
export interface SharedAsk {
  readonly id: string
  /** How deep it lies in other asks, as `depthOf` says. */
  readonly depth: number
  /** When it was opened, in milliseconds since the epoch. */
  readonly askedAt: number
  /** The copy of the request that surfaces get. */
  readonly request: AskUserQuestionRequest
  readonly router: RouterState
  readonly race: Race
  /** Whether the agent has gone on. */
  readonly late: boolean
  /** A surface's delay is over. */
  delayOver(participant: SurfaceParticipant): void
}

/** A surface as a participant. */
export class SurfaceParticipant implements Participant {
  readonly name: string
  readonly isPersonal: boolean
  state: ParticipantState = 'waiting'
  since: number | undefined
  /** While it waits: when it is due, as `Policies.dueOf` said last. */
  due = AT_ONCE
  readonly registration: Registration
  readonly #ask: SharedAsk
  /** Its delay while it waits, its time-out while it is asked. */
  #timer: NodeJS.Timeout | undefined
  /** The time-out that the timer was set to. */
  #timeoutMs: number | undefined
  /** Set while its registration is disposed but its plugin lives on. */
  #leaving: NodeJS.Immediate | undefined
  #context: LazyContext | undefined
  #reminder: Reminder | undefined

  constructor(registration: Registration, ask: SharedAsk) {
    this.name = registration.name
    this.isPersonal = registration.personal
    this.registration = registration
    this.#ask = ask
  }

  /** Rule 2: whether it is invited whoever else is, because it claims or is personal. */
  claims(): boolean {
    return this.isPersonal || this.#call('claim') === true
  }

  #call(method: 'claim' | 'settled' | 'late', ...more: unknown[]): unknown {
    return callSafely(this.#ask.router.log, this.registration, method, this.#ask.request, ...more)
  }

  get isUnloading(): boolean {
    return isUnloading(this.registration.owner)
  }

  /** Whether somebody may see the question on it now. */
  get isSeen(): boolean {
    return this.state === 'asked' && this.#ask.router.surfaces.isWatched(this.registration)
  }

  /**
   * Wait until it is due by the policy in force, without a timer where only the ask can decide that it is.
   *
   * @param isDelayOver whether its delay has just ended.
   * @returns whether it is due now.
   */
  awaitDue(isDelayOver: boolean): boolean {
    const due = this.#ask.router.policies.dueOf(this.registration, isApproval(this.#ask.request))
    // A running timer is left alone: the wall clock may have been set since it was started.
    if (this.#timer && due === this.due && !isDelayOver) return false
    this.due = due
    this.#stopTimer()
    if (due >= AFTER_QUIET_HOURS) return false
    // The clock is not read for the many surfaces without a delay.
    const left = isDelayOver || due === AT_ONCE ? 0 : due - elapsedSince(this.#ask.askedAt)
    if (left <= 0) return true
    this.#timer = setTimeout(() => this.#ask.delayOver(this), left)
    return false
  }

  /**
   * From now on it is asked; `timeoutMs` of the policy in force counts from here.
   *
   * @returns whether it can be: the other surfaces of a plugin that unloads are about to go.
   */
  start(now: number): boolean {
    if (isGoing(this.registration)) {
      this.leave()
      return false
    }
    this.#stopTimer()
    this.state = 'asked'
    this.since = now
    this.#limit()
    return true
  }

  /** While it is asked: follow a policy or an hour that may be another one now. */
  reconsider(): void {
    this.#limit()
    this.#reminder?.reconsider()
  }

  #limit(): void {
    const timing = this.#ask.router.policies.timing(this.registration, isApproval(this.#ask.request)), timeoutMs = timing ? timing.timeoutMs : undefined
    if (timeoutMs === this.#timeoutMs) return
    this.#timeoutMs = timeoutMs
    this.#stopTimer()
    if (timeoutMs === undefined) return
    this.#timer = setTimeout(() => {
      const error = userQuestionError('SURFACE_TIMEOUT', `unanswered: "${this.name}" did not answer within ${timeoutMs} ms`)
      this.#ask.race.retire(this, 'timed-out', error)
    }, timeoutMs - elapsedSince(this.since!))
  }

  #stopTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  show(): unknown {
    const registration = this.registration, { surface } = registration, { request, router: { policies, log } } = this.#ask
    const context = this.#context = new LazyContext(this.#ask, registration, policies)
    if (surface.remind) {
      const remind = () => callSafely(log, registration, 'remind', request, context)
      this.#reminder = new Reminder(registration, policies, this.due === LAST_RESORT, isApproval(request), remind)
    }
    return surface.ask(request, context)
  }

  /** Its registration was disposed (rule 13 of docs/routing.md). While its plugin lives on, an answer given just before counts. */
  disposed(): void {
    if (mayAnswer(this) && !this.isUnloading) this.#leaving = setImmediate(() => this.leave())
    else this.leave()
  }

  /** The agent has gone on. */
  wentOn(): void {
    if (this.#context && mayAnswer(this)) this.#call('late', this.#context)
  }

  leave(): void {
    const { state } = this
    const error = this.#goneError()
    LazyContext.stop(this.#context, () => error)
    // One that was out already changes nothing by leaving.
    if (state === 'failed') this.state = 'left'
    else this.#ask.race.retire(this, 'left', ...state === 'asked' ? [error] : [])
  }

  retire(state: ParticipantState): void {
    // One that is leaving was going anyway, and nothing else would take the question away from it any more.
    if (this.#leaving) LazyContext.stop(this.#context, () => this.#goneError())
    this.state = this.#leaving ? 'left' : state
    this.clearTimers()
  }

  clearTimers(): void {
    this.#stopTimer()
    clearImmediate(this.#leaving)
    this.#leaving = undefined
    this.#reminder?.stop()
  }

  /**
   * The ask was settled, and not by this surface (rules 8 and 11 of docs/routing.md).
   *
   * @param reason makes the reason of its signal.
   * @param copy makes an answer of its own for it.
   */
  dismiss(outcome: AskOutcome, reason: () => unknown, copy: (answer: AskUserQuestionAnswer) => AskUserQuestionAnswer): void {
    const isGone = this.state === 'left' || this.#leaving !== undefined
    this.clearTimers()
    if (!this.#context) return
    LazyContext.stop(this.#context, isGone ? () => this.#goneError() : reason)
    const { by, answer } = outcome as Partial<Extract<AskOutcome, { kind: 'answered' }>>
    if (!isGone && by !== undefined) this.#call('settled', by, answer && copy(answer))
  }

  #goneError() {
    return userQuestionError('SURFACE_GONE', `unanswered: "${this.name}" left`)
  }
}

/** Never negative, also when the wall clock was set back. */
function elapsedSince(time: number): number {
  return Math.max(0, Date.now() - time)
}
