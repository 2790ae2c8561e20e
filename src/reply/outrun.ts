// A late answer that somebody else's was quicker than (docs/routing.md, rule 26).
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import { isHostName } from '../protocol/surface.ts'

/**
 * Whether what `settled` says means that somebody's answer had reached the agent already. Once the agent has gone on, no UI of
 * the host has the question, so what the host says without an answer is no cancellation.
 *
 * @param isLate whether the agent had gone on.
 */
export function isOutrun(by: string, answer: AskUserQuestionAnswer | undefined, isLate: boolean | undefined): boolean {
  return isLate === true && !answer && isHostName(by)
}
