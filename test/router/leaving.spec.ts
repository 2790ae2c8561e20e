// A surface goes while its ask is open, by its disposer or with its plugin, and somebody may join (ROUTING rule 13).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { boot, dispatch, load, register } from '../helpers/cordis.ts'
import { cancelled, codeOf, FakeHost, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

async function start(config?: unknown, ...names: string[]) {
  const { ctx } = await boot(config)
  const surfaces = names.map(name => new FakeSurface(name))
  const disposers = register(ctx, ...surfaces)
  const host = new FakeHost()
  const ask = watch(dispatch(ctx, question(), host.next))
  await macrotask()
  const [a, b] = surfaces
  return { ctx, host, ask, disposers, a: a!, b: b! }
}

/** An ask of one surface that belongs to a plugin, with nobody else there. */
async function startPlugin(apply?: (inner: Context) => void, config: unknown = { host: 'fallback' }) {
  const { ctx } = await boot(config)
  const a = new FakeSurface('a')
  const owner = await load(ctx, a, apply)
  const host = new FakeHost()
  const ask = watch(dispatch(ctx, question(), host.next))
  await macrotask()
  return { ctx, a, owner, ask, host }
}

describe('a plugin that lives on takes its surface out', () => {
  it('13: it is out on the next macrotask, not before', async () => {
    const { a, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await flush()
    expect(stopCode(a.context.signal)).toBeUndefined()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(a.request.signal!.aborted).toBe(false)
  })

  it('13: an answer that was given just before counts', async () => {
    const { ask, a, b, disposers } = await start(undefined, 'a', 'b')
    a.answer(says('SQLite'))
    disposers[0]!()
    await macrotask()
    expect(ask.value).toEqual(says('SQLite'))
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', says('SQLite'))
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('13: so does a person\'s no', async () => {
    const { ask, a, disposers } = await start(undefined, 'a', 'b')
    const no = cancelled()
    a.fail(no)
    disposers[0]!()
    await macrotask()
    expect(ask.error).toBe(no)
  })

  it('13: an answer that comes later does not', async () => {
    const { ask, a, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await macrotask()
    a.answer()
    await flush()
    expect(ask.state).toBe('open')
  })

  it('13: one that was not asked yet is never asked', async () => {
    const { b, disposers } = await start({ surfaces: { b: { delayMs: 100 } } }, 'a', 'b')
    disposers[1]!()
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('13: one that was about to be asked in the same sweep is not', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const [, disposeB] = register(ctx, a, b)
    a.ask.mockImplementation(() => {
      disposeB!()
      return new Promise(() => {})
    })
    const ask = watch(dispatch(ctx, question(), new FakeHost().next))
    await pass(1000)
    expect([b.asked, ask.state]).toEqual([0, 'open'])
  })

  it('13: one that goes while it is being asked is out', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const [disposeA] = register(ctx, a, b)
    a.ask.mockImplementation(() => {
      disposeA!()
      return new Promise(() => {})
    })
    watch(dispatch(ctx, question(), new FakeHost().next))
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    expect(b.asked).toBe(1)
  })

  it('13: the others go on, and a later question is not shown there', async () => {
    const { ctx, ask, a, b, disposers } = await start(undefined, 'a', 'b')
    disposers[0]!()
    await macrotask()
    b.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect([a.asked, b.asked]).toEqual([1, 2])
  })

  it('13: a surface leaves every open ask', async () => {
    const { ctx, a, disposers } = await start(undefined, 'a', 'b')
    const first = a.context.signal
    watch(dispatch(ctx, question(), new FakeHost().next))
    disposers[0]!()
    await macrotask()
    expect([stopCode(first), stopCode(a.context.signal)]).toEqual(['SURFACE_GONE', 'SURFACE_GONE'])
  })

  it('13: an ask it was not invited to does not care', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    const [, disposeB] = register(ctx, a, b)
    const ask = watch(dispatch(ctx, question(), new FakeHost().next))
    disposeB!()
    await pass(5000)
    expect(ask.state).toBe('open')
    a.answer()
    await flush()
    expect(ask.state).toBe('resolved')
  })

  it('13: one that had timed out keeps that reason', async () => {
    const { a, disposers } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a', 'b')
    await pass(10)
    disposers[0]!()
    await macrotask()
    expect(stopCode(a.context.signal)).toBe('SURFACE_TIMEOUT')
  })
})

describe('a plugin is unloaded', () => {
  it('13: its surface is out at once', async () => {
    const { a, owner } = await startPlugin()
    void owner.dispose()
    await flush()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
  })

  it('13: what it says from then on is teardown, whether its effect ran before the registration went', async () => {
    for (const say of [(a: FakeSurface) => a.answer(), (a: FakeSurface) => a.fail(cancelled()), (a: FakeSurface) => a.fail()]) {
      const { a, owner, ask } = await startPlugin(inner => {
        inner.effect(() => () => say(a))
      })
      void owner.dispose()
      await macrotask()
      expect(ask.state).toBe('open')
      expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
    }
  })

  it('13: or speaks in the very tick', async () => {
    const { a, owner, ask } = await startPlugin()
    void owner.dispose()
    a.answer()
    await macrotask()
    expect(ask.state).toBe('open')
  })

  it('13: or has spoken just before its plugin began to go', async () => {
    const { a, owner, ask } = await startPlugin()
    a.answer()
    void owner.dispose()
    await macrotask()
    expect(ask.state).toBe('open')
  })

  it('13: what it had said a moment earlier counts', async () => {
    const { a, owner, ask } = await startPlugin()
    a.answer()
    await flush()
    void owner.dispose()
    await macrotask()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('13: a plugin around it, however far, counts as its own', async () => {
    const { ctx } = await boot()
    const a = new FakeSurface('a')
    const middle = {
      name: 'middle',
      apply(inner: Context) {
        inner.inject(['askSurfaces'], one => void one.askSurfaces.register(a))
      },
    }
    const outer = await ctx.plugin({
      name: 'outer',
      apply(inner: Context) {
        // The first thing that the unload does, before it reaches the plugins within.
        inner.effect(() => () => a.answer())
        void inner.plugin(middle)
      },
    })
    await flush()
    const ask = watch(dispatch(ctx, question(), () => new Promise(() => {})))
    expect(a.asked).toBe(1)
    void outer.dispose()
    await macrotask()
    expect(ask.state).toBe('open')
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
  })

  it('13: it is not asked any more, neither by a new question nor when its time comes', async () => {
    const { ctx } = await boot({ host: 'fallback', surfaces: { b: { delayMs: 100 } } })
    const failed = Promise.withResolvers<never>()
    // No mock: what it says must be heard before the unload goes on.
    register(ctx, { name: 'a', claim: () => false, ask: () => failed.promise })
    const b = new FakeSurface('b')
    const owner = await load(ctx, b)
    watch(dispatch(ctx, question(), new FakeHost().next))
    failed.reject(new Error('a is broken'))
    void owner.dispose()
    // The unload has begun, and the registration is still there.
    expect(ctx.get('askSurfaces')!.list()).toContain(b)
    watch(dispatch(ctx, question(), new FakeHost().next))
    await pass(1000)
    expect(b.asked).toBe(0)
  })

  it('2 and 13: its claim counts for nothing then', async () => {
    const { ctx } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b', true)]
    register(ctx, a)
    const owner = await load(ctx, b)
    void owner.dispose()
    watch(dispatch(ctx, question(), new FakeHost().next))
    await flush()
    expect([a.asked, b.asked]).toEqual([1, 0])
  })

  it('13: a restart of its plugin, or the loss of a service it needs, is an unload', async () => {
    for (const go of ['restart', 'loss'] as const) {
      const { ctx } = await boot({ host: 'fallback' })
      const provider = await ctx.plugin({ name: 'provider', apply: (inner: Context) => void inner.provide('line', 1) })
      const a = new FakeSurface('a')
      const owner = await ctx.plugin({
        name: 'owner',
        inject: ['askSurfaces', 'line'],
        apply: (inner: Context) => void inner.askSurfaces.register(a),
      })
      const ask = watch(dispatch(ctx, question(), new FakeHost().next))
      void (go === 'restart' ? owner.restart() : provider.dispose())
      a.answer()
      const { signal } = a.context
      await macrotask()
      expect(ask.state).toBe('open')
      expect(stopCode(signal)).toBe('SURFACE_GONE')
    }
  })

  it('13: with no listener left for what it says later', async () => {
    const { a, owner } = await startPlugin()
    const unhandled = await unhandledRejections(async () => {
      await owner.dispose()
      a.fail()
    })
    expect(unhandled).toEqual([])
  })

  it('13: a restart of the plugin brings its surface back to the open question', async () => {
    const { a, owner, ask } = await startPlugin()
    void owner.restart()
    await macrotask()
    expect(a.asked).toBe(2)
    a.answer()
    await flush()
    expect(ask.value).toEqual(says('Postgres'))
  })
})

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
