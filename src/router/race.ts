// Who answers first: takes what the asked participants say and finds the outcome (rules 6, 7, 9 and 10 of
// docs/routing.md). Whom to ask, and when, is the business of ask.ts.
import { type AskUserQuestionAnswer, checkAnswer, type CheckedAnswer, copyOfAnswer } from '../protocol/answer.ts'
import { hasCode } from '../protocol/errors.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'
import type { AskOutcome, ParticipantState } from '../protocol/surface.ts'
import { failureOf } from './failure.ts'
import type { RouterLog } from './log.ts'
import type { Participant } from './participant.ts'

/** How a race ends. */
export interface RaceEnd {
  /** As others see it; of a checked answer a copy, so that none of them can change what the asker gets. */
  readonly outcome: AskOutcome
  /** What the asker gets: the answer, else the error. */
  readonly result: unknown
  /** The participant that ended it: the winner, or whose person said no. */
  readonly by?: Participant
}

/** What a race reports to the ask that it decides. */
export interface RaceListener {
  /** Whether answers are checked; else they are passed on as they are (rules 1 and 7). */
  readonly checksAnswers: boolean
  /** A participant failed, timed out, left or was blank: its state says which. */
  out(participant: Participant): void
  /** Somebody else may be next: the host has nobody to ask. Its error is reported only if nothing else failed. */
  step(): void
  /** The race has ended. Called once; nothing is reported after it. */
  ended(end: RaceEnd): void
}

/** The race for one ask. It sets no timers. */
export class Race {
  readonly #questions: readonly AskUserQuestionItem[]
  readonly #listener: RaceListener
  readonly #log: RouterLog
  /** Of any type, `undefined` too: whatever participants threw. */
  readonly #failures: unknown[] = []
  /** The host's error that nobody is there. It is reported only when nothing else failed. */
  #nobody: unknown
  /** The first blank answer. It counts once nobody is left who may say more (rule 7). */
  blank: { readonly by: Participant, readonly answer: AskUserQuestionAnswer } | undefined
  /** Whether it has ended. */
  isOver = false

  /** @param questions what answers are checked against. */
  constructor(questions: readonly AskUserQuestionItem[], listener: RaceListener, log: RouterLog) {
    this.#questions = questions
    this.#listener = listener
    this.#log = log
  }

  /** Ask a participant in state `asked`, and take what it says while it stays in that state. */
  ask(participant: Participant): void {
    const rejected = (error: unknown) => this.#accepts(participant, error) && this.#onRejection(participant, error)
    try {
      Promise.resolve(participant.show()).then(value => this.#accepts(participant, value) && this.#onAnswer(participant, value), rejected)
    } catch (error) {
      // In a microtask, so that the remaining surfaces are asked first.
      Promise.reject(error).catch(rejected)
    }
  }

  /**
   * Take a participant out.
   *
   * @param failure what the ask may have to fail with, if anything. A rest parameter, since `undefined` can be thrown, too.
   */
  retire(participant: Participant, state: ParticipantState, ...failure: [error?: unknown]): void {
    participant.retire(state)
    this.#failures.push(...failure)
    this.#listener.out(participant)
  }

  /** Nobody is left, and nobody will come: end with the blank answer, else with what went wrong. */
  giveUp(): void {
    if (this.blank) return this.#win(this.blank.by, this.blank.answer, copyOfAnswer(this.blank.answer))
    const error = failureOf(this.#failures, this.#nobody)
    this.#end({ outcome: { kind: 'failed', error }, result: error })
  }

  /** The ask is ended from outside. */
  abort(error: unknown): void {
    this.#end({ outcome: { kind: 'aborted' }, result: error })
  }

  #accepts(participant: Participant, said: unknown): boolean {
    if (this.isOver || participant.state !== 'asked') {
      // Those that were told to put the question away say so by rejecting, which is no news.
      if (!hasCode(said, 'ASK_SETTLED') && !hasCode(said, 'ASK_ABORTED')) this.#log.debug(`"${participant.name}" spoke too late`)
      return false
    }
    if (!participant.isUnloading) return true
    participant.leave?.()
    return false
  }

  #onAnswer(by: Participant, value: unknown): void {
    if (!this.#listener.checksAnswers) return this.#win(by, value as AskUserQuestionAnswer)
    let checked: CheckedAnswer
    try {
      checked = checkAnswer(this.#questions, value)
    } catch (error) {
      return this.#fail(by, error)
    }
    const { answer, blank, dropped } = checked
    if (dropped > 0) this.#log.warn(`"${by.name}" answered ${dropped} unknown ids`)
    if (!blank) return this.#win(by, answer, copyOfAnswer(answer))
    this.blank ??= { by, answer }
    this.retire(by, 'blank')
  }

  #onRejection(participant: Participant, error: unknown): void {
    const { isHost } = participant
    if (hasCode(error, 'ASK_CANCELLED') || (isHost && hasCode(error, 'ASK_TIMED_OUT'))) {
      participant.state = 'cancelled'
      this.#end({ outcome: { kind: 'cancelled', by: participant.name }, result: error, by: participant })
    } else if (isHost && hasCode(error, 'NO_PROVIDER')) {
      this.#nobody = error
      participant.state = 'failed'
      this.#listener.step()
    } else {
      this.#fail(participant, error)
    }
  }

  #fail(participant: Participant, error: unknown): void {
    this.#log.warn(`"${participant.name}" failed`, error)
    this.retire(participant, 'failed', error)
  }

  #win(by: Participant, answer: AskUserQuestionAnswer, shown = answer): void {
    by.state = 'answered'
    this.#end({ outcome: { kind: 'answered', by: by.name, answer: shown }, result: answer, by })
  }

  #end(end: RaceEnd): void {
    if (this.isOver) return
    this.isOver = true
    this.#listener.ended(end)
  }
}
