// The page of an approval as rows: the tool, why, what it is to do, and what can be pressed. What the tool is to do is marked as
// quoted on each row, so that nothing in it looks like the panel's own words.
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { type ApprovalPanel, CHOOSES } from './approval-panel.ts'
import { approvalTexts } from './approval-texts.ts'
import { append, block, item, type Page } from './blocks.ts'
import { columns, cut, wrap } from './measure.ts'
import type { Row } from './paint.ts'
import { wordsOf } from './panel-state.ts'
import { wrapWords } from './words.ts'

/** Room for the longest key before what it does. */
const KEY_COLUMNS = 5

/** Lay the page out; see `pageOf`. */
export function approvalPage(panel: ApprovalPanel, lang: Lang, width: number, airy: boolean): Page {
  const { title, reason, detail, choices } = panel.approval.text, texts = approvalTexts[lang]
  const rows: Row[] = [...block(visibleLine(title), 2, width, 'bold')]
  if (reason !== undefined) append(rows, block(reason, 2, width))
  if (detail !== undefined) append(rows, quoted(detail, width))
  if (airy) rows.push([])
  rows.push(...block(texts.choose, 2, width))
  for (const [key, id] of Object.entries(CHOOSES)) {
    const choice = choices.find(one => one.id === id)
    if (choice) rows.push(...item(keyLead(key), visibleLine(choice.label), width))
  }
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
