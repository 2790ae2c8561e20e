// What docs/routing.md says happens in a schedule: a simulation of its own, written from the rules and not from the router.
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { Expected, ModelEntry, ModelHost, ModelRun } from './expected.ts'
import { Loop, type Timer } from './loop.ts'
import { meaningIn } from './replies.ts'
import { answerOf, type First, type HostId, hostOf, nameOf, type Reply, type Schedule, type Step, timed, type Timing, type Who } from './schedule.ts'
import { isQuietAt } from './wall.ts'

const MINUTE = 60_000

/** Simulate a schedule. */
export class Model {
  readonly #plan: Schedule
  readonly #loop = new Loop()
  readonly #entries: ModelEntry[] = []
  /** Who is registered, in order. */
  #registered: ModelEntry[] = []
  /** Participants, in the order of their invitation. */
  readonly #invited: ModelEntry[] = []
  readonly #asked: [number, string][] = []
  readonly #reminded: [number, string][] = []
  #presence: Schedule['presence']
  #isEdited = false
  /** Whether somebody sees it, for those that know. */
  readonly #watched: (boolean | undefined)[]
  readonly #states: (string | undefined)[] = []
  /** The calls of `next()` that the router has made. */
  readonly #hosts: ModelHost[] = []
  /** How many listeners of the host are off the list, whoever took them, and whose call each answers. */
  readonly #taken: { readonly who: HostId, readonly by: ModelHost, hasSpoken: boolean }[] = []
  /** Set until the macrotask is over before which the host's next listener is not asked. */
  #hostSoon: object | undefined
  #open = false
  /** Whether those who do not claim are invited. */
  #everybody = true
  /** The first answer that does not win: what was given, and its normal form unless it is a bad one. */
  #kept: { by: ModelEntry | ModelHost, given: unknown, normal: AskUserQuestionAnswer | undefined } | undefined
  #lastWentByLeaving = false
  #rejoin: Timer | undefined
  readonly #failures: string[] = []
  #nobody: string | undefined
  #outcome: Expected | undefined
  #settledAt = -1
  #requestAborted = false
  #undecided: ModelRun['undecided'] = 'unavailable'

  constructor(plan: Schedule) {
    this.#plan = plan
    this.#presence = plan.presence
    this.#watched = plan.surfaces.map(({ watched }) => watched)
  }

  run(): ModelRun {
    for (const [at, step] of timed(this.#plan)) {
      this.#loop.at(at, () => {
        this.#states.push(this.#open ? this.#picture() : undefined)
        this.#step(step, `step at ${at}`)
      })
    }
    for (const [index, { early }] of this.#plan.surfaces.entries()) if (early) this.#register(index)
    this.#start()
    this.#loop.run()
    return {
      outcome: this.#outcome, settledAt: this.#settledAt, asked: this.#asked, reminded: this.#reminded, entries: this.#entries, states: this.#states,
      requestAborted: this.#requestAborted, hosts: this.#hosts, undecided: this.#undecided, ambiguous: this.#loop.ambiguous,
    }
  }

  #picture(): string {
    const hosts = this.#hosts.filter(({ state }) => state !== 'nobody').map(one => `${this.#hostName(one)}=${one.state}`)
    if (this.#plan.hosts && this.#hosts.length === 0) hosts.push(`${this.#hostName(undefined)}=waiting`)
    return [...this.#invited.map(({ id, state }) => `${id}=${state}`), ...hosts].join(' ')
  }

  /** How many calls of `next()` there are at most. */
  get #mostHosts(): number {
    return Math.max(1, this.#plan.hosts?.length ?? 0)
  }

  /** Rule 4: whose plugin is known, and not moved up by one that delegated. */
  #hostName(one: ModelHost | undefined): string {
    const { hosts = [] } = this.#plan, at = one?.at ?? 0
    const isCertain = at === 0 || (this.#hosts.length === hosts.length && this.#hosts.at(-1)!.state !== 'nobody')
    return isCertain && hosts[at]?.ofPlugin ? `host: h${at}` : 'host'
  }

  #name(who: ModelEntry | ModelHost): string {
    return 'at' in who ? this.#hostName(who) : nameOf(who.who)
  }

