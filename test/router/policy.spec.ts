// Delays and time-outs by surface name (ROUTING rule 12).
import { describe, expect, it, vi } from 'vitest'
import { boot, dispatch, logged, register } from '../helpers/cordis.ts'
import { codeOf, FakeHost, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

type Policies = Record<string, { delayMs?: number, timeoutMs?: number }>

async function start(policies: Policies, host: 'race' | 'fallback' = 'race', names = Object.keys(policies), claims = '') {
  const { ctx, logs } = await boot({ host, surfaces: policies })
  const surfaces = names.map(name => new FakeSurface(name, claims.includes(name)))
  const disposers = register(ctx, ...surfaces)
  const behind = new FakeHost()
  const ask = watch(dispatch(ctx, question(), behind.next))
  const asked = () => surfaces.filter(one => one.asked > 0).map(one => one.name).join('')
  const [a, b, c] = surfaces
  return { ctx, logs, ask, asked, host: behind, disposers, surfaces, a: a!, b: b!, c: c! }
}

describe('delayMs', () => {
  it('12: asks the surface only after that time', async () => {
    const { asked } = await start({ a: {}, b: { delayMs: 100 }, c: { delayMs: 250 } })
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
    const { b, a } = await start({ a: {}, b: { delayMs: 100 } })
    await pass(50)
    a.fail()
    await pass(5000)
    expect(b.asked).toBe(1)
  })

  it('12: of 0 is none', async () => {
    expect((await start({ a: { delayMs: 0 } })).asked()).toBe('a')
  })

  it('12: is over when the ask is', async () => {
    const { a, b } = await start({ a: {}, b: { delayMs: 100 } })
    await pass(50)
    a.answer()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('12: goes by the surface\'s name, for all that have it, and by no other', async () => {
    const { ctx } = await boot({ surfaces: { tv: { delayMs: 100 } } })
    const surfaces = ['tv', 'tv', 'phone'].map(name => new FakeSurface(name))
    register(ctx, ...surfaces)
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect(surfaces.map(one => one.asked)).toEqual([0, 0, 1])
    await pass(100)
    expect(surfaces.map(one => one.asked)).toEqual([1, 1, 1])
  })

  it.each(['constructor', '__proto__', 'toString'])('12: a surface called %s has no policy it was not given', async name => {
    const { ctx } = await boot()
    const a = new FakeSurface(name)
    register(ctx, a)
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect(a.asked).toBe(1)
    await pass(100_000)
    expect(stopCode(a.context.signal)).toBeUndefined()
  })

  it('12: counts for a surface that comes late from the opening of the ask', async () => {
    const { ctx } = await start({ a: {}, b: { delayMs: 100 } }, 'race', ['a'])
    await pass(60)
    const b = new FakeSurface('b')
    register(ctx, b)
    await pass(39)
    expect(b.asked).toBe(0)
    await pass(1)
    expect(b.asked).toBe(1)
  })

  it('12: asks one that comes after that time at once', async () => {
    const { ctx } = await start({ a: {}, b: { delayMs: 100 } }, 'race', ['a'])
    await pass(100)
    const b = new FakeSurface('b')
    register(ctx, b)
    expect(b.asked).toBe(1)
  })

  it('12: is not made longer by a clock that is set back', async () => {
    const { ctx } = await start({ a: {}, b: { delayMs: 100 } }, 'race', ['a'])
    vi.setSystemTime(Date.now() - 3_600_000)
    const b = new FakeSurface('b')
    register(ctx, b)
    await pass(100)
    expect(b.asked).toBe(1)
  })

  it('12: holds for claimers, and for others who are invited after them', async () => {
    const { a, asked } = await start({ a: {}, b: { delayMs: 100 }, c: {} }, 'race', ['a', 'b', 'c'], 'a')
    await pass(40)
    a.fail()
    await flush()
    expect(asked()).toBe('ac')
    await pass(60)
    expect(asked()).toBe('abc')
  })
})

describe('earlier, when there is nobody else', () => {
  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['kept blank', (a: FakeSurface) => a.answer({ answers: [] })],
    ['left', (_: FakeSurface, dispose: () => void) => dispose()],
  ])('12: everybody asked has %s: the shortest delay is asked at once, and only that', async (_, end) => {
    const { a, asked, disposers } = await start({ a: {}, b: { delayMs: 300 }, c: { delayMs: 200 } }, 'fallback')
    end(a, disposers[0]!)
    await macrotask()
    expect(asked()).toBe('ac')
    await pass(299)
    expect(asked()).toBe('ac')
    await pass(1)
    expect(asked()).toBe('abc')
  })

  it('12: everybody asked has timed out', async () => {
    const { asked } = await start({ a: { timeoutMs: 50 }, b: { delayMs: 300 } }, 'fallback')
    await pass(50)
    expect(asked()).toBe('ab')
  })

  it('12: one of two is still there: nobody is asked earlier', async () => {
    const { a, asked } = await start({ a: {}, b: {}, c: { delayMs: 300 } }, 'fallback')
    a.fail()
    await pass(299)
    expect(asked()).toBe('ab')
  })

  it('12: nobody to ask before it: the shortest is asked at once', async () => {
    const { asked } = await start({ a: { delayMs: 300 }, b: { delayMs: 200 } }, 'fallback')
    expect(asked()).toBe('b')
    await pass(300)
    expect(asked()).toBe('ab')
  })

  it('12: all that share the shortest delay are asked', async () => {
    const { asked } = await start({ a: { delayMs: 200 }, b: { delayMs: 300 }, c: { delayMs: 200 } }, 'fallback')
    expect(asked()).toBe('ac')
  })

  it('12: and the next shortest when that one is out, too, all before a fallback host', async () => {
    const { a, b, c, asked, host } = await start({ a: { delayMs: 300 }, b: { delayMs: 200 }, c: { delayMs: 400 } }, 'fallback')
    b.fail()
    await flush()
    expect(asked()).toBe('ab')
    a.fail()
    await flush()
    expect([asked(), host.asked]).toEqual(['abc', 0])
    c.fail()
    await flush()
    expect(host.asked).toBe(1)
  })

  it('12: one that ends the ask keeps the others with its delay from being asked', async () => {
    const { ctx } = await boot({ host: 'fallback', surfaces: { a: { delayMs: 5 }, b: { delayMs: 5 } } })
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const controller = new AbortController()
    register(ctx, a, b)
    a.ask.mockImplementation(() => {
      controller.abort()
      return new Promise(() => {})
    })
    const ask = watch(dispatch(ctx, question({ signal: controller.signal }), new FakeHost().next))
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect(b.asked).toBe(0)
  })

  it('12: one that takes another out keeps it from being asked', async () => {
    const { ctx } = await boot({ host: 'fallback', surfaces: { a: { delayMs: 5 }, b: { delayMs: 5 } } })
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const [, disposeB] = register(ctx, a, b)
    a.ask.mockImplementation(() => {
      disposeB!()
      return new Promise(() => {})
    })
    watch(dispatch(ctx, question(), new FakeHost().next))
    await pass(100)
    expect(b.asked).toBe(0)
  })

  it('12: the host in the race counts as somebody, before and after it is asked', async () => {
    const { a, asked, host } = await start({ a: {}, b: { delayMs: 300 } })
    a.fail()
    await flush()
    expect(asked()).toBe('a')
    await pass(299)
    expect([asked(), host.asked]).toEqual(['a', 1])
  })

  it('12: also when there is no other surface', async () => {
    const { asked, host } = await start({ a: { delayMs: 300 } })
    await pass(299)
    expect([asked(), host.asked]).toEqual(['', 1])
    await pass(1)
    expect(asked()).toBe('a')
  })

  it.each([
    ['says that nobody is there', (host: FakeHost) => host.isEmpty()],
    ['fails', (host: FakeHost) => host.fail()],
    ['answers nothing', (host: FakeHost) => host.answer({ answers: [] })],
  ])('12: a host that %s counts no more', async (_, end) => {
    const { asked, host } = await start({ a: { delayMs: 300 } })
    await macrotask()
    end(host)
    await flush()
    expect(asked()).toBe('a')
  })

  it('12 and 14: one that joins an ask that has nobody else is asked at once', async () => {
    const { ctx, host, disposers, a } = await start({ a: {}, b: { delayMs: 500 } }, 'race', ['a'])
    await macrotask()
    host.isEmpty()
    disposers[0]!()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    const b = new FakeSurface('b')
    register(ctx, b)
    expect(b.asked).toBe(1)
  })
})

describe('timeoutMs', () => {
  it('12: takes the surface out that long after it was asked', async () => {
    const { a, ask, host, logs } = await start({ a: { timeoutMs: 100 } })
    await macrotask()
    host.isEmpty()
    await pass(99)
    expect([ask.state, stopCode(a.context.signal)]).toEqual(['open', undefined])
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_TIMEOUT')
    expect(stopCode(a.context.signal)).toBe('SURFACE_TIMEOUT')
    expect((a.context.signal.reason as Error).message).toContain('100')
    expect(logged(logs, 'error')).toBe('')
  })

  it('12: counts from being asked, not from the opening', async () => {
    const { b } = await start({ a: {}, b: { delayMs: 100, timeoutMs: 50 } })
    await pass(149)
    expect(stopCode(b.context.signal)).toBeUndefined()
    await pass(1)
    expect(stopCode(b.context.signal)).toBe('SURFACE_TIMEOUT')
  })

  it('12: counts from being asked earlier, too', async () => {
    const { a, b } = await start({ a: {}, b: { delayMs: 100, timeoutMs: 50 } }, 'fallback')
    await pass(20)
    a.fail()
    await pass(49)
    expect(stopCode(b.context.signal)).toBeUndefined()
    await pass(1)
    expect(stopCode(b.context.signal)).toBe('SURFACE_TIMEOUT')
  })

  it('12: does not abort the signal of the request, the others go on', async () => {
    const { a, b, ask } = await start({ a: { timeoutMs: 100 }, b: {} })
    await pass(100)
    expect(a.request.signal!.aborted).toBe(false)
    b.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('12: of a surface that has answered or failed is nothing any more', async () => {
    const { a, b, ask } = await start({ a: { timeoutMs: 100 }, b: {} })
    a.fail()
    await pass(100)
    expect(stopCode(a.context.signal)).toBeUndefined()
    b.answer()
    await flush()
    expect(stopCode(a.context.signal)).toBe('ASK_SETTLED')
    expect(ask.state).toBe('resolved')
  })

  it('12: is nothing for a blank answer that is kept', async () => {
    const { a, b, ask } = await start({ a: { timeoutMs: 100 }, b: {} }, 'fallback')
    a.answer({ answers: [] })
    await pass(100)
    b.fail()
    await flush()
    expect(a.context.signal.aborted).toBe(false)
    expect(ask.state).toBe('open')
  })

  it('12: there is none by default, nor for the host', async () => {
    const { ask } = await start({}, 'race', ['a'])
    await pass(2_147_483_647)
    expect(ask.state).toBe('open')
  })

  it('12: the longest that a timer can wait is waited for', async () => {
    const { asked, b } = await start({ a: {}, b: { delayMs: 2_147_483_647, timeoutMs: 2_147_483_647 } })
    await pass(2_147_483_646)
    expect(asked()).toBe('a')
    await pass(1)
    expect(asked()).toBe('ab')
    await pass(2_147_483_646)
    expect(stopCode(b.context.signal)).toBeUndefined()
    await pass(1)
    expect(stopCode(b.context.signal)).toBe('SURFACE_TIMEOUT')
  })
})
