// Checks what was filled in on the page against the questions, and turns positions into the labels themselves; or what was
// chosen against the options of an approval.
import { type AskUserQuestionAnswer, badAnswer, checkAnswer } from '../../protocol/answer.ts'
import { checkApproval } from '../../protocol/approval.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { AnswerBody, ApprovalBody } from './wire.ts'

/**
 * Make an answer of what was filled in, checked as the router will.
 *
 * @param body well formed.
 * @throws a `BAD_ANSWER` error that names the field when it does not fit the questions, or says nothing without declining.
 */
export function fitAnswer(questions: AskUserQuestionItem[], body: AnswerBody): AskUserQuestionAnswer {
  if ('option' in body) throw badAnswer('option', 'is for approvals, and this is none')
  if ('decline' in body) return { answers: questions.map(({ id }) => ({ id, selected: [] })) }
  const { answers } = body
  if (answers.length !== questions.length) throw badAnswer('answers', `must be ${questions.length}, one for each question`)
  const { answer } = checkAnswer(questions, {
    answers: questions.map(({ id, options = [] }, at) => {
      const { selected, custom } = answers[at]!
      const labels = selected.map(position => {
        const option = options[position]
        if (option === undefined) throw badAnswer(`answers.${at}.selected`, `there is no option ${position}`)
        return option.label
      })
      return { id, selected: labels, ...custom !== undefined && { custom } }
    }),
  })
  if (answer.answers.every(item => item.selected.length === 0 && item.custom === undefined)) throw badAnswer('answers', 'say nothing')
  return answer
}

/**
 * Make an answer of what was chosen in an approval, checked as the router will.
 *
 * @param offered the ids of the options that the page shows: no other one can be chosen there.
 * @param body well formed.
 * @returns what the router gets, which is in normal form too.
 * @throws a `BAD_ANSWER` error that names the field when it is not exactly one option by its id, or has words beside a permission.
 */
export function fitApproval(questions: AskUserQuestionItem[], offered: readonly string[], body: AnswerBody): AskUserQuestionAnswer {
  const { option, custom } = body as Partial<ApprovalBody>
  // Checked here too, so that the error names the field of the body.
  if (option === undefined || !offered.includes(option)) throw badAnswer('option', 'must be the id of exactly one option of the approval')
  return checkApproval(questions, { answers: [{ id: questions[0]!.id, selected: [option], ...custom !== undefined && { custom } }] }).answer
}
