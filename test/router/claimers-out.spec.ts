// When every claimer is out, the other surfaces are invited (ROUTING rule 2).
import { describe, expect, it } from 'vitest'
import { boot, dispatch, dispatchAndForget, register } from '../helpers/cordis.ts'
import { cancelled, FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const hang = () => new Promise<never>(() => {})

async function setUp(...surfaces: FakeSurface[]) {
  const { ctx, logs } = await boot()
  register(ctx, ...surfaces)
  return { ctx, logs, registry: ctx.get('askSurfaces')! }
}

describe('when every claimer is out', () => {
  it('2: the others are invited then', async () => {
    const [a, b, c] = [new FakeSurface('a', true), new FakeSurface('b'), new FakeSurface('c', true)]
    const { ctx } = await setUp(a, b, c)
    const ask = watch(dispatch(ctx, question(), hang))
    a.fail()
    await flush()
    expect(b.asked).toBe(0)
    c.fail()
    await flush()
    expect([a.asked, b.asked, c.asked]).toEqual([1, 1, 1])
    b.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('2: the others are invited in registration order and asked for no second claim', async () => {
    const order: string[] = []
    const [a, b, c] = [new FakeSurface('a'), new FakeSurface('b', true), new FakeSurface('c')]
    for (const one of [a, c]) one.ask.mockImplementation(() => (order.push(one.name), hang()))
    const { ctx } = await setUp(a, b, c)
    dispatchAndForget(ctx, question(), hang)
    b.fail()
    await flush()
    expect(order).toEqual(['a', 'c'])
    expect(a.claim).toHaveBeenCalledTimes(1)
  })

  it('2 and 10: the others come before a fallback host', async () => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const host = new FakeHost()
    const { ctx } = await boot({ host: 'fallback' })
    register(ctx, a, b)
    dispatchAndForget(ctx, question(), host.next)
    a.fail()
    await macrotask()
    expect([b.asked, host.asked]).toEqual([1, 0])
    b.fail()
    await macrotask()
    expect(host.asked).toBe(1)
  })

  it('2 and 10: where there are no others, the fallback host is next', async () => {
    const a = new FakeSurface('a', true)
    const host = new FakeHost()
    const { ctx } = await boot({ host: 'fallback' })
    register(ctx, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    a.fail()
    await flush()
    expect([ask.state, host.asked]).toEqual(['open', 1])
  })

  it('2 and 12: where all others have a delay, the shortest is asked at once', async () => {
    const [a, b, c] = [new FakeSurface('a', true), new FakeSurface('b'), new FakeSurface('c')]
    const { ctx } = await boot({ host: 'fallback', surfaces: { b: { delayMs: 900 }, c: { delayMs: 800 } } })
    register(ctx, a, b, c)
    watch(dispatch(ctx, question(), new FakeHost().next))
    a.fail()
    await flush()
    expect([b.asked, c.asked]).toEqual([0, 1])
  })

  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['kept blank', (a: FakeSurface) => a.answer({ answers: [] })],
    ['timed out', () => {}],
  ])('2: %s counts as out', async (_, leave) => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const { ctx } = await boot({ surfaces: { a: { timeoutMs: 50 } } })
    register(ctx, a, b)
    dispatchAndForget(ctx, question(), hang)
    await pass(49)
    expect(b.asked).toBe(0)
    leave(a)
    await pass(1)
    expect(b.asked).toBe(1)
  })

  it('2: a claimer that left counts as out; one that waits for its delay does not', async () => {
    const [a, b, c] = [new FakeSurface('a', true), new FakeSurface('b', true), new FakeSurface('c')]
    const { ctx } = await boot({ surfaces: { b: { delayMs: 100 } } })
    const [disposeA, disposeB] = register(ctx, a, b, c)
    dispatchAndForget(ctx, question(), hang)
    disposeA!()
    await macrotask()
    expect([b.asked, c.asked]).toEqual([0, 0])
    disposeB!()
    await macrotask()
    expect(c.asked).toBe(1)
  })

  it('2: nobody who went meanwhile is invited', async () => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const { ctx } = await boot()
    const [, disposeB] = register(ctx, a, b)
    dispatchAndForget(ctx, question(), hang)
    disposeB!()
    a.fail()
    await flush()
    expect(b.asked).toBe(0)
  })

  it('2: nobody is invited any more once one of them has ended the ask, or taken another out', async () => {
    const [a, b, c, d] = [new FakeSurface('a', true), new FakeSurface('b'), new FakeSurface('c'), new FakeSurface('d')]
    const controller = new AbortController()
    const { ctx } = await boot()
    const [, , disposeC] = register(ctx, a, b, c, d)
    b.ask.mockImplementation(() => {
      disposeC!()
      controller.abort()
      return hang()
    })
    dispatchAndForget(ctx, question({ signal: controller.signal }), hang)
    a.fail()
    await flush()
    expect([b.asked, c.asked, d.asked]).toEqual([1, 0, 0])
  })

  it('2 and 11: nor is the fallback host asked then', async () => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const host = new FakeHost()
    const controller = new AbortController()
    const { ctx } = await boot({ host: 'fallback' })
    register(ctx, a, b)
    b.ask.mockImplementation(() => {
      controller.abort()
      return hang()
    })
    watch(dispatch(ctx, question({ signal: controller.signal }), host.next))
    a.fail()
    await macrotask()
    expect([b.asked, host.asked]).toEqual([1, 0])
  })

  it('2 and 9: a claimer that cancels is no claimer that is out: it ends the ask', async () => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const { ctx } = await setUp(a, b)
    const ask = watch(dispatch(ctx, question(), hang))
    a.fail(cancelled())
    await flush()
    expect(ask.state).toBe('rejected')
    expect(b.asked).toBe(0)
  })
})
