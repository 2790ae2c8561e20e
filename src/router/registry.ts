// What plugins find as `ctx.askSurfaces`: who is registered, which asks are open.
import type { Context } from '@deepseek-ai/cordis'
import type { Presence } from '../protocol/policy.ts'
import type { AskSurface, AskSurfaces, PendingAsk, SurfaceStatus } from '../protocol/surface.ts'
import { noLog } from './log.ts'
import { Router } from './router.ts'

/** Where the registry keeps its router: reachable for this package, not for plugins that look at the service. */
export const routerOf: unique symbol = Symbol('router')

const tracker: unique symbol = Symbol.for('cordis.tracker')

/**
 * The registry of ask surfaces.
 *
 * Read through a cordis context it follows its caller: a registration belongs to the plugin that made it and goes with
 * it on unload. cordis does that by handing out a proxy whose `ctx` is the caller's, so this class has no `#private`
 * members and its objects are not frozen.
 */
export class AskSurfaceRegistry implements AskSurfaces {
  /** The context registrations belong to; through cordis, the caller's. Absent outside cordis. */
  readonly ctx: Context | undefined
  /** @internal */
  readonly [routerOf]: Router
  /** @internal */
  readonly [tracker] = { property: 'ctx', noShadow: true }

  /**
   * @param ctx the providing plugin's context; without one, registrations only go by their disposer.
   * @param router the router behind the registry; by default one that nothing dispatches to.
   */
  constructor(ctx?: Context, router: Router = new Router(noLog)) {
    this.ctx = ctx
    this[routerOf] = router
  }

  register(surface: AskSurface): () => void {
    const { ctx, [routerOf]: router } = this
    const registration = router.surfaces.add(surface, ctx?.fiber)
    const remove = () => router.remove(registration)
    let dispose: () => unknown = remove
    try {
      if (ctx) dispose = ctx.effect(() => remove, `askSurfaces.register(${registration.name})`)
    } catch (error) {
      remove()
      throw error
    }
    router.offer(registration)
    return () => void dispose()
  }

  list(): readonly AskSurface[] {
    return this[routerOf].surfaces.all.map(({ surface }) => surface)
  }

  pending(): readonly PendingAsk[] {
    return this[routerOf].pending()
  }

  get presence(): Presence {
    return this[routerOf].policies.presence
  }

  set presence(presence) {
    this[routerOf].setPresence(presence)
  }

  get hushedUntil(): number | undefined {
    const { hushedUntil } = this[routerOf].policies
    // Over, although the router has not looked at the clock yet.
    return Date.now() < hushedUntil! ? hushedUntil : undefined
  }

  hush(until: number | undefined): void {
    this[routerOf].hush(until)
  }

  reconsider(): void {
    this[routerOf].reconsider()
  }

  status(): readonly SurfaceStatus[] {
    const { policies, surfaces } = this[routerOf]
    return surfaces.all.map(one => {
      const timings = (forApprovals: boolean) => ({ home: policies.timing(one, forApprovals, 'home'), away: policies.timing(one, forApprovals, 'away') })
      return {
        name: one.name, watched: surfaces.isWatched(one), quiet: policies.isQuiet(one), ...timings(false),
        ...one.approvals && { approvals: timings(true) },
      }
    })
  }

  absent(): readonly string[] {
    const { policies, surfaces } = this[routerOf]
    return [...policies.names].filter(name => !surfaces.all.some(one => one.name === name))
  }
}
