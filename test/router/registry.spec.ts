// Registering (rule 19).
import { describe, expect, it, vi } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { AskSurfaceRegistry } from '../../src/router/registry.ts'
import { openAsk, setUp } from '../helpers/ask.ts'
import { dispatch, logged } from '../helpers/cordis.ts'
import { FakeSurface, hang, question } from '../helpers/surface.ts'
import { useFakeTime } from '../helpers/time.ts'

useFakeTime()

const good = { name: 'a', claim: () => false, ask: hang }

describe('what is refused', () => {
  it.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /name must be/],
    ['null', null, /name must be/],
    ['a string', 'surface', /name must be/],
    ['no name', { ...good, name: undefined }, /name must be/],
    ['a name that is no string', { ...good, name: 7 }, /name must be/],
    ['an empty name', { ...good, name: '' }, /name must be/],
    ['a blank name', { ...good, name: '  ' }, /name must be/],
    ['the name host', { ...good, name: 'host' }, /name must not be "host" or begin with "host:"/],
    ['a name of a UI of the host', { ...good, name: 'host: web' }, /name must not be "host" or begin with "host:"/],
    ['no claim', { ...good, claim: undefined }, /claim must be/],
    ['a claim that is no function, of a personal surface too', { ...good, claim: true, personal: true }, /claim must be/],
    ['a claim that is no function', { ...good, claim: true }, /claim must be/],
    ['no ask', { ...good, ask: undefined }, /ask must be/],
    ['an ask that is no function', { ...good, ask: {} }, /ask must be/],
    ['a settled that is no function', { ...good, settled: 'yes' }, /settled must be/],
  ])('19: %s, with a TypeError that names the reason', async (_, surface, reason) => {
    const { registry } = await setUp({ names: [] })
    expect(() => registry.register(surface as AskSurface)).toThrow(TypeError)
    expect(() => registry.register(surface as AskSurface)).toThrow(reason)
    expect(registry.list()).toEqual([])
  })

  it('19: a surface that is registered already, and the first registration stays', async () => {
    const { registry } = await setUp({ names: [] })
    const a = new FakeSurface('a')
    const dispose = registry.register(a)
    expect(() => registry.register(a)).toThrow(TypeError)
    expect(() => registry.register(a)).toThrow(/registered already/)
    expect(registry.list()).toEqual([a])
    dispose()
    expect(() => registry.register(a)).not.toThrow()
  })

  it('19: nobody is offered a question by a refused one', async () => {
    const { registry, a } = await openAsk({ names: ['a'] })
    expect(() => registry.register(a)).toThrow(TypeError)
    expect(a.asked).toBe(1)
  })
})

describe('what is accepted', () => {
  it('19: two surfaces of one name, which is logged once, however many they are', async () => {
    const { registry, logs } = await setUp({ names: [] })
    const all = ['tv', 'radio', 'tv', 'tv'].map(name => new FakeSurface(name))
    for (const one of all.slice(0, 2)) registry.register(one)
    expect(logged(logs, 'warn')).toBe('')
    registry.register(all[2]!)
    expect(logged(logs, 'warn')).toContain('"tv"')
    registry.register(all[3]!)
    expect(registry.list()).toEqual(all)
    const lines = logged(logs, 'warn', 'error', 'info').split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('"tv"')
  })

  it('19: which is logged once, too, however often one comes and goes, as it does when a plugin is edited', async () => {
    const { registry, logs } = await setUp({ names: [] })
    registry.register(new FakeSurface('twin'))
    for (let i = 0; i < 3; i++) registry.register(new FakeSurface('twin'))()
    expect(logged(logs, 'warn').match(/twin/g)).toHaveLength(1)
  })

  it('19: a personal surface without a claim, for which nobody asks it', async () => {
    const { open, registry } = await setUp({ names: ['a'], claims: ['a'] })
    const ask = vi.fn<AskSurface['ask']>(hang)
    registry.register({ name: 'phone', personal: true, ask })
    open()
    expect(ask).toHaveBeenCalledTimes(1)
  })

  it('19: a surface with its methods on its prototype', async () => {
    const { open, registry } = await setUp({ names: [] })
    class Phone implements AskSurface {
      readonly name = 'phone'
      asked = 0
      claim(): boolean {
        return this.asked >= 0
      }
      ask(): Promise<never> {
        this.asked++
        return hang()
      }
    }
    const phone = new Phone()
    registry.register(phone)
    open()
    expect(phone.asked).toBe(1)
  })

  it('19: the plain protocol, frozen, with nothing but its three members', async () => {
    const { ctx, registry } = await setUp({ names: [] })
    const plain = Object.freeze({ name: 'plain', claim: () => true, ask: () => Promise.resolve({ answers: [{ id: 'db', selected: ['Postgres'] }] }) })
    registry.register(plain)
    expect(await dispatch(ctx, question())).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
  })
})

describe('the registry', () => {
  it('lists surfaces in the order of registration, as a copy', async () => {
    const { registry } = await setUp({ names: [] })
    const [a, b, c] = [new FakeSurface('a'), new FakeSurface('b'), new FakeSurface('c')]
    const [disposeA] = [b, a, c].map(one => registry.register(one))
    const before = registry.list()
    disposeA!()
    expect(registry.list()).toEqual([a, c])
    expect(before).toEqual([b, a, c])
  })

  it('a disposer takes out its own registration, once', async () => {
    const { registry } = await setUp({ names: [] })
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
    expect([registry.pending(), registry.hosts()]).toEqual([[], []])
    const b = new FakeSurface('b')
    registry.register(b)
    dispose()
    dispose()
    expect(registry.list()).toEqual([b])
    expect(() => registry.register({ ...good, name: '' })).toThrow(TypeError)
  })

  it('shows nothing of the router to those who look at it', async () => {
    const { registry } = await setUp({ names: [] })
    expect(Object.keys(registry).filter(key => key !== 'ctx')).toEqual([])
  })
})
