// Where an ask was settled, in the same words on every surface.
import { expect, it } from 'vitest'
import { placeOf, whereOf } from '../../src/reply/place.ts'

const claude = { origin: { agent: 'Claude Code', machine: 'laptop', project: 'shop' } }

it.each([
  ['terminal', {}, 'on terminal', '在 terminal 上'],
  ['terminal', claude, 'on terminal', '在 terminal 上'],
  ['host', claude, 'in dsh', '在 dsh 中'],
  ['host: web', {}, 'in dsh (web)', '在 dsh（web）中'],
  ['hostess', {}, 'on hostess', '在 hostess 上'],
  ['Claude Code', claude, 'in Claude Code', '在 Claude Code 中'],
  ['Claude Code', {}, 'on Claude Code', '在 Claude Code 上'],
  ['claude code', claude, 'on claude code', '在 claude code 上'],
] as const)('%s', (by, request, en, zh) => {
  expect([whereOf(by, request, 'en'), whereOf(by, request, 'zh')]).toEqual([en, zh])
})

it('a name executes and reorders nothing', () => {
  const agent = 'a\u001b[2J\u202e\nb'
  expect(placeOf(agent, { origin: { ...claude.origin, agent } })).toEqual({ by: 'a␛[2J<U+202E>⏎b', isAsker: true })
  expect(placeOf('host: a\nb', {})).toEqual({ by: 'host', plugin: 'a⏎b' })
})
