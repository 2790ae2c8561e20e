// What holds in every schedule, read off the real thing alone: nothing is asked where it must not be unless it is the
// last resort, and no question stays unseen while a surface that may be asked is there.
import type { Presence } from '../../../src/protocol/policy.ts'
import type { AskParticipant } from '../../../src/protocol/surface.ts'
import { nameOf, type Schedule, type SurfacePlan } from './schedule.ts'
import { isQuietAt } from './wall.ts'

/** A moment of an open ask. */
export interface Moment {
  /** In milliseconds since the epoch. */
  readonly now: number
  readonly presence: Presence
  readonly participants: readonly AskParticipant[]
  /** Whether somebody sees it, for those that know. */
  readonly watched: readonly (boolean | undefined)[]
  /** Who is being asked at this moment, if anybody. */
  readonly asking?: number
}

/** The promises that a moment breaks, in words. */
export function broken(plan: Schedule, { now, presence, participants, watched, asking }: Moment): string[] {
  const isHeld = (who: number) => plan.quiet?.who.includes(who) && isQuietAt(plan.quiet, now) && !plan.surfaces[who]!.silent
  const isForbidden = (who: number) => plan.surfaces[who]![presence] === false
  const whoIs = ({ name }: AskParticipant) => plan.surfaces.findIndex((_: SurfacePlan, who) => nameOf(who) === name)
  const surfaces = participants.filter(({ name }) => name !== 'host').map(one => ({ ...one, who: whoIs(one) }))
  const host = participants.find(({ name }) => name === 'host')!
  const mayBeAsked = surfaces.filter(({ state, who }) => state === 'waiting' && !isForbidden(who) && !isHeld(who))
  const shown = surfaces.filter(({ state, who }) => state === 'asked' && watched[who] !== false && who !== asking)
  if (asking !== undefined) {
    if (isForbidden(asking)) {
      const isLast = ['failed', 'blank'].includes(host.state) && mayBeAsked.length === 0 && shown.every(({ who }) => isForbidden(who))
      return isLast ? [] : [`${nameOf(asking)} is asked ${presence}`]
    }
    const isLast = mayBeAsked.length === 0 && (presence === 'away' || host.state !== 'asked') && shown.every(({ who }) => isHeld(who))
    return isHeld(asking) && !isLast ? [`${nameOf(asking)} is asked in its quiet hours`] : []
  }
  if (shown.length > 0 || (host.state === 'asked' && presence === 'home')) return []
  return [
    ...mayBeAsked.map(({ name }) => `unseen, and ${name} may be asked`),
    ...['failed', 'blank'].includes(host.state) ? surfaces.filter(({ state }) => state === 'waiting').map(({ name }) => `unseen, and ${name} is left`) : [],
  ]
}
