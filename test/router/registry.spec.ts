// Registering (ROUTING rule 19), and to whom a registration belongs (DESIGN: the registry follows its callers).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { AskSurfaceRegistry } from '../../src/router/registry.ts'
import { boot, dispatch, load, logged, register } from '../helpers/cordis.ts'
import { FakeHost, FakeSurface, question } from '../helpers/surface.ts'
import { flush, macrotask, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const good = { name: 'a', claim: () => false, ask: () => new Promise<never>(() => {}) }

async function registryOf() {
  const { ctx, logs, fiber } = await boot()
  return { ctx, logs, fiber, registry: ctx.get('askSurfaces')! }
}

describe('what is refused', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /name/],
    ['null', null, /name/],
    ['a string', 'surface', /name/],
    ['no name', { ...good, name: undefined }, /name/],
    ['a name that is no string', { ...good, name: 7 }, /name/],
    ['an empty name', { ...good, name: '' }, /name/],
    ['a blank name', { ...good, name: '  ' }, /name/],
    ['the name host', { ...good, name: 'host' }, /host/],
    ['no claim', { ...good, claim: undefined }, /claim/],
    ['a claim that is no function', { ...good, claim: true }, /claim/],
    ['no ask', { ...good, ask: undefined }, /ask/],
    ['an ask that is no function', { ...good, ask: {} }, /ask/],
    ['a settled that is no function', { ...good, settled: 'yes' }, /settled/],
  ])('19: %s, with a TypeError that names the reason', async (_, surface, reason) => {
    const { registry } = await registryOf()
    expect(() => registry.register(surface as AskSurface)).toThrow(TypeError)
    expect(() => registry.register(surface as AskSurface)).toThrow(reason)
    expect(registry.list()).toEqual([])
  })

  it('19: a surface that is registered already, and the first registration stays', async () => {
    const { registry } = await registryOf()
    const a = new FakeSurface('a')
    const dispose = registry.register(a)
    expect(() => registry.register(a)).toThrow(TypeError)
    expect(() => registry.register(a)).toThrow(/registered already/)
    expect(registry.list()).toEqual([a])
    dispose()
    expect(() => registry.register(a)).not.toThrow()
  })

  it('19: nobody is offered a question by a refused one', async () => {
    const { ctx, registry } = await registryOf()
    const a = new FakeSurface('a')
    registry.register(a)
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect(() => registry.register(a)).toThrow(TypeError)
    expect(a.asked).toBe(1)
  })
})

describe('what is accepted', () => {
  it('19: two surfaces of one name, which is logged once, however many they are', async () => {
    const { registry, logs } = await registryOf()
    const three = ['tv', 'tv', 'tv'].map(name => new FakeSurface(name))
    registry.register(three[0]!)
    expect(logged(logs, 'warn')).toBe('')
    registry.register(three[1]!)
    registry.register(three[2]!)
    expect(registry.list()).toEqual(three)
    const lines = logged(logs, 'warn', 'error', 'info').split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"tv"')
  })

  it('19: a surface with its methods on its prototype', async () => {
    const { ctx, registry } = await registryOf()
    class Phone implements AskSurface {
      readonly name = 'phone'
      asked = 0
      claim(): boolean {
        return this.asked >= 0
      }
      ask(): Promise<never> {
        this.asked++
        return new Promise(() => {})
      }
    }
    const phone = new Phone()
    registry.register(phone)
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect(phone.asked).toBe(1)
  })

  it('19: the plain protocol, frozen, with nothing but its three members', async () => {
    const { ctx, registry } = await registryOf()
    const plain = Object.freeze({ name: 'plain', claim: () => true, ask: () => Promise.resolve({ answers: [{ id: 'db', selected: ['Postgres'] }] }) })
    registry.register(plain)
    expect(await dispatch(ctx, question())).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
  })
})

describe('the registry', () => {
  it('lists surfaces in the order of registration, as a copy', async () => {
    const { registry } = await registryOf()
    const [a, b, c] = [new FakeSurface('a'), new FakeSurface('b'), new FakeSurface('c')]
    const [disposeA] = [b, a, c].map(one => registry.register(one))
    const before = registry.list()
    disposeA!()
    expect(registry.list()).toEqual([a, c])
    expect(before).toEqual([b, a, c])
  })

  it('a disposer takes out its own registration, once', async () => {
    const { registry } = await registryOf()
    const a = new FakeSurface('a')
    const first = registry.register(a)
    expect(first()).toBeUndefined()
    expect(first()).toBeUndefined()
    expect(registry.list()).toEqual([])
    registry.register(a)
    first()
    expect(registry.list()).toEqual([a])
  })

  it('works on its own, outside cordis', () => {
    const registry = new AskSurfaceRegistry()
    const a = new FakeSurface('a')
    const dispose = registry.register(a)
    expect(registry.list()).toEqual([a])
    expect(registry.pending()).toEqual([])
    const b = new FakeSurface('b')
    registry.register(b)
    dispose()
    dispose()
    expect(registry.list()).toEqual([b])
    expect(() => registry.register({ ...good, name: '' })).toThrow(TypeError)
  })

  it('shows nothing of the router to those who look at it', async () => {
    const { registry } = await registryOf()
    expect(Object.keys(registry).filter(key => key !== 'ctx')).toEqual([])
  })
})

