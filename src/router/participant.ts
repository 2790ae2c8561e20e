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
  /** Set when the host's word was that nobody is there. */
  isNobody?: boolean
  /** Whether its plugin is being unloaded: what it says then is teardown, not a person. The host has none. */
  readonly isUnloading?: boolean
  /** Show the question. Throws and returns whatever the participant does. */
  show(): unknown
  /** It is out, and waits for nothing any longer. */
  retire(state: ParticipantState): void
  /** Its plugin takes it away: it is out. */
  leave?(): void
}

/** One listener of the host, such as one of its UIs. */
export interface HostParticipant extends Participant {
  readonly isHost: true
}

/** The host that an ask comes from: its listeners can answer, and it gets the answer. */
export interface Host {
  /** Whether it shows the request already, whatever is configured for UIs of the host. */
  readonly isShown?: boolean
  /** The listeners that were asked, in that order; before any was, the host as one. */
  readonly participants: readonly HostParticipant[]
  /** Whether its person has decided already: then nobody else's word counts. Does not throw. */
  readonly isDecided?: boolean
  /** Whether one was asked, or the end of the list. */
  readonly isAsked: boolean
  /** Whether there may be a listener that was not asked. */
  readonly hasMore: boolean
  /** The next listener; asked by its `show`. */
  next(): HostParticipant
  /**
   * Write an answer the way the host takes it.
   *
   * @param answer in normal form, one item per question.
   */
  answerFor(questions: readonly AskUserQuestionItem[], answer: AskUserQuestionAnswer): AskUserQuestionAnswer
  /**
   * Take an answer to the agent after it has gone on, in the form of {@link Host.answerFor}; absent where there is no way.
   *
   * @returns whether it was taken.
   * @throws what the host says against it; `REPLY_QUEUED` when it has another one already.
   */
  readonly late?: ((answer: AskUserQuestionAnswer) => boolean) | undefined
  /**
   * The ask is settled: take the question back from every listener but one.
   *
   * @param by whose answer counts, or who declined.
   * @param reason makes the reason.
   */
  release(by: Participant | undefined, reason: () => unknown): void
}
