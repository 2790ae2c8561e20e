// Decides what a message means: a button's answer, a typed answer, something to explain to its sender, or nothing. It never
// guesses: a reply without a code counts only if its sender can have meant just one question. An approval is decided by its
// buttons; of typed words it takes a rejection, and only with its code, so it never stands in the way of a question's answer.
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { REJECT } from '../../protocol/approval.ts'
import { isLabel, type MixedReply, parseReply } from '../../reply/parse.ts'
import { readButton } from './button.ts'
import type { Card, Cards } from './cards.ts'
import { splitCode } from './codes.ts'
import { buttonsOf, decision, maybeDecision, readRejection } from './permission.ts'
import type { Moment } from './server-clock.ts'

/** What ntfy makes of an empty message. */
const EMPTY = 'triggered'

/**
 * How long after its outcome was published a card may still be meant, in seconds: its question may still be on the screen, or
 * the person may be typing a reply to it.
 */
const ON_SCREEN_S = 10

/** The same when the person answered it on the phone and so expects the next question: long enough to correct oneself. */
const CORRECTION_S = 5

/** The same when its outcome could not be published, so that the card still looks open. */
const LOOKS_OPEN_S = 3600

/** What to do with a message. */
export type Verdict =
  | { readonly kind: 'answer', readonly card: Card, readonly item: AskUserQuestionAnswerItem }
  /** It is for a settled card. */
  | { readonly kind: 'late', readonly card: Card }
  /** Its sender is told why it was not used. */
  | { readonly kind: 'explain', readonly why: 'too-early' | 'nothing-open' | 'unknown-code' }
  /** It may be for any of these, some of which may be settled. */
  | { readonly kind: 'explain', readonly why: 'which-one', readonly text: string, readonly candidates: readonly Card[] }
  | { readonly kind: 'explain', readonly why: 'code-alone' | 'no-option' | 'empty', readonly card: Card }
  /** It was to decide one of these approvals in words; without any, words decide none. */
  | { readonly kind: 'explain', readonly why: 'buttons-only', readonly rejectable: readonly Card[] }
  /** It chooses by labels and by positions at once. */
  | { readonly kind: 'explain', readonly why: 'mixed', readonly reply: MixedReply }
  /** It has a button's shape, but was sent by no button of ours. */
  | { readonly kind: 'forged' }
  /** It may be for another host. If none takes it, its sender is told. */
  | { readonly kind: 'elsewhere', readonly code: string | undefined }
  | { readonly kind: 'nothing' }

/** Which replies are accepted. */
export interface ReplyRules {
  /** Whether every reply needs a code. */
  readonly shared: boolean
  /** Whether a question with options may be answered in the person's own words, and an approval rejected with them. */
  readonly freeText: boolean
}

/** A reply, and when it was sent. */
export interface Reply extends Moment {
  readonly text: string
  /** The `order` at which the stream that brought it was opened. */
  readonly streamOrder: number
}

const nothing: Verdict = { kind: 'nothing' }

/** Decide what a message means. Changes nothing. */
export function judge(reply: Reply, cards: Cards, rules: ReplyRules): Verdict {
  const button = readButton(reply.text)
  if (button) return judgeButton(button, cards)
  const split = splitCode(reply.text)
  const isOption = (card: Card) => !card.approval && isLabel(card.question, reply.text)
  // Searching all cards below is slow with many of them, so it is skipped where the code decides.
  if (split && !cards.open.some(isOption)) return judgeCoded(split, reply, cards, rules)
  const approvals = cards.open.filter(card => card.approval && wasShownBefore(card, reply))
  const candidates = [...cards.open, ...cards.settled].filter(card => !card.approval && wasShownBefore(card, reply) && mayLookOpen(card, reply))
  const only = candidates.length === 1 && !rules.shared ? candidates[0] : undefined
  const onlyOpen = only?.outcome === undefined ? only : undefined
  if (onlyOpen && isOption(onlyOpen)) return judgeText(onlyOpen, reply.text, rules)
  if (split) return judgeCoded(split, reply, cards, rules)
  if (approvals.length > 0 && maybeDecision(reply.text, approvals.map(({ approval }) => approval))) return buttonsOnly(approvals, rules)
  const open = candidates.filter(({ outcome }) => outcome === undefined)
  if (open.length > 0 && isEmpty(reply.text)) return judgeEmpty(open)
  if (onlyOpen) return judgeText(onlyOpen, reply.text, rules)
  if (open.length > 0) return { kind: 'explain', why: 'which-one', text: reply.text, candidates }
  // Once the sender knows that it was late, further replies get another explanation.
  if (only && !only.lateReplyTold) return { kind: 'late', card: only }
  if (approvals.length > 0) return buttonsOnly(approvals, rules)
  if (rules.shared) return { kind: 'elsewhere', code: undefined }
  return { kind: 'explain', why: cards.open.length > 0 ? 'too-early' : 'nothing-open' }
}

