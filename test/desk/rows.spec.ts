// The desk's file: which rows there are, and what is wrong where.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { OWN_ROWS } from '../../src/desk/own-rows.ts'
import { readRows } from '../../src/desk/rows.ts'

const ids = (text: string) => readRows(text, 'desk.yml').map(({ id }) => id)

const example = (name: string) => readFileSync(new URL(`../../examples/profile/${name}`, import.meta.url), 'utf8')

const DEFAULT = OWN_ROWS.filter(({ isOn }) => isOn).map(({ id }) => id)

describe('the rows', () => {
  it('of the desk are those of a dsh profile', () => {
    const [{ insert }] = parse(readFileSync(new URL('../../cordis.patch.yml', import.meta.url), 'utf8')) as [{ insert: { id: string, name: string }[] }]
    expect(OWN_ROWS.map(({ id, name }) => ({ id, name }))).toEqual(insert.map(({ id, name }) => ({ id, name })))
  })

  it.each(['', '# nothing yet\n', '[]', 'null'])('of %j are those that are on by themselves', (text) => {
    expect(ids(text)).toEqual(DEFAULT)
  })

  it('of a profile\'s patch do here, too', () => {
    expect(ids(example('desk-and-phone.yml'))).toContain('ask-ntfy')
    const [router] = readRows(example('desk-and-phone.yml'), 'desk.yml')
    expect(router).toMatchObject({ id: 'ask-router', name: 'dsh-ask-router', config: { quiet: { from: '22:00' } } })
    expect(ids(example('server-and-phone.yml'))).toContain('tool-ask-user')
  })

  it('can be turned off, and stay as they are where nothing is said', () => {
    expect(ids('- id: ask-web\n  disabled: true')).toEqual(DEFAULT.filter(id => id !== 'ask-web'))
    expect(ids('- id: ask-ntfy\n  config: { topic: x }')).toEqual(DEFAULT)
    expect(ids('- id: ask-ntfy\n  disabled: null')).toEqual(DEFAULT)
  })

  it('of others need a name, and come last', () => {
    const rows = readRows('- id: mine\n  name: ./mine.js\n- insert:\n    - id: theirs\n      name: theirs\n      config: [1]', 'desk.yml')
    expect(rows.slice(DEFAULT.length)).toMatchObject([{ id: 'mine', name: './mine.js' }, { id: 'theirs', config: [1] }])
  })

  it('know on which line a field of theirs is', () => {
    const row = readRows('- id: mine\n  name: x\n  config:\n    a:\n      - b: 1\n      - b: 2\n', 'desk.yml').at(-1)!
    expect([[], ['a'], ['a', 1, 'b'], ['a', 1, 'c'], ['missing']].map(path => row.lineOf(path))).toEqual([4, 5, 6, 6, 4])
    expect(readRows('', 'desk.yml')[0]!.lineOf([])).toBeUndefined()
  })
})

describe('what is wrong', () => {
  it.each([
    ['id: ask-web', 'line 1: must be a list of rows'],
    ['- ask-web', 'line 1: must be a row'],
    ['- disabled: true', 'line 1: a row needs an id'],
    ['- id: 5', 'line 1: a row needs an id'],
    ['- id: ask-page', 'line 1, row ask-page: unknown id; without a name it may be ask-router,'],
    ['- id: ask-web\n- id: ask-web', 'line 2, row ask-web: there is another row with this id'],
    ['- id: ask-web\n  name: dsh-ask-router/ntfy', 'line 2, row ask-web, field name: must be dsh-ask-router/web'],
    ['- id: ask-web\n  enabled: true', 'line 1, row ask-web: unknown key enabled; it may be id, name, config, disabled'],
    ['- id: ask-web\n  disabled: "yes"', 'line 2, row ask-web, field disabled: must be true or false'],
    ['- id: ask-web\n  config: *nothing', 'field config: it cannot be read'],
    ['- insert: ask-web', 'line 1: insert must be alone, with a list of rows'],
    ['- insert:\n    - insert: []', 'line 2: insert must be alone'],
    ['- id: ask-web\n  config: {', 'no YAML that can be read'],
    ['- id: ask-web\n  config: !!js process.env', 'line 2: no YAML that can be read: Unresolved tag'],
  ])('%j', (text, message) => {
    expect(() => readRows(text, '/etc/desk.yml')).toThrow(expect.objectContaining({ message: expect.stringContaining(`/etc/desk.yml, `) as string }) as Error)
    expect(() => readRows(text, '/etc/desk.yml')).toThrow(message)
  })

  it('is told without a value of the file', () => {
    expect(() => readRows('- id: ask-ntfy\n\tconfig: "s3cret"', 'desk.yml')).toThrow(expect.not.objectContaining({ message: expect.stringContaining('s3cret') as string }) as Error)
  })
})
