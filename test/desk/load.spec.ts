// From rows to plugins: ours, those beside the file, and what is wrong with their configuration.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadRows } from '../../src/desk/load.ts'
import { readRows } from '../../src/desk/rows.ts'
import * as ntfy from '../../src/surfaces/ntfy/index.ts'
import { Home } from './support.ts'

let home: Home

beforeEach(() => {
  home = new Home()
})

afterEach(() => home.remove())

const load = (text: string) => loadRows(readRows(text, home.file), home.file)

describe('a plugin', () => {
  it('of ours is loaded when its row is on', async () => {
    const rows = await load('- id: ask-ntfy\n  disabled: false\n  config: { topic: Zq8vT2mXw5rLk9Hs3Pd7, server: https://ntfy.example }')
    expect(rows.find(({ id }) => id === 'ask-ntfy')?.plugin).toMatchObject({ name: ntfy.name })
  })

  it.each([
    ['a path', './mine.mjs', 'mine.mjs'],
    ['a package beside the file', 'mine', 'node_modules/mine/index.js'],
  ])('of others is found by %s', async (_what, name, path) => {
    home.write('export const name = "mine"\nexport const apply = () => {}', path)
    home.write('{ "name": "mine", "type": "module" }', 'node_modules/mine/package.json')
    expect((await load(`- { id: mine, name: ${name} }`)).at(-1)).toMatchObject({ id: 'mine', plugin: { name: 'mine' } })
  })

  it('may be a default export, as in dsh', async () => {
    home.write('export default function mine() {}', 'mine.mjs')
    expect((await load('- { id: mine, name: ./mine.mjs }')).at(-1)!.plugin).toBeTypeOf('function')
  })
})

describe('what is wrong', () => {
  it.each([
    ['- id: mine\n  name: ./no.mjs', 'line 1, row mine, field name: ./no.mjs cannot be loaded'],
    ['- id: mine\n  name: no-such-package', 'no-such-package cannot be loaded'],
    ['- id: mine\n  name: ./none.mjs', './none.mjs is no plugin: it has no apply'],
    ['- id: ask-ntfy\n  disabled: false', 'line 1, row ask-ntfy, field config.topic: must be given here'],
    ['- id: ask-router\n  config:\n    surfaces:\n      ntfy: { delay: 5 }', 'line 4, row ask-router, field config.surfaces.ntfy: unknown key delay'],
    ['- id: ask-web\n  config: 5', 'line 2, row ask-web, field config: '],
  ])('%j', async (text, message) => {
    home.write('export const apply = 5', 'none.mjs')
    await expect(load(text)).rejects.toThrow(`${home.file}, `)
    await expect(load(text)).rejects.toThrow(message)
  })
})
