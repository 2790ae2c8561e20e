// Delays and time-outs by surface name (rule 12).
import { describe, expect, it, vi } from 'vitest'
import type { SurfacePolicy } from '../../src/protocol/policy.ts'
import { openAsk, stateOf } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { cancelled, codeOf, FakeSurface, says, stopCode } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

/** An ask of surfaces that have these policies. */
function startWith<N extends string>(
  surfaces: Record<N, SurfacePolicy>, host: 'race' | 'fallback' = 'race', names = Object.keys(surfaces) as NoInfer<N>[], claims: NoInfer<N>[] = [],
) {
  return openAsk({ config: { host, surfaces }, names, claims })
}

describe('delayMs', () => {
  it('12: asks the surface only after that time', async () => {
    const { asked } = await startWith({ a: {}, b: { delayMs: 100 }, c: { delayMs: 250 } })
    expect(asked()).toBe('a')
    await pass(99)
    expect(asked()).toBe('a')
    await pass(1)
    expect(asked()).toBe('ab')
    await pass(149)
    expect(asked()).toBe('ab')
    await pass(1)
    expect(asked()).toBe('abc')
  })

  it('12: asks once', async () => {
    const { b, a } = await startWith({ a: {}, b: { delayMs: 100 } })
    await pass(50)
    a.fail()
    await pass(5000)
    expect(b.asked).toBe(1)
  })

  it('12: of 0 is none', async () => {
    expect((await startWith({ a: { delayMs: 0 } })).asked()).toBe('a')
  })

  it('12: is over when the ask is', async () => {
    const { a, b } = await startWith({ a: {}, b: { delayMs: 100 } })
    await pass(50)
    a.answer()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('12: goes by the surface\'s name, for all that have it, and by no other', async () => {
    const surfaces = ['tv', 'tv', 'phone'].map(name => new FakeSurface(name))
    await openAsk({ config: { surfaces: { tv: { delayMs: 100 } } }, surfaces })
    expect(surfaces.map(one => one.asked)).toEqual([0, 0, 1])
    await pass(100)
    expect(surfaces.map(one => one.asked)).toEqual([1, 1, 1])
  })

  it.each(['constructor', '__proto__', 'toString'])('12: a surface called %s has no policy it was not given', async name => {
    const a = new FakeSurface(name)
    await openAsk({ surfaces: [a] })
    expect(a.asked).toBe(1)
    await pass(100_000)
    expect(stopCode(a.context.signal)).toBeUndefined()
  })

  it('12: counts for a surface that comes late from the opening of the ask, and is over for one that comes after that', async () => {
    const { join } = await startWith({ a: {}, b: { delayMs: 100 } }, 'race', ['a'])
    await pass(60)
    const b = join('b')
    await pass(39)
    expect(b.asked).toBe(0)
    await pass(1)
    expect(b.asked).toBe(1)
    expect(join(new FakeSurface('b')).asked).toBe(1)
  })

  it('12: is not made longer by a clock that is set back', async () => {
    const { join } = await startWith({ a: {}, b: { delayMs: 100 } }, 'race', ['a'])
    vi.setSystemTime(Date.now() - 3_600_000)
    const b = join('b')
    await pass(100)
    expect(b.asked).toBe(1)
  })

  it('12: holds for claimers, and for others who are invited after them', async () => {
    const { a, asked } = await startWith({ a: {}, b: { delayMs: 100 }, c: {} }, 'race', ['a', 'b', 'c'], ['a'])
    await pass(40)
    await a.fail()
    expect(asked()).toBe('ac')
    await pass(60)
    expect(asked()).toBe('abc')
  })
})

describe('timeoutMs', () => {
  it('12: takes the surface out that long after it was asked, so that others are asked', async () => {
    const { a, b, host, registry, logs } = await startWith({ a: { timeoutMs: 100 }, b: { delayMs: 1000 } })
    await macrotask()
    host.isEmpty()
    await pass(99)
    expect([stateOf(registry, 'a'), b.asked]).toEqual(['asked', 0])
    await pass(1)
    expect([stateOf(registry, 'a'), b.asked]).toEqual(['timed-out', 1])
    expect(a.settled).not.toHaveBeenCalled()
    expect(logged(logs, 'error')).toBe('')
  })

  it('12: does not deafen it: the ask stays open for the only one that timed out, whose signal does not abort and whose answer counts', async () => {
    const { a, ask, host } = await startWith({ a: { timeoutMs: 100 } })
    await macrotask()
    host.isEmpty()
    await pass(1_000_000)
    expect([ask.state, stopCode(a.context.signal)]).toEqual(['open', undefined])
    await a.answer()
    expect([ask.state, ask.value]).toEqual(['resolved', says('Postgres')])
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('12: the ask stays open for whoever comes, too', async () => {
    const { a, ask, host, join } = await startWith({ a: { timeoutMs: 100 } })
    await macrotask()
    host.isEmpty()
    await pass(1_000_000)
    await join('late').answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'late', says('SQLite'))
    expect(stopCode(a.context.signal)).toBe('ASK_SETTLED')
  })

  it('12: a failure after it takes the surface out for good, and nothing that is no answer wins', async () => {
    const { a, b, ask, host } = await startWith({ a: { timeoutMs: 100 }, b: { timeoutMs: 100 } })
    await macrotask()
    host.isEmpty()
    await pass(100)
    await a.answer({ answers: 'Postgres' })
    expect(ask.state).toBe('open')
    await b.answer({ answers: [] })
    // Blank, and nobody is left who may say more.
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [] }] })
  })

  it('9 and 12: a person\'s no counts after it', async () => {
    const { a, ask } = await startWith({ a: { timeoutMs: 100 } })
    await pass(100)
    await a.fail(cancelled())
    expect(codeOf(ask.error)).toBe('ASK_CANCELLED')
  })

  it.each([
    ['when its delay was over', 'race', 100], ['earlier, when all others were out', 'fallback', 20],
  ] as const)('12: counts from being asked %s', async (_, host, askedAt) => {
    const { a, registry } = await startWith({ a: {}, b: { delayMs: 100, timeoutMs: 50 } }, host)
    await pass(20)
    a.fail()
    await pass(askedAt - 20 + 49)
    expect(stateOf(registry, 'b')).toBe('asked')
    await pass(1)
    expect(stateOf(registry, 'b')).toBe('timed-out')
  })

  it('12: does not abort the signal of the request, the others go on', async () => {
    const { a, b, ask } = await startWith({ a: { timeoutMs: 100 }, b: {} })
    await pass(100)
    expect(a.request.signal!.aborted).toBe(false)
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('12: of a surface that has answered or failed is nothing any more', async () => {
    const { a, b, ask } = await startWith({ a: { timeoutMs: 100 }, b: {} })
    a.fail()
    await pass(100)
    expect(stopCode(a.context.signal)).toBeUndefined()
    await b.answer()
    expect(stopCode(a.context.signal)).toBe('ASK_SETTLED')
    expect(ask.state).toBe('resolved')
  })

  it('12: is nothing for a blank answer that is kept', async () => {
    const { a, b, ask } = await startWith({ a: { timeoutMs: 100 }, b: {} }, 'fallback')
    a.answer({ answers: [] })
    await pass(100)
    await b.fail()
    expect(a.context.signal.aborted).toBe(false)
    expect(ask.state).toBe('open')
  })

  it('12: there is none by default, nor for the host', async () => {
    const { ask } = await startWith({ a: {} })
    await pass(2_147_483_647)
    expect(ask.state).toBe('open')
  })

  it('12: the longest that a timer can wait is waited for', async () => {
    const { asked, registry } = await startWith({ a: {}, b: { delayMs: 2_147_483_647, timeoutMs: 2_147_483_647 } })
    await pass(2_147_483_646)
    expect(asked()).toBe('a')
    await pass(1)
    expect(asked()).toBe('ab')
    await pass(2_147_483_646)
    expect(stateOf(registry, 'b')).toBe('asked')
    await pass(1)
    expect(stateOf(registry, 'b')).toBe('timed-out')
  })
})
