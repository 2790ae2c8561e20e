// Runs a schedule on the real thing - cordis, the plugin, fake time - and writes down everything that can be seen.
import type { Context } from '@deepseek-ai/cordis'
import { vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { SurfacePolicy } from '../../../src/protocol/policy.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import type { AskOutcome, AskSurfaces, PendingAsk } from '../../../src/protocol/surface.ts'
import { routeAsk } from '../../../src/router/route-ask.ts'
import { boot, dispatch } from '../../helpers/cordis.ts'
import { agentOf } from '../../helpers/surface.ts'
import { watch } from '../../helpers/time.ts'
import { Entry } from './entry.ts'
import { broken } from './promises.ts'
import { meaningOf, QUESTIONS } from './replies.ts'
import { type First, nameOf, type Place, type Reply, type Schedule, type Step, timed, type Within } from './schedule.ts'
import { written } from './wall.ts'

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
  readonly #host = Promise.withResolvers<never>()
  #hostAsked = false
  readonly request: AskUserQuestionRequest
  hostSignal: AbortSignal | undefined
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
    if (plan.start > 0) vi.setSystemTime(plan.start)
    this.#start = Date.now()
    this.watched = plan.surfaces.map(({ watched }) => watched)
    this.request = { questions: QUESTIONS, signal: this.controller.signal, ...plan.ofAgent && { agent: agentOf('s') } }
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
    const { answer } = plan.host === undefined ? this.#route() : await this.#boot()
    const ask = watch(answer)
    for (;;) {
      await microtasks()
      if (ask.state !== 'open' && this.settledAt < 0) {
        this.settledAt = this.now
        this.timersLeft = vi.getTimerCount() - this.#steps
      }
      if (vi.getTimerCount() === 0) break
      vi.advanceTimersToNextTimer()
    }
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
      now: Date.now(), presence, isEdited: this.isEdited, participants: ask.participants, watched: this.watched, isEnd, ...asking !== undefined && { asking },
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
    const answer = dispatch(ctx, this.request, () => {
      this.asked.push([this.now, 'host'])
      this.#hostAsked = true
      this.hostSignal = this.request.signal
      return this.react(this.#host.promise, plan.host!, 'host at once')
    })
    // In an object: an async function would wait for a bare promise.
    return { answer }
  }

  /** What a participant returns when it is asked. */
  react(promise: Promise<never>, first: First, tag: string): Promise<never> {
    if (first === 'hang') return promise
    if (first === 'throw') throw this.#error(tag, undefined)
    const said = Promise.withResolvers<never>()
    this.#say(said, first, tag)
    return said.promise
  }

  #error(tag: string, code: string | undefined): Error {
    const error = this.errors.get(tag) ?? Object.assign(new Error(tag), code !== undefined && { name: 'UserQuestionError', code })
    this.errors.set(tag, error)
    return error
  }

  #say({ resolve, reject }: PromiseWithResolvers<never>, reply: Reply, tag: string): void {
    const meaning = meaningOf(reply, tag)
    if (meaning.is === 'rejection') reject(this.#error(tag, meaning.code))
    else {
      this.given.add(meaning.given)
      if (meaning.is !== 'bad') this.normal.push(meaning.normal)
      resolve(meaning.given as never)
    }
  }

  #do(step: Step, tag: string): void {
    switch (step.kind) {
      case 'say': return this.#speak(step.who, step.reply, tag)
      case 'come': return void this.#register(step.who)
      case 'go': {
        if (step.said !== undefined) this.#speak(step.who, step.said, tag)
        this.#leave(step.who)
        if (step.other !== undefined) this.#speak(step.other, 'choice', `${tag}, then`)
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

  #speak(who: number | 'host', reply: Reply, tag: string): void {
    // One that has spoken at once has no promise left to settle.
    if ((who === 'host' ? this.plan.host : this.plan.surfaces[who]!.first) !== 'hang') return
    const asked = who === 'host' ? this.#hostAsked : this.entries.findLast(one => one.name === nameOf(who) && one.asks.length > 0)
    if (asked) this.#say(asked === true ? this.#host : asked.answer, reply, tag)
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
      if (this.plan.surfaces[who]!.first === 'hang' && entry.asks.length > 0) farewell = () => this.#say(entry.answer, said, tag)
      void fiber.dispose()
    }
  }
}
