// One request of Codex' as an ask: what the surfaces get, and both ways back. question.ts, async-question.ts, approval.ts and
// notice.ts make one.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { Item } from './protocol.ts'

/** Codex, as people know it: the agent, and its own dialog. */
export const CODEX = 'Codex'

/** How Codex' own dialog ended; `declined` where the person turned it down there. */
export type Ending = AskUserQuestionAnswer | 'declined'

/** What goes to Codex for an answer. */
export interface Sent {
  /** The reply to its request. */
  readonly result?: object
  /** What the person says to the agent beside it, word for word; it goes on with its turn. */
  readonly words?: string
}

/** What a request asks, and how what is said about it is read. */
export interface Asking {
  readonly request: AskUserQuestionRequest
  /** What a surface's answer, in normal form, means for Codex. Nothing is sent for `undefined`. */
  send(answer: AskUserQuestionAnswer): Sent | undefined
  /** How the dialog ended, by what an item says that is about it; `undefined` where it says nothing. */
  readItem?(item: Item): Ending | undefined
  /** How the dialog ended, by the result that the model gets; `undefined` where it says nothing. */
  readOutput?(output: string): Ending | undefined
  /** How the dialog ended where the person interrupted the turn. */
  readonly interrupted?: Ending
}
