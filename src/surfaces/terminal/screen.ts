// A panel's place on the screen: below whatever was written before, redrawn where it changed, and out of the way while
// anybody else writes. The cursor is parked at the panel's first cell while it is hidden, so that after a resize the
// panel starts where the cursor is, whatever the terminal did with its lines.
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { columns } from './measure.ts'

/** An output that may be a terminal. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean, readonly columns?: number, readonly rows?: number }

/** What is to be seen. */
export interface Frame {
  readonly lines: readonly string[]
  readonly caret: { readonly row: number, readonly column: number } | undefined
}

const PASTE_ON = '\u001B[?2004h', PASTE_OFF = '\u001B[?2004l'
const CURSOR_ON = '\u001B[?25h', CURSOR_OFF = '\u001B[?25l'
// Terminals disagree on the width of some characters; with autowrap off that never breaks a line.
const WRAP_ON = '\u001B[?7h', WRAP_OFF = '\u001B[?7l'
const CLEAR_BELOW = '\u001B[J', CLEAR_RIGHT = '\u001B[K', PLAIN = '\u001B[0m'
/** Rings the terminal's bell; takes no place on the screen. */
export const BELL = '\u0007'
// What starts a line anew: of what stands before it nothing is written again.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINE_STARTS = /^.*(?:\r|\u001B\[1?G)(?=[^\r])/s
/** The longest unfinished line that is written again, in UTF-16 units. */
const MAX_TAIL = 8192

/** Draws one panel at a time. */
export class Screen {
  readonly #output: Output
  /** All outputs on this terminal. */
  readonly #outputs: readonly Output[]
  readonly #pushes: boolean
  #write: ((text: string) => unknown) | undefined
  #restore: (() => void)[] = []
  /** What is to be on the screen, and whether it is there now. */
  #frame: Frame | undefined
  #drawn = false
  /** Whether the cursor is shown; `undefined` when somebody else may have changed that. */
  #cursor: boolean | undefined = true
  /** The unfinished line of somebody else's above the panel. */
  #tail = ''
  #redraw: NodeJS.Immediate | undefined

  /**
   * @param output where the panel is drawn.
   * @param others outputs whose text would run into the panel.
   * @param pushes whether the terminal, made narrower, moves the cursor down for lines that it breaks below it, as
   *   xterm.js does.
   */
  constructor(output: Output, others: readonly Output[], pushes: boolean) {
    this.#output = output
    this.#outputs = [output, ...others]
    this.#pushes = pushes
  }

