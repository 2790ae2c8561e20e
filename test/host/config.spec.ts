// The plugin's configuration in the real host: checked when it is loaded, and edited while a question is open.
import { describe, expect, it } from 'vitest'
import {
  choose, macrotask, oneQuestion, pending, people, Person, plugin, startAgent, startBare, toldAnswer, toldError,
} from './support.ts'
import { startWithWeb } from './web-ui.ts'

const NEVER = 2_147_483_647

describe('a configuration', () => {
  it.each<[string, unknown, RegExp]>([
    ['an unknown key', { hots: 'race' }, /unknown key hots; it may be host, approvals, surfaces, rejoinMs/],
    ['a word that is none', { host: 'both' }, /"race"\|"first"\|"fallback".*host/],
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
    const { ctx, router, surfaces, begin } = await startAgent(oneQuestion())
    const started: unknown[] = []
    ctx.inject(['askSurfaces'], () => void started.push(1))
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, atDesk], told } = await begin(phone, desk)
    const before = pending(ctx)[0]!.id
    router.update({ host: 'fallback', surfaces: { phone: { timeoutMs: NEVER } } })
    await router.await()
    await macrotask()
    expect(ctx.get('askSurfaces')!.list().map(({ name }) => name)).toEqual(['phone', 'desk'])
    expect(pending(ctx).map(({ id }) => id)).toEqual([before])
    expect(started).toHaveLength(1)
    for (const one of [onPhone, atDesk]) expect([one.stopped, one.settled]).toEqual([[], []])
    onPhone.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(atDesk.settled).toHaveLength(1)
    expect([phone.shown.length, desk.shown.length]).toEqual([1, 1])
  })

  it('holds from the next decision on: a surface that comes now has its delay', async () => {
    const { ctx, router, surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const { told } = await begin(desk)
    router.update({ surfaces: { phone: { delayMs: NEVER } } })
    const [phone] = people(surfaces, 'phone')
    await macrotask()
    expect(phone.shown.length).toBe(0)
    expect(pending(ctx)[0]!.participants).toContainEqual({ name: 'phone', state: 'waiting' })
    // There is nobody else any more, so it is asked at once.
    const moved = phone.next()
    desk.shown[0]!.fail(new Error('no terminal'))
    ;(await moved).answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('holds from the next decision on: a question whose surface leaves waits no longer', async () => {
    const { router, surfaces, begin } = await startAgent(oneQuestion(), { rejoinMs: NEVER })
    const dispose = surfaces.register(new Person('desk'))
    const first = new Person('phone')
    const disposeFirst = surfaces.register(first)
    const { told } = await begin(first)
    dispose()
    await macrotask()
    router.update({ rejoinMs: 0 })
    disposeFirst()
    expect(await told()).toEqual(toldError('unanswered: "desk" left'))
  })

  it('holds from the next decision on: the web UI is asked as the fallback that it now is', async () => {
    const { router, surfaces, web, begin } = await startWithWeb(oneQuestion(), { order: 'after' })
    const [desk] = people(surfaces, 'desk')
    router.update({ host: 'fallback' })
    const { shown: [atDesk], told } = await begin(desk)
    await macrotask()
    expect(web.cards.length).toBe(0)
    const fallback = web.next()
    atDesk.fail(new Error('no terminal'))
    ;(await fallback).answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })

  it('is refused when it is wrong, and the old one stays', async () => {
    const { router, surfaces, web, begin } = await startWithWeb(oneQuestion(), { order: 'after', config: { host: 'fallback' } })
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    expect(() => router.update({ host: 'both' })).toThrow(/"race"\|"first"\|"fallback".*host/)
    await router.await()
    await macrotask()
    expect([atDesk.stopped, web.cards.length]).toEqual([[], 0])
    expect(router.config).toMatchObject({ host: 'fallback' })
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('is the one that holds after the plugin has been restarted', async () => {
    const { ctx, router, web, begin } = await startWithWeb(oneQuestion(), { order: 'after' })
    router.update({ host: 'fallback' })
    await router.restart()
    const [desk] = people(ctx.get('askSurfaces')!, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    await macrotask()
    expect(web.cards.length).toBe(0)
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })
})
