// An approval on the phone: which of its options are buttons, and which typed words reject it. No words permit anything: only the
// button that permits does, by a secret of its own.
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { answerApproval, type ApprovalChoice, type ApprovalText, isWider } from '../../reply/approval.ts'

/** Of an approval's push: nothing else has this emoji, so that it is not mistaken for a question. */
export const PERMISSION_TAG = 'closed_lock_with_key'

// What stands between "reject" and the words.
const GAP = '\\s:,.;!：，．。、；！'
const FIRST_WORD = new RegExp(`^\\s*([^${GAP}]+)[${GAP}]*([^]*)$`)
// Chinese has no space between them.
const REJECTION_ZH = new RegExp(`^\\s*拒绝[${GAP}]*([^]*)$`)

/** What somebody types who thinks that words decide. So much of a text is looked at, in characters. */
const DECISION = /^\s*(?:reject|allow|approve|拒绝|仅?允许|批准)/i, DECISION_LENGTH = 40

/**
 * The options that are buttons, the one that denies first. What permits more than this once is chosen where there is room to say
 * what it means.
 */
export function buttonsOf({ choices }: ApprovalText): readonly ApprovalChoice[] {
  return choices.filter(choice => !isWider(choice))
}

/**
 * Read a typed rejection: "reject", and why or what to do instead.
 *
 * @returns the words, which may be empty; `undefined` when the text does not begin with that word.
 */
export function readRejection(text: string): string | undefined {
  const [, first = '', rest = ''] = FIRST_WORD.exec(text) ?? []
  return first.normalize('NFKC').toLowerCase() === 'reject' ? rest : REJECTION_ZH.exec(text)?.[1]
}

/**
 * Whether a text without a code reads as if it were to decide one of these approvals, so that it must not answer a question: it
 * begins with the word for it, or is the name of an option, one without a button too.
 */
export function maybeDecision(text: string, approvals: readonly (ApprovalText | undefined)[]): boolean {
  const plain = (one: string) => one.trim().normalize('NFKC').toLowerCase(), said = plain(text)
  return DECISION.test(plain(text.slice(0, DECISION_LENGTH))) || approvals.some(one => one?.choices.some(({ id, label }) => said === plain(id) || said === plain(label)))
}

/** The answer that chooses one of the options, as the answer to its question. */
export function decision(question: AskUserQuestionItem, id: string, words?: string): AskUserQuestionAnswerItem {
  return answerApproval({ questions: [question] }, id, words).answers[0]!
}
