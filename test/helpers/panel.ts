// A panel without a terminal: keys pressed one after the other, and what a person sees then.
import { stripVTControlCharacters } from 'node:util'
import type { Key } from '../../src/surfaces/terminal/keys.ts'
import { press } from '../../src/surfaces/terminal/panel.ts'
import type { Panel } from '../../src/surfaces/terminal/panel-state.ts'
import { type Look, type Size, view } from '../../src/surfaces/terminal/view.ts'

export const look: Look = { lang: 'en', colour: true, origin: 'coder · nas · shop · Fix the tests', waiting: 0, late: false }
export const size: Size = { columns: 80, rows: 24 }

/** Press keys. */
export function type(panel: Panel, pressed: readonly Key[], on: Size = size): Panel {
  return pressed.reduce((now, one) => press(now, one, view(now, on, look).layout), panel)
}

/** The keys of a text. */
export const text = (characters: string): Key[] => Array.from(characters, character => ({ name: 'text', text: character }))

/** What a person sees. */
export const seen = (panel: Panel, lang: Look['lang'] = 'en', on: Size = size) => stripVTControlCharacters(view(panel, on, { ...look, lang }).lines.join('\n'))
