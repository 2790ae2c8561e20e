// What the sender of a reply is told when it was not used, and how often at most.
import { visibleLine } from '../../reply/visible.ts'
import type { Card, Cards } from './cards.ts'
import { cutToBytes } from './cut.ts'
import type { Verdict } from './verdict.ts'
import type { Outbox } from './outbox.ts'
import type { PushWriter } from './push.ts'
import type { PhoneTexts } from './texts.ts'

/** A stranger's noise must not use up the server's quota: so many in so many milliseconds. */
const MAX_TOLD = 10, WITHIN_MS = 600_000

/** Tells senders. */
export class Explainer {
  readonly #texts: PhoneTexts
  readonly #cards: Cards
  readonly #outbox: Outbox
  readonly #writer: PushWriter
  #told: number[] = []

  constructor(texts: PhoneTexts, cards: Cards, outbox: Outbox, writer: PushWriter) {
    this.#texts = texts
    this.#cards = cards
    this.#outbox = outbox
    this.#writer = writer
  }

  /** @param id the reply's. */
  explain(verdict: Verdict & { kind: 'explain' }, id: string): void {
    if (verdict.why === 'empty') verdict.card.emptyReplyTold = true
    this.#say(this.#textFor(verdict), id)
  }

  /** The reply came as a file that is not taken. */
  refuseAttachment(id: string): void {
    this.#say(this.#texts.attachmentRefused, id)
  }

  /** The reply was for a settled question: its sender is told once what became of it. */
  late(card: Card): void {
    if (card.lateReplyTold || !this.#mayTell()) return
    card.lateReplyTold = true
    this.#outbox.conclude(card, sequence => this.#writer.late(card, sequence))
  }

  #textFor(verdict: Verdict & { kind: 'explain' }): string {
    switch (verdict.why) {
      case 'too-early': return this.#texts.tooEarly
      case 'nothing-open': return this.#texts.nothingOpen
      case 'unknown-code': return this.#texts.codeUnknown
      case 'empty': return this.#texts.empty
      case 'code-alone': return this.#texts.codeAlone(verdict.card.code)
      case 'no-option': return this.#texts.noOption(this.#writer.optionsOnly(verdict.card.question))
      case 'which-one': return this.#texts.whichOne(this.#cards.open.map(({ code, question }) =>
        `${code}: ${cutToBytes(visibleLine(question.question).toWellFormed(), 60)}`).join('\n'))
    }
  }

  #say(text: string, id: string): void {
    if (this.#mayTell()) this.#outbox.say(this.#writer.notice(text, id))
  }

  #mayTell(): boolean {
    const now = performance.now()
    this.#told = this.#told.filter(at => now - at < WITHIN_MS)
    if (this.#told.length >= MAX_TOLD) return false
    this.#told.push(now)
    return true
  }
}
