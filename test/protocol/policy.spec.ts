// What a policy may be, and what holds of the surface's own one and the configured one together.
import { describe, expect, it } from 'vitest'
import { type SurfacePolicy, surfacePolicySchema, timingIn } from '../../src/protocol/policy.ts'
import { surfaceProblem } from '../../src/protocol/surface.ts'

const ntfy: SurfacePolicy = { home: { delayMs: 60_000 }, away: { delayMs: 0 } }
const both = (own?: SurfacePolicy, configured?: SurfacePolicy) => [timingIn('home', own, configured), timingIn('away', own, configured)]

describe('what holds', () => {
  it('is nothing where nobody says anything', () => {
    expect(both()).toEqual([{}, {}])
    expect(both({}, {})).toEqual([{}, {}])
  })

  it('is the surface’s own policy where the configuration says nothing', () => {
    expect(both(ntfy)).toEqual([{ delayMs: 60_000 }, { delayMs: 0 }])
    expect(both({ home: false })).toEqual([false, {}])
  })

  it('is the short form in both modes', () => {
    expect(both(undefined, { delayMs: 5 })).toEqual([{ delayMs: 5 }, { delayMs: 5 }])
    expect(both({ delayMs: 5 })).toEqual([{ delayMs: 5 }, { delayMs: 5 }])
  })

  it('is what a mode says of itself, beside what is said of both', () => {
    expect(both(undefined, { remindMs: 9, home: { delayMs: 5 }, away: { remindMs: 7 } })).toEqual([{ remindMs: 9, delayMs: 5 }, { remindMs: 7 }])
    expect(both(undefined, { remindMs: 9, home: false })).toEqual([false, { remindMs: 9 }])
  })

  it('is the configured value before the surface’s own, value by value', () => {
    expect(both(ntfy, { delayMs: 0 })).toEqual([{ delayMs: 0 }, { delayMs: 0 }])
    expect(both(ntfy, { remindMs: 9 })).toEqual([{ delayMs: 60_000, remindMs: 9 }, { delayMs: 0, remindMs: 9 }])
    expect(both(ntfy, { home: { delayMs: 1 } })).toEqual([{ delayMs: 1 }, { delayMs: 0 }])
    expect(both(ntfy, { home: false })).toEqual([false, { delayMs: 0 }])
  })

  it('is not changed by a value that is undefined, as code may pass it on: that says nothing', () => {
    expect(both({ delayMs: 60_000 }, { delayMs: undefined })).toStrictEqual([{ delayMs: 60_000 }, { delayMs: 60_000 }])
    expect(both(ntfy, { home: { delayMs: undefined, remindMs: 9 } })).toStrictEqual([{ delayMs: 60_000, remindMs: 9 }, { delayMs: 0 }])
    expect(both({ delayMs: 5, home: { delayMs: undefined } })).toStrictEqual([{ delayMs: 5 }, { delayMs: 5 }])
    expect(both({ home: false, away: { timeoutMs: 5 } }, { delayMs: undefined, home: undefined })).toStrictEqual([false, { timeoutMs: 5 }])
  })

  it('allows a mode again that the surface itself forbids, when the configuration says how it is asked there', () => {
    expect(both({ home: false }, { home: {} })).toEqual([{}, {}])
    expect(both({ home: false }, { delayMs: 5 })).toEqual([{ delayMs: 5 }, { delayMs: 5 }])
    expect(both({ home: false }, { away: { delayMs: 5 } })).toEqual([false, { delayMs: 5 }])
  })
})

describe('what a policy may be', () => {
  it.each<[string, unknown]>([
    ['nothing', {}],
    ['the short form', { delayMs: 0, timeoutMs: 1, remindMs: 1, remindMax: 0 }],
    ['not asked in a mode', { home: false, away: { delayMs: 5 } }],
    ['values for both beside those of one', { remindMs: 5, away: { delayMs: 5 } }],
  ])('%s', (_, policy) => {
    expect(surfacePolicySchema.parse(policy)).toEqual(policy)
  })

  it.each<[unknown, string, RegExp]>([
    [{ delay: 1 }, '', /unknown key delay; it may be delayMs, timeoutMs, remindMs, remindMax, home, away/],
    [{ home: { delay: 1 } }, 'home', /unknown key delay; it may be delayMs, timeoutMs, remindMs, remindMax$/],
    [{ home: true }, 'home', /must be false, or values such as \{ delayMs: 60000 \}/],
    [{ away: 'never' }, 'away', /must be false, or values/],
    [{ away: { delayMs: -1 } }, 'away.delayMs', /milliseconds from 0 to 2147483647/],
    [{ remindMs: 0 }, 'remindMs', /milliseconds from 1 to/],
    [{ remindMax: 1.5 }, 'remindMax', /whole number from 0/],
    [false, '', /object/],
  ])('%j is none', (policy, path, problem) => {
    const [issue] = surfacePolicySchema.safeParse(policy).error!.issues
    expect(issue!.path.join('.')).toBe(path)
    expect(issue!.message).toMatch(problem)
  })
})

describe('a surface that says more of itself than a plain one', () => {
  const surface = { name: 'a', claim: () => true, ask: () => Promise.reject(new Error('no')) }

  it('is proper with any of it', () => {
    expect(surfaceProblem({ ...surface, defaultPolicy: ntfy, watched: () => true, remind: () => {}, silent: true })).toBeUndefined()
  })

  it.each<[object, string]>([
    [{ watched: true }, 'watched must be a function'],
    [{ remind: 5 }, 'remind must be a function'],
    [{ settled: null }, 'settled must be a function'],
  ])('%j is refused', (more, problem) => {
    expect(surfaceProblem({ ...surface, ...more })).toBe(problem)
  })

  it('is refused with a policy that is none, naming the field', () => {
    expect(surfaceProblem({ ...surface, defaultPolicy: { home: { delayMs: '5' } } })).toMatch(/^defaultPolicy\.home\.delayMs: .*number/)
    expect(surfaceProblem({ ...surface, defaultPolicy: null })).toMatch(/^defaultPolicy: .*object/)
  })
})
