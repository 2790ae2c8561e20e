// The registered surfaces: what each said of itself when it registered, and whether somebody watches it now (rules 2, 12,
// 19 and 21 of docs/routing.md).
import { type SurfacePolicy, surfacePolicySchema } from '../protocol/policy.ts'
import { type AskSurface, surfaceProblem } from '../protocol/surface.ts'
import { callSafely } from './call-safely.ts'
import type { RouterLog } from './log.ts'
import { isUnloading, type OwnerFiber } from './owner.ts'

/** One registered surface. */
export interface Registration {
  readonly surface: AskSurface
  readonly name: string
  /** Whether it is invited whoever claims. */
  readonly personal: boolean
  /** Whether it has a `watched` method. */
  readonly watchable: boolean
  /** Whether it can show a question silently. */
  readonly silent: boolean
  /** Whether it takes approvals. */
  readonly approvals: boolean
  /** The surface's own policy. */
  readonly policy: SurfacePolicy | undefined
  /** The fiber of the plugin that registered it. While that unloads, what the surface says is teardown, not a person. */
  readonly owner: OwnerFiber | undefined
  /** Set when it is taken out. */
  gone: boolean
}

/** Whether a surface was taken out, or is about to be because its plugin is being unloaded. */
export function isGoing({ gone, owner }: Registration): boolean {
  return gone || isUnloading(owner)
}

/** The registered surfaces of one router. */
export class Registrations {
  readonly #log: RouterLog
  /** In the order of registration. */
  readonly #bySurface = new Map<AskSurface, Registration>()
  /** By name, whether it was logged as shared; until then only one has it. */
  readonly #names = new Map<string, boolean>()
  #all: readonly Registration[] | undefined
  /** How many know whether somebody watches them. */
  watchable = 0
  /** How many are running their `watched` now. */
  inWatched = 0

  constructor(log: RouterLog) {
    this.#log = log
  }

  /** In the order of registration. The array is replaced, never changed, so that it can be iterated safely. */
  get all(): readonly Registration[] {
    return this.#all ??= [...this.#bySurface.values()]
  }

  /**
   * Add a surface.
   *
   * @throws TypeError as `AskSurfaces.register` does.
   */
  add(surface: AskSurface, owner?: OwnerFiber): Registration {
    const problem = surfaceProblem(surface)
    if (problem !== undefined) throw new TypeError(`no ask surface: ${problem}`)
    const { name, personal, silent, approvals, watched, defaultPolicy } = surface
    if (this.#bySurface.has(surface)) throw new TypeError(`"${name}" is registered already`)
    const registration: Registration = {
      surface, name, owner, personal: !!personal, silent: !!silent, approvals: approvals === true, watchable: !!watched, gone: false,
      // A copy, since nobody checks what the surface makes of its own later.
      policy: defaultPolicy && surfacePolicySchema.parse(defaultPolicy),
    }
    this.#bySurface.set(surface, registration)
    this.#all = undefined
    this.watchable += +registration.watchable
    const isLogged = this.#names.get(name)
    this.#names.set(name, isLogged !== undefined)
    if (isLogged === false) this.#log.warn(`"${name}" names several surfaces`)
    return registration
  }

  /** Take one out, once. */
  remove(registration: Registration): void {
    const { surface, name } = registration
    registration.gone = true
    this.#bySurface.delete(surface)
    if (!this.#names.get(name)) this.#names.delete(name)
    this.#all = undefined
    this.watchable -= +registration.watchable
  }

  /** Whether somebody may see what a surface shows: its `watched` says so, or it has none. */
  isWatched(registration: Registration): boolean {
    if (!registration.watchable) return true
    this.inWatched++
    const watched = callSafely(this.#log, registration, 'watched')
    this.inWatched--
    return watched === true
  }
}
