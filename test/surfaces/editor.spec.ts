// Editing a text with keys.
import { expect, it } from 'vitest'
import { edit } from '../../src/surfaces/terminal/editor.ts'

it.each([
  ['two words', 'two '], ['two words  ', 'two '], ['one', ''], ['', ''], ['  ', ''], ['line\nword', 'line\n'], ['部署\u3000好', '部署\u3000'],
])('the last word is erased from %j', (before, left) => {
  expect(edit({ text: `${before}|after`, caret: before.length }, { name: 'erase-word' })).toEqual({ text: `${left}|after`, caret: left.length })
})

it('a word is erased at once, however much was pasted', () => {
  const pasted = `${'x'.repeat(200_000)}${' '.repeat(200_000)}`
  expect(edit({ text: `${pasted}y`, caret: pasted.length + 1 }, { name: 'erase-word' })?.text.length).toBe(pasted.length)
})
