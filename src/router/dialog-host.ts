// The asker's own dialog behind an ask: it shows the request before we do, and its person may be quicker than every surface.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { AskDialog, ParticipantState } from '../protocol/surface.ts'
import type { Host, HostParticipant } from './participant.ts'

/** The dialog as a participant. */
class Dialog implements HostParticipant {
  readonly isHost = true
  readonly name: string
  state: ParticipantState = 'waiting'
  since: number | undefined
  readonly #answer: Promise<AskUserQuestionAnswer>

  constructor({ name, answer }: AskDialog) {
    this.name = name
    this.#answer = answer
  }

  show(): Promise<AskUserQuestionAnswer> {
    return this.#answer
  }

  retire(state: ParticipantState): void {
    this.state = state
  }
}

/** A host with one UI, which its own program opens and closes. */
export class DialogHost implements Host {
  readonly isShown = true
  readonly participants: readonly HostParticipant[]
  readonly #dialog: AskDialog
  isAsked = false

  constructor(dialog: AskDialog) {
    this.#dialog = dialog
    this.participants = [new Dialog(dialog)]
  }

  get isDecided(): boolean {
    try {
      return this.#dialog.isDecided?.() === true
    } catch {
      // It does not know.
      return false
    }
  }

  get hasMore(): boolean {
    return !this.isAsked
  }

  next(): HostParticipant {
    this.isAsked = true
    return this.participants[0]!
  }

  answerFor(_: readonly AskUserQuestionItem[], answer: AskUserQuestionAnswer): AskUserQuestionAnswer {
    return answer
  }

  /** Its source hears how the ask ended, and takes the dialog away. */
  release(): void {}
}
