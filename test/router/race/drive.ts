// Runs a schedule on the real thing - cordis, the plugin, fake time - and writes down everything that can be seen.
import type { Context } from '@deepseek-ai/cordis'
import { vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { SurfacePolicy } from '../../../src/protocol/policy.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import type { AskOutcome, AskSurfaces, PendingAsk } from '../../../src/protocol/surface.ts'
import { routeAsk } from '../../../src/router/route-ask.ts'
import { approval } from '../../helpers/approval.ts'
import { answerer, boot, dispatch } from '../../helpers/cordis.ts'
import { agentOf } from '../../helpers/surface.ts'
import { watch } from '../../helpers/time.ts'
import { Entry } from './entry.ts'
import { broken } from './promises.ts'
import { meaningIn, permits, QUESTIONS } from './replies.ts'
import { answerOf, DIALOG, type First, type HostId, hostOf, nameOf, type Place, type Reply, type Schedule, type Step, timed, type Who, type Within } from './schedule.ts'
import { written } from './wall.ts'

const EVENTS = { questions: 'user-questions/request', approval: 'approval/request' } as const

/** The configuration of a schedule. */
function configOf({ mode, editedMode, rejoinMs, surfaces, presence, quiet }: Schedule, isEdited = false) {
  const policies = surfaces.flatMap(({ home, away, edited, written: by }, who): [string, SurfacePolicy][] => {
    if (isEdited) return [[nameOf(who), edited]]
    if (by === 'short') return [[nameOf(who), { ...home }]]
    if (by === 'own') return []
    return [[nameOf(who), by === 'config' ? { home, away } : { away }]]
  })
  return {
    host: isEdited ? editedMode : mode, rejoinMs, presence, surfaces: Object.fromEntries(policies),
    ...quiet && !isEdited && { quiet: { from: written(quiet.from), to: written(quiet.to), timeZone: quiet.zone.name, surfaces: quiet.who.map(nameOf) } },
  }
}

/** Let every microtask run, as `flush` does, but without a turn of the event loop: there are many in a schedule. */
function microtasks(): Promise<void> {
  return new Promise(resolve => void process.nextTick(resolve))
}

/** More than any schedule needs. */
const MOST_TIMERS = 20_000

/** One run. */
export class Drive {
  readonly plan: Schedule
  readonly #start: number
  readonly entries: Entry[] = []
  readonly asked: (readonly [at: number, id: string])[] = []
  readonly reminded: (readonly [at: number, id: string])[] = []
  /** Whether somebody sees it, for those that know. */
  readonly watched: (boolean | undefined)[]
  /** The promises that were broken. */
  readonly broken: string[] = []
  /** Whether what is watched has changed without a word: that is noticed within a minute, not at once. */
  #isUntold = false
  /** Errors by the words of those who gave them. */
  readonly errors = new Map<string, Error>()
  /** What was answered, by whomever, and the normal form of each. */
  readonly given = new Set<unknown>()
  readonly normal: AskUserQuestionAnswer[] = []
  readonly states: (string | undefined)[] = []
  readonly events: ['asked' | 'settled', PendingAsk, AskOutcome?][] = []
  readonly controller = new AbortController()
  /** The listeners of the host that were asked, in that order: how each was, and the signal that it found. */
  readonly hosts: {
    readonly who: HostId, readonly at: number, readonly signal: AbortSignal | undefined, readonly next: () => Promise<never>
    readonly answer: PromiseWithResolvers<never>, hasSpoken: boolean
  }[] = []
  /** Whether the end of the host's list was reached, by whomever. */
  #hostEnded = false
  /** How often a choice was made that permits, and how often one that denies. */
  readonly decided = { permits: 0, denies: 0 }
  readonly request: AskUserQuestionRequest
  listeners = 0
  settledAt = -1
  /** Timers that were left when the ask had settled, those of the schedule aside. */
  timersLeft = 0
  #steps = 0
  #ctx: Context | undefined
  /** Kept, because each read of it from the context makes a proxy; `undefined` for `routeAsk`. */
  #registry: AskSurfaces | undefined
  #isClosed = false
  #close: (() => Promise<void>) | undefined
  #edit: ((isEdited: boolean) => void) | undefined
  isEdited = false

  constructor(plan: Schedule) {
    this.plan = plan
    // Of an earlier run that failed halfway.
    vi.clearAllTimers()
    if (plan.start > 0) vi.setSystemTime(plan.start)
    this.#start = Date.now()
    this.watched = plan.surfaces.map(({ watched }) => watched)
    const asked = plan.ask === 'approval' ? plan.ofSource ? approval() : { toolName: 'bash', agent: agentOf('s') } : { questions: QUESTIONS, ...plan.ofAgent && { agent: agentOf('s') } }
    this.request = { ...asked, signal: this.controller.signal } as AskUserQuestionRequest
    const { signal } = this.controller
    const [add, remove] = [signal.addEventListener.bind(signal), signal.removeEventListener.bind(signal)]
    signal.addEventListener = (...args: Parameters<typeof add>) => (this.listeners++, add(...args))
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (this.listeners--, remove(...args))
  }

  get now(): number {
    return Date.now() - this.#start
  }

  /** The open asks; none for `routeAsk`, which has no registry. */
  get pending(): readonly PendingAsk[] {
    return this.#registry?.pending() ?? []
  }

  async run() {
    const { plan } = this
    for (const [at, step] of timed(plan)) {
      this.#steps++
      setTimeout(() => {
        this.#steps--
        const [ask] = this.pending
        this.states.push(ask?.participants.map(({ name, state }) => `${name}=${state}`).join(' '))
        if (!this.#isUntold) this.look(undefined, this.#steps === 0)
        if (step.kind === 'watch' && !step.told) this.#isUntold = true
        this.#do(step, `step at ${at}`)
      }, at)
    }
    if (plan.late) this.controller.abort('before')
    const { answer } = plan.hosts === undefined ? this.#route() : await this.#boot()
    const ask = watch(answer)
    for (let timers = 0; ; timers++) {
      if (timers > MOST_TIMERS) throw new Error('the schedule does not end')
      await microtasks()
      if (ask.state !== 'open' && this.settledAt < 0) {
        this.settledAt = this.now
        this.timersLeft = vi.getTimerCount() - this.#steps
      }
      if (vi.getTimerCount() === 0) break
      vi.advanceTimersToNextTimer()
    }
    await this.#close?.()
    return ask
  }

  readonly #done = new Set<Within>()
  /** When something was done from inside a call last. */
  #withinAt = -1

  /** Do what is to be done from inside a call, each once. */
  within(place: Place, of?: number): void {
    for (const one of this.plan.within) {
      if (this.#done.has(one) || one.place !== place || (of !== undefined && of !== one.of)) continue
      this.#done.add(one)
      this.#withinAt = this.now
      this.#do(one.step, `within ${place}`)
    }
  }

  /** Note which promises are broken now. */
  look(asking?: number, isEnd = false): void {
    const [ask] = this.pending
    // What is changed from inside a call counts at once or right after: a sweep that is under way goes on.
    if (!ask || (asking !== undefined && this.#withinAt === this.now)) return
    const { presence } = this.#registry!
    this.broken.push(...broken(this.plan, {
      now: Date.now(), presence, isEdited: this.isEdited, participants: ask.participants.map(one => one.name === DIALOG ? { ...one, name: 'host' } : one), watched: this.watched, isEnd,
      wholeHost: this.#hostEnded || (this.hosts.length > 0 && this.hosts.length === this.plan.hosts!.length), ...asking !== undefined && { asking },
    }))
  }

  #route() {
    return { answer: routeAsk(this.plan.surfaces.map((_, who) => this.#entry(who)), this.request) }
  }

  async #boot() {
    const { plan } = this
    const { ctx, fiber } = await boot(configOf(plan))
    this.#ctx = ctx
    this.#registry = ctx.get('askSurfaces')!
    this.#close = () => fiber.dispose()
    this.#edit = isEdited => void fiber.update(configOf(plan, isEdited))
    ctx.on('ask-surfaces/asked', (ask) => {
      this.events.push(['asked', ask])
      this.within('event asked')
    })
    ctx.on('ask-surfaces/settled', (ask, outcome) => {
      this.events.push(['settled', ask, outcome])
      this.within('event settled')
    })
    ctx.on('ask-surfaces/presence', () => this.within('event presence'))
    if (plan.within.length > 0) ctx.logger.exporter({ levels: { default: 3 }, export: () => this.within('log') })
    for (const [who, { early }] of plan.surfaces.entries()) if (early) await this.#register(who)
    if (plan.ofSource) return { answer: this.#askOfSource() }
    for (const [at, { first, ofPlugin }] of plan.hosts!.entries()) await this.#listen(ctx, `h${at}`, first, ofPlugin)
    const answer = dispatch(ctx, this.request, () => {
      this.#hostEnded = true
      return plan.ask === 'approval' ? Promise.resolve('unavailable') : Promise.reject(this.#error('end', 'NO_PROVIDER'))
    }, EVENTS[plan.ask])
    // In an object: an async function would wait for a bare promise.
    return { answer }
  }

  /** Who gave the answer, as the source hears it. */
  by: string | undefined

  /** Ask as a source does, whose own dialog shows the question already. */
  async #askOfSource(): Promise<AskUserQuestionAnswer> {
    const [dialog] = this.plan.hosts!, said = Promise.withResolvers<never>()
    if (dialog) {
      this.hosts.push({ who: 'h0', at: this.now, signal: undefined, next: () => said.promise, answer: said, hasSpoken: false })
      const tag = 'h0 at once'
      if (dialog.first === 'throw') said.reject(this.#error(tag, undefined))
      else if (dialog.first !== 'hang') this.#say('h0', said, dialog.first as Reply, tag)
    }
    const { answer, by } = await this.#registry!.ask(this.request, dialog && { dialog: { name: DIALOG, answer: said.promise } })
    this.by = by
    return answer
  }

  /** Stand behind the router as a UI of the host does. */
  async #listen(ctx: Context, who: HostId, first: First | 'delegate', ofPlugin: boolean): Promise<void> {
    const listener = (request: AskUserQuestionRequest, next: () => Promise<never>) => {
      this.asked.push([this.now, who])
      const answer = Promise.withResolvers<never>()
      this.hosts.push({ who, at: this.now, signal: request.signal, next, answer, hasSpoken: false })
      return first === 'delegate' ? next() : this.react(who, answer.promise, first)
    }
    const listen = (inner: Context) => void answerer(inner, listener, false, EVENTS[this.plan.ask])
    if (ofPlugin) await ctx.plugin({ name: who, apply: listen })
    else listen(ctx)
  }

  /** What a participant returns when it is asked. */
  react(who: Who, promise: Promise<never>, first: First): Promise<never> {
    const tag = `${nameOf(who)} at once`
    if (first === 'hang') return promise
    if (first === 'throw') throw this.#error(tag, undefined)
    const said = Promise.withResolvers<never>()
    this.#say(who, said, first, tag)
    return said.promise
  }

  #error(tag: string, code: string | undefined): Error {
    const error = this.errors.get(tag) ?? Object.assign(new Error(tag), code !== undefined && { name: 'UserQuestionError', code })
    this.errors.set(tag, error)
    return error
  }

  #say(who: Who, { resolve, reject }: PromiseWithResolvers<never>, reply: Reply, tag: string): void {
    const isHost = typeof who === 'string' && !this.plan.ofSource, meaning = meaningIn(this.plan.ask, reply, tag, isHost)
    if (permits(reply, isHost)) this.decided.permits++
    else if (meaning.is === 'answer' || reply === 'cancel') this.decided.denies++
    if (meaning.is === 'rejection') reject(this.#error(tag, meaning.code))
    else {
      this.given.add(meaning.given)
      if (meaning.is === 'answer' || meaning.is === 'blank') this.normal.push(meaning.normal)
      resolve(meaning.given as never)
    }
  }

  #do(step: Step, tag: string): void {
    switch (step.kind) {
      case 'say': return this.#speak(step.who, step.reply, tag)
      case 'pass': {
        const one = this.hosts.find(({ who }) => who === step.who)
        if (!one || one.hasSpoken || !this.#isHanging(step.who)) return
        one.hasSpoken = true
        // An async listener that throws rejects.
        return one.answer.resolve((async () => await one.next())() as never)
      }
      case 'come': return void this.#register(step.who)
      case 'go': {
        if (step.said !== undefined) this.#speak(step.who, step.said, tag)
        this.#leave(step.who)
        if (step.other !== undefined) this.#speak(step.other, answerOf(this.plan.ask, step.other), `${tag}, then`)
        return
      }
      case 'unload': {
        const unload = this.#living.get(step.who)?.unload
        if (!unload) return this.#leave(step.who)
        unload(step.said, tag)
        return void this.#living.delete(step.who)
      }
      case 'presence': {
        if (this.#registry) this.#registry.presence = step.to
        return
      }
      case 'edit': {
        if (!this.pending[0] || this.#isClosed) return
        this.isEdited = step.edited
        this.#edit?.(step.edited)
        return
      }
      case 'watch': {
        if (this.watched[step.who] !== undefined) this.watched[step.who] = step.to
        if (step.told) this.#registry?.reconsider()
        return
      }
      case 'reconsider': return this.#registry?.reconsider()
      case 'abort': return this.controller.abort(tag)
      case 'close': {
        this.#isClosed = true
        return void this.#close?.()
      }
    }
  }

  readonly #living = new Map<number, Entry>()

  #leave(who: number): void {
    const dispose = this.#living.get(who)?.dispose
    // One that is only just being registered cannot go yet.
    if (!dispose) return
    this.#living.delete(who)
    dispose()
  }

  /** One that has spoken at once has no promise left to settle. */
  #isHanging(who: Who): boolean {
    return (typeof who === 'number' ? this.plan.surfaces[who]! : hostOf(this.plan, who))?.first === 'hang'
  }

  #speak(who: Who, reply: Reply, tag: string): void {
    if (!this.#isHanging(who)) return
    const listener = this.hosts.find(one => one.who === who && !one.hasSpoken)
    const asked = listener ?? this.entries.findLast(one => one.name === nameOf(who) && one.asks.length > 0)
    if (listener) listener.hasSpoken = true
    if (asked) this.#say(who, asked.answer, reply, tag)
  }

  #entry(who: number): Entry {
    const name = nameOf(who)
    const entry = new Entry(this, who, `${name}#${this.entries.filter(one => one.name === name).length}`)
    this.entries.push(entry)
    this.#living.set(who, entry)
    return entry
  }

  async #register(who: number): Promise<void> {
    if (this.#isClosed || this.#living.has(who)) return
    const entry = this.#entry(who)
    if (!this.plan.surfaces[who]!.ofPlugin) {
      entry.dispose = this.#registry!.register(entry)
      return
    }
    let farewell = () => {}
    const fiber = await this.#ctx!.plugin({
      name: entry.id,
      inject: ['askSurfaces'],
      apply(inner: Context) {
        inner.effect(() => () => farewell(), 'farewell')
        entry.dispose = inner.askSurfaces.register(entry)
      },
    })
    entry.unload = (said, tag) => {
      if (this.plan.surfaces[who]!.first === 'hang' && entry.asks.length > 0) farewell = () => this.#say(who, entry.answer, said, tag)
      void fiber.dispose()
    }
  }
}
