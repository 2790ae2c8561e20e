// The page of a panel as rows: a question with its options and own words, the review, or the list of keys.
import type { AskUserQuestionItem, AskUserQuestionOption } from '../../protocol/request.ts'
import { formatAnswer } from '../../reply/format.ts'
import { answerOf, type Form, hasWordsBesideChoice, isAnswered } from '../../reply/form.ts'
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { columns, cut, wrap } from './measure.ts'
import { padRow, type Row, type Span, type Style } from './paint.ts'
import { type Panel, questionOf } from './panel.ts'
import { panelTexts } from './panel-texts.ts'
import { wrapWords } from './words.ts'

/** A page, of any length. */
export interface Page {
  readonly rows: readonly Row[]
  /** The rows with the focus, or with the caret while the person is typing; `end` is exclusive. */
  readonly focus: readonly [start: number, end: number]
  /** The caret's column, while the person is typing. */
  readonly caret: number | undefined
}

/** From this width on, a preview is beside the options. */
const BESIDE = 100

/**
 * Lay a page out.
 *
 * @param width in columns.
 * @param airy whether there is room for blank rows.
 */
export function pageOf(panel: Panel, lang: Lang, width: number, airy: boolean): Page {
  if (panel.over === 'keys') return keysPage(lang, width)
  const question = questionOf(panel)
  return question ? questionPage(panel, question, lang, width, airy) : reviewPage(panel, lang, width, airy)
}

/** A text after its pointer and mark, with a hanging indent. */
function item(lead: Row, text: string, width: number, style?: Style): Row[] {
  const indent = lead.reduce((sum, [part]) => sum + columns(part), 0)
  const hang = Math.min(indent, Math.floor(width / 2))
  const lines = wrap(text, Math.max(2, width - indent))
  return lines.map((line, at) => [...(at === 0 ? lead : [[' '.repeat(hang)] as Span]), [line, style] as Span])
}

function block(text: string, indent: number, width: number, style?: Style): Row[] {
  const by = Math.min(indent, Math.floor(width / 4))
  return wrap(text, Math.max(2, width - by)).map(line => [[' '.repeat(by)], [line, style]])
}

/** They may be too many to be the arguments of one call. */
function append(rows: Row[], more: readonly Row[]): void {
  for (const row of more) rows.push(row)
}

function pointer(here: boolean): Span {
  return here ? ['> ', 'accent'] : ['  ']
}

function questionPage(panel: Panel, question: AskUserQuestionItem, lang: Lang, width: number, airy: boolean): Page {
  const { options = [], header, detail } = question
  const beside = width >= BESIDE && options.some(previewOf)
  const left = beside ? Math.floor(width * 0.45) : width
  const heading = header?.trim() ? `[${visibleLine(header)}] ` : ''
  const rows: Row[] = block(heading + question.question, 2, width, 'bold')
  if (detail?.trim()) append(rows, block(detail, 2, width))
  if (airy) rows.push([])
  const top = rows.length
  let focus: [number, number] = [top, top + 1]
  options.forEach((option, at) => {
    const start = rows.length
    append(rows, optionRows(panel, question, option, at, left, beside))
    if (panel.focus === at) focus = [start, rows.length]
  })
  const start = rows.length
  const own = ownWords(panel, question, lang, left)
  append(rows, own.rows)
  if (hasWordsBesideChoice(panel.form, panel.form.page) || isTypingBesideChoice(panel, question)) {
    rows.push(...block(panelTexts[lang].together, 6, left, 'dim'))
  }
  if (panel.focus === options.length) focus = [start, rows.length]
  if (own.caret) focus = [start + own.caret.row, start + own.caret.row + 1]
  if (beside) putBeside(rows, top, left, width, options[panel.focus])
  return { rows, focus, caret: own.caret?.column }
}

