// The registrations, the open asks and the settings: the world in which races run.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import { type AskOutcome, type AskSurface, type PendingAsk, surfaceProblem } from '../protocol/surface.ts'
import type { OwnerFiber } from './owner.ts'
import { Race } from './race.ts'
import { defaultSettings, type HostSeat, type Registration, type RouterLog, type RouterSettings, type SurfacePolicy, type World } from './world.ts'

/** cordis' `parallel`, with which the router tells others what happens; cordis types its arguments by the event's name. */
export type Dispatch = ((...args: unknown[]) => Promise<void>) | undefined

/** One router; the registry that plugins see and the waterfall listener are its two doors. */
export class Router implements World {
  settings: RouterSettings = defaultSettings
  policies: ReadonlyMap<string, SurfacePolicy> = new Map()
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
    const registration = { surface, name, personal: !!surface.personal, owner, gone: false }
    this.surfaces.push(registration)
    return registration
  }

  /** Offer the open asks to a surface that has come (ROUTING rule 14). */
  offer(registration: Registration): void {
    for (const race of Array.from(this.#open)) if (!registration.gone) race.offer(registration)
  }

  /** Take a surface out (ROUTING rule 13). */
  remove(registration: Registration): void {
    if (registration.gone) return
    registration.gone = true
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
    return race.run()
  }

  /** Go on under new settings, in open asks from the next decision on (ROUTING rule 20). */
  configure(settings: RouterSettings): void {
    this.settings = settings
    this.policies = new Map(Object.entries(settings.surfaces))
  }

  /** Unload: every open ask is aborted. */
  close(): void {
    this.closed = true
    for (const race of Array.from(this.#open)) race.handleEvent()
  }

  asked(race: Race): void {
    this.#dispatch('ask-surfaces/asked', race)
  }

  settled(race: Race, outcome: AskOutcome, announced: boolean): void {
    this.#open.delete(race)
    if (announced) this.#dispatch('ask-surfaces/settled', race, outcome)
  }

  #dispatch(event: 'ask-surfaces/asked' | 'ask-surfaces/settled', race: Race, outcome?: AskOutcome): void {
    this.#parallel?.(event, race.snapshot(), ...outcome ? [Object.freeze(outcome)] : [])
      .catch(error => this.log.debug(`listener of ${event} failed`, error))
  }
}