/** Explained once: somebody who typed that very word, or nothing, would wait in vain. */
function judgeEmpty(open: readonly Card[]): Verdict {
  return open.some(({ emptyReplyTold }) => emptyReplyTold) ? nothing : { kind: 'explain', why: 'empty', card: open[0]! }
}

function isEmpty(text: string): boolean {
  return text.trim() === '' || text.trim() === EMPTY
}

function judgeButton({ secret, position }: { secret: string, position: number }, cards: Cards): Verdict {
  const found = cards.bySecret(secret)
  if (found === undefined) return { kind: 'forged' }
  const { card, at } = found
  if (card.outcome !== undefined) return { kind: 'late', card }
  const { question, approval } = card
  if (approval) {
    // The secret alone says which button it was. Another position was put there by nobody who pressed one.
    return position === at + 1 ? { kind: 'answer', card, item: decision(question, buttonsOf(approval)[at]!.id) } : { kind: 'forged' }
  }
  const { id, options = [], multiSelect } = question
  const option = multiSelect ? undefined : options[position - 1]
  return option ? { kind: 'answer', card, item: { id, selected: [option.label] } } : { kind: 'forged' }
}

function judgeCoded({ code, rest }: { code: string, rest: string }, reply: Reply, cards: Cards, rules: ReplyRules): Verdict {
  const card = cards.byCode(code)
  const isForeign = cards.isForeignCode(code)
  if (card === undefined || (card.outcome !== undefined && isForeign)) return rules.shared ? { kind: 'elsewhere', code } : { kind: 'explain', why: 'unknown-code' }
  if (card.outcome !== undefined) return { kind: 'late', card }
  if (card.approval) return isForeign ? buttonsOnly([], rules) : judgeRejection(card, rest, reply, rules)
  // Another host shows the same code, so either question may be meant.
  if (isForeign) return { kind: 'explain', why: 'which-one', text: reply.text, candidates: [card] }
  if (!isLabel(card.question, rest) && isEmpty(rest)) return { kind: 'explain', why: 'code-alone', card }
  return wasShownBefore(card, reply) ? judgeText(card, rest, rules) : { kind: 'explain', why: 'too-early' }
}

/** @param rest what was typed after the code of an approval. */
function judgeRejection(card: Card, rest: string, reply: Reply, rules: ReplyRules): Verdict {
  if (!wasShownBefore(card, reply)) return { kind: 'explain', why: 'too-early' }
  const words = rules.freeText ? readRejection(rest) : undefined
  return words === undefined ? buttonsOnly([card], rules) : { kind: 'answer', card, item: decision(card.question, REJECT, words) }
}

function buttonsOnly(approvals: readonly Card[], { freeText }: ReplyRules): Verdict {
  return { kind: 'explain', why: 'buttons-only', rejectable: freeText ? approvals : [] }
}

function judgeText(card: Card, text: string, { freeText }: ReplyRules): Verdict {
  const item = parseReply(card.question, text)
  if ('mixed' in item) return { kind: 'explain', why: 'mixed', reply: item }
  if (item.custom !== undefined && !freeText && card.question.options?.length) return { kind: 'explain', why: 'no-option', card }
  return { kind: 'answer', card, item }
}

/** Whether the sender of the reply may have thought that the card was open. */
function mayLookOpen({ outcome, conclusion, answeredWith }: Card, reply: Reply): boolean {
  if (outcome === undefined || conclusion === undefined || conclusion.order > reply.order) return true
  const age = reply.time - conclusion.time
  if (!conclusion.isShown) return age <= LOOKS_OPEN_S
  // The same words again are probably the same reply, sent twice.
  const isDone = answeredWith !== undefined && wordsOf(answeredWith) !== wordsOf(reply.text)
  return age <= (isDone ? CORRECTION_S : ON_SCREEN_S)
}

function wordsOf(text: string): string {
  return (splitCode(text)?.rest ?? text).trim().toLowerCase()
}

/** Whether the card was on the phone when the reply was sent. */
function wasShownBefore({ shown }: Card, { time, order, streamOrder }: Reply): boolean {
  if (shown === undefined || shown.order > order) return false
  // A stream opened later replays earlier messages, so within one second the order of arrival proves nothing.
  return streamOrder > shown.order ? time > shown.time : time >= shown.time
}
