// Who is asked, and when: one ask from its opening until everybody is told how it ended (rules 1 to 4, 8, 10 to
// 17 and 20 to 22 of docs/routing.md). What the asked say is the business of race.ts; when one surface is due, of policies.ts.
import { type AskUserQuestionAnswer, copyOfAnswer } from '../protocol/answer.ts'
import { userQuestionError, withoutStack } from '../protocol/errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOutcome, PendingAsk } from '../protocol/surface.ts'
import { copyOf, depthOf } from './copy.ts'
import type { HostParticipant, Participant } from './participant.ts'
import { AFTER_QUIET_HOURS, LAST_RESORT, type Policies } from './policies.ts'
import { Race, type RaceEnd, type RaceListener } from './race.ts'
import { isGoing, type Registration } from './registrations.ts'
import { snapshotOf } from './snapshot.ts'
import { type RouterState, type SharedAsk, SurfaceParticipant } from './surface-participant.ts'
import { onAbort } from './turn.ts'

// Unique across processes: a page may still show asks of a process that has ended.
const prefix = `${process.pid}-${Date.now()}-`
let count = 0

/** What an ask reports to its router. */
export interface AskListener {
  /** Everybody who is due at once has been asked. */
  opened(ask: Ask): void
  /**
   * The ask is settled.
   *
   * @param wasOpened whether `opened` was called for it; a claim that aborts the turn comes before that.
   */
  settled(ask: Ask, outcome: AskOutcome, wasOpened: boolean): void
}

/** One ask. {@link Ask.open} starts it; the router reports joins, leaves and changes to it. */
export class Ask implements SharedAsk, RaceListener {
  readonly id = prefix + ++count
  readonly askedAt = Date.now()
  /** How deep it lies in other asks, as `depthOf` says. */
  readonly depth: number
  readonly router: RouterState & AskListener
  readonly request: AskUserQuestionRequest
  readonly #sessionId: string | undefined
  /** Aborts the signal of the surfaces' requests. */
  readonly #controller = new AbortController()
  readonly #turn: AbortSignal | undefined
  readonly #host: HostParticipant | undefined
  readonly race: Race
  readonly #result = Promise.withResolvers<AskUserQuestionAnswer>()
  #participants: SurfaceParticipant[] = []
  /** The surfaces that are invited only when all are, because they do not claim. */
  #others: SurfaceParticipant[] = []
  /** The registrations of {@link Ask.#participants}, at the same positions, to find one without reading every participant. */
  #invited: Registration[] = []
  /** Surfaces that came before everybody was asked; they are offered the ask after that (rule 14). */
  #newcomers: Registration[] | undefined = []
  #wasOpened = false
  /** Whether surfaces that do not claim are invited too (rule 2). */
  #isForAll = true
  /** Whether the last participant that went out had left, rather than failed (rule 13). */
  #lastOutHadLeft = false
  /** Set by {@link Ask.open}. */
  #unlisten!: () => void
  #hostSoon: NodeJS.Immediate | undefined
  #rejoin: NodeJS.Timeout | undefined

