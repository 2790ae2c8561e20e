// Writing one's own words in a panel, and the digits that lead from there to an option. Pure.
//
// A digit jumps to the option of that number anywhere but inside a text that has characters. So on the own words a number is
// an option's, as long as it is alone and there is such an option; whatever else is typed behind it makes it the start of the
// text. "15:00" comes out as typed, and no digit chooses anything.
import { type Edit, edit } from './editor.ts'
import type { Key } from './keys.ts'
import { act, focusOn, type Panel, rowsOf, startTyping, wordsOf } from './panel-state.ts'

/** A key that is pressed in the text. */
export function writeInText(panel: Panel, key: Key): Panel {
  const words = wordsOf(panel), edited = edit({ text: words, caret: panel.caret }, key)
  return edited ? put(panel, edited, 'text', key.name === 'text' && words === '') : panel
}

/** A digit that is pressed on the row of the own words, outside the text. */
export function writeDigit(panel: Panel, digit: string): Panel {
  return put(panel, edit(behind(wordsOf(panel)), { name: 'text', text: digit })!, 'row', true)
}

/**
 * A key that is pressed after a number that led from the own words to an option: it is read as it would have been read there.
 *
 * @param before the panel before the key.
 * @returns `undefined` for a key that writes nothing: it is about the option.
 */
export function goOnWriting(panel: Panel, { digits, digitsFrom: from }: Panel, key: Key): Panel | undefined {
  // Outside the text Space chooses, and `?` shows the keys.
  if (!from || !WRITING.has(key.name) || (from === 'row' && key.name === 'text' && /^[ ?]$/.test(key.text))) return undefined
  return put(panel, edit(behind(wordsOf(panel) + digits), key)!, from, key.name !== 'paste')
}

const WRITING: ReadonlySet<Key['name']> = new Set(['text', 'paste', 'backspace', 'erase-word', 'erase-line'])

function behind(text: string): Edit {
  return { text, caret: text.length }
}

/**
 * Make a text the own words, or jump if all that is new of it is the number of an option.
 *
 * @param mayJump whether it was typed where a digit jumps.
 */
function put(panel: Panel, { text, caret, isCut }: Edit, from: 'row' | 'text', mayJump: boolean): Panel {
  const words = wordsOf(panel), digits = text.startsWith(words) ? text.slice(words.length) : ''
  if (mayJump && /^[1-9][0-9]*$/.test(digits) && Number(digits) < rowsOf(panel)) {
    return { ...focusOn(panel, Number(digits) - 1), typing: false, digits, digitsFrom: from }
  }
  const typed = text === words && from === 'row' ? focusOn(panel, rowsOf(panel) - 1) : { ...startTyping(panel), caret, follow: true }
  return act({ ...typed, note: isCut ? 'pasteTooLong' : undefined }, { type: 'type', words: text })
}
