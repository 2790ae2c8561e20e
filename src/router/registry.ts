// What plugins find as `ctx.askSurfaces`. It follows its callers, and leads to the router that is loaded now.
import type { Context } from '@deepseek-ai/cordis'
import type { Presence } from '../protocol/policy.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskOptions, AskResult, AskSurface, AskSurfaces, PendingAsk, SurfaceStatus } from '../protocol/surface.ts'
import { Door } from './door.ts'
import { noLog } from './log.ts'
import { Router } from './router.ts'
import type { Seat, Ticket } from './seat.ts'
import { onAbort } from './turn.ts'

/** Where a registry keeps its seat: reachable for this package, not for plugins that look at the service. */
export const seatOf: unique symbol = Symbol('seat')

const tracker: unique symbol = Symbol.for('cordis.tracker')

/**
 * The registry of ask surfaces.
 *
 * Read through a cordis context it follows its caller: a registration belongs to the plugin that made it and goes with
 * it on unload. cordis does that by handing out a proxy whose `ctx` is the caller's, so this class has no `#private`
 * members and its objects are not frozen. One that is kept goes on working when the router is loaded again.
 */
export class AskSurfaceRegistry implements AskSurfaces {
  /** The context registrations belong to; through cordis, the caller's. Absent outside cordis. */
  readonly ctx: Context | undefined
  /** @internal Its own until its router takes the place of the one before. */
  [seatOf]: Seat
  /** @internal */
  readonly [tracker] = { property: 'ctx', noShadow: true }

  /**
   * @param ctx the providing plugin's context; without one, registrations only go by their disposer.
   * @param door leads to the router behind the registry; by default to one that nothing dispatches to.
   */
  constructor(ctx?: Context, door: Seat['door'] = new Door(new Router(noLog), () => [])) {
    this.ctx = ctx
    this[seatOf] = { door }
  }

  register(surface: AskSurface): () => void {
    const { ctx, [seatOf]: seat } = this, ticket: Ticket = { surface, owner: ctx?.fiber }
    const offer = seat.door.enter(ticket)
    const remove = () => seat.door.leave(ticket)
    let dispose: () => unknown = remove
    try {
      if (ctx) dispose = ctx.effect(() => remove, `askSurfaces.register(${surface.name})`)
    } catch (error) {
      remove()
      throw error
    }
    offer()
    return () => void dispose()
  }

  async ask(request: AskUserQuestionRequest, options: AskOptions = {}): Promise<AskResult> {
    const { ctx, [seatOf]: { door } } = this, { signal = request?.signal } = options
    if (!ctx) return door.ask(request, options)
    // `AbortSignal.any` on a signal that lives long leaks.
    const either = new AbortController(), unlisten = onAbort(signal, () => either.abort(signal!.reason))
    if (signal?.aborted) either.abort(signal.reason)
    const dispose = ctx.effect(() => () => either.abort(), 'askSurfaces.ask')
    try {
      return await door.ask(request, { ...options, signal: either.signal })
    } finally {
      unlisten()
      void dispose()
    }
  }

  list(): readonly AskSurface[] {
    return this[seatOf].door.list()
  }

  pending(): readonly PendingAsk[] {
    return this[seatOf].door.pending()
  }

  get presence(): Presence {
    return this[seatOf].door.presence
  }

  set presence(presence) {
    this[seatOf].door.presence = presence
  }

  get hushedUntil(): number | undefined {
    return this[seatOf].door.hushedUntil
  }

  hush(until: number | undefined): void {
    this[seatOf].door.hush(until)
  }

  reconsider(): void {
    this[seatOf].door.reconsider()
  }

  status(): readonly SurfaceStatus[] {
    return this[seatOf].door.status()
  }

  absent(): readonly string[] {
    return this[seatOf].door.absent()
  }

  hosts(): readonly string[] {
    return this[seatOf].door.hosts()
  }
}
