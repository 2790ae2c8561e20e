// What a source says of itself: whether its programs reach it, and what is wrong. The desk's `status` shows it.
import type { Context } from '@deepseek-ai/cordis'

/** How a source is doing. */
export interface SourceStatus {
  /** The program, as people know it: `Claude Code`, `Codex`, `MCP`. */
  readonly name: string
  /** `connected`: a program is there. `waiting`: one may come at any time. `wrong`: none can; `note` says why. */
  readonly state: 'connected' | 'waiting' | 'wrong'
  /** One short phrase on it; no question, no secret. */
  readonly note?: { readonly en: string, readonly zh: string }
}

const statuses = new WeakMap<object, Set<() => SourceStatus>>()

/**
 * Let whoever runs this source know how it is doing, until the plugin is unloaded.
 *
 * @param ctx the source's own context.
 * @param status is called each time that somebody wants to know; it must not throw.
 */
export function provideStatus(ctx: Context, status: () => SourceStatus): void {
  const { root } = ctx, all = statuses.get(root) ?? new Set()
  statuses.set(root, all)
  ctx.effect(() => {
    all.add(status)
    return () => void all.delete(status)
  }, 'source status')
}

/** What the sources of one cordis root say, in the order in which they were loaded. */
export function sourceStatuses(ctx: Context): SourceStatus[] {
  return Array.from(statuses.get(ctx.root) ?? [], status => status())
}
