// Editing a text with keys. The caret moves by whole characters as a person sees them.
import type { Key } from './keys.ts'
import { MAX_WORDS } from './limits.ts'
import { firstGrapheme, lastGrapheme } from './measure.ts'

/** A text and the caret in it, as an index in UTF-16 units. */
export interface Edit {
  readonly text: string
  readonly caret: number
  /** Whether there was no room for all that was to be put in. */
  readonly isCut?: boolean
}

/**
 * What a key does to a text.
 *
 * @returns `undefined` for a key that edits nothing.
 */
export function edit({ text, caret }: Edit, key: Key): Edit | undefined {
  const before = text.slice(0, caret), after = text.slice(caret)
  switch (key.name) {
    case 'text':
    case 'paste': {
      const put = key.text.slice(0, Math.max(0, MAX_WORDS - text.length))
      return { text: before + put + after, caret: caret + put.length, isCut: put.length < key.text.length }
    }
    case 'left': return { text, caret: caret - last(before) }
    case 'right': return { text, caret: caret + first(after) }
    case 'home': return { text, caret: before.lastIndexOf('\n') + 1 }
    case 'end': return { text, caret: caret + lineLength(after) }
    case 'backspace': return erase(before.slice(0, before.length - last(before)), after)
    case 'delete': return erase(before, after.slice(first(after)))
    case 'erase-word': return erase(withoutLastWord(before), after)
    case 'erase-line': return erase(before.slice(0, before.lastIndexOf('\n') + 1), after)
    default: return undefined
  }
}

function erase(before: string, after: string): Edit {
  return { text: before + after, caret: before.length }
}

/** Without a regular expression anchored at the end: on a large paste that would take seconds. */
function withoutLastWord(text: string): string {
  let end = text.trimEnd().length
  while (end > 0 && !/\s/.test(text[end - 1]!)) end--
  return text.slice(0, end)
}

function last(text: string): number {
  return lastGrapheme(text).length
}

function first(text: string): number {
  return firstGrapheme(text).length
}

function lineLength(text: string): number {
  const end = text.indexOf('\n')
  return end < 0 ? text.length : end
}
