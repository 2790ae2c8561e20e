// When surfaces are due: the settings in force, where the person is, and what that means for one surface (rules 12 and 20
// to 22 of docs/routing.md). It knows no ask.
import { type Presence, type SurfacePolicy, type SurfaceTiming, timingIn } from '../protocol/policy.ts'
import { type QuietHours, quietNow } from './quiet.ts'
import type { Registration } from './registrations.ts'

/** The router's configuration as the router reads it. */
export interface RouterSettings {
  /**
   * `race`: every UI of the host is asked together with the surfaces. `first`: only the first of them, which may keep the
   * question from the others. `fallback`: all of them, but only when every surface is out, or nobody watches those that are left.
   */
  readonly host: 'race' | 'first' | 'fallback'
  /** `race`: approvals are routed as questions are. `off`: they are left to the host. Default: `race`. */
  readonly approvals?: 'race' | 'off'
  /** Policies by surface name. */
  readonly surfaces: Readonly<Record<string, SurfacePolicy>>
  /** How long an ask whose last surface left waits for one to join, in milliseconds. */
  readonly rejoinMs: number
  /** Where the person is when the router starts. */
  readonly presence: Presence
  /** When some surfaces are asked silently. */
  readonly quiet?: QuietHours | readonly QuietHours[] | undefined
}

/** The settings of a router that nobody configures. */
export const defaultSettings: RouterSettings = { host: 'race', surfaces: {}, rejoinMs: 1000, presence: 'home' }

/**
 * When a surface is due, in milliseconds from the opening of its ask, so that the smallest is next. A delay runs out by
 * itself. Surfaces that wait for the end of their quiet hours come after every delay, those that their mode forbids last;
 * both are asked only when nobody else is there.
 */
export const AT_ONCE = 0, AFTER_QUIET_HOURS = 2 ** 32, LAST_RESORT = 2 ** 33

/** The policies of one router. */
export class Policies {
  /** Where the person is now. */
  presence: Presence
  /** Until when the person wants it quiet, whatever the hour. Past, when nobody has noticed yet that it is over. */
  hushedUntil: number | undefined
  /** Set by {@link Policies.configure}. */
  settings!: RouterSettings
  /** A map, since names come from plugins: a surface called `constructor` must find nothing. */
  #byName!: ReadonlyMap<string, SurfacePolicy>
  /** Set by {@link Policies.configure}; empty where there are none. */
  quietHours!: readonly QuietHours[]
  #isQuiet!: (name: string) => boolean
  /** Names that have policies or quiet hours, or had them before an edit. */
  readonly #mayChange = new Set<string>()

  constructor(settings: RouterSettings) {
    this.presence = settings.presence
    this.configure(settings)
  }

  /** Apply new settings. The presence stays as the person set it. */
  configure(settings: RouterSettings): void {
    this.settings = settings
    this.#byName = new Map(Object.entries(settings.surfaces))
    this.quietHours = [settings.quiet ?? []].flat()
    this.#isQuiet = quietNow(this.quietHours)
    for (const name of this.names) this.#mayChange.add(name)
  }

  /** The values that hold for a surface in a mode, by default the present one; `false` when it is not asked there. */
  timing({ policy, name }: Registration, forApprovals: boolean, presence = this.presence): SurfaceTiming | false {
    return timingIn(presence, policy, this.#byName.get(name), forApprovals)
  }

  /** When a surface is due; {@link AT_ONCE} says how to read it. */
  dueOf(registration: Registration, forApprovals: boolean): number {
    const timing = this.timing(registration, forApprovals)
    if (!timing) return LAST_RESORT
    const { delayMs = AT_ONCE } = timing
    return !registration.silent && this.isQuiet(registration) ? AFTER_QUIET_HOURS + delayMs : delayMs
  }

  /** Whether a surface is quiet now: in its quiet hours, or hushed. */
  isQuiet({ name, silent }: Registration): boolean {
    // One that cannot be silent would wait, and nobody said that it makes a sound at all unless it has quiet hours.
    const isHushed = Date.now() < this.hushedUntil! && (silent || this.quietHours.some(({ surfaces }) => surfaces.includes(name)))
    return isHushed || this.#isQuiet(name)
  }

  /**
   * Whether another mode, hour or edit can change something for a surface: it has a policy or quiet hours, or had them, or
   * can be hushed.
   */
  mayChange({ policy, name, silent }: Registration): boolean {
    return silent || policy !== undefined || this.#mayChange.has(name)
  }

  /** The names that the settings know, without repetition. */
  get names(): ReadonlySet<string> {
    return new Set([...this.#byName.keys(), ...this.quietHours.flatMap(({ surfaces }) => surfaces)])
  }
}
