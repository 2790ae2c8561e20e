// To whom a registration belongs (the registry follows its callers).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { setUp } from '../helpers/ask.ts'
import { load } from '../helpers/cordis.ts'
import { errorOf, FakeSurface } from '../helpers/surface.ts'
import { flush, macrotask, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('a registration belongs to the plugin that made it', () => {
  it('goes with it, though its author forgot the disposer', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    const owner = await load(ctx, a)
    expect(registry.list()).toEqual([a])
    expect(owner.getEffects().map(({ label }) => label)).toEqual(['askSurfaces.register(a)'])
    await owner.dispose()
    expect(registry.list()).toEqual([])
    expect(owner.getEffects()).toEqual([])
  })

  it('also with ctx.get instead of inject', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    const owner = await ctx.plugin({ name: 'asks once', apply: (inner: Context) => void inner.get('askSurfaces')!.register(a) })
    expect(registry.list()).toEqual([a])
    await owner.dispose()
    expect(registry.list()).toEqual([])
  })

  it('not to the router, nor to another plugin', async () => {
    const { ctx, fiber, registry } = await setUp({ names: [] })
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const one = await load(ctx, a)
    await load(ctx, b)
    expect(fiber.getEffects().flatMap(({ label }) => label).join()).not.toContain('register')
    await one.dispose()
    expect(registry.list()).toEqual([b])
  })

  it('its disposer and the plugin\'s unload together are one removal', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    let dispose = () => {}
    const owner = await ctx.plugin({
      name: 'owner', inject: ['askSurfaces'], apply: (inner: Context) => { dispose = inner.askSurfaces.register(a) },
    })
    dispose()
    expect(owner.getEffects()).toEqual([])
    await owner.dispose()
    dispose()
    expect(registry.list()).toEqual([])
  })

  it('is there from the moment register returns', async () => {
    const { ctx } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    let listed = 0
    await load(ctx, a, inner => { listed = inner.askSurfaces.list().length })
    expect(listed).toBe(1)
  })

  it('registering while the plugin unloads throws and is undone: nobody is asked', async () => {
    const { ctx, registry, open, b } = await setUp({ names: ['b'] })
    const [a, late] = [new FakeSurface('a'), new FakeSurface('late')]
    const errors: unknown[] = []
    const owner = await load(ctx, a, inner => {
      const { askSurfaces } = inner
      inner.effect(() => () => void errors.push(errorOf(() => askSurfaces.register(late))))
    })
    open()
    await owner.dispose()
    await macrotask()
    expect(errors).toHaveLength(1)
    expect((errors[0] as Error).message).toMatch(/inactive/)
    expect(registry.list()).toEqual([b])
    expect([late.asked, late.claim.mock.calls.length]).toEqual([0, 0])
    expect(registry.pending()[0]!.participants.map(({ name }) => name)).toEqual(['b', 'a', 'host'])
  })

  it('so does registering after it is gone', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    let kept: Context['askSurfaces'] | undefined
    const owner = await load(ctx, new FakeSurface('a'), inner => { kept = inner.askSurfaces })
    await owner.dispose()
    const late = new FakeSurface('late')
    expect(() => kept!.register(late)).toThrow(/inactive/)
    expect(registry.list()).toEqual([])
  })

  it('a plugin that fails to load after registering leaves nothing', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    await expect(load(ctx, a, () => { throw new Error('no') })).rejects.toThrow('no')
    await flush()
    expect(registry.list()).toEqual([])
  })

  it('comes and goes with the router in a nested inject, and the questions of the new one reach it', async () => {
    const { ctx, fiber, open } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    await ctx.plugin({
      name: 'survivor',
      apply: (inner: Context) => void inner.inject(['askSurfaces'], one => void one.askSurfaces.register(a)),
    })
    await flush()
    expect(ctx.get('askSurfaces')!.list()).toEqual([a])
    await fiber.restart()
    await flush()
    expect(ctx.get('askSurfaces')!.list()).toEqual([a])
    open()
    expect(a.asked).toBe(1)
    await fiber.dispose()
    expect(ctx.get('askSurfaces')).toBeUndefined()
  })

  it('registered from the root, it stays until its disposer is called', async () => {
    const { registry, a } = await setUp({ names: ['a'] })
    expect(registry.list()).toEqual([a])
    a.dispose()
    expect(registry.list()).toEqual([])
  })
})