function optionRows(
  panel: Panel, question: AskUserQuestionItem, option: AskUserQuestionOption, at: number, width: number, beside: boolean,
): Row[] {
  const count = question.options!.length, here = panel.focus === at
  const chosen = panel.form.entries[panel.form.page]!.chosen.includes(at)
  const lead: Row = [pointer(here), mark(question, chosen), [`${String(at + 1).padStart(String(count).length)}. `]]
  const indent = 8 + String(count).length
  const rows = item(lead, visibleLine(option.label), width, here ? 'accent' : undefined)
  if (option.description?.trim()) append(rows, block(option.description, indent, width, here ? undefined : 'dim'))
  const preview = previewOf(option)
  if (preview && here && !beside) append(rows, block(preview, indent, width).map(row => [...row.slice(0, 1), ['| ', 'dim'], ...row.slice(1)] as Row))
  return rows
}

function mark({ multiSelect }: AskUserQuestionItem, chosen: boolean): Span {
  if (multiSelect) return chosen ? ['[x] ', 'good'] : ['[ ] ']
  return chosen ? ['(*) ', 'good'] : ['( ) ']
}

/** The host passes an option's preview through as an unknown key. */
function previewOf(option: AskUserQuestionOption | undefined): string {
  const { preview } = (option ?? {}) as { preview?: unknown }
  return typeof preview === 'string' && preview.trim() !== '' ? preview : ''
}

function putBeside(rows: Row[], top: number, left: number, width: number, option: AskUserQuestionOption | undefined): void {
  const lines = wrap(previewOf(option), width - left - 3)
  while (rows.length < top + lines.length) rows.push([])
  for (let at = top; at < rows.length; at++) rows[at] = [...padRow(rows[at]!, left), [' | ', 'dim'], [lines[at - top] ?? '']]
}

function ownWords(panel: Panel, question: AskUserQuestionItem, lang: Lang, width: number) {
  const { words } = panel.form.entries[panel.form.page]!
  const texts = panelTexts[lang], hasOptions = (question.options?.length ?? 0) > 0
  const here = panel.focus === (question.options?.length ?? 0)
  const lead: Row = [
    pointer(here), ...(hasOptions ? [ownMark(panel, question)] : []),
    [hasOptions ? texts.other : texts.ownWords, here ? 'accent' : undefined],
  ]
  const indent = Math.min(lead.reduce((sum, [part]) => sum + columns(part), 0), Math.floor(width / 2))
  const { lines, row, column } = wrapWords(words, panel.caret, Math.max(2, width - indent - 1))
  return {
    rows: lines.map((line, at): Row => [...(at === 0 ? lead : [[' '.repeat(indent)] as Span]), [line]]),
    caret: panel.typing ? { row, column: indent + column } : undefined,
  }
}

/** The mark of the own words: `+` when they go with the choice of a single-select question. */
function ownMark({ form }: Panel, question: AskUserQuestionItem): Span {
  if (hasWordsBesideChoice(form, form.page)) return ['(+) ', 'good']
  return mark(question, form.entries[form.page]!.words.trim() !== '')
}

function isTypingBesideChoice({ typing, form }: Panel, { multiSelect }: AskUserQuestionItem): boolean {
  return typing && !multiSelect && form.entries[form.page]!.chosen.length > 0
}

function reviewPage({ form, focus: at }: Panel, lang: Lang, width: number, airy: boolean): Page {
  const texts = panelTexts[lang], rows: Row[] = []
  let focus: [number, number] = [0, 1]
  form.questions.forEach((_, index) => {
    const start = rows.length
    rows.push(...item([pointer(at === index), [`${index + 1}. `]], titleOf(form, index), width, at === index ? 'accent' : undefined))
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
  return { rows, focus, caret: undefined }
}

/** A question's name where there is only one line for it. */
export function titleOf({ questions }: Form, index: number): string {
  const { header, question } = questions[index]!
  return visibleLine(header?.trim() ? header : question)
}

function keysPage(lang: Lang, width: number): Page {
  const { keys, keysTitle } = panelTexts[lang]
  const lead = Math.max(...keys.map(([key]) => columns(key))) + 2
  const rows: Row[] = [[[`  ${cut(keysTitle, width)}`, 'bold']]]
  for (const [key, effect] of keys) rows.push(...item([['  '], ...padRow([[key, 'accent']], lead)], effect, width))
  return { rows, focus: [0, 1], caret: undefined }
}