describe('a registration belongs to the plugin that made it', () => {
  it('goes with it, though its author forgot the disposer', async () => {
    const { ctx, registry } = await registryOf()
    const a = new FakeSurface('a')
    const owner = await load(ctx, a)
    expect(registry.list()).toEqual([a])
    expect(owner.getEffects().map(({ label }) => label)).toEqual(['askSurfaces.register(a)'])
    await owner.dispose()
    expect(registry.list()).toEqual([])
    expect(owner.getEffects()).toEqual([])
  })

  it('also with ctx.get instead of inject', async () => {
    const { ctx, registry } = await registryOf()
    const a = new FakeSurface('a')
    const owner = await ctx.plugin({ name: 'asks once', apply: (inner: Context) => void inner.get('askSurfaces')!.register(a) })
    expect(registry.list()).toEqual([a])
    await owner.dispose()
    expect(registry.list()).toEqual([])
  })

  it('not to the router, nor to another plugin', async () => {
    const { ctx, fiber, registry } = await registryOf()
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const one = await load(ctx, a)
    await load(ctx, b)
    expect(fiber.getEffects().flatMap(({ label }) => label).join()).not.toContain('register')
    await one.dispose()
    expect(registry.list()).toEqual([b])
  })

  it('its disposer and the plugin\'s unload together are one removal', async () => {
    const { ctx, registry } = await registryOf()
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
    const { ctx } = await registryOf()
    const a = new FakeSurface('a')
    let listed = 0
    await load(ctx, a, inner => {
      listed = inner.askSurfaces.list().length
    })
    expect(listed).toBe(1)
  })

  it('registering while the plugin unloads throws and is undone: nobody is asked', async () => {
    const { ctx, registry } = await registryOf()
    const [a, late, b] = [new FakeSurface('a'), new FakeSurface('late'), new FakeSurface('b')]
    registry.register(b)
    const errors: unknown[] = []
    const owner = await load(ctx, a, inner => {
      const { askSurfaces } = inner
      inner.effect(() => () => {
        try {
          askSurfaces.register(late)
        } catch (error) {
          errors.push(error)
        }
      })
    })
    watch(dispatch(ctx, question(), new FakeHost().next))
    await owner.dispose()
    await macrotask()
    expect(errors).toHaveLength(1)
    expect((errors[0] as Error).message).toMatch(/inactive/)
    expect(registry.list()).toEqual([b])
    expect([late.asked, late.claim.mock.calls.length]).toEqual([0, 0])
    expect(registry.pending()[0]!.participants.map(({ name }) => name)).toEqual(['b', 'a', 'host'])
  })

  it('so does registering after it is gone', async () => {
    const { ctx, registry } = await registryOf()
    let kept: Context['askSurfaces'] | undefined
    const owner = await load(ctx, new FakeSurface('a'), inner => {
      kept = inner.askSurfaces
    })
    await owner.dispose()
    const late = new FakeSurface('late')
    expect(() => kept!.register(late)).toThrow(/inactive/)
    expect(registry.list()).toEqual([])
  })

  it('a plugin that fails to load after registering leaves nothing', async () => {
    const { ctx, registry } = await registryOf()
    const a = new FakeSurface('a')
    await expect(load(ctx, a, () => {
      throw new Error('no')
    })).rejects.toThrow('no')
    await flush()
    expect(registry.list()).toEqual([])
  })

  it('comes and goes with the router in a nested inject, and the questions of the new one reach it', async () => {
    const { ctx, fiber } = await registryOf()
    const a = new FakeSurface('a')
    await ctx.plugin({
      name: 'survivor',
      apply(inner: Context) {
        inner.inject(['askSurfaces'], one => void one.askSurfaces.register(a))
      },
    })
    await flush()
    expect(ctx.get('askSurfaces')!.list()).toEqual([a])
    await fiber.restart()
    await flush()
    expect(ctx.get('askSurfaces')!.list()).toEqual([a])
    watch(dispatch(ctx, question(), new FakeHost().next))
    expect(a.asked).toBe(1)
    await fiber.dispose()
    expect(ctx.get('askSurfaces')).toBeUndefined()
  })

  it('registered from the root, it stays until its disposer is called', async () => {
    const { ctx, registry } = await registryOf()
    const a = new FakeSurface('a')
    const [dispose] = register(ctx, a)
    expect(registry.list()).toEqual([a])
    dispose!()
    expect(registry.list()).toEqual([])
  })
})
