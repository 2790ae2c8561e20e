// One ask on the phone: its questions one after the other, each a card; the answer when the last one is answered.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { Origin } from '../../protocol/origin.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext } from '../../protocol/surface.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import type { Card, Cards } from './cards.ts'
import type { Published } from './client.ts'
import type { Outbox } from './outbox.ts'
import type { PushWriter } from './push.ts'
import { phoneTexts } from './texts.ts'

// A reason of its own, since making the default one captures a stack each time.
const PUT_AWAY = 'the question is put away'

/** What an ask needs of the phone. */
export interface PhoneParts {
  readonly cards: Cards
  readonly outbox: Outbox
  readonly writer: PushWriter
  readonly lang: Lang
  /** Resolves once answers can be heard, or it is known that they cannot. */
  readonly ready: Promise<void>
  /** Why answers cannot be heard, if so. */
  readonly refusal: () => string | undefined
  readonly published: (card: Card, published: Published) => void
}

/** One ask. */
export class PhoneAsk {
  /** Settles with the answer, or with why there is none from here. */
  readonly result: Promise<AskUserQuestionAnswer>
  readonly #parts: PhoneParts
  readonly #request: AskUserQuestionRequest
  readonly #context: AskContext
  readonly #origin: Origin
  readonly #link: string | undefined
  readonly #answers: AskUserQuestionAnswerItem[] = []
  #card: Card | undefined
  /** Whether a reminder was due before the card's publish was through. */
  #reminderMissed = false
  /** Aborts when the card needs no further attempt to publish it. */
  #stop = new AbortController()
  /** No answer is taken any more. */
  #isOver = false
  /** And that is not because it was answered here. */
  #isPutAway = false
  #resolve!: (answer: AskUserQuestionAnswer) => void
  #reject!: (error: unknown) => void

  /** @param link where the ask can be answered on a page, if it can. */
  constructor(parts: PhoneParts, request: AskUserQuestionRequest, context: AskContext, origin: Origin, link: string | undefined) {
    this.#parts = parts
    this.#request = request
    this.#context = context
    this.#origin = origin
    this.#link = link
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    void this.#show()
  }

  /** Somebody else has ended the ask; said in the place of its card, whatever stood there. */
  end(outcome: string, error: unknown = userQuestionError('ASK_SETTLED', 'the phone has put the question away')): void {
    this.#isOver = this.#isPutAway = true
    this.#reject(error)
    if (this.#card) this.#settle(this.#card, outcome)
    this.#stop.abort(PUT_AWAY)
  }

  /** The phone is asked no longer. That the ask ends once the phone has failed is no news to the person. */
  stop(outcome: string, reason: unknown): void {
    if (!this.#isPutAway) this.end(outcome, reason)
  }

  /** This place cannot be used; the others go on. */
  fail(why: string): void {
    if (!this.#isOver) this.end(phoneTexts[this.#parts.lang].gone, userQuestionError('SURFACE_GONE', `the phone cannot be asked: ${why}`))
  }

  /** The question is still open: the one that is there comes once more, if one is. */
  remind(): void {
    const card = this.#card
    if (this.#isOver || card === undefined || card.outcome !== undefined) return
    if (card.shown === undefined) {
      this.#reminderMissed = true
    } else {
      this.#parts.outbox.remind(card, {
        write: sequence => this.#push(card, false, sequence),
        // The router reminds once more when the quiet hours are over.
        isWanted: () => !this.#context.quiet,
        stop: this.#stop.signal,
      })
    }
  }

  /** @param again the sequence of a reminder. */
  #push(card: Card, quiet: boolean, again?: string): string {
    return this.#parts.writer.question(card, this.#origin, this.#link, quiet, again)
  }

  async #show(): Promise<void> {
    const { cards, outbox, writer, ready, refusal, published } = this.#parts
    const { signal } = this.#stop = new AbortController()
    this.#reminderMissed = false
    try {
      await ready
      if (this.#isOver) return
      const problem = refusal()
      if (problem !== undefined) return this.fail(problem)
      const { questions } = this.#request
      const question = questions[this.#answers.length]!
      const part = { index: this.#answers.length + 1, total: questions.length }
      const card = cards.add({ question, part, title: writer.title(question, this.#origin), answer: item => this.#answer(card!, item) })
      this.#card = card
      if (card === undefined) return this.fail('too many questions are open there')
      card.onCodeClash = () => outbox.replace(card, () => this.#push(card, this.#context.quiet), signal)
      // Once an attempt was silent the others are too: if it came all the same they change it, which makes no sound.
      let isSilent = false
      published(card, await outbox.show(card, () => this.#push(card, isSilent ||= this.#context.quiet), signal))
      // It was on its way when the quiet hours ended, and has made no sound at all.
      if (this.#reminderMissed && isSilent) this.remind()
    } catch (error) {
      // Once it is answered or put away, it was there.
      if (!signal.aborted) this.fail(error instanceof Error ? error.message : String(error))
    }
  }

  #answer(card: Card, item: AskUserQuestionAnswerItem): void {
    if (card !== this.#card || this.#isOver) return
    const { lang } = this.#parts
    const texts = phoneTexts[lang]
    const { index, total } = card.part
    this.#answers.push(item)
    if (index < total) {
      this.#stop.abort(PUT_AWAY)
      this.#settle(card, texts.noted(formatAnswer({ answers: [item] }, lang), index, total))
      void this.#show()
    } else {
      const answer = { answers: this.#answers }
      this.#isOver = true
      this.#resolve(answer)
      this.#stop.abort(PUT_AWAY)
      this.#settle(card, texts.answered(formatAnswer(answer, lang), texts.onPhone))
    }
  }

  #settle(card: Card, outcome: string): void {
    const { cards, outbox, writer } = this.#parts
    if (card.outcome === outcome) return
    cards.settle(card, outcome)
    outbox.conclude(card, sequence => writer.outcome(card, sequence))
  }
}
