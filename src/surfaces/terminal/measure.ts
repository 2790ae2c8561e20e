// Text in a terminal's cells: graphemes, their widths, and lines wrapped to a width.
import stringWidth from 'string-width'
import { visible, visibleLine } from '../../reply/visible.ts'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
// Every character is a grapheme of one column. Almost all text from an agent is like this.
const PLAIN = /^[ -~]*$/
// Every character is a grapheme of one column, or of two: Chinese and Japanese with their punctuation, without what combines.
const EVEN = /^[ -~\u3000-\u3029\u3030-\u303E\u3041-\u3096\u30A1-\u30FA\u4E00-\u9FFF\uFF01-\uFF60]*$/
const WIDE = /[^ -~]/g

/** The characters as a person sees them. */
export function graphemes(text: string): Iterable<string> {
  return EVEN.test(text) ? text : segments(text)
}

function* segments(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** The first character; nothing of an empty text. */
export function firstGrapheme(text: string): string {
  return segmenter.segment(text).containing(0)?.segment ?? ''
}

/** The last character, likewise. */
export function lastGrapheme(text: string): string {
  return segmenter.segment(text).containing(text.length - 1)?.segment ?? ''
}

/** The width in columns of a text without control characters. */
export function columns(text: string): number {
  if (PLAIN.test(text)) return text.length
  if (text.length > 1 && EVEN.test(text)) return text.length + (text.match(WIDE)?.length ?? 0)
  return text.length > MAX_CACHED_LENGTH ? stringWidth(text) : cachedWidth(text)
}

// Measuring a character outside ASCII takes a microsecond or more, and a page may have thousands of them.
const MAX_CACHED_LENGTH = 16, MAX_CACHED = 4096
const widths = new Map<string, number>()

function cachedWidth(grapheme: string): number {
  let width = widths.get(grapheme)
  if (width === undefined) {
    width = stringWidth(grapheme)
    if (widths.size >= MAX_CACHED) widths.clear()
    widths.set(grapheme, width)
  }
  return width
}

/**
 * Cut to a width, with an ellipsis if anything is left out.
 *
 * @param text any text; it becomes one line of visible characters.
 * @param width in columns.
 */
export function cut(text: string, width: number): string {
  const line = visibleLine(text)
  if (columns(line) <= width) return line
  let kept = '', left = width - 1
  for (const grapheme of graphemes(line)) {
    left -= columns(grapheme)
    if (left < 0) break
    kept += grapheme
  }
  return width > 0 ? `${kept}…` : ''
}

/** One line of a wrapped text, and where it starts in that text, in UTF-16 units. */
export interface WrappedLine {
  readonly text: string
  readonly start: number
}

/**
 * Wrap a text to a width: at spaces, around wide characters, or else anywhere.
 *
 * @param text any text; it becomes visible characters.
 * @param width in columns; a character that is wider becomes `?`.
 */
export function wrap(text: string, width: number): readonly string[] {
  if (text.length < MIN_KEPT) return wrapNow(text, width)
  const known = kept.get(text) ?? new Map<number, readonly string[]>(), lines = known.get(width) ?? wrapNow(text, width)
  if (kept.size >= MAX_KEPT) kept.clear()
  // At another size of the terminal, the old widths are of no use.
  if (known.size >= MAX_WIDTHS) known.clear()
  kept.set(text, known.set(width, lines))
  return lines
}

// A panel is laid out at each key, and its long texts are the same ones then.
const MIN_KEPT = 200, MAX_KEPT = 64, MAX_WIDTHS = 4
const kept = new Map<string, Map<number, readonly string[]>>()

function wrapNow(text: string, width: number): string[] {
  return visible(text).replaceAll('\t', '    ').split('\n').flatMap(line => wrapLine(line, width).map(one => one.text.trimEnd()))
}

/** Likewise, for one line without control characters. */
export function wrapLine(line: string, width: number): WrappedLine[] {
  return [...wrapFrom(line, width, 0)]
}

/**
 * Likewise, line by line.
 *
 * @param from where a line of the wrapped text starts.
 */
export function* wrapFrom(whole: string, width: number, from: number): Generator<WrappedLine> {
  const line = from === 0 ? whole : whole.slice(from)
  if (width > 0 && line.length <= width && PLAIN.test(line)) return yield { text: line, start: from }
  let text = '', used = 0, start = 0, at = 0
  // The last place to break the line: the length up to there, and the columns.
  let breakAt = 0, breakUsed = 0
  for (const grapheme of graphemes(line)) {
    const own = columns(grapheme)
    const shown = own > width ? '?' : grapheme, cells = Math.min(own, Math.max(1, width))
    if (own > 1 && text !== '') [breakAt, breakUsed] = [text.length, used]
    if (used + cells > width && text !== '') {
      // A space at the edge ends the line instead of starting the next one.
      if (breakAt === 0 || grapheme === ' ') [breakAt, breakUsed] = [text.length, used]
      yield { text: text.slice(0, breakAt), start: from + start }
      start += breakAt
      text = text.slice(breakAt)
      used -= breakUsed
      breakAt = breakUsed = 0
      if (grapheme === ' ' && text === '') {
        at += grapheme.length
        start = at
        continue
      }
    }
    text += shown
    used += cells
    at += grapheme.length
    if (grapheme === ' ' || own > 1) [breakAt, breakUsed] = [text.length, used]
  }
  yield { text, start: from + start }
}
