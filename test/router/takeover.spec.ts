// A registration lives as long as the plugin that made it, whichever router has it (rule 19).
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import type { AskSurfaces } from '../../src/protocol/surface.ts'
import { answerer, boot, dispatch, load, logged } from '../helpers/cordis.ts'
import { FakeSurface, question } from '../helpers/surface.ts'
import { flush, macrotask, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

/** Another copy of the module, as an update of the package brings it. */
async function anotherCopy() {
  vi.resetModules()
  return await import('../../src/index.ts')
}

/** A plugin that looks for the registry once, and registers for life. */
async function plain(ctx: Context, surface: FakeSurface) {
  let kept: AskSurfaces | undefined
  const fiber = await ctx.plugin({
    name: `plain ${surface.name}`,
    apply(inner: Context) {
      kept = inner.get('askSurfaces')!
      surface.dispose = kept.register(surface)
    },
  })
  return { fiber, kept: kept! }
}

async function reload(ctx: Context, fiber: Context['fiber'], copy: 'the same copy' | 'another copy') {
  await fiber.dispose()
  return await ctx.plugin(copy === 'another copy' ? await anotherCopy() : await import('../../src/index.ts'))
}

describe.each(['the same copy', 'another copy'] as const)('a router that comes after another one, from %s of the module', copy => {
  it('has the surfaces of plain plugins, in their order: they are asked, and answer', async () => {
    const { ctx, fiber } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    await plain(ctx, a)
    await plain(ctx, b)
    await reload(ctx, fiber, copy)
    expect(ctx.get('askSurfaces')!.list()).toEqual([a, b])
    const ask = watch(dispatch(ctx, question()))
    await macrotask()
    expect([a.asked, b.asked]).toEqual([1, 1])
    b.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    expect(a.settled).toHaveBeenCalledOnce()
  })

  it('has none of a plugin that is on its way out', async () => {
    const { ctx, fiber } = await boot(), { promise, resolve } = Promise.withResolvers<void>()
    const going = await load(ctx, new FakeSurface('a'), inner => void inner.effect(() => () => promise, 'takes its time'))
    const slow = await ctx.plugin({
      name: 'slow',
      apply(inner: Context) {
        inner.get('askSurfaces')!.register(new FakeSurface('b'))
        inner.effect(() => () => promise, 'takes its time')
      },
    })
    const gone = [going.dispose(), slow.dispose()]
    await reload(ctx, fiber, copy)
    expect(ctx.get('askSurfaces')!.list()).toEqual([])
    resolve()
    await Promise.all(gone)
    expect(ctx.get('askSurfaces')!.list()).toEqual([])
  })

  it('has all but one that it must refuse, and says so', async () => {
    const { ctx, fiber, logs } = await boot()
    const renamed = new FakeSurface('a'), b = new FakeSurface('b')
    await plain(ctx, renamed)
    await plain(ctx, b)
    Object.assign(renamed, { name: 'host: a' })
    await reload(ctx, fiber, copy)
    expect(ctx.get('askSurfaces')!.list()).toEqual([b])
    expect(logged(logs, 'warn')).toContain('a surface was not taken over')
  })

  it('has none twice of plugins that come and go with the service', async () => {
    const { ctx, fiber } = await boot()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    await load(ctx, a)
    await plain(ctx, b)
    await reload(ctx, fiber, copy)
    await macrotask()
    expect(new Set(ctx.get('askSurfaces')!.list())).toEqual(new Set([a, b]))
    expect(ctx.get('askSurfaces')!.list()).toHaveLength(2)
  })

  it('loses a surface with its plugin, by its disposer, and when its plugin goes in between', async () => {
    const { ctx, fiber } = await boot()
    const [a, b, c] = [new FakeSurface('a'), new FakeSurface('b'), new FakeSurface('c')]
    const [{ fiber: ofA }, , { fiber: ofC }] = [await plain(ctx, a), await plain(ctx, b), await plain(ctx, c)]
    await fiber.dispose()
    await ofC.dispose()
    await ctx.plugin(copy === 'another copy' ? await anotherCopy() : await import('../../src/index.ts'))
    const surfaces = ctx.get('askSurfaces')!
    expect(surfaces.list()).toEqual([a, b])
    await ofA.dispose()
    expect(surfaces.list()).toEqual([b])
    b.dispose()
    b.dispose()
    expect(surfaces.list()).toEqual([])
  })

  it('is where a registry leads that somebody kept, with all of its methods', async () => {
    const { ctx, fiber } = await boot()
    const { kept, fiber: owner } = await plain(ctx, new FakeSurface('a'))
    answerer(ctx, () => new Promise(() => {}))
    await reload(ctx, fiber, copy)
    const living = ctx.get('askSurfaces')!
    const late = new FakeSurface('late')
    kept.register(late)
    expect(living.list()).toContain(late)
    const ask = watch(dispatch(ctx, question()))
    await macrotask()
    expect(kept.pending()).toEqual(living.pending())
    expect(kept.pending()).toHaveLength(1)
    kept.presence = 'away'
    kept.hush(Date.now() + 60_000)
    kept.reconsider()
    expect([living.presence, living.hushedUntil]).toEqual(['away', kept.hushedUntil])
    expect(kept.hushedUntil).toBeGreaterThan(Date.now())
    kept.hush(undefined)
    expect([kept.list(), kept.status(), kept.absent(), kept.hosts()]).toEqual([living.list(), living.status(), living.absent(), living.hosts()])
    expect(kept.hosts()).toEqual(['host'])
    late.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    // It still follows its caller.
    await owner.dispose()
    expect(living.list()).toEqual([])
  })

  it('takes a surface that its plugin registers again, as if it were new', async () => {
    const { ctx, fiber } = await boot()
    const a = new FakeSurface('a')
    const { kept } = await plain(ctx, a)
    await reload(ctx, fiber, copy)
    const dispose = kept.register(a)
    expect(kept.list()).toEqual([a])
    a.dispose()
    expect(kept.list()).toEqual([a])
    expect(() => kept.register(a)).toThrow(/registered already/)
    dispose()
    expect(kept.list()).toEqual([])
  })

  it('refuses what the one before took, says so, and has the others', async () => {
    const { ctx, fiber } = await boot()
    const logs: unknown[] = []
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    await plain(ctx, a)
    await plain(ctx, b)
    Object.assign(a, { name: '' })
    ctx.logger.exporter({ levels: { default: 3 }, export: message => void logs.push(message) })
    await reload(ctx, fiber, copy)
    expect(ctx.get('askSurfaces')!.list()).toEqual([b])
    expect(logged(logs as never, 'warn')).toContain('not taken over')
  })
})

describe('between two routers', () => {
  it('a registry that somebody kept takes surfaces for the next one, checks them, and shows nothing open', async () => {
    const { ctx, fiber } = await boot()
    const { kept } = await plain(ctx, new FakeSurface('a'))
    const ask = watch(dispatch(ctx, question()))
    await macrotask()
    await fiber.dispose()
    expect(ask.state).toBe('rejected')
    const b = new FakeSurface('b')
    kept.register(b)
    expect(() => kept.register({ name: '' } as never)).toThrow(TypeError)
    expect([kept.list().map(one => one.name), kept.pending()]).toEqual([['a', 'b'], []])
    expect(b.asked).toBe(0)
    await ctx.plugin(await import('../../src/index.ts'))
    expect(ctx.get('askSurfaces')!.list()).toEqual(kept.list())
  })
})

describe('another context', () => {
  it('takes over nothing: neither another app of the process, nor one where the service is isolated', async () => {
    const { ctx, fiber } = await boot()
    await plain(ctx, new FakeSurface('a'))
    const inner = ctx.isolate('askSurfaces')
    await inner.plugin(await import('../../src/index.ts'))
    expect(inner.get('askSurfaces')!.list()).toEqual([])
    await fiber.dispose()
    const { ctx: other } = await boot()
    expect(other.get('askSurfaces')!.list()).toEqual([])
  })
})
