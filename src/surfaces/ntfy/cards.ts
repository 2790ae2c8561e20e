// The questions and approvals that are or were on the phone, each with secrets for its buttons and a short code. Settled ones are kept
// for a while, so that a late reply can be told what became of its question.
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import type { Part } from '../../reply/format.ts'
import { CODES } from './codes.ts'
import { buttonsOf } from './permission.ts'
import { RecentSet } from './recent-set.ts'
import type { Moment } from './server-clock.ts'

/** How many settled cards are kept. */
const MAX_SETTLED = 200

/** How many codes of other hosts are kept. */
const MAX_FOREIGN = 200

const SEQUENCE = /^ask-(...)-/

const NOTICE = 'notice-'

/** How many random bytes tell a reminder's sequence from its card's. */
const REMINDER_BYTES = 3

/** When a card's outcome replaced its notification. */
export interface Conclusion extends Moment {
  /** Whether the server took the outcome. If not, the card still looks open on the phone. */
  readonly isShown: boolean
}

/** One question, or one approval, on the phone. */
export interface Card {
  readonly question: AskUserQuestionItem
  /** What a person reads of an approval; absent for a question. */
  readonly approval: ApprovalText | undefined
  readonly part: Part
  /** The title of its notifications. */
  readonly title: string
  /** Called when the person answers on the phone. */
  answer: (item: AskUserQuestionAnswerItem) => void
  /** Typed replies name the card by it. */
  code: string
  /**
   * Part of what the buttons send: 128 bits, as 22 characters. A question's buttons share one. Each of an approval's has one of
   * its own, in their order: who sees what the one that denies sends must not be able to permit.
   */
  readonly secrets: readonly string[]
  /** How the sequences of all its notifications begin; no other card's do. */
  readonly sequencePrefix: string
  /** The sequence of the newest notification known to be on the phone. */
  sequence: string
  /** Sequences of older notifications that may still be on the phone. */
  readonly staleSequences: Set<string>
  /** When it was first published. A typed reply from before cannot be its answer. */
  shown: Moment | undefined
  /** What became of it; absent while it is open. */
  outcome: string | undefined
  /** Absent until publishing the outcome has succeeded, or failed for good. */
  conclusion: Conclusion | undefined
  /** The reply that answered it on the phone: a button's body or words. */
  answeredWith: string | undefined
  /** Whether somebody was already told that an empty reply does not count. */
  emptyReplyTold: boolean
  /** Whether somebody was already told that their reply came too late. */
  lateReplyTold: boolean
  /** Called when the code has changed because another host shows the same one; the card must be published again. */
  onCodeClash: (() => void) | undefined
}

/** The cards of one phone. */
export class Cards {
  readonly #open: Card[] = []
  readonly #settled: Card[]
  readonly #foreignCodes = new RecentSet(MAX_FOREIGN)

  /** @param settled where settled cards are kept; it may hold some already. */
  constructor(settled: Card[] = []) {
    this.#settled = settled
  }

  /** The open cards, oldest first. */
  get open(): readonly Card[] {
    return this.#open
  }

  /** The settled cards that are kept, oldest first. */
  get settled(): readonly Card[] {
    return this.#settled
  }

  /**
   * Make a card.
   *
   * @returns `undefined` when every code belongs to an open card.
   */
  add({ question, approval, part, title, answer }: Pick<Card, 'question' | 'approval' | 'part' | 'title' | 'answer'>): Card | undefined {
    const code = this.#freeCode()
    if (code === undefined) return undefined
    const secrets = (approval ? buttonsOf(approval) : [question]).map(() => randomBytes(16).toString('base64url'))
    const sequencePrefix = `ask-${code}-${randomBytes(9).toString('base64url')}`
    const card: Card = {
      question, approval, part, title, answer, code, secrets, sequencePrefix, sequence: sequencePrefix, staleSequences: new Set(),
      shown: undefined, outcome: undefined, conclusion: undefined, answeredWith: undefined, emptyReplyTold: false, lateReplyTold: false,
      onCodeClash: undefined,
    }
    this.#open.push(card)
    return card
  }

