// What an approval is: one question whose options stand for outcomes by their ids, and whether an answer chooses one of them.
// Nothing is guessed here: a permission is given by exactly the one option that gives it, and by nothing else.
import { type AskUserQuestionAnswer, badAnswer, type CheckedAnswer, readAnswer } from './answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from './request.ts'

/** The option of an approval that denies. Every other one permits something. */
export const REJECT = 'reject'

/** The option of an approval that permits this once. */
export const ALLOW = 'allow'

/** Whether a request asks for a permission. */
export function isApproval({ kind }: Pick<AskUserQuestionRequest, 'kind'>): boolean {
  return kind === 'approval'
}

/**
 * Find what is wrong with the questions of an approval.
 *
 * @returns `undefined` where an answer can be told to permit or to deny: there is one question, each option has an `id` of its
 *   own, one is {@link REJECT}, and no label, in whichever language, or id stands for two options.
 */
export function approvalProblem(questions: readonly AskUserQuestionItem[]): string | undefined {
  const options = questions[0]?.options ?? [], names = options.flatMap(({ id, label, displayLabel }) => [...new Set([id, label, ...Object.values(Object(displayLabel))])])
  if (questions.length !== 1) return 'an approval has one question'
  if (names.some(name => typeof name !== 'string') || new Set(names).size < names.length) return 'each option of an approval needs an id and a label of its own'
  return options.some(({ id }) => id === REJECT) ? undefined : `an approval needs the option ${REJECT}`
}

/**
 * Check an answer to an approval. It chooses exactly one option, by its id: what somebody may have typed is a label at best.
 * Words may stand beside {@link REJECT} alone: beside an option that permits, nobody knows which of both the person meant.
 *
 * @param questions of an approval without a problem.
 * @param value what a participant answered, of any type.
 * @returns the answer in normal form. It is never blank.
 * @throws a `BAD_ANSWER` error that names the field.
 */
export function checkApproval(questions: readonly AskUserQuestionItem[], value: unknown): CheckedAnswer {
  const [item] = readAnswer(questions, value), [{ id, options = [] }] = questions as [AskUserQuestionItem]
  if (item?.id !== id) throw badAnswer('answers', `must answer "${id}"`)
  const { selected: [name, ...more], custom } = item
  const option = options.find(one => name !== undefined && one.id === name)
  if (!option || more.length > 0) throw badAnswer('selected', 'must be the id of exactly one option of the approval')
  if (option.id !== REJECT && custom !== undefined) throw badAnswer('custom', 'must not stand beside a permission')
  return { answer: { answers: [{ id, selected: [name!], ...custom?.trim() && { custom } }] }, blank: false, dropped: 0 }
}

/** The id of the option that an answer to an approval chose; `undefined` where it chose none. */
export function chosenId({ answers: [item] }: AskUserQuestionAnswer): string | undefined {
  return item?.selected[0]
}
