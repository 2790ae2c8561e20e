// Keys as terminals report them when more than the old bytes is wanted: `CSI ... u` (kitty and others) and `CSI 27 ; ... ~`
// (xterm's modifyOtherKeys). Nothing here turns that on, but another program may have left it on.
import type { Key, KeyName } from './key.ts'

const SHIFT = 1, ALT = 2, CTRL = 4
/** Caps lock and num lock: they change no key that has a name. */
const LOCKS = 64 | 128

// code : shifted code : code on a standard layout ; modifiers : event ; text
const KITTY = /^\[(\d+)(?::(\d*)(?::\d*)?)?(?:;(\d*)(?::(\d+))?)?(?:;([\d:]*))?u$/
const OTHER = /^\[27;(\d+);(\d+)~$/
const MODIFIED = /^\[(\d*);(\d*)(?::(\d+))?([A-Z~])$/
const RELEASED = '3'

/** Keys of the number pad, as kitty numbers them. */
const PAD: Readonly<Record<number, KeyName>> = {
  57414: 'enter', 57417: 'left', 57418: 'right', 57419: 'up', 57420: 'down', 57421: 'pageup', 57422: 'pagedown', 57423: 'home', 57424: 'end', 57426: 'delete',
}
const PAD_0 = 57399, PAD_9 = 57408
/** Other keys without a character: private use. */
const isFunctional = (code: number) => code >= 57344 && code <= 63743

/**
 * Read a sequence.
 *
 * @param body what follows the escape.
 * @param controls the keys that control characters are.
 * @returns the key; the shorter sequence that an unmodified key is told by elsewhere; or nothing for what is no key that is used here.
 */
export function readCsiKey(body: string, controls: Readonly<Record<string, KeyName>>): Key | string | undefined {
  const kitty = KITTY.exec(body)
  if (kitty) {
    const [, code, shifted, modifiers, event, text] = kitty
    return event === RELEASED ? undefined : keyOf(Number(code), maskOf(modifiers), controls, { shifted, text })
  }
  const other = OTHER.exec(body)
  if (other) return keyOf(Number(other[2]), maskOf(other[1]), controls)
  const modified = MODIFIED.exec(body)
  if (!modified || modified[3] === RELEASED || maskOf(modified[2]) !== 0) return undefined
  return `[${modified[4] === '~' ? modified[1] : ''}${modified[4]}`
}

function maskOf(modifiers: string | undefined): number {
  return (Number(modifiers || 1) - 1) & ~LOCKS
}

function keyOf(
  code: number, mask: number, controls: Readonly<Record<string, KeyName>>, { shifted, text }: { shifted?: string | undefined, text?: string | undefined } = {},
): Key | undefined {
  if (mask > (SHIFT | ALT | CTRL)) return undefined
  const isControl = code < 32 || code === 127
  const named = (character: string) => Object.hasOwn(controls, character) ? controls[character] : undefined
  let name: KeyName | undefined
  if (mask & CTRL) name = code >= 64 && code < 127 ? named(String.fromCharCode(code & 31)) : undefined
  else if (PAD[code] && mask === 0) name = PAD[code]
  else if (isControl) name = code === 9 && mask & SHIFT ? 'backtab' : named(String.fromCharCode(code))
  // As with the old bytes: Alt with a letter is no letter, but it does not keep Ctrl-C from interrupting.
  if (mask & ALT) name = name === 'backspace' ? 'erase-word' : name === 'interrupt' ? name : undefined
  if (name) return { name }
  if (mask & (ALT | CTRL) || isControl) return undefined
  if (code >= PAD_0 && code <= PAD_9) return { name: 'text', text: String(code - PAD_0) }
  if (isFunctional(code)) return undefined
  const typed = text ? textOf(text.split(':').map(Number)) : mask & SHIFT ? (shifted ? textOf([Number(shifted)]) : textOf([code]).toUpperCase()) : textOf([code])
  return typed === '' || /[\p{Cc}\p{Cs}]/u.test(typed) ? undefined : { name: 'text', text: typed }
}

function textOf(codes: readonly number[]): string {
  return codes.every(code => code <= 0x10FFFF) ? String.fromCodePoint(...codes) : ''
}
