// The last participant left, and somebody may join (ROUTING rule 13).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { start } from '../helpers/ask.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { codeOf, FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('when the last participant left', () => {
  it('13: the ask waits rejoinMs for somebody, 1,000 by default, and fails then', async () => {
    const { ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    await flush()
    disposers[0]!()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
    expect((ask.error as Error).message).toContain('"a"')
  })

  it.each([1, 50])('13: as long as the configuration says: %i', async rejoinMs => {
    const { ask, host, disposers } = await start({ rejoinMs }, 'a')
    host.isEmpty()
    await flush()
    disposers[0]!()
    await macrotask()
    await pass(rejoinMs - 1)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: of 0, not at all', async () => {
    const { ask, host, disposers } = await start({ rejoinMs: 0 }, 'a')
    host.isEmpty()
    disposers[0]!()
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: one that joins is asked and can answer', async () => {
    const { ctx, ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    disposers[0]!()
    await pass(999)
    const late = new FakeSurface('late')
    register(ctx, late)
    expect(late.asked).toBe(1)
    await pass(10_000)
    expect(ask.state).toBe('open')
    late.answer()
    await flush()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('13: when that one fails there is nothing more to wait for', async () => {
    const { ctx, ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    disposers[0]!()
    await macrotask()
    const late = new FakeSurface('late')
    register(ctx, late)
    late.fail()
    await flush()
    expect(ask.state).toBe('rejected')
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
    expect(((ask.error as Error).cause as AggregateError).errors).toHaveLength(2)
  })

  it('13: when that one leaves, the time begins anew', async () => {
    const { ctx, ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    disposers[0]!()
    await pass(900)
    const [dispose] = register(ctx, new FakeSurface('late'))
    await pass(500)
    dispose!()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: one that joins where somebody had claimed needs no claim, since all claimers are out', async () => {
    const { ctx } = await boot()
    const a = new FakeSurface('a', true)
    const host = new FakeHost()
    const [dispose] = register(ctx, a)
    watch(dispatch(ctx, question(), host.next))
    await macrotask()
    host.isEmpty()
    dispose!()
    await macrotask()
    const late = new FakeSurface('late')
    register(ctx, late)
    expect(late.asked).toBe(1)
  })

  it('13: failed rather than left, there is no waiting', async () => {
    const { ask, a, b, host, disposers } = await start(undefined, 'a', 'b')
    host.isEmpty()
    disposers[0]!()
    await macrotask()
    b.fail()
    await flush()
    expect(ask.state).toBe('rejected')
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('13: nor when one that had failed leaves afterwards and another fails', async () => {
    const { ask, a, b, host, disposers } = await start(undefined, 'a', 'b')
    host.isEmpty()
    a.fail()
    await flush()
    disposers[0]!()
    await macrotask()
    b.fail()
    await flush()
    expect(ask.state).toBe('rejected')
  })

  it('13: one that had failed and leaves does not cut the waiting short', async () => {
    const { ask, a, host, disposers } = await start(undefined, 'a', 'b')
    host.isEmpty()
    a.fail()
    await flush()
    disposers[1]!()
    await pass(500)
    disposers[0]!()
    await pass(499)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: nor when the one that had failed leaves before the host says that nobody is there', async () => {
    const { ask, a, host, disposers } = await start(undefined, 'a')
    a.fail()
    await flush()
    disposers[0]!()
    host.isEmpty()
    await flush()
    expect(ask.state).toBe('rejected')
  })

  it('13: one that comes and goes in its own claim does not make it longer', async () => {
    const { ctx, ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    disposers[0]!()
    await pass(500)
    const late = new FakeSurface('late')
    await ctx.plugin({
      name: 'late',
      inject: ['askSurfaces'],
      apply(inner: Context) {
        late.claim.mockImplementation(() => (void inner.fiber.dispose(), true))
        inner.askSurfaces.register(late)
      },
    })
    await pass(499)
    expect([ask.state, late.asked]).toEqual(['open', 0])
    await pass(1)
    expect(ask.state).toBe('rejected')
  })

  it('13: nor is anything of the waiting left when another joins then', async () => {
    const { ctx, ask, host, disposers } = await start(undefined, 'a')
    host.isEmpty()
    disposers[0]!()
    await pass(500)
    const [late, other] = [new FakeSurface('late'), new FakeSurface('other')]
    await ctx.plugin({
      name: 'late',
      inject: ['askSurfaces'],
      apply(inner: Context) {
        late.claim.mockImplementation(() => (void inner.fiber.dispose(), true))
        inner.askSurfaces.register(late)
      },
    })
    await pass(100)
    register(ctx, other)
    await pass(10_000)
    expect([ask.state, other.asked]).toEqual(['open', 1])
  })

  it('13: a fallback host is asked before any waiting, and its NO_PROVIDER is nobody', async () => {
    const { ask, host, disposers } = await start({ host: 'fallback' }, 'a')
    disposers[0]!()
    await macrotask()
    expect(host.asked).toBe(1)
    host.isEmpty()
    await pass(999)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_GONE')
  })

  it('13: a host that fails after the last surface left ends it', async () => {
    const { ask, host, disposers } = await start(undefined, 'a')
    disposers[0]!()
    await macrotask()
    host.fail()
    await flush()
    expect(ask.state).toBe('rejected')
  })

  it('13: while the host still holds the question nothing is waited for', async () => {
    const { ask, host, disposers } = await start(undefined, 'a')
    disposers[0]!()
    await pass(5000)
    expect(ask.state).toBe('open')
    host.answer()
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('13: one that left without ever having been asked is no failure to report', async () => {
    const { ask, host, disposers } = await start({ surfaces: { a: { delayMs: 5000 } } }, 'a')
    disposers[0]!()
    host.isEmpty()
    await pass(1000)
    expect(codeOf(ask.error)).toBe('NO_PROVIDER')
  })
})
