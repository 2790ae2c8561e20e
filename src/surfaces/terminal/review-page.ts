// The page before a batch is sent: every question with its answer.
import { formatAnswer } from '../../reply/format.ts'
import { answerOf, type Form, hasWordsBesideChoice, isAnswered } from '../../reply/form.ts'
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { append, block, folded, isLong, item, type Page, pointer } from './blocks.ts'
import type { Row } from './paint.ts'
import type { Panel } from './panel-state.ts'
import { panelTexts } from './panel-texts.ts'

/** Lay the review out; see `pageOf`. */
export function reviewPage({ form, focus: at, unfolded }: Panel, lang: Lang, width: number, airy: boolean): Page {
  const texts = panelTexts[lang], rows: Row[] = []
  let focus: [number, number] = [0, 1]
  form.questions.forEach((_, index) => {
    const start = rows.length, title = titleOf(form, index)
    const lead: Row = [pointer(at === index), [`${index + 1}. `]]
    append(rows, folded(title, item(lead, title, width, at === index ? 'accent' : undefined), 5, width, { lang, unfolded }))
    const answered = isAnswered(form, index)
    const answer = answered ? formatAnswer({ answers: [answerOf(form).answers[index]!] }, lang) : texts.skipped
    append(rows, block(answer, 5, width, answered ? 'good' : 'warn'))
    if (hasWordsBesideChoice(form, index)) rows.push(...block(texts.together, 5, width, 'dim'))
    if (at === index) focus = [start, rows.length]
  })
  if (airy) rows.push([])
  const skipped = form.questions.filter((_, index) => !isAnswered(form, index)).length
  if (skipped > 0) rows.push(...block(texts.skips(skipped), 2, width, 'warn'))
  if (at === form.questions.length) focus = [rows.length, rows.length + 1]
  rows.push([pointer(at === form.questions.length), [texts.submit, at === form.questions.length ? 'accent' : undefined]])
  return { rows, focus, caret: undefined, isLong: form.questions.some((_, index) => isLong(titleOf(form, index))) }
}

/** A question's name where there is only one line for it. */
export function titleOf({ questions }: Form, index: number): string {
  const { header, question } = questions[index]!
  return visibleLine(header?.trim() ? header : question)
}
