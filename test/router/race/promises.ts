// What holds in every schedule, read off the real thing alone: nothing is asked where it must not be unless it is the
// last resort, and no question stays unseen while a surface that may be asked is there.
import type { Presence } from '../../../src/protocol/policy.ts'
import { type AskParticipant, isHostName } from '../../../src/protocol/surface.ts'
import type { Drive } from './drive.ts'
import { nameOf, type Schedule, type SurfacePlan, timed } from './schedule.ts'
import { isQuietAt } from './wall.ts'

/** A moment of an open ask. */
export interface Moment {
  /** In milliseconds since the epoch. */
  readonly now: number
  readonly presence: Presence
  readonly isEdited: boolean
  readonly participants: readonly AskParticipant[]
  /** Whether somebody sees it, for those that know. */
  readonly watched: readonly (boolean | undefined)[]
  /** Whether it is long after everything else. */
  readonly isEnd: boolean
  /** Whether every listener of the host was asked, by whomever. */
  readonly wholeHost: boolean
  /** Who is being asked at this moment, if anybody. */
  readonly asking?: number
}

/** The promises that a moment breaks, in words. */
export function broken(plan: Schedule, { now, presence, isEdited, participants, watched, isEnd, wholeHost, asking }: Moment): string[] {
  const isHeld = (who: number) => !isEdited && plan.quiet?.who.includes(who) && isQuietAt(plan.quiet, now) && !plan.surfaces[who]!.silent
  const isForbidden = (who: number) => (isEdited ? plan.surfaces[who]!.edited : plan.surfaces[who]!)[presence] === false
  const whoIs = ({ name }: AskParticipant) => plan.surfaces.findIndex((_: SurfacePlan, who) => nameOf(who) === name)
  const mode = plan.ofSource ? 'race' : isEdited ? plan.editedMode : plan.mode
  const surfaces = participants.filter(({ name }) => !isHostName(name)).map(one => ({ ...one, who: whoIs(one) }))
  // A listener that says that nobody is there is none; so there may be none.
  const hosts = participants.filter(({ name }) => isHostName(name))
  const isHost = (state: AskParticipant['state']) => hosts.some(one => one.state === state)
  const isHostOut = !isHost('asked') && !isHost('waiting') && (wholeHost || mode === 'first' || plan.ofSource)
  const mayBeAsked = surfaces.filter(({ state, who }) => state === 'waiting' && !isForbidden(who) && !isHeld(who))
  const shown = surfaces.filter(({ state, who }) => state === 'asked' && watched[who] !== false && who !== asking)
  if (asking !== undefined) {
    if (isForbidden(asking)) {
      const isLast = isHostOut && mayBeAsked.length === 0 && shown.every(({ who }) => isForbidden(who))
      return isLast ? [] : [`${nameOf(asking)} is asked ${presence}`]
    }
    const isLast = mayBeAsked.length === 0 && (presence === 'away' || !isHost('asked')) && shown.every(({ who }) => isHeld(who))
    return isHeld(asking) && !isLast ? [`${nameOf(asking)} is asked in its quiet hours`] : []
  }
  if (isHost('waiting') && mode !== 'fallback') return ['the host is not asked']
  if (isEnd && isHostOut && !surfaces.some(({ state }) => state === 'asked' || state === 'timed-out' || state === 'waiting')) return ['nobody is left']
  if (shown.length > 0 || (isHost('asked') && presence === 'home')) return []
  return [
    ...isHost('waiting') && mayBeAsked.length === 0 ? ['unseen, and the host is not asked'] : [],
    ...mayBeAsked.map(({ name }) => `unseen, and ${name} may be asked`),
    ...isHostOut ? surfaces.filter(({ state }) => state === 'waiting').map(({ name }) => `unseen, and ${name} is left`) : [],
  ]
}

const MINUTE = 60_000

/**
 * Who was shown the question when its quiet hours ended, and not reminded just then, or twice. Only of surfaces that
 * certainly still had it.
 */
export function unreminded(plan: Schedule, { entries, asked, reminded, settledAt }: Drive): string[] {
  const { quiet, start, surfaces } = plan
  const steps = timed(plan)
  if (!quiet || steps.some(([, { kind }]) => kind === 'edit')) return []
  const presenceAt = (at: number) => steps.reduce<Presence>(
    (presence, [when, step]) => step.kind === 'presence' && when < at ? step.to : presence, plan.presence)
  const isSteady = (who: number) => surfaces[who]!.reminds && surfaces[who]!.first === 'hang' && quiet.who.includes(who)
    && !steps.some(([, step]) => 'who' in step && step.who === who && step.kind !== 'watch')
    && [surfaces[who]!.home, surfaces[who]!.away].every(timing => !timing || timing.timeoutMs === undefined)
  const wrong: string[] = []
  for (const { id, name } of entries) {
    const who = surfaces.findIndex((_, at) => nameOf(at) === name)
    const since = asked.find(([, one]) => one === id)?.[0]
    if (since === undefined || !isSteady(who)) continue
    for (let end = MINUTE - start % MINUTE; end < settledAt; end += MINUTE) {
      if (end <= since || !isQuietAt(quiet, start + end - 1) || isQuietAt(quiet, start + end) || surfaces[who]![presenceAt(end)] === false) continue
      const times = reminded.filter(([at, one]) => one === id && Math.abs(at - end) < 50).length
      if (times !== 1) wrong.push(`${id} is reminded ${times} times at ${end} ms, when its quiet hours end`)
    }
  }
  return wrong
}
