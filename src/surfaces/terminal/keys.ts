// Bytes from a terminal -> keys. A sequence may come in pieces. Whether an escape is a key or the start of a sequence, only
// time tells: see `pendingMs`.
import { StringDecoder } from 'node:string_decoder'

/** A key other than text. */
export type KeyName =
  | 'up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'pageup' | 'pagedown' | 'tab' | 'backtab'
  | 'enter' | 'escape' | 'backspace' | 'delete' | 'erase-word' | 'erase-line' | 'interrupt' | 'suspend' | 'redraw' | 'unfold'

/** One character typed, a text pasted (its line ends are line feeds), or another key pressed. */
export type Key = { readonly name: 'text' | 'paste', readonly text: string } | { readonly name: KeyName }

/** How long an escape waits for the rest of a sequence, in milliseconds. */
const ESCAPE_MS = 50
/** How long a paste waits for its end. Without a limit, a terminal that omits the end would swallow every later key. */
const PASTE_MS = 1000

const PASTE_START = '\u001B[200~'
const PASTE_END = '\u001B[201~'

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up', 'OA': 'up', '[B': 'down', 'OB': 'down', '[C': 'right', 'OC': 'right', '[D': 'left', 'OD': 'left',
  '[H': 'home', 'OH': 'home', '[1~': 'home', '[7~': 'home', '[F': 'end', 'OF': 'end', '[4~': 'end', '[8~': 'end',
  '[5~': 'pageup', '[6~': 'pagedown', '[3~': 'delete', '[Z': 'backtab', 'OM': 'enter',
  '\u007F': 'erase-word', '\u0003': 'interrupt',
}

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter', '\n': 'enter', '\t': 'tab', '\u007F': 'backspace', '\b': 'backspace', '\u0001': 'home', '\u0005': 'end',
  '\u0003': 'interrupt', '\u000C': 'redraw', '\u000F': 'unfold', '\u0015': 'erase-line', '\u0017': 'erase-word', '\u001A': 'suspend',
}

// A whole sequence: a string (the terminal's reply to a query), CSI, SS3, or Alt with a character.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const WHOLE = /^\u001B(?:[\]PX^_][^]*?(?:\u0007|\u001B\\)|\[\[.|\[[0-?]*[ -/]*[@-Z\\-~]|O[ -~]|[^[\]OPX^_\u001B])/u
// The start of a sequence. An escape followed by another escape is a key.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const PART = /^\u001B(?:$|\[\[?$|\[[0-?]*[ -/]*$|O$|[\]PX^_](?:[^\u0007\u001B]|\u001B$)*$)/u
// Without bracketed paste, several lines in one chunk are a paste, up to the next control character: an interrupt must
// stay one.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINES = /[\r\n][^\u0000-\u001F\u007F]/

/** Decodes the input of one terminal. */
export class KeyDecoder {
  readonly #utf8 = new StringDecoder('utf8')
  #rest = ''
  #pasted: string | undefined

  /** How long to wait for more before {@link KeyDecoder.flush}, in milliseconds; `undefined` when nothing is pending. */
  get pendingMs(): number | undefined {
    if (this.#pasted !== undefined) return PASTE_MS
    return this.#rest === '' ? undefined : ESCAPE_MS
  }

  /** Decode a chunk. An incomplete character or sequence waits for the rest. */
  feed(chunk: Uint8Array | string): Key[] {
    const text = this.#rest + (typeof chunk === 'string' ? chunk : this.#utf8.write(chunk))
    this.#rest = ''
    const control = text.search(CONTROL), lines = control < 0 ? text : text.slice(0, control)
    const pasted = this.#pasted === undefined && LINES.test(lines) ? lines : ''
    return [...pasted === '' ? [] : [paste(pasted)], ...this.#keys(text.slice(pasted.length))]
  }

  /** No more came in time: an escape was a key, a paste is over, and the start of a sequence is dropped. */
  flush(): Key[] {
    const rest = this.#rest, pasted = this.#pasted
    this.#rest = ''
    this.#pasted = undefined
    if (pasted !== undefined) return [paste(pasted + rest)]
    return rest === '\u001B' ? [{ name: 'escape' }] : []
  }

  *#keys(text: string): Generator<Key> {
    let rest = text
    while (rest !== '') {
      if (this.#pasted !== undefined) {
        const [inside, ...after] = (this.#pasted + rest).split(PASTE_END)
        this.#pasted = after.length === 0 ? inside : undefined
        if (after.length === 0) return
        yield paste(inside!)
        rest = after.join(PASTE_END)
      } else if (rest.startsWith('\u001B')) {
        const [whole] = WHOLE.exec(rest) ?? []
        if (whole === undefined && PART.test(rest)) {
          this.#rest = rest
          return
        }
        rest = rest.slice(whole?.length ?? 1)
        if (whole === PASTE_START) this.#pasted = ''
        else if (whole === undefined) yield { name: 'escape' }
        else yield* named(SEQUENCES[whole.slice(1)])
      } else {
        const character = String.fromCodePoint(rest.codePointAt(0)!)
        rest = rest.slice(character.length)
        if (/\p{Cc}/u.test(character)) yield* named(CONTROLS[character])
        else yield { name: 'text', text: character }
      }
    }
  }
}

/** Unknown keys are dropped. */
function named(name: KeyName | undefined): Key[] {
  return name === undefined ? [] : [{ name }]
}

function paste(text: string): Key {
  return { name: 'paste', text: text.replaceAll(/\r\n?/g, '\n') }
}
