// An approval on the phone: which of its options are buttons, which typed words reject it, and what its card says in the end.
// No words permit anything: only the button that permits does, by a secret of its own.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { ALLOW, chosenId, REJECT } from '../../protocol/approval.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { answerApproval, type ApprovalChoice, type ApprovalText } from '../../reply/approval.ts'
import { visibleLine } from '../../reply/visible.ts'
import type { PhoneTexts } from './texts.ts'

/** Of an approval's push: nothing else has this emoji, so that it is not mistaken for a question. */
export const PERMISSION_TAG = 'closed_lock_with_key'

// What stands between "reject" and the words.
const GAP = '\\s:,.;!：，．。、；！'
const FIRST_WORD = new RegExp(`^\\s*([^${GAP}]+)[${GAP}]*([^]*)$`)
// Chinese has no space between them.
const REJECTION_ZH = new RegExp(`^\\s*拒绝[${GAP}]*([^]*)$`)

/** What somebody types who thinks that words decide. So much of a text is looked at, in characters. */
const DECISION = /^\s*(?:reject|allow|拒绝|仅?允许)/i, DECISION_LENGTH = 40

/**
 * The options that are buttons, the one that denies first. What else a host may offer is chosen where there is room to say what
 * it means.
 */
export function buttonsOf({ choices }: ApprovalText): readonly ApprovalChoice[] {
  return choices.filter(({ id }) => id === REJECT || id === ALLOW)
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

/** Whether a text without a code reads as if it were to decide an approval, so that it must not answer a question. */
export function maybeDecision(text: string): boolean {
  return DECISION.test(text.slice(0, DECISION_LENGTH).normalize('NFKC'))
}

/** The answer that chooses one of the options, as the answer to its question. */
export function decision(question: AskUserQuestionItem, id: string, words?: string): AskUserQuestionAnswerItem {
  return answerApproval({ questions: [question] }, id, words).answers[0]!
}

/**
 * What the card of a decided approval says.
 *
 * @param answer absent where a person has put the approval away, which denies it.
 */
export function decisionText({ options = [] }: AskUserQuestionItem, answer: AskUserQuestionAnswer | undefined, texts: PhoneTexts, where: string): string {
  if (!answer) return texts.rejected(where)
  const chosen = chosenId(answer) ?? '', custom = answer.answers[0]?.custom
  if (chosen === ALLOW) return texts.allowed(where)
  if (chosen !== REJECT) return texts.answered(visibleLine(options.find(({ id }) => id === chosen)?.label ?? chosen), where)
  return custom?.trim() ? texts.rejectedWith(visibleLine(custom), where) : texts.rejected(where)
}
