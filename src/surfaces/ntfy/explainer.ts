// Tells the sender of a reply why it was not used.
import { formatMixed } from '../../reply/format.ts'
import { visibleLine } from '../../reply/visible.ts'
import type { Card, Cards } from './cards.ts'
import { cutToBytes } from './cut.ts'
import type { Outbox } from './outbox.ts'
import type { PushWriter } from './push.ts'
import type { PhoneTexts } from './texts.ts'
import type { Verdict } from './verdict.ts'

/** At most this many notices in this many milliseconds, so that a stranger cannot use up the server's quota. */
const MAX_NOTICES = 10, WITHIN_MS = 600_000

/** A verdict on a reply whose sender is told something. */
type Explanation = Verdict & { kind: 'explain' }

/** The notices of one plugin. */
export class Explainer {
  readonly #texts: PhoneTexts
  readonly #cards: Cards
  readonly #outbox: Outbox
  readonly #writer: PushWriter
  /** When the latest notices were sent, by the monotonic clock. */
  #sentAt: number[] = []

  constructor(texts: PhoneTexts, cards: Cards, outbox: Outbox, writer: PushWriter) {
    this.#texts = texts
    this.#cards = cards
    this.#outbox = outbox
    this.#writer = writer
  }

  /** @param id of the reply. */
  explain(explanation: Explanation, id: string): void {
    if (explanation.why === 'empty') explanation.card.emptyReplyTold = true
    this.#say(this.#textFor(explanation), id)
  }

  /**
   * The reply was a file that cannot be used.
   *
   * @param id of the reply.
   */
  refuseAttachment(id: string): void {
    this.#say(this.#texts.attachmentRefused, id)
  }

  /** The reply was for a settled card. This is said once per card. */
  late(card: Card): void {
    if (card.lateReplyTold || !this.#maySend()) return
    card.lateReplyTold = true
    this.#outbox.conclude(card, sequence => this.#writer.late(card, sequence))
  }

  #textFor(explanation: Explanation): string {
    switch (explanation.why) {
      case 'too-early': return this.#texts.tooEarly
      case 'nothing-open': return this.#texts.nothingOpen
      case 'unknown-code': return this.#texts.codeUnknown
      case 'empty': return this.#texts.empty
      case 'code-alone': return this.#texts.codeAlone(explanation.card.code)
      case 'no-option': return this.#texts.noOption(this.#writer.optionsOnly(explanation.card.question))
      case 'mixed': return formatMixed(explanation.reply, this.#texts.lang)
      case 'which-one': return this.#texts.whichOne(this.#cards.open.map(({ code, question }) =>
        `${code}: ${cutToBytes(visibleLine(question.question).toWellFormed(), 60)}`).join('\n'))
    }
  }

  #say(text: string, id: string): void {
    if (this.#maySend()) this.#outbox.say(this.#writer.notice(text, id))
  }

  #maySend(): boolean {
    const now = performance.now()
    this.#sentAt = this.#sentAt.filter(at => now - at < WITHIN_MS)
    if (this.#sentAt.length >= MAX_NOTICES) return false
    this.#sentAt.push(now)
    return true
  }
}
