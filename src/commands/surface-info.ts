// What the commands know of a registered surface, and why a question may have to wait before it is shown there.
import type { Presence, SurfaceTiming } from '../protocol/policy.ts'
import type { AskSurface, AskSurfaces, SurfaceStatus } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'
import type { CommandTexts } from './texts.ts'

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

/** What holds for a surface in one mode, for questions or for approvals; `false` when it is not asked. */
export function timingOf(info: SurfaceInfo, presence: Presence, isForApproval = false): SurfaceTiming | false {
  return (isForApproval && info.approvals || info)[presence]
}

/** What a question, or an approval, for this surface waits for in one mode. */
export function waitReasonOf(info: SurfaceInfo, presence: Presence, isForApproval = false): WaitReason {
  if (!timingOf(info, presence, isForApproval)) return 'mode'
  return info.quiet && !info.silent ? 'quiet' : 'delay'
}

/** Who is asked where no surface is registered: the host's own UIs, or nobody. */
export function noSurfacesNote(askSurfaces: AskSurfaces, texts: CommandTexts): string {
  const hosts = askSurfaces.hosts().map(name => visibleLine(name))
  return hosts.length > 0 ? texts.noSurfaces(hosts.join(texts.and)) : texts.nobody
}
