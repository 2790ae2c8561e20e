// Tells the sender of a reply why it was not used.
import { formatMixed } from '../../reply/format.ts'
import type { Allowance } from './allowance.ts'
import type { Card, Cards } from './cards.ts'
import { splitCode } from './codes.ts'
import { shortLine } from './cut.ts'
import type { Outbox } from './outbox.ts'
import type { PushWriter } from './push.ts'
import type { PhoneTexts } from './texts.ts'
import type { Verdict } from './verdict.ts'

/** The largest question in a list, and the largest reply that is repeated, in bytes. */
const NAME_BYTES = 60, EXAMPLE_BYTES = 100

/** A verdict on a reply whose sender is told something. */
type Explanation = Verdict & { kind: 'explain' }

/** The notices of one plugin. */
export class Explainer {
  readonly #texts: PhoneTexts
  readonly #cards: Cards
  readonly #outbox: Outbox
  readonly #writer: PushWriter
  readonly #allowance: Allowance

  constructor(texts: PhoneTexts, cards: Cards, outbox: Outbox, writer: PushWriter, allowance: Allowance) {
    this.#texts = texts
    this.#cards = cards
    this.#outbox = outbox
    this.#writer = writer
    this.#allowance = allowance
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
   * @returns whether its sender is told.
   */
  refuseAttachment(id: string): boolean {
    return this.#say(this.#texts.attachmentRefused, id)
  }

  /**
   * The message has what no reply has, so it may be another program's.
   *
   * @param id of the message.
   */
  refuseComposed(id: string): void {
    this.#say(this.#texts.composedRefused, id)
  }

  /**
   * The reply may have been for another host, and none has taken it.
   *
   * @param id of the reply.
   */
  untaken(id: string): void {
    this.#say(this.#texts.untaken, id)
  }

  /** The reply was for a settled card. This is said once per card. */
  late(card: Card): void {
    if (card.lateReplyTold || !this.#allowance.take()) return
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
      case 'buttons-only': return this.#buttonsOnly(explanation)
      case 'which-one': return this.#whichOne(explanation)
    }
  }

  /** Says which question a reply may have been for, and what to send instead. */
  #whichOne({ text, candidates }: Explanation & { why: 'which-one' }): string {
    const open = this.#cards.open.filter(card => !card.approval && card.shown !== undefined)
    const [first] = open
    const earlier = candidates.find(({ outcome }) => outcome !== undefined)
    const example = `${first?.code} ${shortLine(splitCode(text)?.rest ?? text, EXAMPLE_BYTES)}`
    if (first && open.length === 1 && earlier) return this.#texts.whichOneNow(nameOf(earlier), nameOf(first), example)
    return this.#texts.whichOne(open.map(card => `${card.code}: ${nameOf(card)}`).join('\n'), example)
  }

  #buttonsOnly({ rejectable }: Explanation & { why: 'buttons-only' }): string {
    const { buttonsOnly, rejectByWords, rejection } = this.#texts
    if (rejectable.length === 0) return buttonsOnly
    return buttonsOnly + rejectByWords(rejectable.map(card => rejection(card.code, nameOf(card))).join('\n'))
  }

  #say(text: string, id: string): boolean {
    const maySay = this.#allowance.take()
    if (maySay) this.#outbox.say(this.#writer.notice(text, id))
    return maySay
  }
}

function nameOf({ question, approval }: Card): string {
  return shortLine(approval?.title ?? question.question, NAME_BYTES)
}
