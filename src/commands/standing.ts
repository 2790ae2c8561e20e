// How a registered surface stands now, and in which cases a question waits before it is shown there.
import type { Presence, SurfaceTiming } from '../protocol/policy.ts'
import type { AskSurface, AskSurfaces, SurfaceStatus } from '../protocol/surface.ts'
import { visibleLine } from '../reply/visible.ts'

/** A surface's status with what its status leaves out. */
export interface Standing extends SurfaceStatus {
  readonly surface: AskSurface
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
  const statuses = askSurfaces.status()
  // Not by position: for its status a surface is asked whether it is watched, and may take itself or another one out. Of
  // those that share a name the first goes with the first; whoever is gone by now is left out.
  const left = [...askSurfaces.list()]
  return statuses.flatMap((status) => {
    const at = left.findIndex(({ name }) => name === status.name)
    if (at < 0) return []
    const surface = left.splice(at, 1)[0]!
    return [{
      ...status, surface, label: visibleLine(status.name), silent: !!surface.silent, reminds: !!surface.remind,
    }]
  })
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
