// Before its time a surface is asked only when there is nobody else (rule 12).
import { describe, expect, it } from 'vitest'
import type { SurfacePolicy } from '../../src/protocol/policy.ts'
import { openAsk, setUp } from '../helpers/ask.ts'
import { codeOf, FakeHost, FakeSurface, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

/** An ask of surfaces that have these policies. */
function startWith<N extends string>(surfaces: Record<N, SurfacePolicy>, host: 'race' | 'fallback' = 'race', names = Object.keys(surfaces) as NoInfer<N>[]) {
  return openAsk({ config: { host, surfaces }, names })
}

describe('earlier, when there is nobody else', () => {
  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['kept blank', (a: FakeSurface) => a.answer({ answers: [] })],
    ['left', (a: FakeSurface) => a.dispose()],
  ])('12: everybody asked has %s: the shortest delay is asked at once, and only that', async (_, end) => {
    const { a, asked } = await startWith({ a: {}, b: { delayMs: 300 }, c: { delayMs: 200 } }, 'fallback')
    end(a)
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
    await b.fail()
    expect(asked()).toBe('ab')
    await a.fail()
    expect([asked(), host.asked]).toEqual(['abc', 0])
    await c.fail()
    expect(host.asked).toBe(1)
  })

  it('12: one that ends the ask keeps the others with its delay from being asked', async () => {
    const { controller, a, b, open } = await setUp({ config: { host: 'fallback', surfaces: { a: { delayMs: 5 }, b: { delayMs: 5 } } } })
    a.whenAsked(() => controller.abort())
    const ask = open()
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect(b.asked).toBe(0)
  })

  it('12: one that takes another out keeps it from being asked', async () => {
    const { a, b, open } = await setUp({ config: { host: 'fallback', surfaces: { a: { delayMs: 5 }, b: { delayMs: 5 } } } })
    a.whenAsked(() => b.dispose())
    open()
    await pass(100)
    expect(b.asked).toBe(0)
  })

  it('12: the host in the race counts as somebody, before and after it is asked', async () => {
    const { a, asked, host } = await startWith({ a: {}, b: { delayMs: 300 } })
    await a.fail()
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
    const { join, host, a } = await startWith({ a: {}, b: { delayMs: 500 } }, 'race', ['a'])
    await macrotask()
    host.isEmpty()
    await a.leave()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    const b = join('b')
    expect(b.asked).toBe(1)
  })
})
