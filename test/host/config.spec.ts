// The plugin's configuration in the real host: checked when it is loaded, and edited while a question is open.
import { describe, expect, it } from 'vitest'
import {
  choose, macrotask, oneQuestion, pending, people, Person, plugin, startAgent, startBare, toldAnswer, toldError,
} from './support.ts'
import { WebUi } from './web-ui.ts'

const NEVER = 2_147_483_647

describe('a configuration', () => {
  it.each<[string, unknown, RegExp]>([
    ['an unknown key', { hots: 'race' }, /unknown key hots; it may be host, surfaces, rejoinMs/],
    ['a word that is none', { host: 'both' }, /"race"\|"fallback".*host/],
    ['a time that is negative', { surfaces: { phone: { delayMs: -1 } } }, /milliseconds from 0.*surfaces.*phone.*delayMs/],
    ['a time that no timer has', { rejoinMs: NEVER + 1 }, /2147483647.*rejoinMs/],
  ])('that is wrong stops the load and names the field: %s', async (_what, config, message) => {
    const { ctx } = await startBare([])
    await expect(async () => await ctx.plugin(plugin, config as never)).rejects.toThrow(message)
    expect(ctx.get('askSurfaces')).toBeUndefined()
  })
})

describe('a configuration that is edited while a question is open (field case 17)', () => {
  it('restarts nothing: the surfaces stay, the question goes on and is answered', async () => {
    const { adapter, ctx, router, surfaces, turn } = await startAgent(oneQuestion())
    const started: unknown[] = []
    ctx.inject(['askSurfaces'], () => void started.push(1))
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const arrived = Promise.all([phone!.next(), desk!.next()])
    const end = turn()
    const [onPhone, atDesk] = await arrived
    const before = pending(ctx)[0]!.id
    router.update({ host: 'fallback', surfaces: { phone: { timeoutMs: NEVER } } })
    await router.await()
    await macrotask()
    expect(ctx.get('askSurfaces')!.list().map(({ name }) => name)).toEqual(['phone', 'desk'])
    expect(pending(ctx).map(({ id }) => id)).toEqual([before])
    expect(started).toHaveLength(1)
    for (const one of [onPhone, atDesk]) expect([one.stopped, one.settled]).toEqual([[], []])
    onPhone.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect(atDesk.settled).toHaveLength(1)
    expect([phone!.shown.length, desk!.shown.length]).toEqual([1, 1])
  })

  it('holds from the next decision on: a surface that comes now has its delay', async () => {
    const { adapter, ctx, router, surfaces, turn } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const arrived = desk!.next()
    const end = turn()
    await arrived
    router.update({ surfaces: { phone: { delayMs: NEVER } } })
    const [phone] = people(surfaces, 'phone')
    await macrotask()
    expect(phone!.shown.length).toBe(0)
    expect(pending(ctx)[0]!.participants).toContainEqual({ name: 'phone', state: 'waiting' })
    // There is nobody else any more, so it is asked at once.
    const moved = phone!.next()
    desk!.shown[0]!.fail(new Error('no terminal'))
    ;(await moved).answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })

  it('holds from the next decision on: a question whose surface leaves waits no longer', async () => {
    const { adapter, router, surfaces, turn } = await startAgent(oneQuestion(), { rejoinMs: NEVER })
    const dispose = surfaces.register(new Person('desk'))
    const first = new Person('phone')
    const disposeFirst = surfaces.register(first)
    const arrived = first.next()
    const end = turn()
    await arrived
    dispose()
    await macrotask()
    router.update({ rejoinMs: 0 })
    disposeFirst()
    await end
    expect(adapter.told('c1')).toEqual(toldError('unanswered: "desk" left'))
  })

  it('holds from the next decision on: the web UI is asked as the fallback that it now is', async () => {
    const { adapter, ctx, router, surfaces, turn } = await startAgent(oneQuestion())
    const web = new WebUi()
    await ctx.plugin(web)
    const [desk] = people(surfaces, 'desk')
    router.update({ host: 'fallback' })
    const arrived = desk!.next()
    const end = turn()
    const atDesk = await arrived
    await macrotask()
    expect(web.cards.length).toBe(0)
    const fallback = web.next()
    atDesk.fail(new Error('no terminal'))
    ;(await fallback).answer(choose('Postgres'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })

  it('is refused when it is wrong, and the old one stays', async () => {
    const { adapter, ctx, router, surfaces, turn } = await startAgent(oneQuestion(), { host: 'fallback' })
    const web = new WebUi()
    await ctx.plugin(web)
    const [desk] = people(surfaces, 'desk')
    const arrived = desk!.next()
    const end = turn()
    const atDesk = await arrived
    expect(() => router.update({ host: 'both' })).toThrow(/"race"\|"fallback".*host/)
    await router.await()
    await macrotask()
    expect([atDesk.stopped, web.cards.length]).toEqual([[], 0])
    expect(router.config).toMatchObject({ host: 'fallback' })
    atDesk.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })

  it('is the one that holds after the plugin has been restarted', async () => {
    const { adapter, ctx, router, turn } = await startAgent(oneQuestion())
    const web = new WebUi()
    await ctx.plugin(web)
    router.update({ host: 'fallback' })
    await router.restart()
    const [desk] = people(ctx.get('askSurfaces')!, 'desk')
    const arrived = desk!.next()
    const end = turn()
    const atDesk = await arrived
    await macrotask()
    expect(web.cards.length).toBe(0)
    atDesk.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })
})
