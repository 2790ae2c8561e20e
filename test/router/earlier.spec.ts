// Before its time a surface is asked only when there is nobody else (ROUTING rule 12).
import { describe, expect, it } from 'vitest'
import { openAsk } from '../helpers/ask.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { codeOf, FakeHost, FakeSurface, question, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

type Policies = Record<string, { delayMs?: number, timeoutMs?: number }>

/** An ask of surfaces that have these policies. */
function startWith(surfaces: Policies, host: 'race' | 'fallback' = 'race', names = Object.keys(surfaces)) {
  return openAsk({ config: { host, surfaces }, names })
}

describe('earlier, when there is nobody else', () => {
  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['kept blank', (a: FakeSurface) => a.answer({ answers: [] })],
    ['left', (_: FakeSurface, dispose: () => void) => dispose()],
  ])('12: everybody asked has %s: the shortest delay is asked at once, and only that', async (_, end) => {
    const { a, asked, disposers } = await startWith({ a: {}, b: { delayMs: 300 }, c: { delayMs: 200 } }, 'fallback')
    end(a, disposers[0]!)
    await macrotask()
    expect(asked()).toBe('ac')
    await pass(299)
    expect(asked()).toBe('ac')
    await pass(1)
    expect(asked()).toBe('abc')
  })

  it('12: everybody asked has timed out', async () => {
    const { asked } = await startWith({ a: { timeoutMs: 50 }, b: { delayMs: 300 } }, 'fallback')
    await pass(50)
    expect(asked()).toBe('ab')
  })

  it('12: one of two is still there: nobody is asked earlier', async () => {
    const { a, asked } = await startWith({ a: {}, b: {}, c: { delayMs: 300 } }, 'fallback')
    a.fail()
    await pass(299)
    expect(asked()).toBe('ab')
  })

  it('12: nobody to ask before it: the shortest is asked at once', async () => {
    const { asked } = await startWith({ a: { delayMs: 300 }, b: { delayMs: 200 } }, 'fallback')
    expect(asked()).toBe('b')
    await pass(300)
    expect(asked()).toBe('ab')
  })

  it('12: all that share the shortest delay are asked', async () => {
    const { asked } = await startWith({ a: { delayMs: 200 }, b: { delayMs: 300 }, c: { delayMs: 200 } }, 'fallback')
    expect(asked()).toBe('ac')
  })

  it('12: and the next shortest when that one is out, too, all before a fallback host', async () => {
    const { a, b, c, asked, host } = await startWith({ a: { delayMs: 300 }, b: { delayMs: 200 }, c: { delayMs: 400 } }, 'fallback')
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
    const { a, asked, host } = await startWith({ a: {}, b: { delayMs: 300 } })
    a.fail()
    await flush()
    expect(asked()).toBe('a')
    await pass(299)
    expect([asked(), host.asked]).toEqual(['a', 1])
  })

  it('12: also when there is no other surface', async () => {
    const { asked, host } = await startWith({ a: { delayMs: 300 } })
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
    const { asked, host } = await startWith({ a: { delayMs: 300 } })
    await macrotask()
    end(host)
    await flush()
    expect(asked()).toBe('a')
  })

  it('12 and 14: one that joins an ask that has nobody else is asked at once', async () => {
    const { ctx, host, disposers, a } = await startWith({ a: {}, b: { delayMs: 500 } }, 'race', ['a'])
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
