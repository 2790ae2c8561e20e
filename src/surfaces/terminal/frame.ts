// A panel's frame, and the bytes that draw it.

/** What is on the screen. */
export interface Frame {
  readonly lines: readonly string[]
  /** Where the caret is, counted from 0; without one the cursor is hidden and parked at the first cell. */
  readonly caret: { readonly row: number, readonly column: number } | undefined
}

export const CLEAR_RIGHT = '\u001B[K'
/**
 * Clear the line that the cursor starts, and all below. Not by one sequence: tmux takes one from the screen's first cell for
 * the clearing of the screen, and keeps what stood there in its history.
 */
export const CLEAR_BELOW = `${CLEAR_RIGHT}\u001B[C\u001B[J\r`

/** Move the cursor up. */
export function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A` : ''
}

/** All of a frame, from its first cell on. */
export function wholeFrame({ lines: all, caret }: Frame): string {
  return all.map(line => line + CLEAR_RIGHT).join('\r\n') + place(all.length - 1, caret)
}

/** Move the cursor from a row to its place. */
function place(from: number, caret: Frame['caret']): string {
  const { row, column } = caret ?? { row: 0, column: 0 }
  return `${vertical(from, row)}\r${column > 0 ? `\u001B[${column}C` : ''}`
}

function vertical(from: number, to: number): string {
  return to > from ? `\u001B[${to - from}B` : up(from - to)
}

/** What turns one frame into the next: the lines that differ. */
export function difference(before: Frame, after: Frame): string {
  let bytes = '', row = before.caret?.row ?? 0
  after.lines.forEach((line, at) => {
    if (line === before.lines[at]) return
    const isNew = at >= before.lines.length
    bytes += `${vertical(row, isNew ? at - 1 : at)}${isNew ? '\r\n' : '\r'}${line}${CLEAR_RIGHT}`
    row = at
  })
  if (after.lines.length < before.lines.length) {
    bytes += `${vertical(row, after.lines.length)}\r${CLEAR_BELOW}`
    row = after.lines.length
  }
  const still = bytes === '' && before.caret?.row === after.caret?.row && before.caret?.column === after.caret?.column
  return still ? '' : bytes + place(row, after.caret)
}
