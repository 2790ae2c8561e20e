// What outlives a router: the registrations, which belong to the plugins that made them. When the router is unloaded and loaded
// again, the next one of the same cordis context takes over what the last one had, and every registry that somebody kept leads
// to it (rule 19 of docs/routing.md). The next one may come from another copy of this module, so what is shared is plain.
import type { AskSurface, AskSurfaces } from '../protocol/surface.ts'
import type { OwnerFiber } from './owner.ts'

/** One registration, whichever router has it now. */
export interface Ticket {
  readonly surface: AskSurface
  /** The fiber of the plugin that registered it; absent outside cordis. */
  readonly owner: OwnerFiber | undefined
}

/** A router as the registries of its context see it. Other copies of this module use it too: it is only ever added to. */
export interface RouterDoor extends Omit<AskSurfaces, 'register'> {
  /** The registrations that it has, in their order. */
  readonly tickets: Iterable<Ticket>
  /**
   * Register a surface.
   *
   * @param ticket identifies the registration from now on.
   * @param isInherited whether another router had it before. Its plugin may register it again, as if it did not know.
   * @returns offers it the open asks; called once nothing can undo the registration any more.
   * @throws TypeError as `AskSurfaces.register` does.
   */
  enter(ticket: Ticket, isInherited?: boolean): () => void
  /** Take a registration out, once; of one that it does not have, nothing happens. */
  leave(ticket: Ticket): void
}

/** The place of the routers of one context, one after the other. */
export interface Seat {
  /** The router that is loaded, else the last one, which keeps the registrations until the next one comes. */
  door: RouterDoor
}

const SEATS = Symbol.for('dsh-ask-router.seats')

/** Where seats are, across copies of this module: by the root context, then by the key under which the service is there. */
type Seats = WeakMap<object, Map<unknown, Seat>>

/** The part of a cordis context that is read here. */
interface SeatContext {
  readonly root?: object
}

const ISOLATE = Symbol.for('cordis.isolate')

/**
 * Let a router take its context's seat, with what the one before it had there.
 *
 * @param ctx where the service `askSurfaces` is provided already.
 * @param refused is told what a surface that is not taken over is refused with.
 */
export function takeSeat(ctx: SeatContext, door: RouterDoor, refused: (error: unknown) => void): Seat {
  const { root = ctx, [ISOLATE]: keys } = ctx as SeatContext & { readonly [ISOLATE]?: { readonly askSurfaces?: unknown } }
  const seats = (globalThis as { [SEATS]?: Seats })[SEATS] ??= new WeakMap()
  const ofRoot = seats.get(root) ?? new Map<unknown, Seat>(), seat = ofRoot.get(keys?.askSurfaces), before = seat?.door
  for (const ticket of before?.tickets ?? []) {
    try {
      door.enter(ticket, true)()
    } catch (error) {
      refused(error)
    }
  }
  if (seat) {
    seat.door = door
    return seat
  }
  const first = { door }
  seats.set(root, ofRoot.set(keys?.askSurfaces, first))
  return first
}
