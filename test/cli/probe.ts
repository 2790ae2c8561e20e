// What the plugins of the probe bundle (bundles/probe) and a test say to each other over IPC.
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { ApprovalSubject, AskUserQuestionItem } from '../../src/protocol/request.ts'
import type { AskOutcome, AskParticipant } from '../../src/protocol/surface.ts'

/** The surfaces of the bundle; `plain` where its row is on. Only the desk takes approvals. */
export type ProbeSurface = 'desk' | 'phone' | 'plain'

/** From a test to the probe. `call` is a name that the test chose and the report repeats. */
export type Command =
  | { command: 'answer', surface: ProbeSurface, ask: string, answer: unknown }
  /** Rejects with an error of this code, as a surface does. */
  | { command: 'refuse', surface: ProbeSurface, ask: string, code: string }
  /** From now on the desk claims the questions of these sessions and no others. At first it claims none. */
  | { command: 'claim', sessions: string[] | 'all' }
  | { command: 'list', call: string }
  /** Asks the host, as a plugin does that asks for itself and not for an agent. */
  | { command: 'ask', call: string, questions: AskUserQuestionItem[] }
  /** The person decides what the messenger holds: an answer, or the outcome of an approval. */
  | { command: 'decide', id: string, outcome: unknown }

/** From the probe to a test, in the order in which it happened. */
export type Report =
  /** The whole tree is loaded. */
  | { type: 'booted' }
  /** `ctx.askSurfaces` is there and the surfaces are in it. */
  | { type: 'registered' }
  /** `ctx.askSurfaces` went away. */
  | { type: 'unregistered' }
  | { type: 'log', logger: string, level: string, text: string }
  | { type: 'asked', surface: ProbeSurface, ask: string, sessionId?: string, questions: AskUserQuestionItem[], approval?: ApprovalSubject }
  | { type: 'settled', surface: ProbeSurface, ask: string, by: string, answer?: AskUserQuestionAnswer }
  | { type: 'aborted', surface: ProbeSurface, ask: string, signal: 'request' | 'context', code: string }
  /** The `ask-surfaces/settled` event. */
  | { type: 'outcome', ask: string, outcome: Exclude<AskOutcome, { kind: 'failed' }> | { kind: 'failed' } }
  | { type: 'listed', call: string, surfaces: string[], pending: { id: string, participants: AskParticipant[] }[] }
  | { type: 'answered', call: string, answer: AskUserQuestionAnswer }
  /** The messenger shows something, and does so no more. */
  | { type: 'held', id: string, kind: 'question' | 'approval', sessionId?: string }
  | { type: 'withdrawn', id: string, code: string }
  | { type: 'refused', call: string, code: string | null, message: string }

export type ReportOf<T extends Report['type']> = Extract<Report, { type: T }>