  /** Make room on a line of its own. */
  open(): void {
    if (this.#write) return
    const { write } = this.#output
    this.#write = text => write.call(this.#output, text)
    this.#restore = this.#outputs.map(output => this.#intercept(output))
    this.#write(PASTE_ON + this.#freshLine())
  }

  /** Show a frame. */
  draw(frame: Frame): void {
    const before = this.#drawn ? this.#frame : undefined
    this.#frame = frame
    if (!this.#write || this.#redraw) return
    const bytes = before ? difference(before, frame) : this.#whole(frame)
    this.#drawn = true
    this.#put(bytes, frame)
  }

  /** Draw everything again, wherever the cursor has got to and whatever has been done to the terminal. */
  refresh(): void {
    if (!this.#write || !this.#frame || !this.#drawn) return
    this.#cursor = undefined
    this.#put(PASTE_ON + up(this.#rowsAbove(this.#frame)) + this.#freshLine() + PLAIN + CLEAR_BELOW + lines(this.#frame), this.#frame)
  }

  /** The terminal has another size: draw a frame made for it. */
  resized(frame: Frame): void {
    const before = this.#frame
    this.#frame = frame
    if (!this.#write || !before || !this.#drawn) return
    this.#put(`${up(this.#rowsAbove(before))}\r${PLAIN}${CLEAR_BELOW}${lines(frame)}`, frame)
  }

  /** Ring the bell; neither the panel nor the cursor moves. */
  ring(): void {
    if (this.#write) this.#write(BELL)
    else this.#output.write(BELL)
  }

  /** Take the panel away and leave the terminal as it was, with what others wrote. */
  close(): void {
    const write = this.#write
    if (!write) return
    this.#lift()
    this.abandon()
    write(PASTE_OFF + CURSOR_ON)
  }

  /** The terminal is gone: write nothing more. */
  abandon(): void {
    clearImmediate(this.#redraw)
    for (const restore of this.#restore.splice(0)) restore()
    this.#write = this.#redraw = this.#frame = undefined
    this.#drawn = false
    this.#cursor = true
    this.#tail = ''
  }

  /** Whatever this process writes to the terminal goes above the panel, which comes back when it has been written. */
  #intercept(output: Output): () => void {
    const own = Object.getOwnPropertyDescriptor(output, 'write'), { write } = output
    const decoder = new StringDecoder('utf8')
    let active = true
    const above = (...args: unknown[]) => {
      if (active) {
        this.#lift()
        const [chunk] = args
        this.#note(typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer))
        this.#redraw ??= setImmediate(() => {
          this.#redraw = undefined
          if (this.#frame) this.draw(this.#frame)
        })
      }
      return Reflect.apply(write, output, args) as boolean
    }
    output.write = above as typeof output.write
    return () => {
      active = false
      // Somebody who has put a function of their own in front meanwhile keeps it; ours only passes on then.
      if (output.write !== above) return
      if (own) Object.defineProperty(output, 'write', own)
      else Reflect.deleteProperty(output, 'write')
    }
  }

  #lift(): void {
    if (!this.#drawn) return
    this.#drawn = false
    this.#write!(`${up(this.#rowsAbove(this.#frame!))}\r${this.#tail === '' ? '' : up(this.#tailRows())}${CLEAR_BELOW}${this.#tail}`)
  }

  #note(text: string): void {
    const tail = (this.#tail + text).slice((this.#tail + text).lastIndexOf('\n') + 1)
    this.#tail = tail.replace(LINE_STARTS, '').slice(-MAX_TAIL)
  }

  #whole(frame: Frame): string {
    return `${PLAIN}${this.#tail === '' ? '\r' : '\r\n'}${CLEAR_BELOW}${lines(frame)}`
  }

  /** @param bytes what brings the frame on the screen and the cursor to its place. */
  #put(bytes: string, { caret }: Frame): void {
    const cursor = caret !== undefined
    const turn = cursor === this.#cursor ? '' : cursor ? CURSOR_ON : CURSOR_OFF
    this.#cursor = cursor
    if (bytes !== '' || turn !== '') this.#write!(WRAP_OFF + bytes + WRAP_ON + turn)
  }

  /** To the start of a line: as many spaces as there are columns wrap only where the line was not empty. */
  #freshLine(): string {
    return `${' '.repeat(this.#columns)}\r${CLEAR_RIGHT}`
  }

  /** How many rows above the cursor the frame starts, even after the terminal has wrapped its lines to a new width. */
  #rowsAbove({ lines: all, caret }: Frame): number {
    const { row, column } = caret ?? { row: 0, column: 0 }
    const added = all.map(line => this.#rowsOf(columns(stripVTControlCharacters(line))) - 1)
    if (!this.#pushes) return added.slice(0, row).reduce((sum, more) => sum + more, row + this.#rowsOf(column) - 1)
    // xterm.js breaks lines from the last one up. The cursor's line is to stay whole, but is looked for where the lines
    // broken so far have pushed the cursor.
    return row + added.reduceRight((pushed, more, at) => at === row + pushed ? pushed : pushed + more, 0)
  }

  #tailRows(): number {
    return this.#rowsOf(columns(stripVTControlCharacters(this.#tail).replaceAll('\t', ' '.repeat(8))))
  }

  #rowsOf(width: number): number {
    return Math.max(1, Math.ceil(width / this.#columns))
  }

  get #columns(): number {
    return this.#output.columns || 80
  }
}

function up(rows: number): string {
  return rows > 0 ? `\u001B[${rows}A` : ''
}

/** A whole frame, drawn from its first cell on. */
function lines({ lines: all, caret }: Frame): string {
  return all.map(line => line + CLEAR_RIGHT).join('\r\n') + place(all.length - 1, caret)
}

/** From a row to where the cursor is parked. */
function place(from: number, caret: Frame['caret']): string {
  const { row, column } = caret ?? { row: 0, column: 0 }
  return `${vertical(from, row)}\r${column > 0 ? `\u001B[${column}C` : ''}`
}

function vertical(from: number, to: number): string {
  return to > from ? `\u001B[${to - from}B` : up(from - to)
}

/** From one frame to the next: the lines that differ. */
function difference(before: Frame, after: Frame): string {
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