  /**
   * @param request the request as it came.
   * @param turn the signal that aborts with the turn; the host may have put another one on the request since.
   * @param host where the request comes from, when there is a host behind it.
   * @throws when the request is malformed.
   */
  constructor(request: AskUserQuestionRequest, turn: AbortSignal | undefined, router: RouterState & AskListener, host?: HostParticipant) {
    this.depth = depthOf(request)
    this.request = copyOf(request, this.#controller.signal, this.depth)
    try {
      this.#sessionId = request.agent?.session?.id
    } catch (error) {
      router.log.warn('an agent\'s session is unreadable', error)
    }
    this.#turn = turn
    this.router = router
    this.#host = host
    this.race = new Race(this.#questions, this, router.log)
  }

  /**
   * Ask everybody who is due.
   *
   * @returns the first acceptable answer; rejects as rules 9 to 11 say.
   */
  open(): Promise<AskUserQuestionAnswer> {
    this.#unlisten = onAbort(this.#turn, this.abort)
    if (this.#turn?.aborted) this.abort()
    // An aborted ask asks nobody.
    this.#inviteAndAsk()
    return this.#result.promise
  }

  /** The turn was aborted, or the router is being unloaded (rules 11 and 13). */
  readonly abort = (): void => this.race.abort(this.#unansweredError())

  /** A surface was registered while this ask is open (rule 14). */
  offer(registration: Registration): void {
    if (this.#newcomers) return void this.#newcomers.push(registration)
    this.#inviteNewcomer(registration)
    this.step()
  }

  /** A registration was disposed while this ask is open (rule 13). */
  leave(registration: Registration): void {
    this.#participants[this.#invited.indexOf(registration)]?.disposed()
  }

  /**
   * Who is due may have changed: by the presence, the settings, the hour, or because somebody watches or no longer does
   * (rules 12, 20 to 22).
   */
  reconsider(): void {
    const participants = this.#participants, invited = this.#invited, { length } = invited
    for (let at = 0; at < length; at++) {
      // A surface may settle the ask from inside its own ask() or remind().
      if (this.#isOver) return
      // Registrations are shared by all asks. With many asks open, reading each participant would take the most time.
      if (!this.#policies.mayChange(invited[at]!)) continue
      const participant = participants[at]!
      if (participant.state === 'waiting') this.#schedule(participant)
      else if (participant.state === 'asked') participant.reconsider()
    }
    this.step()
  }

  /** A frozen picture of the ask (rule 17). */
  snapshot(): PendingAsk {
    const participants = [...this.#participants, this.#host].filter(one => !!one)
    return snapshotOf(this.id, this.request.agent, this.#sessionId, this.#questions, this.askedAt, participants)
  }

  /** Invite the surfaces, ask those that are due, then the host (rules 1 to 4 and 14). */
  #inviteAndAsk(): void {
    const all = this.router.surfaces.all.map(one => new SurfaceParticipant(one, this)), others: SurfaceParticipant[] = []
    const claiming = all.filter(one => !this.#isOver && !one.registration.gone && one.claims() || void others.push(one))
    this.#isForAll = claiming.every(one => one.isPersonal)
    if (!this.#isForAll) this.#others = others
    for (const one of this.#isForAll ? all : claiming) this.#invite(one)
    for (const one of this.#newcomers!) this.#inviteNewcomer(one)
    this.#newcomers = undefined
    if (this.#isOver) return
    this.#wasOpened = true
    // Alone, the host is asked at once. Before anybody is told, since they may have the ask decided.
    if (this.#participants[0] && this.#host && this.#isRace) {
      this.#hostSoon = setImmediate(() => {
        this.#hostSoon = undefined
        this.step()
      })
    }
    this.router.opened(this)
    this.step()
  }

  #inviteNewcomer(registration: Registration): void {
    if (this.#isOver || registration.gone) return
    const one = new SurfaceParticipant(registration, this)
    // What its claim does may have all invited.
    if (one.claims() || this.#isForAll) this.#invite(one)
    else this.#others.push(one)
  }

  /** Skips a surface that is gone or whose plugin is being unloaded. */
  #invite(participant: SurfaceParticipant): void {
    if (this.#isOver || isGoing(participant.registration)) return
    clearTimeout(this.#rejoin)
    this.#rejoin = undefined
    this.#participants.push(participant)
    this.#invited.push(participant.registration)
    this.#schedule(participant)
  }

  /** Rule 12: ask a waiting surface now, or when it is due. */
  #schedule(participant: SurfaceParticipant, isDelayOver = false): void {
    if (participant.awaitDue(isDelayOver)) this.#ask(participant)
  }

  delayOver(participant: SurfaceParticipant): void {
    this.#schedule(participant, true)
    this.step()
  }

  #ask(participant: SurfaceParticipant): void {
    // A surface that was asked in the same sweep may have settled the ask, or taken this one out.
    if (this.#isOver || participant.state !== 'waiting') return
    // The clock was read in this very tick if the ask is still being opened.
    if (participant.start(this.#wasOpened ? Date.now() : this.askedAt)) this.race.ask(participant)
  }

  /** Once, while it is waiting: another call of the waterfall's `next()` would skip listeners. */
  #askHost(): void {
    const host = this.#host!
    host.state = 'asked'
    host.since = Date.now()
    this.race.ask(host)
  }

  get #isHostWaiting(): boolean {
    return this.#host?.state === 'waiting' && !this.#hostSoon
  }

  get #isRace(): boolean {
    return this.#policies.settings.host === 'race'
  }

  get #questions(): readonly AskUserQuestionItem[] {
    return this.request.questions
  }

  get #isOver(): boolean {
    return this.race.isOver
  }

  get #policies(): Policies {
    return this.router.policies
  }

  get checksAnswers(): boolean {
    return !!(this.#participants[0] && this.#questions[0])
  }

  out(participant: Participant): void {
    this.#lastOutHadLeft = participant.state === 'left'
    this.step()
  }

  /** Decide who is asked next, until there is somebody to wait for or the ask is settled (rules 2, 4, 10, 12 and 22). */
  step(): void {
    while (this.#wasOpened && !this.#isOver) {
      if (!this.#isForAll && !this.#participants.some(one => !one.isPersonal && isThere(one))) {
        this.#isForAll = true
        // Once, though looking who is there may have come here already.
        for (const one of this.#others.splice(0)) this.#invite(one)
        continue
      }
      if (this.#isHostWaiting && this.#isRace) {
        this.#askHost()
        continue
      }
      if (this.#isHostOpen() && this.#policies.presence === 'home' || this.#participants.some(one => one.isSeen)) return
      // A surface may have settled the ask from inside its `watched()`.
      if (this.#isOver) return
      const waiting = this.#participants.filter(one => one.state === 'waiting')
      // Infinity where nobody waits.
      const due = Math.min(...waiting.map(one => one.due))
      if (this.#isHostWaiting && due >= AFTER_QUIET_HOURS) this.#askHost()
      else if (due < LAST_RESORT || due === LAST_RESORT && !this.#isHostOpen()) {
        // Away, a host that is asked counts as nobody, so others are asked beside it; but a last resort waits until it is
        // out. A surface may change when another is due from inside its own ask().
        for (const one of waiting) if (one.due === due) this.#ask(one)
      }
      // Nobody sees the question on those that are asked, but they may still answer.
      else if (this.#isHostOpen() || this.#participants.some(one => one.state === 'asked')) return
      else if (!this.#lastOutHadLeft || this.race.blank) this.race.giveUp()
      // Rule 13: somebody may come back.
      else return void (this.#rejoin ??= setTimeout(() => this.race.giveUp(), this.#policies.settings.rejoinMs))
    }
  }

  #isHostOpen(): boolean {
    return this.#hostSoon !== undefined || this.#host?.state === 'asked'
  }

  /** The race has ended: give the asker its result, tell the router, dismiss the losers (rules 8, 11, 15 and 16). */
  ended({ outcome, result, by }: RaceEnd): void {
    const participants = this.#participants, turn = this.#turn, host = this.#host, { kind } = outcome, isChecked = this.checksAnswers
    this.#unlisten()
    clearImmediate(this.#hostSoon)
    clearTimeout(this.#rejoin)
    if (kind !== 'answered') this.#result.reject(result)
    else this.#result.resolve(host && isChecked ? host.answerFor(this.#questions, result as AskUserQuestionAnswer) : result as AskUserQuestionAnswer)
    this.router.settled(this, outcome, this.#wasOpened)
    // Only now: until here the snapshot and the check of the answer need them.
    this.#participants = []
    // Shared by all losers and made only if one reads it: making it is most of what a loser costs.
    let error: unknown
    const reason = () => error ??= kind === 'aborted' ? result : withoutStack(() => by ? userQuestionError('ASK_SETTLED', `"${by.name}" settled it`) : this.#unansweredError())
    const turnReason = () => turn?.aborted ? turn.reason as unknown : reason()
    if (!by) this.#controller.abort(turnReason())
    host?.release(by === host ? undefined : turnReason)
    for (const one of participants) {
      if (one === by) one.clearTimers()
      else one.dismiss(outcome, reason, isChecked ? copyOfAnswer : answer => answer)
    }
  }

  #unansweredError() {
    return userQuestionError('ASK_ABORTED', 'the question ended unanswered', { cause: this.#turn?.reason })
  }
}

/** Whether a surface may show the question to somebody, now or after its delay. */
function isThere(one: SurfaceParticipant): boolean {
  return one.state === 'waiting' ? one.due < AFTER_QUIET_HOURS : one.isSeen
}
