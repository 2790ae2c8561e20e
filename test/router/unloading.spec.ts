// A surface goes with its plugin while its ask is open (rule 13).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { setUp } from '../helpers/ask.ts'
import { boot, dispatch, load, register } from '../helpers/cordis.ts'
import { cancelled, FakeHost, FakeSurface, hang, question, says, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

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
        inner.effect(() => () => void say(a))
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
    await a.answer()
    void owner.dispose()
    await macrotask()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('13: a plugin around it, however far, counts as its own', async () => {
    const { ctx } = await boot()
    const answer = Promise.withResolvers<never>()
    const signals: AbortSignal[] = []
    // No mock: what it says must be heard before the unload gets down to it.
    const a: AskSurface = { name: 'a', claim: () => false, ask: (_, { signal }) => (signals.push(signal), answer.promise) }
    // Three plugins within one another; the unload works its way down.
    const within = (apply: (inner: Context) => void) => (inner: Context) => void inner.plugin({ name: 'within', apply })
    const deep = within(within(inner => {
      inner.inject(['askSurfaces'], one => void one.askSurfaces.register(a))
    }))
    const outer = await ctx.plugin({
      name: 'outer',
      apply(inner: Context) {
        inner.effect(() => () => answer.resolve(says('Postgres') as never))
        deep(inner)
      },
    })
    await flush()
    await flush()
    const ask = watch(dispatch(ctx, question(), hang))
    expect(signals).toHaveLength(1)
    void outer.dispose()
    await macrotask()
    expect(ask.state).toBe('open')
    expect(stopCode(signals[0]!)).toBe('SURFACE_GONE')
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
    const { ctx, a, open } = await setUp({ names: ['a'] })
    const b = new FakeSurface('b', true)
    const owner = await load(ctx, b)
    void owner.dispose()
    open()
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
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })
})
