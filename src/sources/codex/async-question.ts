// A question that does not hold the turn: the model goes on, and reads the answer as words of the person's, in the envelope in which
// Codex' own terminal sends it.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { z } from '../../protocol/zod.ts'
import type { Asking } from './asking.ts'
import type { AsyncQuestions, Item } from './protocol.ts'

const OPEN = '<send_user_message_question_reply>', CLOSE = '</send_user_message_question_reply>'

const repliesSchema = z.array(z.looseObject({ answer: z.string(), questionItemId: z.string() }))

/** The questions of an item; they have no ids, so their places are. */
export function asyncAsking({ id: itemId }: Pick<Item, 'id'>, given: AsyncQuestions): Asking {
  const questions: AskUserQuestionItem[] = given.map(({ title, options = [] }, at) => ({
    id: String(at), question: title,
    ...options.length > 0 && { options: [...new Set(options)].map(label => ({ label })) },
  }))
  const nameOf = (at: number) => JSON.stringify(['request_user_input_async', itemId, at])
  return {
    request: { questions },
    send({ answers }) {
      const replies = answers.flatMap((answer, at) => {
        const text = textOf(answer)
        return text === '' ? [] : [{ answer: text, question: given[at]!.title, questionItemId: nameOf(at) }]
      })
      return replies.length === 0 ? undefined : { words: `${OPEN}\n${JSON.stringify(replies)}\n${CLOSE}` }
    },
    readItem(item) {
      const replies = repliesIn(item)
      const answers = questions.map((question, at) => itemOf(question, replies.find(one => one.questionItemId === nameOf(at))?.answer))
      return answers.some(({ selected, custom }) => selected.length > 0 || custom !== undefined) ? { answers } : undefined
    },
  }
}

/** There is one place for a choice and words. */
function textOf({ selected, custom }: AskUserQuestionAnswerItem): string {
  return [...selected, ...custom === undefined ? [] : [custom]].join('\n')
}

function itemOf({ id, options = [] }: AskUserQuestionItem, text = ''): AskUserQuestionAnswer['answers'][number] {
  if (options.some(({ label }) => label === text)) return { id, selected: [text] }
  return { id, selected: [], ...text.trim() && { custom: text } }
}

/** The answers that a message of the person's has in it. */
function repliesIn({ type, content = [] }: Item): z.infer<typeof repliesSchema> {
  const text = type === 'userMessage' ? content.map(part => part.text ?? '').join('') : ''
  const from = text.indexOf(OPEN), to = text.indexOf(CLOSE)
  if (from < 0 || to < from) return []
  try {
    return repliesSchema.safeParse(JSON.parse(text.slice(from + OPEN.length, to))).data ?? []
  } catch {
    // Somebody wrote the like of it.
    return []
  }
}