  /** A card is answered or put away. */
  settle(card: Card, outcome: string): void {
    card.outcome = outcome
    card.conclusion = undefined
    const at = this.#open.indexOf(card)
    if (at < 0) return
    this.#open.splice(at, 1)
    // The card is kept for a long time. It must not keep its ask alive.
    card.answer = () => {}
    card.onCodeClash = undefined
    this.#settled.push(card)
    if (this.#settled.length > MAX_SETTLED) this.#settled.shift()
  }

  /** The card with this secret, and the secret's place among the card's. Secrets are compared in constant time. */
  bySecret(secret: string): { readonly card: Card, readonly at: number } | undefined {
    const given = Buffer.from(secret)
    let found: { readonly card: Card, readonly at: number } | undefined
    for (const card of [...this.#open, ...this.#settled]) {
      for (const [at, one] of card.secrets.entries()) {
        const own = Buffer.from(one)
        if (own.length === given.length && timingSafeEqual(own, given)) found = { card, at }
      }
    }
    return found
  }

  /** The card with this code: an open one, else the last one that had it. */
  byCode(code: string): Card | undefined {
    return this.open.find(card => card.code === code) ?? this.#settled.findLast(card => card.code === code)
  }

  /**
   * Take note of a sequence seen on the topic. When it is another host's, its code is avoided from now on, and an open card
   * with the same code gets a new one.
   *
   * @param mayShowAgain asked before a card gets a new code, because that takes another publish. While it keeps its code, a
   *   reply with that code is not guessed.
   * @returns the open card that it belongs to.
   */
  noteSequence(sequence: string, mayShowAgain: () => boolean = () => true): Card | undefined {
    const own = this.open.find(hasSequence(sequence))
    const code = codeOfSequence(sequence)
    if (own !== undefined || code === undefined || this.#settled.some(hasSequence(sequence))) return own
    this.#foreignCodes.add(code)
    const clashing = this.open.find(card => card.code === code)
    const other = clashing && this.#freeCode()
    if (other !== undefined && mayShowAgain()) {
      clashing!.code = other
      clashing!.onCodeClash?.()
    }
    return undefined
  }

  /** Whether a sequence belongs to another host's card. */
  isForeignSequence(sequence: string): boolean {
    return SEQUENCE.test(sequence) && !this.open.some(hasSequence(sequence)) && !this.#settled.some(hasSequence(sequence))
  }

  /** Whether another host has recently shown a card with this code. */
  isForeignCode(code: string): boolean {
    return this.#foreignCodes.has(code)
  }

  #freeCode(): string | undefined {
    const open = new Set(this.open.map(({ code }) => code))
    const settled = new Set(this.#settled.map(({ code }) => code))
    const free = CODES.filter(code => !open.has(code))
    const fresh = free.filter(code => !settled.has(code) && !this.#foreignCodes.has(code))
    const choice = fresh.length > 0 ? fresh : free
    return choice.length > 0 ? choice[randomInt(choice.length)] : undefined
  }
}

/** A sequence for a card's next notification. A reminder needs its own: an updated notification makes no sound. */
export function nextSequence({ sequencePrefix }: Card): string {
  return sequencePrefix + randomBytes(REMINDER_BYTES).toString('base64url')
}

/** The sequence of a notice about a reply. Notices from several hosts about one reply replace each other on the phone. */
export function noticeSequence(replyId: string): string {
  return NOTICE + replyId
}

/** The code in the sequence of a card, here or on another host. */
export function codeOfSequence(sequence: string): string | undefined {
  return SEQUENCE.exec(sequence)?.[1]
}

/** Whether a sequence has the form of one of this plugin's, here or on another host. */
export function isPushSequence(sequence: string): boolean {
  return SEQUENCE.test(sequence) || sequence.startsWith(NOTICE)
}

function hasSequence(sequence: string): (card: Card) => boolean {
  return ({ sequencePrefix }) => sequence.startsWith(sequencePrefix)
}
