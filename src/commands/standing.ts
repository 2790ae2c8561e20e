// How a registered surface stands now, and in which cases a question waits before it is shown there.
import type { Presence, SurfaceTiming } from '../protocol/policy.ts'
import type { AskSurfaces, SurfaceStatus } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'

/** A surface's status with what its status leaves out. */
export interface Standing extends SurfaceStatus {
  /** The name as it can be printed. */
  readonly label: string
  /** Whether it shows questions in its quiet hours, silently. */
  readonly silent: boolean
  /** Whether it repeats itself at all. */
  readonly reminds: boolean
}

/** What keeps a question from a surface: the mode, its quiet hours, or at most its delay. */
export type Hindrance = 'mode' | 'quiet' | 'delay'

/** The registered surfaces, in the order of registration. */
export function standings(askSurfaces: AskSurfaces): Standing[] {
  const surfaces = askSurfaces.list()
  return askSurfaces.status().map((status, at) => ({
    ...status, label: visibleLine(status.name), silent: !!surfaces[at]?.silent, reminds: !!surfaces[at]?.remind,
  }))
}

/** What holds for a surface in one mode. */
export function timingOf(standing: Standing, presence: Presence): SurfaceTiming | false {
  return presence === 'home' ? standing.home : standing.away
}

/** What a question at this surface waits for, where the person is now. */
export function hindranceOf(standing: Standing, presence: Presence): Hindrance {
  if (!timingOf(standing, presence)) return 'mode'
  return standing.quiet && !standing.silent ? 'quiet' : 'delay'
}
