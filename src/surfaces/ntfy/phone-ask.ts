// One ask on the phone: its questions are shown one after the other, each as a card. An approval has one card.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { Origin } from '../../protocol/origin.ts'
import { readQuestions } from '../../protocol/read-questions.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext } from '../../protocol/surface.ts'
import { type ApprovalText, approvalText, decisionText } from '../../reply/approval.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { originOf } from '../../reply/origin.ts'
import { visibleLine } from '../../reply/visible.ts'
import type { Card, Cards } from './cards.ts'
import type { Published } from './client.ts'
import type { Outbox } from './outbox.ts'
import type { PushWriter, Showing } from './push.ts'
import { phoneTexts } from './texts.ts'

// An explicit abort reason, because making the default one captures a stack each time.
const PUT_AWAY = 'the question is put away'

/** What an ask needs of the phone. */
export interface PhoneParts {
  readonly cards: Cards
  readonly outbox: Outbox
  readonly writer: PushWriter
  readonly lang: Lang
  /** Resolves when the stream is open, or when waiting for it is no use. */
  readonly ready: Promise<void>
  /** Why the server refuses the stream, if it does. */
  readonly refusal: () => string | undefined
  readonly published: (card: Card, published: Published) => void
}

/** One ask. */
export class PhoneAsk {
  /** Settles with the answer, or rejects when the phone gives none. */
  readonly result: Promise<AskUserQuestionAnswer>
  readonly #parts: PhoneParts
  readonly #questions: readonly AskUserQuestionItem[]
  readonly #approval: ApprovalText | undefined
  readonly #context: AskContext
  readonly #origin: Origin
  readonly #link: string | undefined
  readonly #answers: AskUserQuestionAnswerItem[] = []
  #card: Card | undefined
  /** Whether a reminder came due while the card was being published. */
  #reminderMissed = false
  /** Aborts when the current card is settled. */
  #stop = new AbortController()
  /** Answered or put away: no answer is taken any more. */
  #isOver = false
  /** Over for another reason than an answer on the phone. */
  #isPutAway = false
  #resolve!: (answer: AskUserQuestionAnswer) => void
  #reject!: (error: unknown) => void

  /**
   * @param link the page where the ask can be answered, if there is one.
   * @throws when the request's questions cannot be shown.
   */
  constructor(parts: PhoneParts, request: AskUserQuestionRequest, context: AskContext, link: string | undefined) {
    this.#parts = parts
    this.#questions = readQuestions(request)
    this.#approval = approvalText(request, parts.lang)
    this.#context = context
    this.#origin = originOf(request)
    this.#link = link
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    void this.#show()
  }

  /**
   * Somebody else has settled the ask, with an answer or by putting it away.
   *
   * @param where in words.
   */
  settle(answer: AskUserQuestionAnswer | undefined, where: string): void {
    this.end(this.#approval || answer ? this.#outcomeOf(answer, where) : phoneTexts[this.#parts.lang].cancelledOn(where))
  }

  /** Somebody else has settled the ask. Its outcome replaces the card, and even an answer that was given here. */
  end(outcome: string, error: unknown = userQuestionError('ASK_SETTLED', 'the phone has put the question away')): void {
    this.#isOver = this.#isPutAway = true
    this.#reject(error)
    if (this.#card) this.#settle(this.#card, outcome)
    this.#stop.abort(PUT_AWAY)
  }

  /** The phone is no longer asked. If it has put the question away before, the card stays as it is. */
  stop(outcome: string, reason: unknown): void {
    if (!this.#isPutAway) this.end(outcome, reason)
  }

  /** The phone cannot be used. Other participants go on. */
  fail(why: string): void {
    if (!this.#isOver) this.end(phoneTexts[this.#parts.lang].gone, userQuestionError('SURFACE_GONE', `the phone cannot be asked: ${why}`))
  }

  /** Show the current question once more, if it is on the phone. */
  remind(): void {
    const card = this.#card
    if (this.#isOver || card === undefined || card.outcome !== undefined) return
    if (card.shown === undefined) {
      this.#reminderMissed = true
    } else {
      this.#parts.outbox.remind(card, {
        write: reminder => this.#write(card, { reminder }),
        // After the quiet hours the router reminds again.
        isWanted: () => !this.#context.quiet,
        stop: this.#stop.signal,
      })
    }
  }

  /** Whether the agent has gone on. */
  get isLate(): boolean {
    return this.#context.late === true
  }

  /** The agent has gone on. Say so on the card, without a sound. A question that comes later says it by itself. */
  late(): void {
    const card = this.#card
    if (!this.#isOver && card) this.#parts.outbox.replace(card, () => this.#write(card, { isQuiet: true }), this.#stop.signal)
  }

  #write(card: Card, how: Omit<Showing, 'link' | 'isLate'>): string {
    return this.#parts.writer.question(card, this.#origin, { ...how, link: this.#link, isLate: this.isLate })
  }

  async #show(): Promise<void> {
    const { cards, outbox, writer, ready, refusal, published } = this.#parts
    const { signal } = this.#stop = new AbortController()
    this.#reminderMissed = false
    try {
      await ready
      if (this.#isOver) return
      const refused = refusal()
      if (refused !== undefined) return this.fail(refused)
      const questions = this.#questions
      const question = questions[this.#answers.length]!
      const part = { index: this.#answers.length + 1, total: questions.length }
      const approval = this.#approval
      const title = writer.title(question, part, this.#origin, approval)
      const card = cards.add({ question, approval, part, title, answer: item => this.#answer(card!, item) })
      this.#card = card
      if (card === undefined) return this.fail('too many questions are open there')
      card.onCodeClash = () => outbox.replace(card, () => this.#write(card, { isQuiet: this.#context.quiet }), signal)
      // After a silent attempt the others are silent too. If it did arrive, they only update it, which makes no sound.
      let isSilent = false
      published(card, await outbox.show(card, () => this.#write(card, { isQuiet: isSilent ||= this.#context.quiet }), signal))
      // The quiet hours ended while the card was being published, so it has made no sound yet.
      if (this.#reminderMissed && isSilent) this.remind()
    } catch (error) {
      // If it was answered or put away meanwhile, the failed publish does not matter.
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
      this.#settle(card, this.#outcomeOf(answer, texts.onPhone))
    }
  }

  /** @param answer absent where a person has put an approval away. */
  #outcomeOf(answer: AskUserQuestionAnswer | undefined, where: string): string {
    const { lang } = this.#parts, texts = phoneTexts[lang]
    if (this.#approval) return texts.decided(visibleLine(decisionText(this.#approval, answer, lang)), where)
    return texts.answered(formatAnswer(answer!, lang), where)
  }

  #settle(card: Card, outcome: string): void {
    const { cards, outbox, writer } = this.#parts
    if (card.outcome === outcome) return
    cards.settle(card, outcome)
    outbox.conclude(card, sequence => writer.outcome(card, sequence))
  }
}
