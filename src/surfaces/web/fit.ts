// Checks what was filled in on the page against the questions, and turns positions into the labels themselves.
import { checkAnswer, type AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { AnswerBody } from './wire.ts'

/**
 * Make an answer of what was filled in, checked as the router will.
 *
 * @param body well formed.
 * @throws a `BAD_ANSWER` error that names the field when it does not fit the questions or says nothing.
 */
export function fitAnswer(questions: AskUserQuestionItem[], { answers }: AnswerBody): AskUserQuestionAnswer {
  const bad = (field: string, problem: string) => userQuestionError('BAD_ANSWER', `bad answer: ${field}: ${problem}`)
  if (answers.length !== questions.length) throw bad('answers', `must be ${questions.length}, one for each question`)
  const { answer } = checkAnswer(questions, {
    answers: questions.map(({ id, options = [] }, at) => {
      const { selected, custom } = answers[at]!
      const labels = selected.map(position => {
        const option = options[position]
        if (option === undefined) throw bad(`answers.${at}.selected`, `there is no option ${position}`)
        return option.label
      })
      return { id, selected: labels, ...custom !== undefined && { custom } }
    }),
  })
  if (answer.answers.every(item => item.selected.length === 0 && item.custom === undefined)) throw bad('answers', 'say nothing')
  return answer
}
