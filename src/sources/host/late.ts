// Timed questions of dsh 0.2 and newer: after a time the agent goes on, and dsh takes a late answer by another way.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskAgent, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { Host } from '../../router/participant.ts'

/** What is used of dsh's service. */
interface UserQuestions {
  /**
   * Take a late answer.
   *
   * @returns whether it was taken.
   * @throws `REPLY_QUEUED` when there is one already, `BAD_ANSWER` unless every question is answered exactly once.
   */
  answer?(agent: AskAgent, callId: string, answer: AskUserQuestionAnswer): boolean
}

/** What a newer dsh puts on a request. */
interface TimedRequest extends AskUserQuestionRequest {
  readonly wait?: { readonly callId?: unknown, readonly timed?: unknown }
}

/**
 * Find the way of a late answer.
 *
 * @returns `undefined` where the question is not timed, or this dsh takes no late answers.
 */
export function lateAnswer(ctx: Context, { wait, agent }: TimedRequest): Host['late'] {
  const callId = wait?.callId
  if (wait?.timed !== true || typeof callId !== 'string' || !agent) return undefined
  const service = () => ctx.get?.('userQuestions' as never) as UserQuestions | undefined
  if (typeof service()?.answer !== 'function') return undefined
  // The one that is there then: a question may outlive the service that asked it.
  return answer => service()?.answer?.(agent, callId, answer) ?? false
}
