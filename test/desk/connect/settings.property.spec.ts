// Settings of any content and any formatting: connected, they say what they said before and our hook; disconnected, they are what
// they were, byte for byte.
import * as fc from 'fast-check'
import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Home } from './support.ts'

const RUNS = 1000

// Most of the time of a run goes by until a disk has everything.
vi.mock('node:fs', async original => ({ ...await original<object>(), fsyncSync: () => {} }))

let home: Home

beforeEach(() => {
  home = new Home()
})

afterEach(() => home.remove())

const hook = fc.oneof(
  fc.record({ type: fc.constant('command'), command: fc.string({ unit: 'grapheme' }) }),
  fc.record({ type: fc.constant('http'), url: fc.webUrl(), timeout: fc.nat() }),
)
const groups = fc.array(fc.record({ matcher: fc.constantFrom('*', 'Bash', '', '^.*$'), hooks: fc.array(hook, { maxLength: 3 }) }, { requiredKeys: ['hooks'] }), { maxLength: 3 })
const hooks = fc.dictionary(fc.constantFrom('PermissionRequest', 'PostToolUse', 'Stop', '__proto__'), groups)
// JSON text knows no -0.
const others = fc.dictionary(fc.oneof(fc.string({ unit: 'grapheme' }).filter(key => key !== 'hooks'), fc.constantFrom('__proto__', '"hooks"', '\\', ', {')), fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as unknown))
const settings = fc.tuple(others, fc.option(hooks, { nil: undefined }), fc.boolean()).map(([rest, ours, isFirst]) => (
  Object.fromEntries([...isFirst ? [['hooks', ours]] : [], ...Object.entries(rest), ...isFirst ? [] : [['hooks', ours]]].filter(([, value]) => value !== undefined)) as Record<string, unknown>
))

/** How somebody's editor writes JSON. */
const style = fc.record({
  unit: fc.constantFrom('', ' ', '  ', '    ', '\t'), eol: fc.constantFrom('\n', '\r\n'), mark: fc.constantFrom('', '\uFEFF'),
  before: fc.constantFrom('', '\n', '  '), after: fc.constantFrom('', '\n', '\n\n', ' '), isEscaped: fc.boolean(), padding: fc.constantFrom('', ' '),
})

/** Also with empty containers that have white space inside, and with every character escaped. */
function format(value: unknown, { unit, eol, mark, before, after, isEscaped, padding }: typeof style extends fc.Arbitrary<infer T> ? T : never): string {
  const text = JSON.stringify(value, null, unit).replaceAll(/("[^"\\]*(?:\\.[^"\\]*)*")|\{\}|\[\]/g, (all, string?: string) => string ?? `${all[0]}${padding}${all[1]}`)
  const escaped = isEscaped ? text.replaceAll(/[^\0-\x7F]/g, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`) : text
  return mark + (before + escaped + after).replaceAll('\n', eol)
}

const ours = () => ({ matcher: '*', hooks: [{ type: 'command', command: '/usr/bin/node', args: [`${home.state}/claude-code-hook.mjs`, home.state], timeout: 604_800 }] })

/** The settings with our hook, as they should be. */
function withOurs(value: Record<string, unknown>): Record<string, unknown> {
  const all = new Map(Object.entries(Object(Object.hasOwn(value, 'hooks') ? value['hooks'] : {}) as Record<string, unknown[]>))
  all.set('PermissionRequest', [...all.get('PermissionRequest') ?? [], ours()])
  return Object.fromEntries([...Object.entries(value).filter(([key]) => key !== 'hooks'), ['hooks', Object.fromEntries(all)]])
}

const filled = (all: unknown) => Object.entries(Object(all) as Record<string, unknown[]>).filter(([, list]) => list.length > 0)

const parsed = (path: string) => JSON.parse(home.read(path).replace('\uFEFF', '')) as unknown

it('say the same and our hook, with every other byte in its place, and are as they were after it', async () => {
  await fc.assert(fc.asyncProperty(settings, style, async (value, how) => {
    const text = format(value, how)
    home.write(home.user, text)
    expect(await home.run('connect', 'claude-code --yes')).toMatchObject({ code: 0 })
    const connected = home.read(home.user)
    expect(parsed(home.user)).toEqual(withOurs(value))
    // One piece was put in, and at most the white space in an empty container went.
    let head = 0, tail = 0
    while (head < text.length && text[head] === connected[head]) head++
    while (tail < text.length - head && text.at(-1 - tail) === connected.at(-1 - tail)) tail++
    expect(text.slice(head, text.length - tail).trim()).toBe('')
    expect(text.includes('\r\n') && connected.replaceAll('\r\n', '').includes('\n')).toBe(false)
    expect(await home.run('connect', 'claude-code')).toMatchObject({ code: 0, out: expect.stringContaining('already connected') as string })
    expect(home.read(home.user)).toBe(connected)
    expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 0 })
    expect(home.read(home.user)).toBe(text)
    expect(readdirSync(dirname(home.state))).toEqual([])
  }), { numRuns: RUNS })
}, 60_000)

it('lose just our hook when somebody has changed them since, or our record is gone', async () => {
  await fc.assert(fc.asyncProperty(settings, style, fc.boolean(), fc.string(), async (value, how, isRecorded, added) => {
    home.write(home.user, format(value, how))
    await home.run('connect', 'claude-code --yes')
    const key = `added ${added}`, now = { [key]: 1, ...parsed(home.user) as object }
    home.write(home.user, format(now, how))
    if (!isRecorded) for (const name of readdirSync(home.state).filter(one => one.endsWith('.json'))) home.write(`${home.state}/${name}`, 'no record', 0o600)
    expect(await home.run('disconnect', 'claude-code --yes')).toMatchObject({ code: 0 })
    const had = Object.hasOwn(value, 'hooks') ? value['hooks'] as Record<string, unknown> : undefined
    const { hooks: left, ...rest } = parsed(home.user) as Record<string, unknown>, { hooks: _, ...before } = value
    expect(rest).toEqual({ [key]: 1, ...before })
    // Without a record nobody knows who made what is empty now.
    expect(isRecorded ? left : filled(left)).toEqual(isRecorded ? had : filled(had))
    expect(readdirSync(dirname(home.state))).toEqual([])
  }), { numRuns: RUNS })
}, 60_000)
