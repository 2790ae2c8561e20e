// What the commands know of a registered surface, and why a question may have to wait before it is shown there.
import type { Presence, SurfaceTiming } from '../protocol/policy.ts'
import type { AskSurface, AskSurfaces, SurfaceStatus } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'

/** A surface's status, and what the status leaves out. */
export interface SurfaceInfo extends SurfaceStatus {
  readonly surface: AskSurface
  /** The name, safe to print. */
  readonly label: string
  /** Whether it shows questions while it is quiet, silently. */
  readonly silent: boolean
  /** Whether it can be reminded. */
  readonly canRemind: boolean
}

/** What a question waits for: another mode, the end of the quiet, or only the delay. */
export type WaitReason = 'mode' | 'quiet' | 'delay'

/** The registered surfaces, in the order of registration. */
export function surfaceInfos(askSurfaces: AskSurfaces): SurfaceInfo[] {
  const statuses = askSurfaces.status()
  // Matched by name, not by position: `status` calls `watched`, and a surface may leave, or take another one out, in
  // there. Surfaces that share a name match in order; one that has left is dropped.
  const unmatched = [...askSurfaces.list()]
  return statuses.flatMap((status) => {
    const at = unmatched.findIndex(({ name }) => name === status.name)
    if (at < 0) return []
    const surface = unmatched.splice(at, 1)[0]!
    return [{
      ...status, surface, label: visibleLine(status.name), silent: !!surface.silent, canRemind: !!surface.remind,
    }]
  })
}

/** What holds for a surface in one mode; `false` when it is not asked. */
export function timingOf(info: SurfaceInfo, presence: Presence): SurfaceTiming | false {
  return presence === 'home' ? info.home : info.away
}

/** What a question for this surface waits for in one mode. */
export function waitReasonOf(info: SurfaceInfo, presence: Presence): WaitReason {
  if (!timingOf(info, presence)) return 'mode'
  return info.quiet && !info.silent ? 'quiet' : 'delay'
}
