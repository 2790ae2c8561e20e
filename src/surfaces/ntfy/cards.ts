// The questions that are or were on the phone, each with the secret of its buttons and its short code. Settled ones are
// remembered for a while, so that a late reply can be told what became of its question.
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { Part } from '../../reply/format.ts'

/** How many settled questions are remembered. */
const MAX_SETTLED = 200

/** How many codes of other hosts are remembered. */
const MAX_FOREIGN = 200

// Shapes that no word of either language has; no vowels, so that none becomes one.
const LETTERS = 'qjz', DIGITS = '23456789', CONSONANTS = 'bcdfghjklmnpqrstvwxz'
const CODES = [...LETTERS].flatMap(a => [...DIGITS].flatMap(b => [...CONSONANTS].map(c => a + b + c)))
const CODE = new RegExp(`^[${LETTERS}][${DIGITS}][${CONSONANTS}]$`)
const SEQUENCE = /^ask-(...)-/

/** What a further notification's sequence has after the card's own part, in random bytes. */
const FURTHER_BYTES = 3

/** When and in which order of events something became known here. */
export interface Moment {
  /** In seconds since the epoch, by the server's clock. */
  readonly time: number
  /** Counts everything that the stream and the publishes bring, as it comes. */
  readonly order: number
}

/** When a card's outcome took the place of its notification. */
export interface Conclusion extends Moment {
  /** Whether the server took the outcome; else the card still looks open on the phone. */
  readonly isShown: boolean
}

/** One question on the phone. */
export interface Card {
  readonly question: AskUserQuestionItem
  readonly part: Part
  /** Of its notification. */
  readonly title: string
  /** The person answered it here. */
  answer: (item: AskUserQuestionAnswerItem) => void
  /** Says in a typed reply that it is for this card. */
  code: string
  /** In the buttons' bodies: 128 bits, as 22 characters. */
  readonly secret: string
  /** What the sequences of all its notifications begin with, and no other card's do. */
  readonly sequencePrefix: string
  /** What replaces its notification, the newest that is known to be there. */
  sequence: string
  /** Further ones that may still be on the phone. */
  readonly staleSequences: Set<string>
  /** When it was first published; a typed reply from before is not its answer. */
  shown: Moment | undefined
  /** What became of it; absent while it is open. */
  outcome: string | undefined
  /** Absent until the outcome's push is through, or has failed for good. */
  conclusion: Conclusion | undefined
  /** The reply that answered it here, a button's body or words. */
  answeredWith: string | undefined
  /** Whether an empty reply was told already while it was open. */
  emptyReplyTold: boolean
  /** Whether a late reply to it was told already. */
  lateReplyTold: boolean
  /** Another host has shown the same code, so it has a new one, which the person has to be shown. */
  onCodeClash: (() => void) | undefined
}

/** The cards of one phone. */
export class Cards {
  readonly #open: Card[] = []
  readonly #settled: Card[]
  readonly #foreignCodes = new Set<string>()

  /** @param past where the settled ones are remembered; it may hold some already. */
  constructor(past: Card[] = []) {
    this.#settled = past
  }

  /** The open ones, oldest first. */
  get open(): readonly Card[] {
    return this.#open
  }

  /** The settled ones that are remembered, oldest first. */
  get settled(): readonly Card[] {
    return this.#settled
  }

  /**
   * Make a card.
   *
   * @returns `undefined` when every code is in use, by some hundreds of open questions.
   */
  add({ question, part, title, answer }: Pick<Card, 'question' | 'part' | 'title' | 'answer'>): Card | undefined {
    const code = this.#freeCode()
    if (code === undefined) return undefined
    const secret = randomBytes(16).toString('base64url')
    const sequencePrefix = `ask-${code}-${randomBytes(9).toString('base64url')}`
    const card: Card = {
      question, part, title, answer, code, secret, sequencePrefix, sequence: sequencePrefix, staleSequences: new Set(),
      shown: undefined, outcome: undefined, conclusion: undefined, answeredWith: undefined, emptyReplyTold: false, lateReplyTold: false, onCodeClash: undefined,
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
    // It is remembered for long: without its ask.
    card.answer = () => {}
    card.onCodeClash = undefined
    this.#settled.push(card)
    if (this.#settled.length > MAX_SETTLED) this.#settled.shift()
  }

  /** The card whose buttons have this secret; every comparison takes the same time. */
  bySecret(secret: string): Card | undefined {
    const given = Buffer.from(secret)
    let found: Card | undefined
    for (const card of [...this.#open, ...this.#settled]) {
      const own = Buffer.from(card.secret)
      if (own.length === given.length && timingSafeEqual(own, given)) found = card
    }
    return found
  }

  /** The card with this code: an open one, else the latest that was. */
  byCode(code: string): Card | undefined {
    return this.open.find(card => card.code === code) ?? this.#settled.findLast(card => card.code === code)
  }

  /**
   * A message with a sequence of ours or of another host on the same topics has come.
   *
   * @returns the open card that it belongs to.
   */
  noteSequence(sequence: string): Card | undefined {
    const own = this.open.find(isItsOwn(sequence))
    const code = SEQUENCE.exec(sequence)?.[1]
    if (own !== undefined || code === undefined || this.#settled.some(isItsOwn(sequence))) return own
    // Another host's: a code of its own can mean only one question to the person.
    this.#foreignCodes.delete(code)
    this.#foreignCodes.add(code)
    const [oldest] = this.#foreignCodes
    if (this.#foreignCodes.size > MAX_FOREIGN) this.#foreignCodes.delete(oldest!)
    const clashing = this.open.find(card => card.code === code)
    const other = clashing && this.#freeCode()
    if (other !== undefined) {
      clashing!.code = other
      clashing!.onCodeClash?.()
    }
    return undefined
  }

  /** Whether a message with this sequence is another host's question, or what became of it. */
  isForeignSequence(sequence: string): boolean {
    return SEQUENCE.test(sequence) && !this.open.some(isItsOwn(sequence)) && !this.#settled.some(isItsOwn(sequence))
  }

  /** Whether another host has shown a question with this code of late. */
  isForeignCode(code: string): boolean {
    return this.#foreignCodes.has(code)
  }

  #freeCode(): string | undefined {
    const open = new Set(this.open.map(({ code }) => code))
    const past = new Set(this.#settled.map(({ code }) => code))
    const free = CODES.filter(code => !open.has(code))
    const fresh = free.filter(code => !past.has(code) && !this.#foreignCodes.has(code))
    const choice = fresh.length > 0 ? fresh : free
    return choice.length > 0 ? choice[randomInt(choice.length)] : undefined
  }
}

/** A sequence for one more notification of a card: one that is updated makes no sound. */
export function nextSequence({ sequencePrefix }: Card): string {
  return sequencePrefix + randomBytes(FURTHER_BYTES).toString('base64url')
}

function isItsOwn(sequence: string): (card: Card) => boolean {
  return ({ sequencePrefix }) => sequence.startsWith(sequencePrefix)
}

/**
 * Split a reply that starts with something of a code's shape. Case, width and what people put after a code are forgiven.
 *
 * @returns the code and what follows it, `undefined` when the reply does not start with one.
 */
export function splitCode(reply: string): { readonly code: string, readonly rest: string } | undefined {
  const [, first = '', rest = ''] = /^\s*(\S{3})(?:[:.,)：．，）。、]+\s*|\s+|$)([^]*)$/.exec(reply) ?? []
  const code = first.normalize('NFKC').toLowerCase()
  return CODE.test(code) ? { code, rest } : undefined
}
