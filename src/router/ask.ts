// Who is asked, and when: one ask from its opening until everybody is told how it ended (rules 1 to 4, 8, 10 to
// 17 and 20 to 22 of docs/routing.md). What the asked say is the business of race.ts; when one surface is due, of policies.ts.
import { type AskUserQuestionAnswer, checkAnswer, type CheckedAnswer, copyOfAnswer } from '../protocol/answer.ts'
import { checkApproval, isApproval } from '../protocol/approval.ts'
import { hasCode, userQuestionError, withoutStack } from '../protocol/errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOutcome, PendingAsk } from '../protocol/surface.ts'
import { copyOf, depthOf } from './copy.ts'
import type { Host, Participant } from './participant.ts'
import { AFTER_QUIET_HOURS, LAST_RESORT, type Policies } from './policies.ts'
import { mayAnswer, Race, type RaceEnd, type RaceListener } from './race.ts'
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
  readonly #host: Host | undefined
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
  /** The next listener of the host is asked on the next macrotask. */
  #hostSoon: NodeJS.Immediate | undefined
  #rejoin: NodeJS.Timeout | undefined
  /** Who answered or declined; set once somebody has. */
  by: string | undefined
  /** Set once the agent has gone on: the way of a late answer. */
  #deliver: ((answer: AskUserQuestionAnswer) => boolean) | undefined

  /**
   * @param request the request as it came.
   * @param turn the signal that aborts with the turn; the host may have put another one on the request since.
   * @param host where the request comes from, when there is a host behind it.
   * @throws when the request is malformed.
   */
  constructor(request: AskUserQuestionRequest, turn: AbortSignal | undefined, router: RouterState & AskListener, host?: Host) {
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
    this.race = new Race(this, router.log)
  }

  /**
   * Ask everybody who is due.
   *
   * @returns the first acceptable answer; rejects as rules 9 to 11 say.
   */
  open(): Promise<AskUserQuestionAnswer> {
    this.#unlisten = onAbort(this.#turn, () => this.#turnOver())
    if (this.#turn?.aborted) this.abort()
    // An aborted ask asks nobody.
    this.#inviteAndAsk()
    return this.#result.promise
  }

  /** The turn was aborted, or the router is being unloaded (rules 11 and 13). */
  abort(): void {
    this.race.abort(this.#unansweredError())
  }

  /** The turn was aborted: the end, unless its agent has only gone on. */
  #turnOver(): void {
    if (!hasCode(this.#turn!.reason, 'ASK_TIMED_OUT') || !this.#goOn(this.#unansweredError())) this.abort()
  }

  timedOut(error: unknown): boolean {
    return this.#goOn(error)
  }

  /**
   * The agent goes on, and the question stays open on its surfaces (rule 26).
   *
   * @param error what the agent gets now.
   * @returns `false` where no answer would reach it later, or nobody is left who could give one, or may come back.
   */
  #goOn(error: unknown): boolean {
    const host = this.#host, participants = this.#participants
    if (!host?.late || !this.#lastOutHadLeft && !participants.some(one => one.state === 'waiting' || mayAnswer(one))) return false
    this.#deliver = host.late
    this.#unlisten()
    clearImmediate(this.#hostSoon)
    this.#hostSoon = undefined
    this.#result.reject(error)
    host.release(undefined, () => this.#turn?.aborted ? this.#turn.reason : error)
    for (const one of host.participants) one.retire('left')
    const waited = Date.now() - this.askedAt
    for (const { due, name, state } of participants) {
      if (state === 'waiting' && due > waited && due < AFTER_QUIET_HOURS) {
        this.router.log.warn(`"${name}" is asked after ${due} ms, but the agent went on after ${waited} ms`)
      }
    }
    for (const one of participants) one.wentOn()
    this.step()
    return true
  }

  get late(): boolean {
    return this.#deliver !== undefined
  }

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
    const participants = [...this.#participants, ...this.#host?.participants ?? []]
    return snapshotOf(this.id, this.request.agent, this.#sessionId, this.request, this.askedAt, participants, this.late)
  }

  /** Invite the surfaces, ask those that are due, then the host (rules 1 to 4 and 14). */
  #inviteAndAsk(): void {
    const all = this.router.surfaces.all.filter(one => this.#isFor(one)).map(one => new SurfaceParticipant(one, this)), others: SurfaceParticipant[] = []
    const claiming = all.filter(one => !this.#isOver && !one.registration.gone && one.claims() || void others.push(one))
    this.#isForAll = claiming.every(one => one.isPersonal)
    if (!this.#isForAll) this.#others = others
    for (const one of this.#isForAll ? all : claiming) this.#invite(one)
    for (const one of this.#newcomers!) this.#inviteNewcomer(one)
    this.#newcomers = undefined
    if (this.#isOver) return
    this.#wasOpened = true
    // Alone, the host is asked at once. Before anybody is told, since they may have the ask decided.
    if (this.#participants[0] && this.#host && this.#isRace && !this.late) this.#awaitHost()
    this.router.opened(this)
    this.step()
  }

  #inviteNewcomer(registration: Registration): void {
    if (this.#isOver || registration.gone || !this.#isFor(registration)) return
    const one = new SurfaceParticipant(registration, this)
    // What its claim does may have all invited.
    if (one.claims() || this.#isForAll) this.#invite(one)
    else this.#others.push(one)
  }

  /** An approval is for those that take approvals. */
  #isFor({ approvals }: Registration): boolean {
    return approvals || !isApproval(this.request)
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

  /** Ask the host's next listener, and on the following macrotask the one after it (rule 4). */
  #askHost(): void {
    const host = this.#host!, one = host.next()
    one.state = 'asked'
    one.since = Date.now()
    // Before it is asked: what it does then may have the ask decided, and two at once could not be told apart by their signals.
    if (host.hasMore) this.#awaitHost()
    this.race.ask(one)
  }

  #awaitHost(): void {
    this.#hostSoon = setImmediate(() => {
      this.#hostSoon = undefined
      this.step()
    })
  }

  /** Whether a listener of the host is still to be asked. */
  get #isHostWaiting(): boolean {
    const host = this.#host
    return !!host?.hasMore && !this.#hostSoon && !this.late && !(this.#policies.settings.host === 'first' && host.isAsked)
  }

  get #isRace(): boolean {
    return this.#host?.isShown === true || this.#policies.settings.host !== 'fallback'
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
    return isApproval(this.request) || !!(this.#participants[0] && this.#questions[0])
  }

  check(value: unknown): CheckedAnswer {
    return (isApproval(this.request) ? checkApproval : checkAnswer)(this.#questions, value)
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
      // A surface may have settled the ask from inside its `watched()`, here or below.
      if (this.#isOver) return
      if (this.#isHostWaiting && (this.#isRace || this.#host!.isAsked)) {
        this.#askHost()
        continue
      }
      if (this.#isHostOpen() && this.#policies.presence === 'home' || this.#participants.some(one => one.isSeen)) return
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
      else if (this.#isHostOpen() || this.#participants.some(mayAnswer)) return
      else if (!this.#lastOutHadLeft || this.race.kept) this.#giveUp()
      // Rule 13: somebody may come back.
      else return void (this.#rejoin ??= setTimeout(() => this.#giveUp(), this.#policies.settings.rejoinMs))
    }
  }

  #giveUp(): void {
    // An agent that has gone on needs no blank answer, and one would stand in the way of what its person says at the host.
    if (this.late && this.race.kept) this.abort()
    else this.race.giveUp()
  }

  #isHostOpen(): boolean {
    return this.#hostSoon !== undefined || !!this.#host?.participants.some(one => one.state === 'asked')
  }

  /** The race has ended: give the asker its result, tell the router, dismiss the losers (rules 8, 11, 15 and 16). */
  ended(end: RaceEnd): void {
    const participants = this.#participants, turn = this.#turn, host = this.#host, isChecked = this.checksAnswers
    const given = end.outcome.kind === 'answered' ? this.#answerFor(end.result as AskUserQuestionAnswer) : undefined
    const { outcome, result, by } = this.#isLate(end) ? this.#withdrawn(end) : this.#deliver && given ? this.#delivered(end, given) : end, { kind } = outcome
    const settler = this.by = 'by' in outcome ? outcome.by : undefined
    this.#unlisten()
    clearImmediate(this.#hostSoon)
    clearTimeout(this.#rejoin)
    if (kind === 'answered') this.#result.resolve(given!)
    else this.#result.reject(result)
    this.router.settled(this, outcome, this.#wasOpened)
    // Only now: until here the snapshot and the check of the answer need them.
    this.#participants = []
    // Shared by all losers and made only if one reads it: making it is most of what a loser costs.
    let error: unknown
    const reason = () => error ??= kind === 'aborted' ? result : withoutStack(() => settler === undefined ? this.#unansweredError() : userQuestionError('ASK_SETTLED', `"${settler}" settled it`))
    // A turn whose agent has gone on was over before.
    const turnReason = () => turn?.aborted && !this.late ? turn.reason as unknown : reason()
    if (settler === undefined) this.#controller.abort(turnReason())
    host?.release(by, turnReason)
    for (const one of participants) {
      if (one === by) one.clearTimers()
      else one.dismiss(outcome, reason, isChecked ? copyOfAnswer : same => same)
    }
  }

  /** Whether a surface was quicker than the news of what was decided in the asker's own dialog (rule 27). */
  #isLate({ by }: RaceEnd): boolean {
    return by !== undefined && !by.isHost && this.#host?.isDecided === true
  }

  #withdrawn({ by }: RaceEnd): RaceEnd {
    by!.state = 'asked'
    return { outcome: { kind: 'aborted' }, result: this.#unansweredError() }
  }

  #answerFor(answer: AskUserQuestionAnswer): AskUserQuestionAnswer {
    return this.#host && this.checksAnswers ? this.#host.answerFor(this.#questions, answer) : answer
  }

  /** The end once a late answer was delivered: nobody has won with one that its agent does not get. */
  #delivered(end: RaceEnd, answer: AskUserQuestionAnswer): RaceEnd {
    const by = end.by!
    let error: unknown = userQuestionError('ASK_ABORTED', 'the agent takes no answer any more')
    try {
      if (this.#deliver!(answer)) return end
    } catch (thrown) {
      error = thrown
    }
    // Somebody else's answer is on its way to the agent already.
    if (hasCode(error, 'REPLY_QUEUED')) {
      by.state = 'asked'
      return { outcome: { kind: 'cancelled', by: 'host' }, result: error }
    }
    by.state = 'failed'
    this.router.log.warn(`a late answer from "${by.name}" was not taken`, error)
    return { outcome: { kind: 'failed', error }, result: error }
  }

  #unansweredError() {
    // In dsh's own words, which reach the model.
    return userQuestionError('ASK_ABORTED', 'ask_user_question was aborted before the user answered', { cause: this.#turn?.reason })
  }
}

/** Whether a surface may show the question to somebody, now or after its delay. */
function isThere(one: SurfaceParticipant): boolean {
  return one.state === 'waiting' ? one.due < AFTER_QUIET_HOURS : one.isSeen
}
