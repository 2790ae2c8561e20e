// A page of rows, and texts as rows of it: with a pointer and a hanging indent, as an indented block, or folded because they are long.
import type { Lang } from '../../reply/lang.ts'
import { columns, wrap } from './measure.ts'
import type { Row, Span, Style } from './paint.ts'
import { panelTexts } from './panel-texts.ts'

/** A page, of any length. */
export interface Page {
  readonly rows: readonly Row[]
  /** The rows with the focus, or with the caret while the person is typing; `end` is exclusive. */
  readonly focus: readonly [start: number, end: number]
  /** The caret's column, while the person is typing. */
  readonly caret: number | undefined
  /** Whether a text on it is long enough to be folded. */
  readonly isLong: boolean
}

/** A text of at most so much is always shown in full: in UTF-16 units, and in lines of its own. */
const MAX_LENGTH = 600, MAX_LINES = 12
/** So many rows of a folded text are shown. */
const SHOWN_ROWS = 4

/** How long texts are shown. */
export interface Folding {
  readonly lang: Lang
  /** Whether they are shown in full. */
  readonly unfolded: boolean
}

/** Whether a text is folded until the person opens it. */
export function isLong(text: string | undefined): boolean {
  return text !== undefined && (text.length > MAX_LENGTH || text.trimEnd().split('\n', MAX_LINES + 1).length > MAX_LINES)
}

/** A text after its pointer and mark, with a hanging indent. */
export function item(lead: Row, text: string, width: number, style?: Style): Row[] {
  const indent = lead.reduce((sum, [part]) => sum + columns(part), 0)
  const hang = Math.min(indent, Math.floor(width / 2))
  const lines = wrap(text, Math.max(2, width - indent))
  return lines.map((line, at) => [...(at === 0 ? lead : [[' '.repeat(hang)] as Span]), [line, style] as Span])
}

/** A text, indented. */
export function block(text: string, indent: number, width: number, style?: Style): Row[] {
  const by = Math.min(indent, Math.floor(width / 4))
  return wrap(text, Math.max(2, width - by)).map(line => [[' '.repeat(by)], [line, style]])
}

/** The rows of a text: its first ones and how many more there are, where it is long and not opened. */
export function folded(text: string, rows: readonly Row[], indent: number, width: number, { lang, unfolded }: Folding): readonly Row[] {
  if (unfolded || !isLong(text) || rows.length <= SHOWN_ROWS + 1) return rows
  return [...rows.slice(0, SHOWN_ROWS), ...block(panelTexts[lang].moreRows(rows.length - SHOWN_ROWS), indent, width, 'dim')]
}

/** Add rows; they may be too many to be the arguments of one call. */
export function append(rows: Row[], more: readonly Row[]): void {
  for (const row of more) rows.push(row)
}

/** What stands before the row with the focus. */
export function pointer(here: boolean): Span {
  return here ? ['> ', 'accent'] : ['  ']
}
