// Styled rows, and how they become bytes. With `NO_COLOR` only the colours go: nothing is said by colour alone.
import { columns, cut } from './measure.ts'

/** How a piece of a row looks. */
export type Style = 'bold' | 'dim' | 'inverse' | 'accent' | 'good' | 'warn' | 'alarm'

/** A piece of a row: text without control characters, and its style. */
export type Span = readonly [text: string, style?: Style | undefined]

/** One row of the screen. */
export type Row = readonly Span[]

const SGR: Record<Style, readonly [plain: string, colour: string]> = {
  bold: ['1', '1'],
  dim: ['2', '2'],
  inverse: ['7', '7'],
  accent: ['1', '1;36'],
  good: ['', '32'],
  warn: ['1', '1;33'],
  alarm: ['1;7', '1;7;33'],
}

/** The width of a row in columns. */
export function rowColumns(row: Row): number {
  return row.reduce((sum, [text]) => sum + columns(text), 0)
}

/** Pad a row with spaces up to a width. */
export function padRow(row: Row, width: number): Row {
  return [...row, [' '.repeat(Math.max(0, width - rowColumns(row)))]]
}

/**
 * A row as the bytes of a line.
 *
 * @param width in columns; the rest is cut off.
 * @param colour whether to use colours.
 */
export function paint(row: Row, width: number, colour: boolean): string {
  let line = '', left = width
  for (const [text, style] of row) {
    const shown = columns(text) <= left ? text : cut(text, left)
    left -= columns(shown)
    const code = style && SGR[style][colour ? 1 : 0]
    line += code && shown !== '' ? `\u001B[${code}m${shown}\u001B[0m` : shown
  }
  return line
}
