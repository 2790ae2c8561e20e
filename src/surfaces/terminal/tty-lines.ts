// Lines from a TTY: keys.ts reads the keys, and node:readline is the editor that draws the line. It gets the keys one by one
// and nothing else, so that what no key is reaches no line.
import { createInterface, type Interface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { visible } from '../../reply/visible.ts'
import type { Key, KeyName } from './keys.ts'
import { MAX_LINE } from './limits.ts'
import type { Line, LineSink, LineSource } from './lines.ts'
import { PASTE_OFF, PASTE_ON } from './screen.ts'
import { Takeover, type Terminal } from './takeover.ts'

/** After such a pause, a person who was in the middle of a line has seen that its question is gone; in milliseconds. */
const PAUSE_MS = 2000

/** A line end in a paste, as the editor shows it. */
const RETURN = '\u23CE'

/** What readline calls the keys that edit. */
const EDITS: Partial<Readonly<Record<KeyName, { readonly name: string, readonly ctrl?: boolean }>>> = {
  'enter': { name: 'return' }, 'backspace': { name: 'backspace' }, 'delete': { name: 'delete' }, 'left': { name: 'left' }, 'right': { name: 'right' },
  'home': { name: 'home' }, 'end': { name: 'end' }, 'erase-word': { name: 'w', ctrl: true }, 'erase-line': { name: 'u', ctrl: true }, 'redraw': { name: 'l', ctrl: true },
}

/** Lines from a TTY. */
export class TtyLines implements LineSource {
  readonly #output: NodeJS.WritableStream
  readonly #terminal: Takeover
  readonly #isDumb: boolean
  readonly #onInterrupt: () => void
  readonly #onSuspend: () => void
  #sink: LineSink | undefined
  #editor: Interface | undefined
  /** What the editor had when the terminal was given back for a while. */
  #draft = ''
  /** Whether it was given back for a while. */
  #wasLeft = false
  /** Whether the line has line ends in it, from a paste. */
  #hasReturns = false
  /** When the last key came, by the clock of `performance`. */
  #keyAt = -Infinity
  /** The same for the first key of the line; `undefined` before that. */
  #since: number | undefined
  /** Whether keys of the line came together. */
  #isPasted = false
  /** Whether the current line continues a discarded one; `undefined` until its first key. */
  #isStray: boolean | undefined = false

  /**
   * @param isDumb whether the terminal knows no sequences; then nobody brackets its pastes.
   * @param onInterrupt Ctrl-C; called once the terminal is restored.
   * @param onSuspend Ctrl-Z, likewise.
   */
  constructor(terminal: Terminal, isDumb: boolean, onInterrupt: () => void, onSuspend: () => void) {
    this.#output = terminal.output
    this.#isDumb = isDumb
    this.#onInterrupt = onInterrupt
    this.#onSuspend = onSuspend
    this.#terminal = new Takeover(terminal, {
      taken: () => this.#open(),
      leaving: isQuiet => this.#shut(isQuiet),
      tidy: () => this.#bracket(PASTE_OFF),
      keys: keys => this.#onKeys(keys),
      // The editor hears of a new size by itself.
      resized: () => {},
      resumed: () => this.#editor?.prompt(true),
      lost: why => this.#sink?.end(why),
    })
  }

  start(sink: LineSink): void {
    this.#sink = sink
    if (this.#editor) this.#editor.prompt()
    else this.#terminal.take()
  }

  stop(): void {
    this.#sink = undefined
    this.#terminal.release()
    this.#draft = ''
    this.#hasReturns = false
    this.#forgetKeys()
  }

  discard(): void {
    // The next output must not continue the line that is being edited.
    if (this.#editor) this.#output.write('\n')
    if (this.#editor?.line || this.#draft) this.#isStray = undefined
    this.stop()
  }

  aside(print: () => void, isNews: boolean): void {
    const editor = this.#editor
    if (editor === undefined) return print()
    if (editor.line !== '' && !isNews) return
    // Over the prompt, which is shorter than any line printed here: not every terminal can erase one.
    this.#output.write(editor.line === '' ? '\r' : '\n')
    print()
    editor.prompt(true)
  }

  close(): void {
    this.stop()
  }

  #open(): void {
    if (this.#wasLeft) this.#sink?.returned()
    this.#wasLeft = false
    // Nothing comes by this input; see #onKeys.
    const editor = createInterface({ input: new PassThrough(), output: this.#output, terminal: true, prompt: '> ', historySize: 0 })
    this.#editor = editor
    editor.on('line', (line) => {
      const text = this.#hasReturns ? line.replaceAll(RETURN, '\n') : line
      const read: Line = { text, isStray: this.#isStray === true, since: this.#since ?? performance.now(), isPasted: this.#isPasted }
      this.#isStray = this.#hasReturns = false
      this.#forgetKeys()
      this.#sink?.line(read)
    })
    this.#bracket(PASTE_ON)
    editor.prompt()
    editor.write(this.#draft)
    this.#draft = ''
  }

  #shut(isQuiet: boolean): void {
    this.#wasLeft = this.#sink !== undefined
    this.#draft = this.#editor?.line ?? ''
    this.#editor?.close()
    this.#editor = undefined
    if (!isQuiet) this.#bracket(PASTE_OFF)
  }

  #bracket(mode: string): void {
    if (!this.#isDumb) this.#output.write(mode)
  }

  #onKeys(keys: readonly Key[]): void {
    const isTogether = keys.length > 1 || keys.some(({ name }) => name === 'paste')
    for (const key of keys) {
      // It may go with any key.
      const editor = this.#editor
      if (!editor) return
      this.#noteKey(isTogether)
      if (key.name === 'interrupt') return this.#letGo(this.#onInterrupt)
      if (key.name === 'suspend') return this.#letGo(this.#onSuspend)
      const edit = key.name === 'tab' ? undefined : EDITS[key.name as KeyName]
      if ('text' in key) this.#insert(editor, key)
      else if (edit) editor.write(null as unknown as string, edit)
      else if (key.name === 'end-of-input' && editor.line === '') return this.#sink?.end('gone')
    }
  }

  #insert(editor: Interface, { name, text }: Key & { text: string }): void {
    // The end of the last line was copied along; it is not what the person means to say.
    const all = name === 'paste' ? text.trimEnd() : text
    const room = Math.max(0, MAX_LINE - editor.line.length), taken = all.slice(0, room)
    this.#hasReturns ||= taken.includes('\n')
    editor.write(visible(taken).replaceAll('\n', RETURN).replaceAll('\t', ' '))
    if (taken.length === all.length) return
    this.#output.write('\n')
    this.#sink?.cut(all.length - taken.length)
    editor.prompt(true)
  }

  #noteKey(isTogether: boolean): void {
    const now = performance.now()
    this.#since ??= now
    this.#isPasted ||= isTogether
    this.#isStray ??= now - this.#keyAt < PAUSE_MS
    this.#keyAt = now
  }

  #forgetKeys(): void {
    this.#since = undefined
    this.#isPasted = false
  }

  /** As elsewhere, what is being typed goes with an interrupt. */
  #letGo(act: () => void): void {
    this.#terminal.pause(() => {
      this.#draft = ''
      this.#hasReturns = false
      this.#forgetKeys()
      act()
    })
  }
}
