// The configuration: its defaults, and what a wrong value is told, by the schema and by cordis at load.
import { Context } from '@deepseek-ai/cordis'
import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { Config } from '../src/config.ts'
import * as plugin from '../src/index.ts'

const MAX = 2_147_483_647

const QUIET = { from: '22:00', to: '07:30', surfaces: ['phone'] }

function problemOf(value: unknown): string {
  const { error } = Config.safeParse(value)
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n')
}

describe('what is right', () => {
  it.each([undefined, {}])('%j is all defaults', value => {
    expect(Config.parse(value)).toEqual({ host: 'race', approvals: 'race', surfaces: {}, rejoinMs: 1000, presence: 'home' })
  })

  it('no surface has a delay or a time-out that nobody configured', () => {
    expect(Config.parse({ surfaces: { a: {} } }).surfaces).toEqual({ a: {} })
  })

  it('everything may be given', () => {
    const config = {
      host: 'fallback',
      approvals: 'off',
      surfaces: {
        phone: { delayMs: 1, timeoutMs: 2, remindMs: 3, remindMax: 4 },
        'my tv': { home: { delayMs: 3 }, away: false, approvals: { delayMs: 0, away: { delayMs: 5 } } },
      },
      rejoinMs: 4,
      presence: 'away',
      quiet: { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin', surfaces: ['phone'] },
    }
    expect(Config.parse(config)).toEqual(config)
  })

  it('12: times from 0 to the longest a timer can wait', () => {
    for (const ms of [0, MAX]) {
      expect(problemOf({ rejoinMs: ms, surfaces: { a: { delayMs: ms, timeoutMs: ms } } })).toBe('')
    }
  })

  it.each(['00:00', '09:05', '19:59', '23:59'])('%s is a time of day', from => {
    expect(problemOf({ quiet: { from, to: '12:00', surfaces: ['a'] } })).toBe('')
  })

  it('quiet hours may have days, and be several, or none', () => {
    const several = [{ ...QUIET, days: ['mon-fri', 'sun'] }, { ...QUIET, days: ['sat'], from: '20:00' }]
    for (const quiet of [several[0], several, []]) expect(Config.parse({ quiet }).quiet).toEqual(quiet)
  })

  it('has the type that the router reads', () => {
    expectTypeOf<z.output<typeof Config>>().toExtend<plugin.Config>()
    expectTypeOf<{}>().toExtend<z.input<typeof Config>>()
  })
})

describe('what is wrong', () => {
  it.each<[string, unknown, RegExp]>([
    ['host', { host: 'both' }, /race.*first.*fallback/],
    ['host', { host: null }, /race.*first.*fallback/],
    ['approvals', { approvals: 'first' }, /race.*off/],
    ['approvals', { approvals: false }, /race.*off/],
    ['rejoinMs', { rejoinMs: '1000' }, /number/],
    ['rejoinMs', { rejoinMs: -1 }, /0/],
    ['rejoinMs', { rejoinMs: 1.5 }, /whole number/],
    ['rejoinMs', { rejoinMs: MAX + 1 }, new RegExp(String(MAX))],
    ['rejoinMs', { rejoinMs: Infinity }, /number|int/],
    ['rejoinMs', { rejoinMs: NaN }, /number|NaN/],
    ['surfaces', { surfaces: [] }, /record|object/],
    ['surfaces.phone', { surfaces: { phone: 1000 } }, /object/],
    ['surfaces.phone.delayMs', { surfaces: { phone: { delayMs: -1 } } }, /0/],
    ['surfaces.phone.delayMs', { surfaces: { phone: { delayMs: MAX + 1 } } }, new RegExp(String(MAX))],
    ['surfaces.phone.timeoutMs', { surfaces: { phone: { timeoutMs: '5m' } } }, /number/],
    ['surfaces.phone.timeoutMs', { surfaces: { phone: { timeoutMs: null } } }, /number/],
    ['surfaces.host', { surfaces: { host: {} } }, /"host" is no surface/],
    ['surfaces.host: web', { surfaces: { 'host: web': {} } }, /"host: web" is no surface/],
    ['surfaces. ', { surfaces: { ' ': {} } }, /" " is no surface/],
    ['surfaces.phone', { surfaces: { phone: false } }, /object of delayMs, .*home, away/],
    ['surfaces', { surfaces: null }, /policies by the name of a surface/],
    ['surfaces.phone.delayMs', { surfaces: { phone: { delayMs: '60_000' } } }, /whole number of milliseconds from 0 to 2147483647/],
    ['surfaces.phone.home', { surfaces: { phone: { home: [] } } }, /must be false, or values/],
    ['quiet', { quiet: '22:00-07:30' }, /object of days, from, to, timeZone, surfaces/],
    ['quiet.surfaces.0', { quiet: { ...QUIET, surfaces: [''] } }, /"" is no surface/],
    ['surfaces.phone.home.delayMs', { surfaces: { phone: { home: { delayMs: '60s' } } } }, /number/],
    ['surfaces.phone.away', { surfaces: { phone: { away: 'never' } } }, /false/],
    ['surfaces.phone.remindMs', { surfaces: { phone: { remindMs: 0 } } }, /from 1 to/],
    ['presence', { presence: 'out' }, /home.*away/],
    ['quiet.from', { quiet: { ...QUIET, from: '24:00' } }, /"00:00" to "23:59"/],
    ['quiet.from', { quiet: { ...QUIET, from: '7:30' } }, /time of day/],
    // What YAML 1.1 makes of 22:00 without quotes.
    ['quiet.from', { quiet: { ...QUIET, from: 1320 } }, /in quotes/],
    ['quiet.to', { quiet: { ...QUIET, to: '22:60' } }, /time of day/],
    ['quiet.to', { quiet: { ...QUIET, to: '22:00' } }, /must not be the same as from/],
    ['quiet.timeZone', { quiet: { ...QUIET, timeZone: 'Berlin' } }, /time zone, such as "Europe\/Berlin"/],
    ['quiet.timeZone', { quiet: { ...QUIET, timeZone: '' } }, /time zone/],
    ['quiet.surfaces', { quiet: { ...QUIET, surfaces: [] } }, /list of names/],
    ['quiet.surfaces.0', { quiet: { ...QUIET, surfaces: ['host'] } }, /"host" is no surface/],
    ['quiet.days', { quiet: { ...QUIET, days: 'mon-fri' } }, /list of days, such as \[mon-fri, sun\]/],
    ['quiet.days', { quiet: { ...QUIET, days: [] } }, /list of days/],
    ['quiet.days.1', { quiet: { ...QUIET, days: ['mon', 'monday'] } }, /list of days/],
    ['quiet.days.0', { quiet: { ...QUIET, days: ['mon-tue-wed'] } }, /list of days/],
    ['quiet.days.0', { quiet: { ...QUIET, days: ['mon-'] } }, /list of days/],
    ['quiet.days.0', { quiet: { ...QUIET, days: [1] } }, /list of days/],
    ['quiet.days.0', { quiet: { ...QUIET, days: ['constructor'] } }, /list of days/],
    ['quiet.1.to', { quiet: [QUIET, { ...QUIET, to: '22:00' }] }, /must not be the same as from/],
    ['quiet.0', { quiet: ['22:00-07:30'] }, /object of days, from, to/],
    ['quiet', { quiet: null }, /object of days, from, to/],
    ['quiet.surfaces', { quiet: { from: '22:00', to: '07:30' } }, /list of names/],
  ])('%s: %j, and the message says what it may be', (field, value, may) => {
    const problem = problemOf(value)
    expect(problem).toContain(`${field}: `)
    expect(problem).toMatch(may)
    expect(problem.split('\n')).toHaveLength(1)
  })

  it.each<[string, unknown, string[]]>([
    ['the configuration', { hots: 'race', port: 1 }, ['hots, port', 'host', 'approvals', 'surfaces', 'rejoinMs', 'presence', 'quiet']],
    ['quiet', { quiet: { ...QUIET, until: '07:00' } }, ['until', 'days', 'from', 'to', 'timeZone', 'surfaces']],
    ['a mode of a surface', { surfaces: { tv: { home: { delay: 5 } } } }, ['delay', 'delayMs', 'remindMax', 'surfaces.tv.home']],
    ['a surface', { surfaces: { tv: { delay: 5 } } }, ['delay', 'delayMs', 'timeoutMs', 'surfaces.tv']],
  ])('an unknown key of %s, and the message names those there are', (_, value, words) => {
    for (const word of words) expect(problemOf(value)).toContain(word)
  })

  it.each([null, 'race', [], 7])('%j is no configuration', value => {
    expect(problemOf(value)).not.toBe('')
  })

  it('nothing is silently ignored: what is accepted comes out as it went in', () => {
    const policy = fc.record({ delayMs: fc.nat(), timeoutMs: fc.nat(), other: fc.nat() }, { requiredKeys: [] })
    const config = fc.record({
      host: fc.constantFrom('race', 'first', 'fallback', 'other'),
      approvals: fc.constantFrom('race', 'off', 'other'),
      surfaces: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), policy, { noNullPrototype: true }),
      rejoinMs: fc.nat(),
      other: fc.anything(),
    }, { requiredKeys: [] })
    fc.assert(fc.property(config, value => {
      const { success, data } = Config.safeParse(value)
      const expected = success ? { host: 'race', approvals: 'race', surfaces: {}, rejoinMs: 1000, presence: 'home', ...value } : undefined
      expect(data).toEqual(expected)
    }))
  })
})

describe('in cordis', () => {
  // That a wrong value stops the load: test/host/config.spec.ts.
  it('no configuration is all defaults', async () => {
    const fiber = await new Context().plugin(plugin)
    expect(fiber.config).toEqual({ host: 'race', approvals: 'race', surfaces: {}, rejoinMs: 1000, presence: 'home' })
  })
})
