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
  /** Whether the result is an answer in normal form; else it is what the participant gave, or an error. */
  readonly isChecked?: boolean
}

/** What a race reports to the ask that it decides. */
export interface RaceListener {
  /** Whether any surface takes part. Where none does, the host's answer is passed on unchecked (rule 1). */
  readonly hasSurfaces: boolean
  /** A participant failed, timed out, left or was blank: its state says which. */
  out(participant: Participant): void
  /** Somebody else may be next: the host has nobody to ask, which is no failure. */
  next(): void
  /** The race has ended. Called once; nothing is reported after it. */
  ended(end: RaceEnd): void
}

/** The race for one ask. It waits for nothing and sets no timers: it only hears. */
export class Race {
  readonly #questions: readonly AskUserQuestionItem[]
  readonly #listener: RaceListener
  readonly #log: RouterLog
  /** Of any type, `undefined` too: whatever participants threw. */
  readonly #failures: unknown[] = []
  /** The host's own word that nobody is there. It counts only when there is no failure to report. */
  #nobody: unknown
  /** The first blank answer, in case nobody says more (rule 7). */
  #blank: { readonly by: Participant, readonly answer: AskUserQuestionAnswer } | undefined
  #isOver = false

  /** @param questions what answers are checked against. */
  constructor(questions: readonly AskUserQuestionItem[], listener: RaceListener, log: RouterLog) {
    this.#questions = questions
    this.#listener = listener
    this.#log = log
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Show the question on a participant in state `asked`, and take what it says while it stays in that state. */
  hear(participant: Participant): void {
    const rejected = (error: unknown) => this.#mayAnswer(participant) && this.#onRejection(participant, error)
    try {
      Promise.resolve(participant.show()).then(value => this.#mayAnswer(participant) && this.#onAnswer(participant, value), rejected)
    } catch (error) {
      // Not at once: the others are asked first.
      Promise.reject(error).catch(rejected)
    }
  }

  /**
   * Take a participant out.
   *
   * @param failure what the ask may have to fail with, if anything.
   */
  retire(participant: Participant, state: ParticipantState, ...failure: [error?: unknown]): void {
    participant.retire(state)
    this.#failures.push(...failure)
    this.#listener.out(participant)
  }

  /** Whether a blank answer is kept, which counts once nobody is left. */
  get hasBlank(): boolean {
    return this.#blank !== undefined
  }

  /** Nobody is left, and nobody will come: end with the blank answer, else with what went wrong. */
  giveUp(): void {
    if (this.#blank) return this.#win(this.#blank.by, this.#blank.answer, true)
    const error = failureOf(this.#failures, this.#nobody)
    this.#end({ outcome: { kind: 'failed', error }, result: error })
  }

  /** The ask is ended from outside. */
  abort(error: unknown): void {
    this.#end({ outcome: { kind: 'aborted' }, result: error })
  }

  #mayAnswer(participant: Participant): boolean {
    if (this.#isOver || participant.state !== 'asked') {
      this.#log.debug(`"${participant.name}" answered too late`)
      return false
    }
    if (!participant.isUnloading) return true
    participant.leave?.()
    return false
  }

  #onAnswer(by: Participant, value: unknown): void {
    if (!this.#listener.hasSurfaces || !this.#questions[0]) return this.#win(by, value as AskUserQuestionAnswer, false)
    let checked: CheckedAnswer
    try {
      checked = checkAnswer(this.#questions, value)
    } catch (error) {
      return this.#fail(by, error)
    }
    const { answer, blank, dropped } = checked
    if (dropped > 0) this.#log.warn(`"${by.name}" answered ${dropped} unknown ids`)
    if (!blank) return this.#win(by, answer, true)
    this.#blank ??= { by, answer }
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
      this.#listener.next()
    } else {
      this.#fail(participant, error)
    }
  }

  #fail(participant: Participant, error: unknown): void {
    this.#log.warn(`"${participant.name}" failed`, error)
    this.retire(participant, 'failed', error)
  }

  #win(by: Participant, answer: AskUserQuestionAnswer, isChecked: boolean): void {
    by.state = 'answered'
    this.#end({ outcome: { kind: 'answered', by: by.name, answer: isChecked ? copyOfAnswer(answer) : answer }, result: answer, by, isChecked })
  }

  #end(end: RaceEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.ended(end)
  }
}
