// One ask from its opening to its end: who is asked when, the first acceptable answer, everybody told. The comments
// name the rules of ROUTING.md that a piece implements.
import { type AskUserQuestionAnswer, checkAnswer, type CheckedAnswer, copyOfAnswer } from '../protocol/answer.ts'
import { hasCode, userQuestionError } from '../protocol/errors.ts'
import { NO_TIMING } from '../protocol/policy.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOutcome, ParticipantState, PendingAsk } from '../protocol/surface.ts'
import { contain } from './contain.ts'
import { copyOf } from './copy.ts'
import { FOR_ITS_DELAY, nextOf } from './decide.ts'
import { failureOf } from './failure.ts'
import { isUnloading } from './owner.ts'
import { goneError, Participant } from './participant.ts'
import type { HostSeat, Registration, World } from './world.ts'

const CLAIMING = 0, ASKING = 1, OPEN = 2, SETTLED = 3

// Unlike those of every other process: a page may still know the asks of one that is gone.
const prefix = `${process.pid}-${Date.now()}-`
let count = 0

/** One ask in flight. {@link Race.run} starts it; the router reports joins, leaves and new settings to it. */
export class Race {
  readonly #id = prefix + ++count
  readonly #askedAt = Date.now()
  readonly #original: AskUserQuestionRequest
  /** What answers are checked against, whatever a surface does to the list that all of them share. */
  readonly #questions: readonly AskUserQuestionItem[]
  /** What surfaces get, and what aborts its signal. */
  readonly #request: AskUserQuestionRequest
  readonly #controller = new AbortController()
  /** The turn's signal; the host's seat may have put another one on the request since. */
  readonly #turn: AbortSignal | undefined
  readonly #world: World
  readonly #seat: HostSeat | undefined
  readonly #host: Participant | undefined
  /** Registrations that are still to be asked for their claim, then for an answer. */
  #queue: Registration[]
  #participants: Participant[] = []
  #phase = CLAIMING
  /** Whether surfaces that do not claim are invited too (rule 2). */
  #everyone = true
  /** Whether the last participant to go left, rather than failed (rule 13). */
  #lastLeft = false
  readonly #failures: unknown[] = []
  /** The host's NO_PROVIDER: no failure, but all there is to say when nobody else was there. */
  #nobody: unknown
  #blank: { readonly by: Participant, readonly answer: AskUserQuestionAnswer } | undefined
  #hostSoon: NodeJS.Immediate | undefined
  #rejoin: NodeJS.Timeout | undefined
  readonly #result = Promise.withResolvers<AskUserQuestionAnswer>()

  /**
   * @param request the request as it came.
   * @param turn the signal that aborts with the turn.
   * @param registrations the surfaces that are registered now; the race keeps the array.
   * @param world the surroundings.
   * @param seat the rest of the waterfall, when there is one.
   */
  constructor(
    request: AskUserQuestionRequest, turn: AbortSignal | undefined, registrations: Registration[], world: World, seat?: HostSeat,
  ) {
    this.#original = request
    this.#questions = [...request.questions ?? []]
    this.#request = copyOf(request, this.#controller.signal)
    this.#turn = turn
    this.#queue = registrations
    this.#world = world
    this.#seat = seat
    this.#host = seat && new Participant('host')
  }

