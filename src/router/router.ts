// The registrations, the open asks and the settings: the world in which races run.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import { type Presence, type SurfacePolicy, surfacePolicySchema, type SurfaceTiming, timingIn } from '../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import { type AskOutcome, type AskSurface, type PendingAsk, surfaceProblem, type SurfaceStatus } from '../protocol/surface.ts'
import { contain } from './contain.ts'
import type { OwnerFiber } from './owner.ts'
import { quietNow } from './quiet.ts'
import { Race } from './race.ts'
import { defaultSettings, type HostSeat, type Registration, type RouterLog, type RouterSettings, type World } from './world.ts'

const MINUTE = 60_000

/** cordis' `parallel`, with which the router tells others what happens; cordis types its arguments by the event's name. */
export type Dispatch = ((...args: unknown[]) => Promise<void>) | undefined

/** One router; the registry that plugins see and the waterfall listener are its two doors. */
export class Router implements World {
  settings: RouterSettings = defaultSettings
  /** The settings' policies. A map, since names come from plugins: a surface called `constructor` must find nothing. */
  #policies: ReadonlyMap<string, SurfacePolicy> = new Map()
  #presence: Presence = 'home'
  #isQuiet: ((name: string) => boolean) | undefined
  /** How many surfaces are being asked whether they are watched. */
  #looking = 0
  /** How many surfaces know whether anybody sees them. */
  #watchable = 0
  /** Reads the wall clock, and what is watched, every minute while it matters to an open ask. */
  #tick: NodeJS.Timeout | undefined
  /** Set while open asks are decided again; who wants it once more then has it afterwards. */
  #deciding = false
  #again: NodeJS.Immediate | undefined
  readonly log: RouterLog
  /** Set once the router is unloaded: what is still dispatched to it then goes straight to the host. */
  closed = false
  readonly #parallel: Dispatch
  readonly surfaces: Registration[] = []
  readonly #open = new Set<Race>()
  /** Names that were logged as shared. */
  readonly #shared = new Set<string>()

  constructor(log: RouterLog, parallel?: Dispatch) {
    this.log = log
    this.#parallel = parallel
  }

