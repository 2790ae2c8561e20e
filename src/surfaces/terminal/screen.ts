// A panel's place on the screen: below whatever was written before, and out of the way while anything else writes. A hidden
// cursor is parked at the panel's first cell: after a resize the panel still starts there, however its lines were wrapped.
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { CLEAR_BELOW, CLEAR_RIGHT, difference, type Frame, up, wholeFrame } from './frame.ts'
import { columns } from './measure.ts'

/** An output that may be a terminal. */
export type Output = NodeJS.WritableStream & { readonly isTTY?: boolean, readonly columns?: number, readonly rows?: number }

/** Bracketed paste: the terminal says where a pasted text begins and ends. */
export const PASTE_ON = '\u001B[?2004h', PASTE_OFF = '\u001B[?2004l'
const CURSOR_ON = '\u001B[?25h', CURSOR_OFF = '\u001B[?25l'
// Terminals disagree about the width of some characters; without autowrap that never breaks a line.
const WRAP_ON = '\u001B[?7h', WRAP_OFF = '\u001B[?7l'
const PLAIN = '\u001B[0m'
/** Rings the terminal's bell. */
export const BELL = '\u0007'
// Whatever returns the cursor to the start of the line: what came before it need not be written again.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINE_STARTS = /^.*(?:\r|\u001B\[1?G)(?=[^\r])/s
/** At most this much of an unfinished line is written again, in UTF-16 units. */
const MAX_TAIL = 8192

/** Draws one panel at a time. */
export class Screen {
  readonly #output: Output
  /** All outputs on this terminal. */
  readonly #outputs: readonly Output[]
  readonly #pushes: boolean
  #write: ((text: string) => unknown) | undefined
  #restore: (() => void)[] = []
  /** What belongs on the screen, and whether it is there now. */
  #frame: Frame | undefined
  #drawn = false
  /** Whether the cursor is shown; `undefined` when something else may have changed that. */
  #cursor: boolean | undefined = true
  /** The unfinished line above the panel, written by something else. */
  #tail = ''
  #redraw: NodeJS.Immediate | undefined

  /**
   * @param output where the panel is drawn.
   * @param others outputs whose text would run into the panel.
   * @param pushes whether the terminal, when it gets narrower, moves the cursor down for lines that it wraps below it, as
   *   xterm.js does.
   */
  constructor(output: Output, others: readonly Output[], pushes: boolean) {
    this.#output = output
    this.#outputs = [output, ...others]
    this.#pushes = pushes
  }

  /** Start on a line of its own. */
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

  /** Draw everything again, after something else may have moved the cursor or changed the terminal's modes. */
  refresh(): void {
    if (!this.#write || !this.#frame || !this.#drawn) return
    this.#cursor = undefined
    this.#put(PASTE_ON + up(this.#rowsAbove(this.#frame)) + this.#freshLine() + PLAIN + CLEAR_BELOW + wholeFrame(this.#frame), this.#frame)
  }

  /** Draw a frame made for a new size of the terminal. */
  resized(frame: Frame): void {
    const before = this.#frame
    this.#frame = frame
    if (!this.#write || !before || !this.#drawn) return
    this.#put(`${up(this.#rowsAbove(before))}\r${PLAIN}${CLEAR_BELOW}${wholeFrame(frame)}`, frame)
  }

  /** Ring the bell without moving the cursor. */
  ring(): void {
    if (this.#write) this.#write(BELL)
    else this.#output.write(BELL)
  }

  /** Take the panel away. What others wrote stays. */
  close(): void {
    const write = this.#write
    if (!write) return
    this.#lift()
    this.abandon()
    write(PASTE_OFF + CURSOR_ON)
  }

  /** Undo what a panel does to the terminal's modes, after it was forgotten. */
  tidy(): void {
    this.#output.write(PASTE_OFF + CURSOR_ON)
  }

  /** Forget the panel without writing: the terminal is gone, or not to be written to now. */
  abandon(): void {
    clearImmediate(this.#redraw)
    for (const restore of this.#restore.splice(0)) restore()
    this.#write = this.#redraw = this.#frame = undefined
    this.#drawn = false
    this.#cursor = true
    this.#tail = ''
  }

  /** Whatever this process writes to the terminal goes above the panel, which is drawn again afterwards. */
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
      // If something has wrapped our function meanwhile, it stays in place and passes everything on.
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
    return `${PLAIN}${this.#tail === '' ? '\r' : '\r\n'}${CLEAR_BELOW}${wholeFrame(frame)}`
  }

  /** @param bytes what draws the frame and moves the cursor to its place. */
  #put(bytes: string, { caret }: Frame): void {
    const cursor = caret !== undefined
    const turn = cursor === this.#cursor ? '' : cursor ? CURSOR_ON : CURSOR_OFF
    this.#cursor = cursor
    if (bytes !== '' || turn !== '') this.#write!(WRAP_OFF + bytes + WRAP_ON + turn)
  }

  /** Go to the start of an empty line: as many spaces as there are columns wrap only if the line was not empty. */
  #freshLine(): string {
    return `${' '.repeat(this.#columns)}\r${CLEAR_RIGHT}`
  }

  /** How many rows above the cursor the frame starts, even after the terminal has wrapped its lines to a new width. */
  #rowsAbove({ lines: all, caret }: Frame): number {
    const { row, column } = caret ?? { row: 0, column: 0 }
    const added = all.map(line => this.#rowsOf(columns(stripVTControlCharacters(line))) - 1)
    if (!this.#pushes) return added.slice(0, row).reduce((sum, more) => sum + more, row + this.#rowsOf(column) - 1)
    // xterm.js wraps from the last line up. It means to leave the cursor's line alone, but looks for it where the lines
    // wrapped so far have pushed the cursor.
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
