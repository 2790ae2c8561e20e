// `claude -p` with a permission prompt tool asks twice in the same moment: by that tool, and by the hook where it is connected,
// and whichever answers first has answered (seen with 2.1.332; the tool's call comes first, since the hook has to be started). One
// of both is enough for a person: the tool, which has no dialog beside it.
import { isDeepStrictEqual } from 'node:util'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { PendingAsk } from '../../protocol/surface.ts'

/**
 * Whether what the hook is about is asked by a permission prompt tool already.
 *
 * @param pending the open asks.
 * @param program the name of Claude Code, as agent and as dialog.
 * @param session as in the origin of an ask.
 */
export function isAskedByTool(pending: readonly PendingAsk[], program: string, session: string, { questions }: AskUserQuestionRequest): boolean {
  return pending.some(({ origin, participants, questions: asked }) => (
    origin?.agent === program && origin.session === session
    && !participants.some(({ name }) => name === program) && isDeepStrictEqual(asked.map(contentOf), questions.map(contentOf))
  ))
}

/** The options differ: the hook knows wider ones. */
function contentOf({ question, detail }: AskUserQuestionRequest['questions'][number]): unknown {
  return [question, detail]
}