  /** The open asks, oldest first. */
  pending(): readonly PendingAsk[] {
    return Array.from(this.#open, race => race.snapshot())
  }

  /**
   * Add a surface. It is not offered the open asks yet: {@link Router.offer}.
   *
   * @param owner the fiber of the plugin that registers.
   * @throws TypeError as `AskSurfaces.register` does.
   */
  add(surface: AskSurface, owner?: OwnerFiber): Registration {
    const problem = surfaceProblem(surface)
    if (problem !== undefined) throw new TypeError(`no ask surface: ${problem}`)
    const { name } = surface
    let shared = false
    for (const other of this.surfaces) {
      if (other.surface === surface) throw new TypeError(`"${name}" is registered already`)
      shared ||= other.name === name
    }
    // Once, however many more come, and however often they do.
    if (shared && !this.#shared.has(name)) {
      this.#shared.add(name)
      this.log.warn(`"${name}" names several surfaces`)
    }
    const { personal, silent, watched, defaultPolicy } = surface
    const registration = {
      surface, name, owner, personal: !!personal, silent: !!silent, watchable: !!watched, gone: false,
      // A copy, since nobody checks what the surface makes of its own later.
      policy: defaultPolicy && surfacePolicySchema.parse(defaultPolicy),
    }
    this.surfaces.push(registration)
    if (registration.watchable) this.#watchable++
    return registration
  }

  /** Offer the open asks to a surface that has come (ROUTING rule 14). */
  offer(registration: Registration): void {
    for (const race of Array.from(this.#open)) if (!registration.gone) race.offer(registration)
    this.#watch()
  }

  /** Take a surface out (ROUTING rule 13). */
  remove(registration: Registration): void {
    if (registration.gone) return
    registration.gone = true
    if (registration.watchable) this.#watchable--
    this.surfaces.splice(this.surfaces.indexOf(registration), 1)
    for (const race of Array.from(this.#open)) race.leave(registration)
  }

  /**
   * Route one request.
   *
   * @param turn the signal that aborts with the turn.
   * @param seat the rest of the waterfall, when there is one.
   */
  route(request: AskUserQuestionRequest, turn: AbortSignal | undefined, seat?: HostSeat): Promise<AskUserQuestionAnswer> {
    const race = new Race(request, turn, [...this.surfaces], this, seat)
    this.#open.add(race)
    this.#watch()
    return race.run()
  }

  /** Go on under new settings; open asks are decided again at once (ROUTING rule 20). */
  configure(settings: RouterSettings): void {
    const before = this.settings
    this.settings = settings
    this.#policies = new Map(Object.entries(settings.surfaces))
    this.#isQuiet = settings.quiet && quietNow(settings.quiet)
    if (before === defaultSettings) this.#presence = settings.presence
    // The person's own word counts for more than an edit of something else.
    else if (settings.presence !== before.presence) this.presence = settings.presence
    this.#redecide()
  }

  get presence(): Presence {
    return this.#presence
  }

  set presence(presence) {
    if (presence !== 'home' && presence !== 'away') throw new TypeError('presence must be "home" or "away"')
    if (presence === this.#presence) return
    this.#presence = presence
    this.#redecide()
    // Where it was set once more meanwhile, that has been told.
    if (presence === this.#presence && !this.closed) this.#dispatch('ask-surfaces/presence', () => [presence])
  }

  timing(registration: Registration): SurfaceTiming | false {
    return this.#timingIn(this.#presence, registration)
  }

  #timingIn(presence: Presence, { policy, name }: Registration): SurfaceTiming | false {
    return timingIn(presence, policy, this.#policies.get(name))
  }

  isQuiet({ name }: Registration): boolean {
    return !!this.#isQuiet?.(name)
  }

  /** The surfaces as they stand now. */
  status(): readonly SurfaceStatus[] {
    // A copy: what one does when it is asked whether it is watched may take another out.
    return this.surfaces.slice().map(one => ({
      name: one.name,
      watched: this.isWatched(one),
      quiet: this.isQuiet(one),
      home: this.#timingIn('home', one),
      away: this.#timingIn('away', one),
    }))
  }

  /** The names that are configured and no surface has. */
  absent(): readonly string[] {
    const configured = new Set([...this.#policies.keys(), ...this.settings.quiet?.surfaces ?? []])
    return [...configured].filter(name => !this.surfaces.some(one => one.name === name))
  }

  isWatched(registration: Registration): boolean {
    if (!registration.watchable) return true
    this.#looking++
    const watched = contain(this.log, registration, 'watched')
    this.#looking--
    return watched === true
  }

  /** Decide again who is asked in the open asks; nothing where a surface wants it while it is asked whether it is watched. */
  reconsider(): void {
    if (this.#looking === 0) this.#redecide()
  }

  /** Decide again at once, or right after what is being decided. */
  #redecide(): void {
    if (this.#deciding) {
      this.#again ??= setImmediate(() => {
        this.#again = undefined
        this.#redecide()
      })
      return
    }
    this.#deciding = true
    for (const race of Array.from(this.#open)) race.reconsider()
    this.#deciding = false
    this.#watch()
  }

  /** Unload: every open ask is aborted. */
  close(): void {
    this.closed = true
    clearImmediate(this.#again)
    for (const race of Array.from(this.#open)) race.handleEvent()
  }

  asked(race: Race): void {
    this.#dispatch('ask-surfaces/asked', () => [race.snapshot()])
  }

  settled(race: Race, outcome: AskOutcome, announced: boolean): void {
    this.#open.delete(race)
    this.#watch()
    if (announced) this.#dispatch('ask-surfaces/settled', () => [race.snapshot(), Object.freeze(outcome)])
  }

  /** Let the minutes tick while an ask is open and there is something that changes by itself. */
  #watch(): void {
    const matters = this.#open.size > 0 && (this.#isQuiet || this.#watchable > 0)
    if (!matters) {
      clearTimeout(this.#tick)
      this.#tick = undefined
    } else {
      this.#tick ??= setTimeout(() => {
        this.#tick = undefined
        this.#redecide()
      }, MINUTE - Date.now() % MINUTE)
    }
  }

  /** @param args made only when there is anybody to tell: outside a host nobody looks at an ask. */
  #dispatch(event: string, args: () => unknown[]): void {
    this.#parallel?.(event, ...args()).catch(error => this.log.debug(`listener of ${event} failed`, error))
  }
}
