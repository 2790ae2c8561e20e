// The own words as lines, laid out again at each key: only what has changed since, and what that moves.
import { visible } from '../../reply/visible.ts'
import { columns, wrapFrom, wrapLine, type WrappedLine } from './measure.ts'

/** Words wrapped to a width, and where the caret is in them. */
export interface WrappedWords {
  readonly lines: readonly string[]
  readonly row: number
  readonly column: number
}

/** A line of the words as it is shown, and its rows. */
interface Line {
  readonly shown: string
  readonly rows: readonly WrappedLine[]
}

/** How many rows before a change may change with it: a word that becomes shorter moves up, a mark joins a character. */
const BEFORE = 2

/** What was laid out last. There is one panel, which shows one text. */
let last: { readonly width: number, readonly lines: readonly Line[] } = { width: 0, lines: [] }

/**
 * Wrap words.
 *
 * @param caret in the words, in UTF-16 units.
 */
export function wrapWords(words: string, caret: number, width: number): WrappedWords {
  const before = last.width === width ? last.lines : [], known = new Map(before.map(line => [line.shown, line]))
  const lines: string[] = []
  let row = 0, column = 0, from = 0
  const all = words.split('\n').map((line, index): Line => {
    const shown = show(line), old = before[index]
    const rows = known.get(shown)?.rows ?? (old ? rewrap(old, shown, width) : wrapLine(shown, width))
    if (caret >= from && caret <= from + line.length) {
      // The caret goes by what is shown: a character may be shown as several.
      const at = show(line.slice(0, caret - from)).length
      const here = Math.max(0, rows.findLastIndex(one => one.start <= at))
      row = lines.length + here
      column = Math.min(width, columns(rows[here]!.text.slice(0, at - rows[here]!.start)))
    }
    for (const { text } of rows) lines.push(text)
    from += line.length + 1
    return { shown, rows }
  })
  last = { width, lines: all }
  return { lines, row, column }
}

function show(text: string): string {
  return visible(text).replaceAll('\t', '    ')
}

/** Wrap a line that was another one before. */
function rewrap(old: Line, line: string, width: number): WrappedLine[] {
  const most = Math.min(old.shown.length, line.length)
  const start = common(most, length => line.slice(0, length) === old.shown.slice(0, length))
  const end = common(most - start, length => line.slice(line.length - length) === old.shown.slice(old.shown.length - length))
  const first = Math.max(0, old.rows.findLastIndex(row => row.start <= start) - BEFORE)
  const rows = old.rows.slice(0, first), shift = line.length - old.shown.length
  let next = first
  for (const row of wrapFrom(line, width, old.rows[first]!.start)) {
    if (row.start >= line.length - end) {
      while (next < old.rows.length && old.rows[next]!.start + shift < row.start) next++
      // From here on everything is as it was.
      if (old.rows[next] && old.rows[next]!.start + shift === row.start) {
        for (const same of old.rows.slice(next)) rows.push({ text: same.text, start: same.start + shift })
        return rows
      }
    }
    rows.push(row)
  }
  return rows
}

/** The largest length for which two texts are the same; by halves, since texts are compared much faster than characters. */
function common(most: number, isSame: (length: number) => boolean): number {
  let low = 0, high = most
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (isSame(middle)) low = middle
    else high = middle - 1
  }
  return low
}
