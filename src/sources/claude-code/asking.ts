// One call of the hook as an ask: the request for the surfaces, and both ways back. question.ts and permission.ts make one.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { Decision } from './output.ts'
import type { ToolResult } from './transcript.ts'

/** What a call of the hook asks, and how what is said about it is read. */
export interface Asking {
  readonly request: AskUserQuestionRequest
  /**
   * What a surface's answer, in normal form, means for Claude Code. Nothing is sent for `undefined`.
   *
   * @throws a `BAD_ANSWER` error where it is no answer to an approval.
   */
  decide(answer: AskUserQuestionAnswer): Decision | undefined
  /** What the person answered in Claude Code's own dialog; `declined` where they turned it down, `undefined` where nobody can tell. */
  read(result: ToolResult): AskUserQuestionAnswer | 'declined' | undefined
  /** The answer where the dialog is gone and the tool runs; absent where that says nothing. */
  readonly runs?: AskUserQuestionAnswer
}