  /** Rules 1 to 4. */
  #start(): void {
    if (this.#plan.late) return this.#abort()
    this.#open = true
    const there = this.#registered.filter(one => this.#isFor(one))
    const claimers = there.filter(one => this.#claims(one))
    this.#everybody = claimers.length === 0
    for (const one of there) if (this.#everybody || one.claimed || this.#isPersonal(one)) this.#invite(one)
    if (there.length > 0 && this.#plan.hosts && this.#isRace) this.#awaitHost()
    this.#decide()
    if (this.#plan.quiet || this.#watched.some(one => one !== undefined)) this.#tick()
  }

  /** Rule 24: whether it is there for this ask at all. */
  #isFor({ who }: ModelEntry): boolean {
    return this.#plan.ask === 'questions' || this.#plan.surfaces[who]!.approves
  }

  #awaitHost(): void {
    const soon = this.#hostSoon = {}
    this.#loop.soon(() => {
      if (this.#hostSoon !== soon) return
      this.#hostSoon = undefined
      this.#decide()
    })
  }

  /** Rule 12: the clock on the wall is read, and what is watched, on every minute. */
  #tick(): void {
    const { now } = this.#loop
    this.#loop.at(now + MINUTE - (this.#plan.start + now) % MINUTE, () => {
      this.#reconsider()
      this.#tick()
    }, () => this.#open)
  }

  #reconsider(): void {
    if (!this.#open) return
    for (const one of this.#invited) {
      if (one.state === 'waiting') this.#schedule(one)
      else if (one.state === 'asked') {
        this.#limit(one)
        this.#remindLater(one)
      }
    }
    this.#decide()
  }

  #timing({ who }: ModelEntry): Timing | false {
    const { written, edited, ...first } = this.#plan.surfaces[who]!, at = this.#presence
    if (!this.#isEdited || !edited[at]) return (this.#isEdited ? edited : first)[at]
    // What the edited configuration leaves open, the surface's own policy says, if it has one for this mode.
    const isOwn = written === 'own' || written === 'own and config' && at === 'home'
    const said = Object.entries(edited[at]).filter(([, value]) => value !== undefined)
    return { ...isOwn && first[at], ...Object.fromEntries(said) }
  }

  #isQuiet({ who }: ModelEntry): boolean {
    const { quiet, start } = this.#plan
    return !this.#isEdited && quiet !== undefined && quiet.who.includes(who) && isQuietAt(quiet, start + this.#loop.now)
  }

  get #mode() {
    return this.#isEdited ? this.#plan.editedMode : this.#plan.mode
  }

  get #isRace(): boolean {
    return this.#mode !== 'fallback'
  }

  #claims(one: ModelEntry): boolean {
    return one.claimed = this.#plan.surfaces[one.who]!.claim === 'yes'
  }

  #isPersonal({ who }: ModelEntry): boolean {
    return this.#plan.surfaces[who]!.claim === 'personal'
  }

  #invite(one: ModelEntry): void {
    this.#loop.drop(this.#rejoin)
    this.#rejoin = undefined
    this.#invited.push(one)
    one.state = 'waiting'
    this.#schedule(one)
  }

  /** Rule 12: when it is asked, if it is. */
  #schedule(one: ModelEntry): void {
    const timing = this.#timing(one)
    one.delayMs = (timing && timing.delayMs) || 0
    one.waits = !timing ? 'mode' : this.#isQuiet(one) && !this.#plan.surfaces[one.who]!.silent ? 'quiet' : 'delay'
    const alarm = one.alarm = {}
    if (one.waits !== 'delay') return
    if (one.delayMs <= this.#loop.now) return this.#ask(one)
    this.#loop.at(one.delayMs, () => {
      this.#schedule(one)
      this.#decide()
    }, () => this.#open && one.state === 'waiting' && one.alarm === alarm)
  }

  #ask(one: ModelEntry): void {
    if (!this.#open || one.state !== 'waiting') return
    one.state = 'asked'
    one.wasAsked = true
    this.#asked.push([this.#loop.now, one.id])
    const { first } = this.#plan.surfaces[one.who]!
    one.askedAt = this.#loop.now
    this.#limit(one)
    one.quietly = this.#isQuiet(one)
    one.reminders = { shownAt: this.#loop.now, count: 0, owed: false, isLastResort: one.waits === 'mode', every: undefined }
    this.#remindLater(one)
    this.#react(one, first, `${nameOf(one.who)} at once`)
  }

  /** Rule 12: the time-out of the policy in force. */
  #limit(one: ModelEntry): void {
    const timing = this.#timing(one), timeoutMs = timing ? timing.timeoutMs : undefined
    if (timeoutMs === one.limit?.timeoutMs) return
    const limit = one.limit = { timeoutMs }
    if (timeoutMs === undefined) return
    this.#loop.at(Math.max(this.#loop.now, one.askedAt + timeoutMs), () => {
      this.#goes(one, 'timed-out', 'SURFACE_TIMEOUT')
    }, () => this.#open && one.state === 'asked' && one.limit === limit)
  }

  #remindLater(one: ModelEntry): void {
    const timing = this.#timing(one), { reminders } = one
    if (!this.#plan.surfaces[one.who]!.reminds) return
    const isQuiet = this.#isQuiet(one)
    reminders.owed ||= isQuiet
    if ((timing || reminders.isLastResort) && reminders.owed && !isQuiet) {
      reminders.owed = false
      return this.#remind(one)
    }
    const every = timing && !reminders.owed && reminders.count < (timing.remindMax ?? 3) ? timing.remindMs : undefined
    if (every === reminders.every) return
    reminders.every = every
    if (every === undefined) return
    const at = Math.max(this.#loop.now, reminders.shownAt + every), alarm = reminders
    this.#loop.at(at, () => {
      reminders.every = undefined
      if (this.#isQuiet(one)) return this.#remindLater(one)
      reminders.count++
      this.#remind(one)
    }, () => this.#open && one.state === 'asked' && !one.disposed && reminders === alarm && reminders.every === every)
  }

  #remind(one: ModelEntry): void {
    this.#reminded.push([this.#loop.now, one.id])
    one.reminders = { ...one.reminders, shownAt: this.#loop.now, every: undefined }
    this.#remindLater(one)
  }

  /** Rule 4: one call of `next()`. */
  #askHost(): void {
    const at = this.#hosts.length
    const one: ModelHost = { at, state: 'asked', who: this.#plan.hosts![this.#taken.length] && `h${this.#taken.length}` }
    this.#hosts.push(one)
    if (this.#hosts.length < this.#mostHosts) this.#awaitHost()
    this.#next(one)
  }

  /** Take the next listener of the host off the list: what it says is what `by` says. */
  #next(by: ModelHost): void {
    const at = this.#taken.length, plan = this.#plan.hosts![at], who: HostId = `h${at}`
    if (!plan) return this.#heard(by, () => this.#says(by, 'nobody', 'end'))
    this.#asked.push([this.#loop.now, who])
    this.#taken.push({ who, by, hasSpoken: plan.first === 'delegate' })
    if (plan.first === 'delegate') this.#next(by)
    else this.#react(by, plan.first, `${who} at once`)
  }

  #react(who: ModelEntry | ModelHost, first: First, tag: string): void {
    if (first === 'throw') this.#heard(who, () => this.#fails(who, tag))
    else if (first !== 'hang') this.#heard(who, () => this.#says(who, first, tag))
  }

  /** What somebody says counts as a microtask of its own; an outcome of dsh's is read as an answer first, in one more. */
  #heard(who: ModelEntry | ModelHost, run: () => void): void {
    this.#loop.micro('at' in who && this.#plan.ask === 'approval' ? () => this.#loop.micro(run) : run)
  }

  /** Rules 6, 7, 9, 10, 24 and 25. */
  #says(who: ModelEntry | ModelHost, reply: Reply, tag: string): void {
    if (!this.#isIn(who)) return
    const isHost = 'at' in who, meaning = meaningIn(this.#plan.ask, reply, tag, isHost)
    const isChecked = this.#plan.ask === 'approval' || this.#invited.length > 0
    const code = meaning.is === 'rejection' || meaning.is === 'outcome' ? meaning.code : undefined
    if (code === 'ASK_CANCELLED' || (isHost && code === 'ASK_TIMED_OUT')) {
      const by = this.#name(who)
      who.state = 'cancelled'
      this.#settle({ kind: 'cancelled', by, error: tag }, who)
    } else if (isHost && code === 'NO_PROVIDER') {
      this.#nobody = tag
      who.state = 'nobody'
      this.#decide()
    } else if (meaning.is === 'rejection' || meaning.is === 'outcome') {
      if (meaning.is === 'outcome') this.#undecided = 'cancelled'
      this.#fails(who, tag)
    } else if (meaning.is === 'answer') this.#wins(who, isChecked ? meaning.normal : undefined, meaning.given)
    else if (meaning.is === 'bad' && isChecked) this.#fails(who, 'BAD_ANSWER')
    else {
      this.#kept ??= { by: who, given: meaning.given, normal: meaning.is === 'blank' ? meaning.normal : undefined }
      who.state = 'blank'
      this.#lastWentByLeaving = false
      this.#decide()
    }
  }

  /** A time-out does not deafen. */
  #isIn({ state }: ModelEntry | ModelHost): boolean {
    return this.#open && (state === 'asked' || state === 'timed-out')
  }

  /** @param normal the answer in normal form; `undefined` where it passes as it was given. */
  #wins(who: ModelEntry | ModelHost, normal: AskUserQuestionAnswer | undefined, given: unknown): void {
    const by = this.#name(who)
    who.state = 'answered'
    this.#settle({ kind: 'answered', by, answer: normal ?? given, asItIs: normal === undefined }, who)
  }

  #fails(who: ModelEntry | ModelHost, error: string): void {
    if (!this.#isIn(who)) return
    if ('at' in who) {
      who.state = 'failed'
      this.#failures.push(error)
      this.#lastWentByLeaving = false
      this.#decide()
    } else this.#goes(who, 'failed', error)
  }

  #goes(one: ModelEntry, state: 'failed' | 'timed-out' | 'left', error?: string): void {
    one.state = state
    this.#lastWentByLeaving = state === 'left'
    if (error !== undefined) this.#failures.push(error)
    this.#decide()
  }

  get #isHostWaiting(): boolean {
    const asked = this.#hosts.length
    return this.#plan.hosts !== undefined && !this.#hostSoon && asked < this.#mostHosts && !(this.#mode === 'first' && asked > 0)
  }

  /** Rules 2, 10, 12 and 13: what comes next, step by step until somebody sees the question. */
  #decide(): void {
    while (this.#open) {
      if (!this.#everybody && !this.#invited.some(one => one.claimed && this.#isThere(one))) {
        this.#everybody = true
        for (const one of this.#registered) if (one.state === 'uninvited' && this.#isFor(one)) this.#invite(one)
        continue
      }
      if (this.#isHostWaiting && (this.#isRace || this.#hosts.length > 0)) {
        this.#askHost()
        continue
      }
      const isHostOpen = this.#hostSoon !== undefined || this.#hosts.some(({ state }) => state === 'asked')
      if ((isHostOpen && this.#presence === 'home') || this.#invited.some(one => this.#isSeen(one))) return
      const [delayed, held, forbidden] = (['delay', 'quiet', 'mode'] as const).map(
        waits => this.#invited.filter(one => one.state === 'waiting' && one.waits === waits))
      if (delayed!.length > 0) this.#askSoonest(delayed!)
      else if (this.#isHostWaiting) this.#askHost()
      else if (held!.length > 0) this.#askSoonest(held!)
      else if (isHostOpen) return
      else if (forbidden!.length > 0) this.#askSoonest(forbidden!)
      else return this.#nobodyIsLeft()
    }
  }

  #askSoonest(waiting: readonly ModelEntry[]): void {
    const shortest = Math.min(...waiting.map(one => one.delayMs))
    for (const one of waiting) if (one.delayMs === shortest) this.#ask(one)
  }

  #isSeen(one: ModelEntry): boolean {
    return one.state === 'asked' && this.#watched[one.who] !== false
  }

  #isThere(one: ModelEntry): boolean {
    return this.#isSeen(one) || (one.state === 'waiting' && one.waits === 'delay')
  }

  #nobodyIsLeft(): void {
    if (this.#invited.some(one => this.#isIn(one))) return
    if (this.#kept) this.#giveUp()
    else if (this.#lastWentByLeaving) this.#rejoin ??= this.#loop.at(this.#loop.now + this.#plan.rejoinMs, () => this.#giveUp(), () => this.#open)
    else this.#giveUp()
  }

  #giveUp(): void {
    const kept = this.#kept, isChecked = this.#invited.length > 0
    if (kept && (kept.normal || !isChecked)) return this.#wins(kept.by, isChecked ? kept.normal : undefined, kept.given)
    if (kept) this.#failures.push('BAD_ANSWER')
    const errors = this.#failures.length > 0 ? this.#failures : [this.#nobody ?? 'NO_PROVIDER']
    this.#settle({ kind: 'failed', errors }, undefined)
  }

  #abort(): void {
    this.#settle({ kind: 'aborted' }, undefined)
  }

  /** Rules 8, 11 and 16. */
  #settle(outcome: Expected, by: ModelEntry | ModelHost | undefined): void {
    this.#open = false
    this.#outcome = outcome
    this.#settledAt = this.#loop.now
    this.#hostSoon = undefined
    this.#requestAborted = by === undefined
    const answer = outcome.kind === 'answered' && !outcome.asItIs ? outcome.answer as AskUserQuestionAnswer : undefined
    for (const one of this.#invited) {
      if (!one.wasAsked || one === by) continue
      one.stopped ??= one.disposed ? 'SURFACE_GONE' : by === undefined ? 'ASK_ABORTED' : 'ASK_SETTLED'
      if (by !== undefined && !one.disposed) one.told.push({ by: 'by' in outcome ? outcome.by : '', answer })
    }
  }

  #step(step: Step, tag: string): void {
    switch (step.kind) {
      case 'say': return this.#speak(step.who, step.reply, tag)
      case 'pass': {
        const one = this.#taken.find(({ who }) => who === step.who)
        if (!one || one.hasSpoken || !this.#isHanging(step.who)) return
        one.hasSpoken = true
        return this.#next(one.by)
      }
      case 'come': return this.#comes(step.who)
      case 'go': {
        if (step.said !== undefined) this.#speak(step.who, step.said, tag)
        this.#leaves(step.who, false)
        if (step.other !== undefined) this.#speak(step.other, answerOf(this.#plan.ask, step.other), `${tag}, then`)
        return
      }
      case 'unload': return this.#leaves(step.who, this.#plan.surfaces[step.who]!.ofPlugin)
      case 'presence': {
        if (step.to === this.#presence) return
        this.#presence = step.to
        return this.#reconsider()
      }
      case 'edit': {
        this.#isEdited = step.edited
        return this.#reconsider()
      }
      case 'watch': {
        if (this.#watched[step.who] !== undefined) this.#watched[step.who] = step.to
        if (step.told) this.#reconsider()
        return
      }
      case 'reconsider': return this.#reconsider()
      case 'abort':
      case 'close': if (this.#open) this.#abort()
    }
  }

  #isHanging(who: HostId): boolean {
    return hostOf(this.#plan, who)?.first === 'hang'
  }

  #speak(who: Who, reply: Reply, tag: string): void {
    // Only one that was asked has anything to answer, and only once.
    if (typeof who === 'number') {
      const speaker = this.#entries.findLast(one => one.who === who && one.wasAsked)
      if (speaker) this.#heard(speaker, () => this.#says(speaker, reply, tag))
      return
    }
    const listener = this.#taken.find(one => one.who === who)
    if (!listener || listener.hasSpoken || !this.#isHanging(who)) return
    listener.hasSpoken = true
    this.#heard(listener.by, () => this.#says(listener.by, reply, tag))
  }

  /** Rules 13 and 14. */
  #comes(who: number): void {
    if (this.#registered.some(one => one.who === who)) return
    const one = this.#register(who)
    if (!this.#open) return
    if (this.#isFor(one) && (this.#claims(one) || this.#everybody || this.#isPersonal(one))) this.#invite(one)
    // Whoever comes, it is looked who is there.
    this.#decide()
  }

  #register(who: number): ModelEntry {
    const id = `${nameOf(who)}#${this.#entries.filter(one => one.who === who).length}`
    const one: ModelEntry = {
      id, who, claimed: false, state: 'uninvited', wasAsked: false, disposed: false, delayMs: 0, waits: 'delay', alarm: undefined, askedAt: -1, limit: undefined,
      quietly: false, reminders: { shownAt: 0, count: 0, owed: false, isLastResort: false, every: undefined }, stopped: undefined, told: [],
    }
    this.#entries.push(one)
    this.#registered.push(one)
    return one
  }

  #leaves(who: number, atOnce: boolean): void {
    const one = this.#registered.find(entry => entry.who === who)
    if (!one) return
    this.#registered = this.#registered.filter(entry => entry !== one)
    if (!this.#open) return
    one.disposed = true
    if (this.#isIn(one) && !atOnce) this.#loop.soon(() => this.#isOut(one))
    else this.#isOut(one)
  }

  #isOut(one: ModelEntry): void {
    if (!this.#open || one.state === 'uninvited') return
    if (one.wasAsked) one.stopped ??= 'SURFACE_GONE'
    if (one.state === 'asked') this.#goes(one, 'left', 'SURFACE_GONE')
    else if (one.state === 'waiting' || one.state === 'timed-out') this.#goes(one, 'left')
    else one.state = 'left'
  }
}
