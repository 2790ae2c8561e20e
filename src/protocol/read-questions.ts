// Reads the questions of a request that nobody has checked, for the surfaces that show them. A file of its own, because the
// router checks only what an answer is checked against, and its bundle stays smaller.
import { hasCode, userQuestionError } from './errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from './request.ts'
import { z } from './zod.ts'

const text = z.string()

const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform(value => value ?? undefined)

const readableSchema = z.array(z.looseObject({
  id: text,
  question: text,
  detail: maybe(text),
  header: maybe(text),
  options: maybe(z.array(z.looseObject({ label: text, description: maybe(text) }))),
  multiSelect: maybe(z.boolean()),
  // A hint: one that nobody here knows is none.
  intent: z.looseObject({ kind: z.literal('plan-review'), approve: text }).optional().catch(undefined),
}))

/**
 * Read the questions of a request that nobody has checked, before they are shown: dsh passes on what an agent or a plugin wrote.
 * What may be left out and is `null` counts as left out.
 *
 * @returns new objects, at least one; unknown keys are kept.
 * @throws a TypeError that names the field, when they cannot be shown; `BAD_ANSWER` when there are none.
 */
export function readQuestions(request: AskUserQuestionRequest): AskUserQuestionItem[] {
  let issue: z.core.$ZodIssue | undefined
  try {
    const { data, error } = readableSchema.safeParse(request.questions)
    if (data?.length === 0) throw userQuestionError('BAD_ANSWER', 'there is no question to answer')
    if (data) return data as AskUserQuestionItem[]
    issue = error.issues[0]
  } catch (error) {
    if (hasCode(error, 'BAD_ANSWER')) throw error
    // A getter of the request has thrown.
    throw new TypeError('bad question: it is unreadable', { cause: error })
  }
  throw new TypeError(`bad question: ${['questions', ...issue!.path].join('.')}: ${issue!.message}`)
}
