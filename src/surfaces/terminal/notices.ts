// The lines that stay in a terminal when a question has ended: what was asked, what was answered and where, and what the
// person had typed for it that was not sent. Nothing in them is cut; the terminal wraps them.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import { approvalText, decisionText } from '../../reply/approval.ts'
import type { Form } from '../../reply/form.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { isOutrun } from '../../reply/outrun.ts'
import { whereOf } from '../../reply/place.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { terminalTexts } from './texts.ts'

/** A request, as far as a notice tells of it. */
export type Asked = Pick<AskUserQuestionRequest, 'questions' | 'kind' | 'approval' | 'origin'>

/** The person has answered here. */
export function sentNotice(asked: Asked, answer: AskUserQuestionAnswer, lang: Lang): string {
  return terminalTexts[lang].sent(record(asked, answer, lang))
}

/** The person has cancelled here. */
export function cancelNotice(asked: Asked, lang: Lang): string {
  return terminalTexts[lang].cancelled(names(asked, lang))
}

/** The surface goes out with the question open. */
export function goneNotice(asked: Asked, lang: Lang): string {
  return terminalTexts[lang].notHere(names(asked, lang))
}

/**
 * Somebody else ended the question: with an answer, or without one by cancelling.
 *
 * @param isLate whether the agent had gone on.
 */
export function settledNotice(asked: Asked, by: string, answer: AskUserQuestionAnswer | undefined, isLate: boolean, lang: Lang): string {
  if (isOutrun(by, answer, isLate)) return terminalTexts[lang].answeredFirst(names(asked, lang))
  const texts = terminalTexts[lang], where = whereOf(by, asked, lang)
  return answer ? texts.answered(where, record(asked, answer, lang)) : texts.cancelledElsewhere(where, names(asked, lang))
}

/** The surface was told to stop, by nobody's answer. */
export function stopNotice(asked: Asked, signal: AbortSignal, lang: Lang): string {
  return stopReasonOf(signal) === 'aborted' ? cancelNotice(asked, lang) : goneNotice(asked, lang)
}

/**
 * What the person had typed when a question ended elsewhere, in full.
 *
 * @returns `undefined` when that is nothing.
 */
export function draftNotice({ questions, entries }: Form, lang: Lang): string | undefined {
  const { typed, typedFor } = terminalTexts[lang]
  const drafts = entries.flatMap(({ words }, at) => {
    if (words.trim() === '') return []
    return questions.length === 1 ? typed(visible(words)) : typedFor(visibleLine(questions[at]!.question), visible(words))
  })
  return drafts.length > 0 ? drafts.join('\n') : undefined
}

function names(asked: Asked, lang: Lang): string {
  const approval = approvalText(asked, lang)
  return approval ? visibleLine(approval.title) : asked.questions.map(({ question }) => visibleLine(question)).join(' / ')
}

/** Each question and its answer: "Which database? SQLite". Of an approval, what was decided: "Allow bash? Rejected: use npm". */
function record(asked: Asked, answer: AskUserQuestionAnswer, lang: Lang): string {
  const { questions } = asked, { answers } = answer
  const { colon } = terminalTexts[lang], approval = approvalText(asked, lang)
  if (approval) return spaced(visibleLine(approval.title), visibleLine(decisionText(approval, answer, lang)))
  return questions.map(({ id, question }, at) => {
    const words = visibleLine(question.trim())
    const named = /[?!.:？！。：…]$/.test(words) ? words : words + colon
    return spaced(named, formatAnswer({ answers: [answers[at] ?? { id, selected: [] }] }, lang))
  }).join(' / ')
}

/** Behind a mark of full width there is no space. */
function spaced(first: string, second: string): string {
  return first + (/[？！。：]$/.test(first) ? '' : ' ') + second
}
