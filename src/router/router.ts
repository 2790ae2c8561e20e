// The router: the registered surfaces, the open asks and the policies, and what changes for the asks when one of them does.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { Presence } from '../protocol/policy.ts'
import type { AskOutcome, PendingAsk } from '../protocol/surface.ts'
import type { Ask, AskListener } from './ask.ts'
import { guarded, type RouterLog } from './log.ts'
import { defaultSettings, Policies, type RouterSettings } from './policies.ts'
import { type Registration, Registrations } from './registrations.ts'
import type { RouterState } from './surface-participant.ts'

const MINUTE = 60_000

/** The last time that a `Date` can be. */
const LAST_TIME = 8.64e15

/** cordis' `parallel`, with which the router tells others what happens; cordis types its arguments by the event's name. */
export type Dispatch = ((...args: unknown[]) => Promise<void>) | undefined

/** One router; the registry that plugins see and the waterfall listener are its two doors. */
export class Router implements RouterState, AskListener {
  readonly log: RouterLog
  readonly policies: Policies
  readonly surfaces: Registrations
  /** Set once the router is unloaded: what is still dispatched to it then goes straight to the host. */
  closed = false
  /** Dispatches an event, where there is a host to hear it. */
  readonly #tell: ((event: string, ...args: unknown[]) => void) | undefined
  readonly #open = new Set<Ask>()
  /** Reads the wall clock, and what is watched, every minute while that may matter to an open ask. */
  #tick: NodeJS.Timeout | undefined
  /** Set while the open asks are reconsidered; whoever wants it again then has it afterwards. */
  #isReconsidering = false
  #again: NodeJS.Immediate | undefined

  constructor(log: RouterLog, settings: RouterSettings = defaultSettings, dispatchEvent?: Dispatch) {
    this.log = log = guarded(log)
    this.policies = new Policies(settings)
    this.surfaces = new Registrations(log)
    this.#tell = dispatchEvent && ((event, ...args) => void dispatchEvent(event, ...args).catch(error => log.debug(`listener of ${event} failed`, error)))
  }

  /** The open asks, oldest first. */
  pending(): readonly PendingAsk[] {
    return this.#asks().map(ask => ask.snapshot())
  }

  /** A surface has been added to {@link Router.surfaces}: offer it the open asks (rule 14). */
  offer(registration: Registration): void {
    for (const ask of this.#asks()) if (!registration.gone) ask.offer(registration)
    this.#watchClock()
  }

  /** Take a surface out (rule 13). */
  remove(registration: Registration): void {
    this.surfaces.remove(registration)
    for (const ask of this.#asks()) ask.leave(registration)
  }

  /** Open an ask that was made for this router. */
  open(ask: Ask): Promise<AskUserQuestionAnswer> {
    this.#open.add(ask)
    this.#watchClock()
    return ask.open()
  }

  /** Apply new settings; open asks are reconsidered at once (rule 20). */
  configure(settings: RouterSettings): void {
    const before = this.policies.settings
    this.policies.configure(settings)
    if (settings.presence !== before.presence) this.setPresence(settings.presence)
    this.#reconsider()
  }

  /**
   * Say where the person is; open asks are reconsidered at once (rule 21).
   *
   * @throws TypeError for anything but `home` or `away`.
   */
  setPresence(presence: Presence): void {
    if (presence !== 'home' && presence !== 'away') throw new TypeError('presence must be "home" or "away"')
    if (presence === this.policies.presence) return
    this.policies.presence = presence
    this.#reconsider()
    // If it changed again meanwhile, that change was already announced.
    if (presence === this.policies.presence && !this.closed) this.#tell?.('ask-surfaces/presence', presence)
  }

  /**
   * Keep it quiet until then; open asks are reconsidered at once (rule 22).
   *
   * @throws TypeError for anything but a time or `undefined`.
   */
  hush(until: number | undefined): void {
    if (until !== undefined && !(Math.abs(until) <= LAST_TIME)) throw new TypeError('until must be a time in milliseconds')
    // A full minute, so that it ends with a look at the clock.
    const rounded = until! > Date.now() ? Math.ceil(until! / MINUTE) * MINUTE : undefined
    if (rounded === this.policies.hushedUntil) return
    this.policies.hushedUntil = rounded
    this.#reconsider()
    if (rounded === this.policies.hushedUntil && !this.closed) this.#tell?.('ask-surfaces/hush', rounded)
  }

  /** Reconsider the open asks. Ignored when called from inside a surface's `watched()`. */
  reconsider(): void {
    if (this.surfaces.inWatched === 0) this.#reconsider()
  }

  /** Reconsider the open asks at once, or right after the reconsidering that is under way. */
  #reconsider(): void {
    if (this.#isReconsidering) {
      this.#again ??= setImmediate(() => {
        this.#again = undefined
        this.#reconsider()
      })
      return
    }
    this.#isReconsidering = true
    for (const ask of this.#asks()) ask.reconsider()
    this.#isReconsidering = false
    this.#watchClock()
  }

  /** Unload: every open ask is aborted. */
  close(): void {
    this.closed = true
    clearImmediate(this.#again)
    for (const ask of this.#asks()) ask.abort()
    this.#watchClock()
  }

  /** The open asks as they are now: going through them may open and settle others. */
  #asks(): Ask[] {
    return Array.from(this.#open)
  }

  opened(ask: Ask): void {
    this.#tell?.('ask-surfaces/asked', ask.snapshot())
  }

  settled(ask: Ask, outcome: AskOutcome, wasOpened: boolean): void {
    this.#open.delete(ask)
    this.#watchClock()
    if (wasOpened) this.#tell?.('ask-surfaces/settled', ask.snapshot(), Object.freeze(outcome))
  }

  /** Look at the clock every minute while it is hushed, or an ask is open and something may change by itself. */
  #watchClock(): void {
    const { policies: { hushedUntil, quietHours }, surfaces } = this, isOpen = this.#open.size > 0
    const matters = !this.closed && (hushedUntil || isOpen && (quietHours[0] || surfaces.watchable > 0))
    if (!matters) {
      clearTimeout(this.#tick)
      this.#tick = undefined
    } else {
      this.#tick ??= setTimeout(() => {
        this.#tick = undefined
        // Telling that it is over reconsiders, too.
        if (Date.now() >= this.policies.hushedUntil!) this.hush(undefined)
        else this.#reconsider()
      }, MINUTE - Date.now() % MINUTE)
      // Without an ask, nothing here keeps a process alive.
      if (isOpen) this.#tick.ref()
      else this.#tick.unref()
    }
  }
}