  /**
   * Ask everybody.
   *
   * @returns the first acceptable answer; rejects as rules 9 to 11 say.
   */
  run(): Promise<AskUserQuestionAnswer> {
    this.#turn?.addEventListener('abort', this)
    if (this.#turn?.aborted) this.handleEvent()
    this.#collectClaims()
    if (this.#phase === CLAIMING) this.#askInvited()
    return this.#result.promise
  }

  /** The turn was aborted, or the router is being unloaded (rules 11 and 13). The name is what AbortSignal calls. */
  handleEvent(): void {
    if (this.#phase !== SETTLED) this.#end({ kind: 'aborted' }, undefined, this.#abortError())
  }

  /** A surface was registered while this ask is open (rule 14). */
  offer(registration: Registration): void {
    if (this.#phase === CLAIMING) return void this.#queue.push(registration)
    if (this.#phase === SETTLED) return
    if (!(this.#claims(registration) || this.#everyone)) return
    if (this.#phase === ASKING) return void this.#queue.push(registration)
    // What its claim did may have invited it already.
    if (this.#participantOf(registration)) return
    this.#invite(registration)
    this.#decide()
  }

  /** A registration was disposed while this ask is open (rule 13). */
  leave(registration: Registration): void {
    const participant = this.#participantOf(registration)
    if (!participant) return
    if (participant.state === 'asked' && !isUnloading(registration.owner)) participant.soon(() => this.#out(participant))
    else this.#out(participant)
  }

  /** What is to be asked, or when, may have changed: the presence, the settings, the hour, what is watched (rule 12). */
  reconsider(): void {
    for (const one of this.#participants) {
      // What one does may end the ask.
      if (this.#phase === SETTLED) return
      if (one.state === 'waiting') this.#schedule(one)
      else if (one.state === 'asked') this.#reconsiderShown(one)
    }
    this.#decide()
  }

  #reconsiderShown(participant: Participant): void {
    const timing = this.#world.timing(participant.entry!) || NO_TIMING
    if (timing.timeoutMs !== participant.timing.timeoutMs) {
      participant.timing = timing
      participant.unlimit()
      this.#limit(participant)
    }
    participant.reconsider()
  }

  /** A frozen picture of this ask (rule 17); nobody looks at one without a host. */
  snapshot(): PendingAsk {
    const { agent } = this.#original
    const all = [...this.#participants, this.#host!]
    const { freeze } = Object
    return freeze({
      id: this.#id,
      ...(agent && { sessionId: agent.session?.id }),
      questions: freeze([...this.#questions]),
      askedAt: this.#askedAt,
      participants: freeze(all.map(({ name, state, since }) => freeze({ name, state, ...since && { since } }))),
    })
  }

  /** Rule 2. The queue grows when a claim registers a surface. */
  #collectClaims(): void {
    const claimers: Registration[] = []
    for (const one of this.#queue) {
      if (this.#phase === CLAIMING && !one.gone && this.#claims(one)) claimers.push(one)
    }
    if (!claimers.some(one => !one.personal)) return
    this.#everyone = false
    this.#queue = claimers
  }

  #claims(registration: Registration): boolean {
    return registration.personal || contain(this.#world.log, registration, 'claim', this.#request) === true
  }

  /** Rules 1, 3 and 4. The queue grows when an ask registers a surface. */
  #askInvited(): void {
    this.#phase = ASKING
    const alone = !this.#queue[0]
    for (const one of this.#queue) this.#invite(one)
    if (this.#isSettled()) return
    this.#phase = OPEN
    this.#world.asked(this)
    if (this.#isSettled()) return
    if (alone) this.#askHost()
    else if (this.#host && this.#world.settings.host === 'race') this.#hostSoon = setImmediate(() => this.#askHost())
    this.#decide()
  }

  /** Invite a surface that is still there and stays; the other surfaces of a plugin that unloads are about to go. */
  #invite(registration: Registration): void {
    if (this.#phase === SETTLED || registration.gone || isUnloading(registration.owner)) return
    clearTimeout(this.#rejoin)
    this.#rejoin = undefined
    const participant = new Participant(registration.name, registration)
    this.#participants.push(participant)
    this.#schedule(participant)
  }

  /**
   * Rule 12: ask now, or as soon as the ask has been open for the policy's delay, if the policy has it asked.
   *
   * @param isDue whether the delay is over.
   */
  #schedule(participant: Participant, isDue = false): void {
    const isSame = participant.heed(this.#world)
    const { waits, timing: { delayMs } } = participant
    if (participant.isArmed) {
      // A timer that runs is not set anew: the wall clock may have been set since.
      if (isSame && !isDue) return
      participant.disarm()
    }
    if (waits !== FOR_ITS_DELAY) return
    // The clock is not read for the many surfaces without a delay, and one that was set back makes no delay longer.
    const left = !isDue && delayMs && delayMs - Math.max(0, Date.now() - this.#askedAt)
    if (!left || left < 0) return this.#askSurface(participant)
    participant.after(left, () => {
      this.#schedule(participant, true)
      this.#decide()
    })
  }

  #askSurface(participant: Participant): void {
    // A surface that was asked in the same sweep may have ended the ask, or taken this one out.
    if (this.#phase === SETTLED || participant.state !== 'waiting') return
    if (participant.entry!.gone || isUnloading(participant.entry!.owner)) return this.#out(participant)
    if (participant.isArmed) participant.disarm()
    this.#markAsked(participant)
    this.#limit(participant)
    this.#listen(participant)
  }

  /** Rule 12: `timeoutMs` of the policy in force counts from being asked. */
  #limit(participant: Participant): void {
    const { timing: { timeoutMs }, since } = participant
    if (timeoutMs === undefined) return
    participant.after(timeoutMs - Math.max(0, Date.now() - since!), () => {
      const error = userQuestionError('SURFACE_TIMEOUT', `unanswered: "${participant.name}" did not answer within ${timeoutMs} ms`)
      participant.stop(() => error)
      this.#retire(participant, 'timed-out', error)
    })
  }

  #askHost(): void {
    this.#hostSoon = undefined
    // Once: another call of `next` would skip listeners. Who hears of the question may have had it decided already.
    if (this.#host?.state !== 'waiting') return
    this.#markAsked(this.#host)
    this.#listen(this.#host)
  }

  #markAsked(participant: Participant): void {
    participant.state = 'asked'
    // The clock is not read again for all that are asked in the tick in which it was read.
    participant.since = this.#phase === OPEN ? Date.now() : this.#askedAt
  }

  #listen(participant: Participant): void {
    const rejected = (error: unknown) => this.#maySpeak(participant) && this.#onRejection(participant, error)
    try {
      const answer = participant === this.#host ? this.#seat!.ask() : participant.ask(this.#request, this.#id, this.#world)
      Promise.resolve(answer).then(value => this.#maySpeak(participant) && this.#onAnswer(participant, value), rejected)
    } catch (error) {
      // Not at once: the others are asked first.
      Promise.reject(error).catch(rejected)
    }
  }

  /** Rules 6 and 7. */
  #onAnswer(participant: Participant, value: unknown): void {
    if (!this.#participants[0] || !this.#questions[0]) {
      // Where no surface takes part (rule 1), or nothing was asked (rule 7), an answer is passed on as it is.
      return this.#win(participant, value as AskUserQuestionAnswer)
    }
    let checked: CheckedAnswer
    try {
      checked = checkAnswer(this.#questions, value)
    } catch (error) {
      return this.#fail(participant, error)
    }
    const { answer, blank, dropped } = checked
    if (dropped > 0) this.#world.log.warn(`"${participant.name}" answered ${dropped} unknown ids`)
    if (!blank) return this.#win(participant, answer, copyOfAnswer(answer))
    this.#blank ??= { by: participant, answer }
    this.#retire(participant, 'blank')
  }

  /** Rules 9 and 10. */
  #onRejection(participant: Participant, error: unknown): void {
    const isHost = participant === this.#host
    if (hasCode(error, 'ASK_CANCELLED') || (isHost && hasCode(error, 'ASK_TIMED_OUT'))) {
      participant.state = 'cancelled'
      this.#end({ kind: 'cancelled', by: participant.name }, participant, error)
    } else if (isHost && hasCode(error, 'NO_PROVIDER')) {
      this.#nobody = error
      participant.state = 'failed'
      this.#decide()
    } else {
      this.#fail(participant, error)
    }
  }

  #maySpeak(participant: Participant): boolean {
    if (this.#phase === SETTLED || participant.state !== 'asked') {
      this.#world.log.debug(`"${participant.name}" spoke too late`)
      return false
    }
    if (isUnloading(participant.entry?.owner)) {
      this.#out(participant)
      return false
    }
    return true
  }

  #fail(participant: Participant, error: unknown): void {
    this.#world.log.warn(`"${participant.name}" failed`, error)
    this.#retire(participant, 'failed', error)
  }

  /** Rule 13. */
  #out(participant: Participant): void {
    const { state } = participant
    const error = goneError(participant.name)
    participant.stop(() => error)
    // One that was out already changes nothing by going.
    if (state === 'failed' || state === 'timed-out') participant.state = 'left'
    else this.#retire(participant, 'left', ...state === 'asked' ? [error] : [])
  }

  /** @param failure what the ask may have to fail with; any value, `undefined` too. */
  #retire(participant: Participant, state: ParticipantState, ...failure: unknown[]): void {
    participant.state = participant.grace ? 'left' : state
    participant.disarm()
    this.#lastLeft = participant.state === 'left'
    this.#failures.push(...failure)
    this.#decide()
  }

  /** Do what comes next, until there is somebody to wait for or the ask has ended. */
  #decide(): void {
    while (this.#phase === OPEN) {
      const next = nextOf(this.#participants, this.#host, !!this.#hostSoon, this.#everyone, this.#world)
      // What a surface does when it is asked whether it is watched may have ended the ask.
      if (next === 'wait' || this.#isSettled()) return
      if (next === 'end') return this.#nobodyIsLeft()
      if (next === 'invite') this.#inviteTheRest()
      else if (next === 'host') this.#askHost()
      else this.#askAll(next)
    }
  }

  /** @param waiting wait for the same. */
  #askAll(waiting: readonly Participant[]): void {
    const { waits } = waiting[0]!
    // One that is asked may change for what another waits.
    for (const one of waiting) if (one.waits === waits) this.#askSurface(one)
  }

  #participantOf(registration: Registration): Participant | undefined {
    return this.#participants.find(one => one.entry === registration)
  }

  /** Rule 2. */
  #inviteTheRest(): void {
    this.#everyone = true
    for (const one of this.#world.surfaces.slice()) if (!this.#participantOf(one)) this.#invite(one)
  }

  /** Rules 7, 10 and 13. */
  #nobodyIsLeft(): void {
    if (this.#blank) {
      this.#win(this.#blank.by, this.#blank.answer, copyOfAnswer(this.#blank.answer))
    } else if (this.#lastLeft) {
      this.#rejoin ??= setTimeout(() => this.#giveUp(), this.#world.settings.rejoinMs)
    } else {
      this.#giveUp()
    }
  }

  /** @param shown what others see: a copy, so that none of them can change what the asker gets. */
  #win(by: Participant, answer: AskUserQuestionAnswer, shown = answer): void {
    by.state = 'answered'
    this.#end({ kind: 'answered', by: by.name, answer: shown }, by, answer)
  }

  #giveUp(): void {
    const error = failureOf(this.#failures, this.#nobody)
    this.#end({ kind: 'failed', error }, undefined, error)
  }

  /**
   * The ask has its end; tell everybody (rules 8, 11, 15 and 16).
   *
   * @param by who ended it, when a participant did.
   * @param result what the asker gets: the answer, else the error.
   */
  #end(outcome: AskOutcome, by: Participant | undefined, result: unknown): void {
    const announced = this.#phase === OPEN
    this.#phase = SETTLED
    this.#turn?.removeEventListener('abort', this)
    clearImmediate(this.#hostSoon)
    clearTimeout(this.#rejoin)
    const { kind } = outcome
    if (kind === 'answered') this.#result.resolve(result as AskUserQuestionAnswer)
    else this.#result.reject(result)
    const participants = this.#participants, turn = this.#turn
    this.#world.settled(this, outcome, announced)
    this.#participants = []
    const dead = by ? undefined : kind === 'aborted' ? result : this.#abortError()
    const reason = () => dead ?? userQuestionError('ASK_SETTLED', `"${by!.name}" settled it`)
    const signalReason = () => turn?.aborted ? turn.reason : reason()
    if (dead) this.#controller.abort(signalReason())
    this.#seat?.release(by === this.#host ? undefined : signalReason)
    for (const one of participants) {
      if (one === by) one.disarm()
      else one.dismiss(this.#request, outcome, reason, this.#world.log)
    }
  }

  #abortError() {
    return userQuestionError('ASK_ABORTED', 'the question ended unanswered', { cause: this.#turn?.reason })
  }

  // A method, since TypeScript takes a field's value as unchanged across the calls that change it.
  #isSettled(): boolean {
    return this.#phase === SETTLED
  }
}
