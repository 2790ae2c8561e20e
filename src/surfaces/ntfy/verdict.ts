// What a message means: a button's answer, a typed answer, something that has to be explained, or nothing. Nothing is
// guessed: a reply that names no question answers one only if there is just one that its sender can have seen.
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { parseReply } from '../../reply/parse.ts'
import { readButton } from './button.ts'
import { type Card, type Cards, type Moment, splitCode } from './cards.ts'

/** What ntfy makes of an empty message. */
const EMPTY = 'triggered'

/**
 * So long after its outcome went out a question may still be meant, in seconds: the person may have the notification of
 * before on the screen, or be typing under it.
 */
const ON_SCREEN_S = 10

/** The same where the person has answered it on the phone, and so looks out for the next one: enough to correct oneself. */
const CORRECTION_S = 5

/** The same where the outcome never went out: the notification looks open until it is forgotten. */
const LOOKS_OPEN_S = 3600

/** What to do about a message. */
export type Verdict =
  | { readonly kind: 'answer', readonly card: Card, readonly item: AskUserQuestionAnswerItem }
  /** It is for a card that is settled. */
  | { readonly kind: 'late', readonly card: Card }
  /** Its sender is told why it was not used. */
  | { readonly kind: 'explain', readonly why: 'too-early' | 'nothing-open' | 'which-one' | 'unknown-code' }
  | { readonly kind: 'explain', readonly why: 'code-alone' | 'no-option' | 'empty', readonly card: Card }
  /** A button without a secret of ours. */
  | { readonly kind: 'forged' }
  | { readonly kind: 'nothing' }

/** How replies are taken. */
export interface ReplyRules {
  /** Whether every reply needs a code. */
  readonly shared: boolean
  /** Whether words that name no option answer a question that has some. */
  readonly freeText: boolean
}

/** A reply, and what is known of its time. */
export interface Reply extends Moment {
  readonly text: string
  /** Whether it came as typed on the reply topic, where nothing but replies comes. */
  readonly isTyped: boolean
  /** The order of the opening of the stream that brought it. */
  readonly streamOrder: number
}

const nothing: Verdict = { kind: 'nothing' }

/** Decide what a message means. Changes nothing. */
export function judge(reply: Reply, cards: Cards, rules: ReplyRules): Verdict {
  const button = readButton(reply.text)
  if (button) return judgeButton(button, cards)
  if (reply.text.trim() === '') return nothing
  const split = splitCode(reply.text)
  const isLabel = (card: Card) => card.question.options?.some(({ label }) => label === reply.text)
  // The usual way with several questions; the candidates are looked for only where they matter.
  if (split && !cards.open.some(isLabel)) return judgeCoded(split, reply, cards, rules)
  const candidates = [...cards.open, ...cards.settled].filter(card => wasShownBefore(card, reply) && mayLookOpen(card, reply))
  const only = candidates.length === 1 && !rules.shared ? candidates[0] : undefined
  const sole = only?.outcome === undefined ? only : undefined
  if (sole && isLabel(sole)) return judgeText(sole, reply.text, rules)
  if (split) return judgeCoded(split, reply, cards, rules)
  if (reply.text.trim() === EMPTY) return judgeEmpty(candidates, reply)
  if (sole) return judgeText(sole, reply.text, rules)
  if (candidates.some(({ outcome }) => outcome === undefined)) return { kind: 'explain', why: 'which-one' }
  // On topics that several hosts share it is for one of the others to say.
  if (rules.shared) return nothing
  // That is told once for each card; whoever goes on writing is told something all the same.
  if (only && !only.lateReplyTold) return { kind: 'late', card: only }
  return { kind: 'explain', why: cards.open.length > 0 ? 'too-early' : 'nothing-open' }
}

/** Somebody who typed the word itself, or nothing, would wait for ever. */
function judgeEmpty(candidates: readonly Card[], { isTyped }: Reply): Verdict {
  const open = candidates.filter(({ outcome }) => outcome === undefined)
  const [card] = open
  return card && isTyped && !open.some(({ emptyReplyTold }) => emptyReplyTold) ? { kind: 'explain', why: 'empty', card } : nothing
}

function judgeButton({ secret, position }: { secret: string, position: number }, cards: Cards): Verdict {
  const card = cards.bySecret(secret)
  if (card === undefined) return { kind: 'forged' }
  if (card.outcome !== undefined) return { kind: 'late', card }
  const { question: { id, options = [], multiSelect } } = card
  const option = multiSelect ? undefined : options[position - 1]
  return option ? { kind: 'answer', card, item: { id, selected: [option.label] } } : { kind: 'forged' }
}

function judgeCoded({ code, rest }: { code: string, rest: string }, reply: Reply, cards: Cards, rules: ReplyRules): Verdict {
  const card = cards.byCode(code)
  const isForeignCode = cards.isForeignCode(code)
  if (card === undefined || (card.outcome !== undefined && isForeignCode)) return rules.shared ? nothing : { kind: 'explain', why: 'unknown-code' }
  if (card.outcome !== undefined) return { kind: 'late', card }
  // Two questions of two hosts came to the same code: whichever was meant, it is not known.
  if (isForeignCode) return { kind: 'explain', why: 'which-one' }
  const isOption = card.question.options?.some(({ label }) => label === rest)
  if (!isOption && (rest.trim() === '' || rest.trim() === EMPTY)) return { kind: 'explain', why: 'code-alone', card }
  return wasShownBefore(card, reply) ? judgeText(card, rest, rules) : { kind: 'explain', why: 'too-early' }
}

function judgeText(card: Card, text: string, { freeText }: ReplyRules): Verdict {
  const item = parseReply(card.question, text)
  if (item.custom !== undefined && !freeText && card.question.options?.length) return { kind: 'explain', why: 'no-option', card }
  return { kind: 'answer', card, item }
}

/** Whether the sender of the reply may have taken the question for open; it was on the phone. */
function mayLookOpen({ outcome, conclusion, answeredWith }: Card, reply: Reply): boolean {
  if (outcome === undefined || conclusion === undefined || conclusion.order > reply.order) return true
  const age = reply.time - conclusion.time
  if (!conclusion.isShown) return age <= LOOKS_OPEN_S
  // The same words once more are the same reply, sent twice.
  const isDone = answeredWith !== undefined && wordsOf(answeredWith) !== wordsOf(reply.text)
  return age <= (isDone ? CORRECTION_S : ON_SCREEN_S)
}

function wordsOf(text: string): string {
  return (splitCode(text)?.rest ?? text).trim().toLowerCase()
}

/** Whether the question was on the phone when the reply was sent. */
function wasShownBefore({ shown }: Card, { time, order, streamOrder }: Reply): boolean {
  if (shown === undefined || shown.order > order) return false
  // A stream that was opened since brings what was said before in no particular order within a second.
  return streamOrder > shown.order ? time > shown.time : time >= shown.time
}
