// Cuts text to a number of bytes or columns, always between characters.
import { visibleLine } from '../../reply/visible.ts'

/** Marks where text was cut off. */
export const MARK = '…'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

// Characters that take two columns on a phone: East Asian wide ones and emoji.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** The size of a text in bytes of UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/**
 * Cut a text to a number of bytes. A text that was cut ends with a mark, which counts towards the limit.
 *
 * @param max bytes of UTF-8. If not even the mark fits, the result is empty.
 */
export function cutToBytes(text: string, max: number): string {
  return bytesOf(text) <= max ? text : cut(text, max, bytesOf)
}

/** Somebody else's text on one line of at most so many bytes. No more of it is looked at than that. */
export function shortLine(text: string, max: number): string {
  return cutToBytes(visibleLine(text.slice(0, max + 1)).toWellFormed(), max)
}

/**
 * Cut a text to a number of columns; wide characters take two. A text that was cut ends with a mark.
 *
 * @param max columns, at least one.
 */
export function cutToColumns(text: string, max: number): string {
  return columnsOf(text, max) <= max ? text : cut(text, max, piece => columnsOf(piece, max))
}

/**
 * Share a budget among several texts: short ones stay whole, long ones are cut to the same size.
 *
 * @param sizes the full size of each text.
 * @param budget the total size available.
 * @returns the largest size that a text may have; Infinity when all fit whole.
 */
export function fairShare(sizes: readonly number[], budget: number): number {
  let left = Math.max(0, budget)
  const ascending = sizes.toSorted((a, b) => a - b)
  for (const [at, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - at))
    if (size > share) return share
    left -= size
  }
  return Infinity
}

function cut(text: string, max: number, sizeOf: (piece: string) => number): string {
  let room = max - sizeOf(MARK)
  if (room < 0) return ''
  let end = 0
  const take = (piece: string): boolean => {
    const size = sizeOf(piece)
    if (size > room) return false
    room -= size
    end += piece.length
    return true
  }
  for (const { segment } of segmenter.segment(text)) if (!take(segment)) break
  // A single character with many code points may not fit. Part of it is better than nothing.
  if (end === 0) for (const point of text) if (!take(point)) break
  return text.slice(0, end).trimEnd() + MARK
}

/** @param enough stop counting beyond this many. */
function columnsOf(text: string, enough: number): number {
  let columns = 0
  for (const { segment } of segmenter.segment(text)) {
    columns += WIDE.test(segment) ? 2 : 1
    if (columns > enough) break
  }
  return columns
}
