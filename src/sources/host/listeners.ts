// Which listeners of the host stand behind ours on a waterfall, and what their plugins are called. cordis 4 keeps them in a list
// that its types do not show: whatever is not as expected there means that it is not known.
import type { Context } from '@deepseek-ai/cordis'

/** cordis' record of a listener. */
interface Hook {
  readonly ctx: { readonly fiber?: { readonly name?: unknown } }
  readonly global?: boolean
}

const FILTER = Symbol.for('cordis.filter')

/** A dispatch's `this`, which may say for which contexts it is. */
type Target = { readonly [FILTER]?: (this: Target, ctx: unknown) => boolean } | null | undefined

/**
 * Find the listeners behind ours.
 *
 * @param ctx the router's context; its own listeners stand first among these.
 * @param target the `this` with which ours was called; without one, all that may ever be asked.
 * @returns the plugins' names in the order in which they are asked, `undefined` for one without a name; `undefined` where
 *   cordis does not say.
 */
export function listenersBehind(ctx: Context, event: string, target?: unknown): (string | undefined)[] | undefined {
  try {
    const { _hooks: hooks } = (ctx as { readonly events?: { readonly _hooks?: Readonly<Record<string, readonly Hook[]>> } }).events ?? {}
    const all = hooks?.[event]
    if (!Array.isArray(all)) return undefined
    const own = all.findLastIndex(hook => hook.ctx.fiber === ctx.fiber)
    if (own < 0) return undefined
    const filter = (target as Target)?.[FILTER]
    return all.slice(own + 1).filter(hook => hook.global || !filter || filter.call(target as Target, hook.ctx)).map(({ ctx: { fiber } }) => nameOf(fiber))
  } catch {
    // Another cordis may keep something else there, or let nobody read it.
    return undefined
  }
}

/**
 * Follow the dispatches of an event. cordis fixes the list of listeners at each; a listener ahead of ours may take its time, and
 * others come and go meanwhile.
 *
 * @param ctx the router's context.
 * @returns finds the listeners behind ours in the dispatch of a request, as `listenersBehind` does.
 */
export function followListeners(ctx: Context, event: string): (request: object, target: unknown) => ReturnType<typeof listenersBehind> {
  const dispatched = new WeakMap<object, ReturnType<typeof listenersBehind>>()
  const follow = (_mode: string, name: string, [request]: readonly unknown[], target: unknown) => {
    if (name === event && Object(request) === request) dispatched.set(request as object, listenersBehind(ctx, event, target))
  }
  ctx.on('internal/dispatch' as never, follow as never)
  return (request, target) => dispatched.has(request) ? dispatched.get(request) : listenersBehind(ctx, event, target)
}

function nameOf(fiber: Hook['ctx']['fiber']): string | undefined {
  // The root belongs to no plugin; cordis calls it so.
  return typeof fiber?.name === 'string' && fiber.name !== 'root' ? fiber.name : undefined
}

/** What a listener of the host is called beside surfaces. */
export function hostName(plugin: string | undefined): string {
  return plugin === undefined ? 'host' : `host: ${plugin}`
}
