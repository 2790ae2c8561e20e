// Bytes from a terminal -> keys. A sequence may come in pieces. Whether an escape is a key or the start of a sequence, only
// time tells: see `pendingMs`. What a terminal reports that is no key is nothing.
import { StringDecoder } from 'node:string_decoder'
import { readCsiKey } from './csi-keys.ts'
import type { Key, KeyName } from './key.ts'
import { MAX_WORDS } from './limits.ts'
import { readSequence } from './sequences.ts'

export type { Key, KeyName } from './key.ts'

/** How long an escape waits for the rest of a sequence, in milliseconds. */
const ESCAPE_MS = 50
/** How long a sequence that has begun waits for its rest: a slow line must not make text of it. */
const SEQUENCE_MS = 500
/** How long a paste waits for its end. Without a limit, a terminal that omits the end would swallow every later key. */
const PASTE_MS = 1000
/** Nobody types so many characters at once: they are a paste that is not bracketed. */
const MAX_TYPED = 256
/** No sequence is longer, but for strings. */
const MAX_SEQUENCE = 256
/** So much of a paste is kept, in bytes; more than an answer may have in any case. */
const MAX_PASTED = 5 * MAX_WORDS

const ESC = '\u001B', PASTE_START = '[200~', PASTE_END = `${ESC}[201~`

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up', 'OA': 'up', '[B': 'down', 'OB': 'down', '[C': 'right', 'OC': 'right', '[D': 'left', 'OD': 'left',
  '[H': 'home', 'OH': 'home', '[1~': 'home', '[7~': 'home', '[F': 'end', 'OF': 'end', '[4~': 'end', '[8~': 'end',
  '[5~': 'pageup', '[6~': 'pagedown', '[3~': 'delete', '[Z': 'backtab', 'OM': 'enter',
  '\u007F': 'erase-word', '\u0003': 'interrupt',
}

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter', '\n': 'enter', '\t': 'tab', '\u007F': 'backspace', '\b': 'backspace', '\u0001': 'home', '\u0005': 'end',
  '\u0003': 'interrupt', '\u0004': 'end-of-input', '\u000C': 'redraw', '\u000F': 'unfold', '\u0015': 'erase-line', '\u0017': 'erase-word',
  '\u001A': 'suspend', [ESC]: 'escape',
}

// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const STRING_END = /[\x00-\x1F\x7F]/g
// Without bracketed paste, several lines in one chunk are a paste, up to the next control character: an interrupt must
// stay one.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const LINES = /[\r\n][^\u0000-\u001F\u007F]/

/** Decodes the input of one terminal. */
export class KeyDecoder {
  readonly #utf8 = new StringDecoder('utf8')
  /** What waits for the rest of its sequence, as bytes. */
  #rest = ''
  /** The pieces of a paste that has not ended, as bytes. */
  #pasted: string[] | undefined
  #pastedLength = 0
  /** Since when a string has been coming, by the clock of `performance`. */
  #stringFrom: number | undefined

  /** How long to wait for more before {@link KeyDecoder.flush}, in milliseconds; `undefined` when nothing is pending. */
  get pendingMs(): number | undefined {
    if (this.#pasted) return PASTE_MS
    // Counted from its start: who has pressed Alt-] by mistake and types on is not ignored for long.
    if (this.#stringFrom !== undefined) return Math.max(0, this.#stringFrom + SEQUENCE_MS - performance.now())
    if (this.#rest === '') return undefined
    return this.#rest === ESC ? ESCAPE_MS : SEQUENCE_MS
  }

  /** Decode a chunk. An incomplete character or sequence waits for the rest. */
  feed(chunk: Uint8Array | string): Key[] {
    const bytes = this.#rest + Buffer.from(chunk as string).toString('latin1')
    this.#rest = ''
    const keys: Key[] = []
    for (let at = 0; at < bytes.length && this.#rest === '';) {
      if (this.#pasted) at = this.#paste(bytes, at, keys)
      else if (this.#stringFrom !== undefined) at = this.#skipString(bytes, at)
      else if (bytes[at] === ESC) at = this.#sequence(bytes, at, keys)
      else at = this.#text(bytes, at, keys)
    }
    return keys
  }

  /** No more came in time: an escape was a key, a paste is over, and the start of a sequence is dropped. */
  flush(): Key[] {
    const rest = this.#rest, pasted = this.#pasted
    this.#rest = ''
    this.#pasted = this.#stringFrom = undefined
    if (pasted) return [paste(unicode(pasted.join('') + rest))]
    return rest === ESC ? [{ name: 'escape' }] : []
  }

  /** Each of these reads from a place in the bytes on, and returns where the next one goes on. */
  #paste(bytes: string, at: number, keys: Key[]): number {
    const end = bytes.indexOf(PASTE_END, at)
    // Its end may come in pieces too.
    const kept = end < 0 ? bytes.length - partialEnd(bytes) : end
    if (this.#pastedLength < MAX_PASTED) this.#pasted!.push(bytes.slice(at, kept))
    this.#pastedLength += kept - at
    if (end < 0) {
      this.#rest = bytes.slice(Math.max(at, kept))
      return bytes.length
    }
    keys.push(paste(unicode(this.#pasted!.join('').slice(0, MAX_PASTED))))
    this.#pasted = undefined
    return end + PASTE_END.length
  }

  #skipString(bytes: string, at: number): number {
    STRING_END.lastIndex = at
    const end = STRING_END.exec(bytes)?.index
    if (end === undefined) return bytes.length
    if (bytes[end] === ESC && end + 1 === bytes.length) {
      this.#rest = ESC
      return bytes.length
    }
    this.#stringFrom = undefined
    if (bytes[end] === '\u0007') return end + 1
    // Another key or sequence breaks it off.
    return bytes.startsWith('\\', end + 1) && bytes[end] === ESC ? end + 2 : end
  }

  #sequence(bytes: string, at: number, keys: Key[]): number {
    const { kind, end } = readSequence(bytes, at + 1), body = bytes.slice(at + 1, end)
    // What grows and grows is no sequence.
    if (kind === 'part' && body.length < MAX_SEQUENCE) this.#rest = ESC + body
    else if (kind === 'string') this.#stringFrom = performance.now()
    else if (kind === 'none') keys.push({ name: 'escape' })
    else if (kind === 'whole' && body === PASTE_START) {
      this.#pasted = []
      this.#pastedLength = 0
    } else if (kind === 'whole') {
      const key = readCsiKey(body, CONTROLS) ?? body
      const named = typeof key === 'string' ? keyNamed(SEQUENCES, key) : key
      if (named) keys.push(named)
    }
    return end
  }

  #text(bytes: string, at: number, keys: Key[]): number {
    const next = bytes.indexOf(ESC, at), end = next < 0 ? bytes.length : next
    let text = this.#utf8.write(Buffer.from(bytes.slice(at, end), 'latin1'))
    if (next >= 0) text += this.#utf8.end()
    const control = text.search(CONTROL), lines = control < 0 ? text : text.slice(0, control)
    if (LINES.test(lines) || lines.length > MAX_TYPED) {
      keys.push(paste(lines))
      text = text.slice(lines.length)
    }
    for (const character of text) {
      const key = /\p{Cc}/u.test(character) ? keyNamed(CONTROLS, character) : { name: 'text' as const, text: character }
      if (key) keys.push(key)
    }
    return end
  }
}

/** How many of the last bytes may be the start of the end of a paste. */
function partialEnd(bytes: string): number {
  for (let length = PASTE_END.length - 1; length > 0; length--) {
    if (bytes.endsWith(PASTE_END.slice(0, length))) return length
  }
  return 0
}

function unicode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Unknown keys are dropped. */
function keyNamed(names: Readonly<Record<string, KeyName>>, by: string): Key | undefined {
  return Object.hasOwn(names, by) ? { name: names[by]! } : undefined
}

function paste(text: string): Key {
  return { name: 'paste', text: text.replaceAll(/\r\n?/g, '\n') }
}
