// What an open ask does next: who is to be asked, if anybody (ROUTING rules 2, 4, 10, 12 and 22). It reads and changes nothing.
import type { Participant } from './participant.ts'
import type { World } from './world.ts'

/** Why a surface waits, in the order in which those who wait are asked when nobody else is there. */
export const FOR_ITS_DELAY = 0, FOR_QUIET_TO_END = 1, FOR_ANOTHER_MODE = 2

/** Wait for what comes, invite those who do not claim, ask the host, ask these surfaces, or end: nobody is left. */
export type Next = 'wait' | 'invite' | 'host' | 'end' | readonly Participant[]

/**
 * Decide it.
 *
 * @param participants the surfaces that are invited.
 * @param host the host's participant, when it may still be asked or was; it takes part by itself when `isHostComing`.
 * @param isEveryone whether those who do not claim are invited.
 */
export function nextOf(
  participants: readonly Participant[], host: Participant | undefined, isHostComing: boolean, isEveryone: boolean, world: World,
): Next {
  // Read anew: what a surface does when it is asked whether it is watched may change it.
  const isOpen = () => isHostComing || host?.state === 'asked'
  if (!isEveryone && !participants.some(one => !one.entry!.personal && isThere(one, world))) return 'invite'
  if (isOpen() && world.presence === 'home' || participants.some(one => one.isWatched(world))) return 'wait'
  const waiting = participants.filter(({ state }) => state === 'waiting')
  const waits = Math.min(...waiting.map(one => one.waits))
  if (waits !== FOR_ITS_DELAY && host?.state === 'waiting' && !isHostComing) return 'host'
  // Away, a host that is asked is nobody; but what must not be asked there waits until it is out.
  if (isOpen() && !(waits < FOR_ANOTHER_MODE)) return 'wait'
  if (waiting[0]) {
    const next = waiting.filter(one => one.waits === waits), shortest = Math.min(...next.map(delayOf))
    return next.filter(one => delayOf(one) === shortest)
  }
  // Nobody sees those that are asked, but they may yet answer.
  return participants.some(({ state }) => state === 'asked') ? 'wait' : 'end'
}

/** Whether a surface may show the question to somebody, now or after its delay. */
function isThere(one: Participant, world: World): boolean {
  return one.state === 'waiting' ? one.waits === FOR_ITS_DELAY : one.isWatched(world)
}

const delayOf = ({ timing: { delayMs = 0 } }: Participant) => delayMs
