// The lines that stay in a terminal when a question has ended: what was asked, what was answered and where, and what the
// person had typed for it that was not sent. Nothing in them is cut; the terminal wraps them.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { Form } from '../../reply/form.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { terminalTexts } from './texts.ts'

/** The questions of one request. */
export type Questions = readonly AskUserQuestionItem[]

/** The host's own UI, as the router names it. */
const HOST = 'host'

/** The person has answered here. */
export function sentNotice(questions: Questions, answer: AskUserQuestionAnswer, lang: Lang): string {
  return terminalTexts[lang].sent(record(questions, answer, lang))
}

/** The person has cancelled here. */
export function cancelNotice(questions: Questions, lang: Lang): string {
  return terminalTexts[lang].cancelled(names(questions))
}

/** The surface goes out with the question open. */
export function goneNotice(questions: Questions, lang: Lang): string {
  return terminalTexts[lang].notHere(names(questions))
}

/** Somebody else ended the question: with an answer, or without one by cancelling. */
export function settledNotice(questions: Questions, by: string, answer: AskUserQuestionAnswer | undefined, lang: Lang): string {
  const texts = terminalTexts[lang], where = by === HOST ? texts.inHost : texts.on(visibleLine(by))
  return answer ? texts.answered(where, record(questions, answer, lang)) : texts.cancelledElsewhere(where, names(questions))
}

/** The surface was told to stop, by nobody's answer. */
export function stopNotice(questions: Questions, signal: AbortSignal, lang: Lang): string {
  return stopReasonOf(signal) === 'aborted' ? cancelNotice(questions, lang) : goneNotice(questions, lang)
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

function names(questions: Questions): string {
  return questions.map(({ question }) => visibleLine(question)).join(' / ')
}

/** Each question and its answer: "Which database? SQLite". */
function record(questions: Questions, { answers }: AskUserQuestionAnswer, lang: Lang): string {
  const { colon } = terminalTexts[lang]
  return questions.map(({ id, question }, at) => {
    const asked = visibleLine(question.trim())
    const named = /[?!.:？！。：…]$/.test(asked) ? asked : asked + colon
    // Behind a mark of full width there is no space.
    const space = /[？！。：]$/.test(named) ? '' : ' '
    return named + space + formatAnswer({ answers: [answers[at] ?? { id, selected: [] }] }, lang)
  }).join(' / ')
}
