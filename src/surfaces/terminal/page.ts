// The page of a panel as rows: a question with its options and own words, or the list of keys; review-page.ts has the review.
import type { AskUserQuestionItem, AskUserQuestionOption } from '../../protocol/request.ts'
import { hasWordsBesideChoice } from '../../reply/form.ts'
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { approvalPage, widerPage } from './approval-page.ts'
import { hasApproval } from './approval-panel.ts'
import { approvalTexts } from './approval-texts.ts'
import { append, block, folded, type Folding, isLong, item, type Page, pointer } from './blocks.ts'
import { columns, cut, wrap } from './measure.ts'
import { padRow, type Row, type Span } from './paint.ts'
import { type Panel, questionOf } from './panel-state.ts'
import { type PanelTexts, panelTexts } from './panel-texts.ts'
import { reviewPage } from './review-page.ts'
import { wrapWords } from './words.ts'

/** From this width on, a preview is beside the options. */
const BESIDE = 100

/**
 * Lay a page out.
 *
 * @param width in columns.
 * @param airy whether there is room for blank rows.
 */
export function pageOf(panel: Panel, lang: Lang, width: number, airy: boolean): Page {
  if (panel.over === 'keys') return keysPage(panel.approval ? approvalTexts(panel.approval.text, lang) : panelTexts[lang], width)
  if (hasApproval(panel)) return panel.over === 'wider' ? widerPage(panel, lang, width) : approvalPage(panel, lang, width, airy)
  const question = questionOf(panel)
  return question ? questionPage(panel, question, lang, width, airy) : reviewPage(panel, lang, width, airy)
}

function questionPage(panel: Panel, question: AskUserQuestionItem, lang: Lang, width: number, airy: boolean): Page {
  const { options = [], header, detail } = question
  const beside = width >= BESIDE && options.some(previewOf)
  const left = beside ? Math.floor(width * 0.45) : width
  const heading = header?.trim() ? `[${visibleLine(header)}] ` : ''
  const folding = { lang, unfolded: panel.unfolded }
  const rows = [...folded(question.question, block(heading + question.question, 2, width, 'bold'), 2, width, folding)]
  if (detail?.trim()) append(rows, block(detail, 2, width))
  if (airy) rows.push([])
  const top = rows.length
  let focus: [number, number] = [top, top + 1]
  options.forEach((option, at) => {
    const start = rows.length
    append(rows, optionRows(panel, question, option, at, left, beside, folding))
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
  const isAnyLong = isLong(question.question) || options.some(({ description }) => isLong(description))
  return { rows, focus, caret: own.caret?.column, isLong: isAnyLong }
}

function optionRows(
  panel: Panel, question: AskUserQuestionItem, option: AskUserQuestionOption, at: number, width: number, beside: boolean,
  folding: Folding,
): Row[] {
  const count = question.options!.length, here = panel.focus === at
  const chosen = panel.form.entries[panel.form.page]!.chosen.includes(at)
  const lead: Row = [pointer(here), mark(question, chosen), [`${String(at + 1).padStart(String(count).length)}. `]]
  const indent = 8 + String(count).length
  const rows = item(lead, visibleLine(option.label), width, here ? 'accent' : undefined)
  const { description } = option
  if (description?.trim()) append(rows, folded(description, block(description, indent, width, here ? undefined : 'dim'), indent, width, folding))
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
  const label = !hasOptions ? texts.ownWords : question.multiSelect ? texts.orOwnWords : texts.other
  const here = panel.focus === (question.options?.length ?? 0)
  const lead: Row = [
    pointer(here), ...(hasOptions ? [ownMark(panel, question)] : []),
    [label, here ? 'accent' : undefined],
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

function keysPage({ keys, keysTitle }: Pick<PanelTexts, 'keys' | 'keysTitle'>, width: number): Page {
  const lead = Math.max(...keys.map(([key]) => columns(key))) + 2
  const rows: Row[] = [[[`  ${cut(keysTitle, width)}`, 'bold']]]
  for (const [key, effect] of keys) rows.push(...item([['  '], ...padRow([[key, 'accent']], lead)], effect, width))
  return { rows, focus: [0, 1], caret: undefined, isLong: false }
}
