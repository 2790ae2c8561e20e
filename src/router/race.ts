// Who answers first: takes what the asked participants say and finds the outcome (rules 6, 7, 9 and 10 of
// docs/routing.md). Whom to ask, and when, is the business of ask.ts.
import { type AskUserQuestionAnswer, type CheckedAnswer, copyOfAnswer } from '../protocol/answer.ts'
import { hasCode } from '../protocol/errors.ts'
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

/** Whether what a participant says counts: a time-out lets others be asked, it does not deafen (rule 12). */
export function mayAnswer({ state }: Participant): boolean {
  return state === 'asked' || state === 'timed-out'
}

/** What a race reports to the ask that it decides. */
export interface RaceListener {
  /** Whether answers are checked; else they are passed on as they are (rules 1 and 7). */
  readonly checksAnswers: boolean
  /** Whether an answer fits the questions; throws when it is none. */
  check(value: unknown): CheckedAnswer
  /** A participant failed, timed out, left or was blank: its state says which. */
  out(participant: Participant): void
  /**
   * The host says that its agent waits no longer.
   *
   * @returns whether the ask goes on all the same.
   */
  timedOut(error: unknown): boolean
  /** Somebody else may be next: the host has nobody to ask. Its error is reported only if nothing else failed. */
  step(): void
  /** The race has ended. Called once; nothing is reported after it. */
  ended(end: RaceEnd): void
}

/** The race for one ask. It sets no timers. */
export class Race {
  readonly #listener: RaceListener
  readonly #log: RouterLog
  /** Of any type, `undefined` too: whatever participants threw. */
  readonly #failures: unknown[] = []
  /** The host's error that nobody is there. It is reported only when nothing else failed. */
  #nobody: unknown
  /** The first answer that does not win, and what its check found. It counts once nobody may say more (rules 1 and 7). */
  kept: { readonly by: Participant, readonly said: unknown, readonly checked?: CheckedAnswer, readonly problem?: unknown } | undefined
  /** Whether it has ended. */
  isOver = false

  constructor(listener: RaceListener, log: RouterLog) {
    this.#listener = listener
    this.#log = log
  }

  /** Ask a participant in state `asked`, and take what it says until it is out; after its time-out, too. */
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
    const { kept } = this
    if (kept && (kept.checked || !this.#listener.checksAnswers)) return this.#win(kept.by, kept.said, kept.checked)
    // It would have passed, had no surface come meanwhile.
    if (kept) this.#failures.push(kept.problem)
    const error = failureOf(this.#failures, this.#nobody)
    this.#end({ outcome: { kind: 'failed', error }, result: error })
  }

  /** The ask is ended from outside. */
  abort(error: unknown): void {
    this.#end({ outcome: { kind: 'aborted' }, result: error })
  }

  #accepts(participant: Participant, said: unknown): boolean {
    if (this.isOver || !mayAnswer(participant)) {
      // Those that were told to put the question away say so by rejecting, which is no news.
      if (!hasCode(said, 'ASK_SETTLED') && !hasCode(said, 'ASK_ABORTED')) this.#log.debug(`"${participant.name}" spoke too late`)
      return false
    }
    if (!participant.isUnloading) return true
    participant.leave?.()
    return false
  }

  #onAnswer(by: Participant, said: unknown): void {
    let checked: CheckedAnswer | undefined, problem: unknown
    try {
      checked = this.#listener.check(said)
    } catch (error) {
      if (this.#listener.checksAnswers) return this.#fail(by, error)
      // It passes as it is, unless another listener of the host says something better.
      problem = error
    }
    if (checked && checked.dropped > 0 && this.#listener.checksAnswers) this.#log.warn(`"${by.name}" answered ${checked.dropped} unknown ids`)
    if (checked?.blank === false) return this.#win(by, said, checked)
    this.kept ??= { by, said, ...checked ? { checked } : { problem } }
    this.retire(by, 'blank')
  }

  #onRejection(participant: Participant, error: unknown): void {
    const { isHost } = participant
    const isTimedOut = isHost && hasCode(error, 'ASK_TIMED_OUT')
    if (isTimedOut && this.#listener.timedOut(error)) return
    if (isTimedOut || hasCode(error, 'ASK_CANCELLED')) {
      participant.state = 'cancelled'
      this.#end({ outcome: { kind: 'cancelled', by: participant.name }, result: error, by: participant })
    } else if (isHost && hasCode(error, 'NO_PROVIDER')) {
      this.#nobody = error
      participant.isNobody = true
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

  #win(by: Participant, said: unknown, checked?: CheckedAnswer): void {
    const isChecked = checked && this.#listener.checksAnswers, result = isChecked ? checked.answer : said as AskUserQuestionAnswer
    by.state = 'answered'
    this.#end({ outcome: { kind: 'answered', by: by.name, answer: isChecked ? copyOfAnswer(result) : result }, result, by })
  }

  #end(end: RaceEnd): void {
    if (this.isOver) return
    this.isOver = true
    this.#listener.ended(end)
  }
}
