// What a router's registry does, without its callers: who is registered, which asks are open, where the person is.
import type { Presence } from '../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOptions, AskResult, AskSurface, PendingAsk, SurfaceStatus } from '../protocol/surface.ts'
import { offer } from './offer.ts'
import type { Registration } from './registrations.ts'
import type { Router } from './router.ts'
import type { RouterDoor, Ticket } from './seat.ts'

/** The door of one router. */
export class Door implements RouterDoor {
  readonly #router: Router
  readonly #registrations = new Map<Ticket, Registration>()
  /** The registrations that another router had before, by surface. */
  readonly #inherited = new Map<AskSurface, Ticket>()
  readonly hosts: () => readonly string[]

  /** @param hosts names the UIs of the host that are behind the router. */
  constructor(router: Router, hosts: () => readonly string[]) {
    this.#router = router
    this.hosts = hosts
  }

  get tickets(): readonly Ticket[] {
    return [...this.#registrations.keys()]
  }

  enter(ticket: Ticket, isInherited = false): () => void {
    const { surface, owner } = ticket, router = this.#router, before = this.#inherited.get(surface)
    // A plugin that registers again what was taken over from it means the same registration.
    if (before) this.leave(before)
    const registration = router.surfaces.add(surface, owner)
    this.#registrations.set(ticket, registration)
    if (isInherited) this.#inherited.set(surface, ticket)
    return () => router.offer(registration)
  }

  leave(ticket: Ticket): void {
    const registration = this.#registrations.get(ticket)
    if (!registration) return
    this.#registrations.delete(ticket)
    if (this.#inherited.get(ticket.surface) === ticket) this.#inherited.delete(ticket.surface)
    this.#router.remove(registration)
  }

  ask(request: AskUserQuestionRequest, options?: AskOptions): Promise<AskResult> {
    return offer(this.#router, request, options)
  }

  list(): readonly AskSurface[] {
    return this.#router.surfaces.all.map(({ surface }) => surface)
  }

  pending(): readonly PendingAsk[] {
    return this.#router.pending()
  }

  get presence(): Presence {
    return this.#router.policies.presence
  }

  set presence(presence) {
    this.#router.setPresence(presence)
  }

  get hushedUntil(): number | undefined {
    const { hushedUntil } = this.#router.policies
    // Over, although the router has not looked at the clock yet.
    return Date.now() < hushedUntil! ? hushedUntil : undefined
  }

  hush(until: number | undefined): void {
    this.#router.hush(until)
  }

  reconsider(): void {
    this.#router.reconsider()
  }

  status(): readonly SurfaceStatus[] {
    const { policies, surfaces } = this.#router
    return surfaces.all.map(one => {
      const timings = (forApprovals: boolean) => ({ home: policies.timing(one, forApprovals, 'home'), away: policies.timing(one, forApprovals, 'away') })
      return {
        name: one.name, watched: surfaces.isWatched(one), quiet: policies.isQuiet(one), ...timings(false),
        ...one.approvals && { approvals: timings(true) },
      }
    })
  }

  absent(): readonly string[] {
    const { policies, surfaces } = this.#router
    return [...policies.names].filter(name => !surfaces.all.some(one => one.name === name))
  }
}
