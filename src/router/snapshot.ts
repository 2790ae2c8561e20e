// What others see of an open ask (rule 17 of docs/routing.md).
import type { AskAgent, AskUserQuestionRequest } from '../protocol/request.ts'
import type { PendingAsk } from '../protocol/surface.ts'
import type { Participant } from './participant.ts'

/**
 * Take a frozen picture of an ask.
 *
 * @param sessionId the id of the agent's session.
 * @param participants in the order in which they were invited.
 */
export function snapshotOf(
  id: string, agent: AskAgent | undefined, sessionId: string | undefined, { questions, kind, approval, origin }: AskUserQuestionRequest, askedAt: number, participants: readonly Participant[], isLate: boolean,
): PendingAsk {
  const { freeze } = Object
  const picture = {
    id,
    ...sessionId !== undefined && { sessionId },
    ...kind && { kind },
    ...approval && { approval },
    ...origin && { origin },
    ...isLate && { late: true as const },
    questions,
    askedAt,
    participants: freeze(participants.map(({ name, state, since }) => freeze({ name, state, ...since && { since } }))),
  }
  // Not enumerable: whoever prints or compares a picture does not want the whole agent.
  return freeze(Object.defineProperty(picture, 'agent', { value: agent }))
}
