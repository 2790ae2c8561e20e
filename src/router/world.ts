// What one ask needs to know of the world around it: who is registered, what is configured, whom to tell.
import type { Presence, SurfacePolicy, SurfaceTiming } from '../protocol/policy.ts'
import type { AskOutcome, AskSurface } from '../protocol/surface.ts'
import type { OwnerFiber } from './owner.ts'
import type { QuietHours } from './quiet.ts'
import type { Race } from './race.ts'

/** The router's configuration as the router reads it. */
export interface RouterSettings {
  /**
   * `race`: the host's own UI is asked together with the surfaces. `fallback`: only when every surface is out, or nobody
   * watches those that are left.
   */
  readonly host: 'race' | 'fallback'
  /** Policies by surface name. */
  readonly surfaces: Readonly<Record<string, SurfacePolicy>>
  /** How long an ask whose last surface left waits for one to join, in milliseconds. */
  readonly rejoinMs: number
  /** Where the person is when the router starts. */
  readonly presence: Presence
  /** When some surfaces are asked silently. */
  readonly quiet?: QuietHours | undefined
}

/** What holds without any configuration. */
export const defaultSettings: RouterSettings = { host: 'race', surfaces: {}, rejoinMs: 1000, presence: 'home' }

/** Where the router says what is nobody's answer. */
export interface RouterLog {
  /** What only matters to somebody who looks for it. */
  debug(message: string, error?: unknown): void
  /**
   * What somebody should repair.
   *
   * @param message names surfaces, never what was asked or answered.
   * @param error what was thrown; others wrote its message, so it is for debug only.
   */
  warn(message: string, error?: unknown): void
}

/** For routers outside a host. */
export const silent: RouterLog = { debug() {}, warn() {} }

/** A surface in the registry. */
export interface Registration {
  readonly surface: AskSurface
  readonly name: string
  /** Whether it is asked whoever claims. */
  readonly personal: boolean
  /** Whether it knows if anybody sees it. */
  readonly watchable: boolean
  /** Whether it can be asked silently. */
  readonly silent: boolean
  /** The policy that it carries. */
  readonly policy: SurfacePolicy | undefined
  /** Whether it was taken out. */
  gone: boolean
  /** The fiber of the plugin that made it. While that unloads, what the surface says is teardown, not a person. */
  readonly owner: OwnerFiber | undefined
}

/** The rest of the waterfall as a participant (ROUTING rules 4 and 16). */
export interface HostSeat {
  /** Ask the host, once; may throw or return anything, as listeners do. */
  ask(): unknown
  /**
   * The ask has settled.
   *
   * @param reason makes the reason with which to take the question back from the host; absent when it need not be.
   */
  release(reason?: () => unknown): void
}

/** The surroundings of a race. */
export interface World {
  readonly settings: RouterSettings
  /** Where the person is now. */
  readonly presence: Presence
  readonly log: RouterLog
  /** The surfaces that are registered now, in the order of registration. */
  readonly surfaces: readonly Registration[]
  /** What holds for a surface where the person is now; `false` when it is not asked there. */
  timing(registration: Registration): SurfaceTiming | false
  /** Whether a surface is in its quiet hours now. */
  isQuiet(registration: Registration): boolean
  /** Whether somebody may see what a surface shows: it does not say, or says so. */
  isWatched(registration: Registration): boolean
  /** Everybody who is asked at once has been asked. */
  asked(race: Race): void
  /**
   * The race is over.
   *
   * @param announced whether `asked` was called for it; one that is aborted by a claim was not.
   */
  settled(race: Race, outcome: AskOutcome, announced: boolean): void
}
