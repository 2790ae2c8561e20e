// When every claimer is out, the other surfaces are invited (rule 2).
import { describe, expect, it } from 'vitest'
import { openAsk, setUp } from '../helpers/ask.ts'
import { cancelled, FakeSurface, hang, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('when every claimer is out', () => {
  it('2: the others are invited then', async () => {
    const { a, b, c, ask } = await openAsk({ names: ['a', 'b', 'c'], claims: ['a', 'c'] })
    await a.fail()
    expect(b.asked).toBe(0)
    await c.fail()
    expect([a.asked, b.asked, c.asked]).toEqual([1, 1, 1])
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('2: the others are invited in registration order and asked for no second claim', async () => {
    const order: string[] = []
    const { a, b, c, open } = await setUp({ names: ['a', 'b', 'c'], claims: ['b'] })
    for (const one of [a, c]) one.ask.mockImplementation(() => (order.push(one.name), hang()))
    open()
    await b.fail()
    expect(order).toEqual(['a', 'c'])
    expect(a.claim).toHaveBeenCalledTimes(1)
  })

  it('2 and 10: the others come before a fallback host', async () => {
    const { host, a, b } = await openAsk({ config: { host: 'fallback' }, claims: ['a'] })
    a.fail()
    await macrotask()
    expect([b.asked, host.asked]).toEqual([1, 0])
    b.fail()
    await macrotask()
    expect(host.asked).toBe(1)
  })

  it('2 and 10: where there are no others, the fallback host is next', async () => {
    const { host, a, ask } = await openAsk({ config: { host: 'fallback' }, names: ['a'], claims: ['a'] })
    await a.fail()
    expect([ask.state, host.asked]).toEqual(['open', 1])
  })

  it('2 and 12: where all others have a delay, the shortest is asked at once', async () => {
    const { a, b, c } = await openAsk({
      config: { host: 'fallback', surfaces: { b: { delayMs: 900 }, c: { delayMs: 800 } } }, names: ['a', 'b', 'c'], claims: ['a'],
    })
    await a.fail()
    expect([b.asked, c.asked]).toEqual([0, 1])
  })

  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['kept blank', (a: FakeSurface) => a.answer({ answers: [] })],
    ['timed out', () => {}],
  ])('2: %s counts as out', async (_, leave) => {
    const { a, b } = await openAsk({ config: { surfaces: { a: { timeoutMs: 50 } } }, claims: ['a'] })
    await pass(49)
    expect(b.asked).toBe(0)
    leave(a)
    await pass(1)
    expect(b.asked).toBe(1)
  })

  it('2: a claimer that left counts as out; one that waits for its delay does not', async () => {
    const { b, c, a } = await openAsk({ config: { surfaces: { b: { delayMs: 100 } } }, names: ['a', 'b', 'c'], claims: ['a', 'b'] })
    await a.leave()
    expect([b.asked, c.asked]).toEqual([0, 0])
    await b.leave()
    expect(c.asked).toBe(1)
  })

  it('2: nobody who went meanwhile is invited', async () => {
    const { a, b } = await openAsk({ claims: ['a'] })
    b.dispose()
    await a.fail()
    expect(b.asked).toBe(0)
  })

  it('2: nobody is invited any more once one of them has ended the ask, or taken another out', async () => {
    const { controller, a, b, c, d, open } = await setUp({ names: ['a', 'b', 'c', 'd'], claims: ['a'] })
    b.whenAsked(() => {
      c.dispose()
      controller.abort()
    })
    open()
    await a.fail()
    expect([b.asked, c.asked, d.asked]).toEqual([1, 0, 0])
  })

  it('2 and 11: nor is the fallback host asked then', async () => {
    const { host, controller, a, b, open } = await setUp({ config: { host: 'fallback' }, claims: ['a'] })
    b.whenAsked(() => controller.abort())
    open()
    a.fail()
    await macrotask()
    expect([b.asked, host.asked]).toEqual([1, 0])
  })

  it('2 and 9: a claimer that cancels is no claimer that is out: it ends the ask', async () => {
    const { a, b, ask } = await openAsk({ claims: ['a'] })
    await a.fail(cancelled())
    expect(ask.state).toBe('rejected')
    expect(b.asked).toBe(0)
  })
})
