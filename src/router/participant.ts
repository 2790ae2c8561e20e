// What can answer an ask: a surface that was invited, or the host.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { ParticipantState } from '../protocol/surface.ts'

/** A participant of one ask, as the race sees it. */
export interface Participant {
  readonly name: string
  readonly isHost?: boolean
  state: ParticipantState
  /** When it was asked, in milliseconds since the epoch. */
  since: number | undefined
  /** Whether its plugin is being unloaded: what it says then is teardown, not a person. The host has none. */
  readonly isUnloading?: boolean
  /** Show the question. Throws and returns whatever the participant does. */
  show(): unknown
  /** It is out, and waits for nothing any longer. */
  retire(state: ParticipantState): void
  /** Its plugin takes it away: it is out. */
  leave?(): void
}

/** The host that an ask comes from: it can answer in its own UI, and it gets the answer. */
export interface HostParticipant extends Participant {
  /**
   * Write an answer the way the host takes it.
   *
   * @param answer in normal form, one item per question.
   */
  answerFor(questions: readonly AskUserQuestionItem[], answer: AskUserQuestionAnswer): AskUserQuestionAnswer
  /**
   * The ask is settled.
   *
   * @param reason makes the reason with which to take the question back from the host; absent when the host settled it.
   */
  release(reason?: () => unknown): void
}
