// Making text fit: so many bytes of UTF-8, or so many columns of a button, always cut between characters.

/** Stands where something was cut off. */
const MARK = '…'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

// What takes two columns on a phone: East Asian wide characters and emoji.
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u

/** The size of a text in bytes of UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/**
 * Cut a text to a number of bytes. What was cut ends with a mark, which counts too.
 *
 * @param max bytes of UTF-8; where not even the mark fits, nothing is left.
 */
export function cutToBytes(text: string, max: number): string {
  return bytesOf(text) <= max ? text : cut(text, max, bytesOf)
}

/**
 * Cut a text to a number of columns, a wide character being two. What was cut ends with a mark.
 *
 * @param max columns, at least one.
 */
export function cutToColumns(text: string, max: number): string {
  return columnsOf(text, max) <= max ? text : cut(text, max, piece => columnsOf(piece, max))
}

/**
 * Share a budget: the largest size that each of several texts may have so that all fit, the short ones whole.
 *
 * @param sizes what each would take.
 * @param budget what there is for all of them.
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
  // One character of many code points can be larger than the whole room: some of it says more than nothing.
  if (end === 0) for (const point of text) if (!take(point)) break
  return text.slice(0, end).trimEnd() + MARK
}

/** @param enough no need to count further than this. */
function columnsOf(text: string, enough: number): number {
  let columns = 0
  for (const { segment } of segmenter.segment(text)) {
    columns += WIDE.test(segment) ? 2 : 1
    if (columns > enough) break
  }
  return columns
}
