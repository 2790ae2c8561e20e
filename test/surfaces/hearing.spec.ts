// From when on a panel listens.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { Hearing } from '../../src/surfaces/terminal/hearing.ts'
import type { Key } from '../../src/surfaces/terminal/keys.ts'

const x: Key = { name: 'text', text: 'x' }, enter: Key = { name: 'enter' }

/** A panel that appeared at 0. */
function appeared(replaces: boolean): Hearing {
  const hearing = new Hearing(replaces)
  hearing.appear(0)
  return hearing
}

it('hears nothing before it can be seen', () => {
  expect(new Hearing(false).isMeant(x, 1e9)).toBe(false)
})

it('of a new panel hears from 300 ms on, whatever was typed before', () => {
  const hearing = appeared(false)
  expect([0, 150, 299, 300].map(now => hearing.isMeant(x, now))).toEqual([false, false, false, true])
})

it('of one that takes the place of another hears after a pause of a second', () => {
  const hearing = appeared(true)
  expect([500, 1499, 2499].map(now => hearing.isMeant(x, now))).toEqual([false, false, true])
})

it('hears whoever types on without a pause after three seconds, and nobody is deaf for longer', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 60 }), fc.boolean(), (times, replaces) => {
    const hearing = appeared(replaces)
    for (const now of times.toSorted((a, b) => a - b)) hearing.isMeant(x, now)
    expect(hearing.isMeant(x, 3000)).toBe(true)
  }))
})

it.each([false, true])('takes no Enter that is held down, however long, but hears other keys; it replaces another: %s', (replaces) => {
  const hearing = appeared(replaces)
  for (let now = 0; now < 60_000; now += 33) expect(hearing.isMeant(enter, now)).toBe(false)
  expect(hearing.isMeant(x, 60_001)).toBe(true)
  expect(hearing.isMeant(enter, 60_400)).toBe(true)
})
