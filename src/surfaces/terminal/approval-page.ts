// The page of an approval as rows: the tool, why, what it is to do, and what can be pressed. What the tool is to do is marked as
// quoted on each row, so that nothing in it looks like the panel's own words.
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { type ApprovalPanel, CHOOSES, WIDER, widerOf } from './approval-panel.ts'
import { approvalTexts } from './approval-texts.ts'
import { append, block, item, type Page, pointer } from './blocks.ts'
import { columns, cut, wrap } from './measure.ts'
import type { Row } from './paint.ts'
import { wordsOf } from './panel-state.ts'
import { wrapWords } from './words.ts'

/** Room for the longest key before what it does. */
const KEY_COLUMNS = 5

/** Lay the page out; see `pageOf`. */
export function approvalPage(panel: ApprovalPanel, lang: Lang, width: number, airy: boolean): Page {
  const { text } = panel.approval, { title, reason, detail, choices } = text, texts = approvalTexts(text, lang)
  const rows: Row[] = [...block(visibleLine(title), 2, width, 'bold')]
  if (reason !== undefined) append(rows, block(reason, 2, width))
  if (detail !== undefined) append(rows, quoted(detail, width))
  if (airy) rows.push([])
  rows.push(...block(texts.choose, 2, width))
  for (const [key, id] of Object.entries(CHOOSES)) {
    const choice = choices.find(one => one.id === id)
    if (choice) rows.push(...item(keyLead(key), visibleLine(choice.label), width))
  }
  const { length } = widerOf(panel)
  if (length > 0) append(rows, item(keyLead(WIDER), texts.wider(length), width))
  const words = wordsOf(panel), start = rows.length
  if (!panel.typing && words === '') {
    append(rows, item(keyLead('Tab'), texts.rejectWithWords, width))
    return { rows, focus: [rows.length - 1, rows.length], caret: undefined, isLong: false }
  }
  // On rows of their own, since the label says what they do.
  append(rows, item(keyLead('Tab'), texts.words, width, 'bold'))
  const indent = Math.min(2 + KEY_COLUMNS, Math.floor(width / 2)), from = rows.length
  const { lines, row, column } = wrapWords(words, panel.caret, Math.max(2, width - indent - 1))
  append(rows, lines.map((line): Row => [[' '.repeat(indent)], [line]]))
  if (!panel.typing) return { rows, focus: [start, rows.length], caret: undefined, isLong: false }
  return { rows, focus: [from + row, from + row + 1], caret: indent + column, isLong: false }
}

/** The options that permit more than this once, each with all its words; one of them may be pointed at. */
export function widerPage(panel: ApprovalPanel, lang: Lang, width: number): Page {
  const { text, pointed } = panel.approval
  const rows: Row[] = [...block(visibleLine(text.title), 2, width), ...block(approvalTexts(text, lang).widerTitle, 2, width, 'bold')]
  let focus: [number, number] = [0, 1]
  for (const [at, { label }] of widerOf(panel).entries()) {
    const start = rows.length, isHere = at === pointed
    append(rows, item([pointer(isHere)], visibleLine(label), width, isHere ? 'accent' : undefined))
    if (isHere) focus = [start, rows.length]
  }
  return { rows, focus, caret: undefined, isLong: false }
}

/** The row that is always there: it says what this is. */
export function approvalRule(kind: string, width: number): Row {
  const words = cut(` ${kind} `, Math.max(1, width - 6))
  return [['==='], [words, 'alarm'], ['='.repeat(Math.max(0, width - 3 - columns(words)))]]
}

function keyLead(key: string): Row {
  return [['  '], [key.padEnd(KEY_COLUMNS), 'accent']]
}

function quoted(text: string, width: number): Row[] {
  const lead = width >= 12 ? '  | ' : '|'
  return wrap(text.trimEnd(), Math.max(2, width - lead.length)).map((line): Row => [[lead, 'dim'], [line]])
}
