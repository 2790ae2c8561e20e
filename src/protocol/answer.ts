// What an answer is, and whether it fits its questions (rule 7 of docs/routing.md). The host does not check answers, so
// this is the only check between a surface and the model.
import { hasCode, userQuestionError } from './errors.ts'
import type { AskUserQuestionItem } from './request.ts'
import { z } from './zod.ts'

/** The answer to one question. */
export interface AskUserQuestionAnswerItem {
  /** The question's id. */
  id: string
  /** The chosen labels, character for character; empty for a skipped question or an answer in words alone. */
  selected: string[]
  /**
   * The person's own words. Between surfaces and sources they stand beside the choice; dsh, for which they replace the
   * choice of a single-select question, gets both in `custom`.
   */
  custom?: string
}

/** The person's answer to a request. */
export interface AskUserQuestionAnswer {
  /** One item per question, in the order of the questions. */
  answers: AskUserQuestionAnswerItem[]
}

const text = z.string()

/** Schema of an answer's shape. {@link checkAnswer} checks that it fits the questions, too. */
export const askUserQuestionAnswerSchema = z.object({
  answers: z.array(z.object({ id: text, selected: z.array(text), custom: text.optional() })),
})

/** An item whose shape was checked; zod types its optional field in its own way. */
type Shape = z.output<typeof askUserQuestionAnswerSchema>['answers'][number]

/** An answer that fits its questions. */
export interface CheckedAnswer {
  /** A new answer in normal form; without questions, the value that was given. */
  readonly answer: AskUserQuestionAnswer
  /** Whether it says nothing and is not a deliberate skip. It counts only if nobody else answers. */
  readonly blank: boolean
  /** How many items were dropped because their id was not asked for. */
  readonly dropped: number
}

/**
 * Check an answer against its questions and bring it into normal form. It guesses nothing, and
 * loses no word that is about one of the questions.
 *
 * @param questions the questions that were asked. Without any, every answer passes as it is.
 * @param value what a participant answered, of any type.
 * @throws a `BAD_ANSWER` error that names the field, when the value is not an answer or contradicts a question.
 */
export function checkAnswer(questions: readonly AskUserQuestionItem[], value: unknown): CheckedAnswer {
  if (!(questions?.length > 0)) return { answer: value as AskUserQuestionAnswer, blank: false, dropped: 0 }
  // Questions that share an id take its items in the order in which they come.
  const given = new Map<string, Shape[]>(questions.map(({ id }) => [id, []]))
  let dropped = 0, isSkip = true, isBlank = true
  // From the last to the first, because only taking the last one off a list costs the same however long it is.
  for (const item of readAnswer(questions, value).toReversed()) {
    const items = given.get(item.id)
    if (items) items.push(item)
    else dropped++
  }
  const answers = questions.map((question) => {
    const item = given.get(question.id)!.pop(), answer = normalise(question, item)
    isSkip &&= item !== undefined && saysNothing(item)
    isBlank &&= saysNothing(answer)
    return answer
  })
  for (const [id, { length }] of given) if (length > 0) throw badAnswer('answers', `has "${id}" too often`)
  return { answer: { answers }, blank: isBlank && !isSkip, dropped }
}

/**
 * Read an answer, of which nothing is known yet.
 *
 * @returns copies of its items, with the right shape.
 * @throws a `BAD_ANSWER` error that names the field, when it is no answer or has more items than there are questions.
 */
export function readAnswer(questions: readonly AskUserQuestionItem[], value: unknown): Shape[] {
  try {
    const { data, error } = askUserQuestionAnswerSchema.safeParse(cutOff(questions, value))
    const [issue] = error?.issues ?? []
    if (issue) throw badAnswer(issue.path.join('.') || 'it', issue.message)
    return data!.answers
  } catch (error) {
    // The value's own getters may throw anything. That is a bad answer, too.
    throw hasCode(error, 'BAD_ANSWER') ? error : badAnswer('it', 'is unreadable', { cause: error })
  }
}

/**
 * Take off what need not be read to see that it is wrong: the schema makes an issue of each wrong entry, and one is enough.
 *
 * @throws a `BAD_ANSWER` error when there are more items than questions.
 */
function cutOff({ length }: readonly AskUserQuestionItem[], value: unknown): unknown {
  const { answers } = Object(value) as Partial<AskUserQuestionAnswer>
  if (!Array.isArray(answers)) return value
  if (answers.length > length) throw badAnswer('answers', 'has more items than questions')
  for (const [at, item] of (answers as (AskUserQuestionAnswerItem | undefined)[]).entries()) {
    const selected: unknown = item?.selected
    const wrong = Array.isArray(selected) ? selected.findIndex(one => typeof one !== 'string') : -1
    if (wrong >= 0) return { answers: [...answers.slice(0, at), { ...item, selected: (selected as unknown[]).slice(0, wrong + 1) }] }
  }
  return value
}

function saysNothing({ selected, custom }: Shape): boolean {
  return selected.length === 0 && custom === undefined
}

/** Copy an answer in normal form, for those who only look at it. */
export function copyOfAnswer({ answers }: AskUserQuestionAnswer): AskUserQuestionAnswer {
  return { answers: answers.map(item => ({ ...item, selected: [...item.selected] })) }
}

function normalise({ id, options, multiSelect }: AskUserQuestionItem, item?: Shape): AskUserQuestionAnswerItem {
  const labels = new Set(options?.map(({ label }) => label)), hasOptions = labels.size > 0
  const selected: string[] = [], words: string[] = []
  for (const label of new Set(item?.selected)) {
    if (labels.has(label)) selected.push(label)
    else if (label.trim()) (hasOptions ? words : selected).push(label)
  }
  if (item?.custom?.trim() && !words.includes(item.custom)) words.push(item.custom)
  if (hasOptions && !multiSelect && selected.length > 1) throw badAnswer('selected', `has several options for "${id}"`)
  return { id, selected, ...words.length > 0 && { custom: words.join('\n') } }
}

/** Say what is wrong with an answer, without repeating it. */
export function badAnswer(field: string, problem: string, options?: ErrorOptions) {
  return userQuestionError('BAD_ANSWER', `bad answer: ${field}: ${problem}`, options)
}
