// The router is unloaded, and loaded again, while a question is open.
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import {
  choose, ENDED, macrotask, oneQuestion, pending, people, Person, plugin, startAgent, toldAnswer, toldError,
} from './support.ts'
import { startWithWeb, WebUi } from './web-ui.ts'

/** A plugin as the README tells people to write one: its surface comes and goes with the service. */
const nested = (person: Person) => ({
  name: `nested ${person.name}`,
  apply(ctx: Context) {
    ctx.inject(['askSurfaces'], inner => void inner.askSurfaces.register(person))
  },
})

/** A plugin that is nothing without the service, and comes and goes with it as a whole. */
const dependent = (person: Person) => ({
  name: `dependent ${person.name}`,
  inject: ['askSurfaces'],
  apply(ctx: Context) {
    ctx.askSurfaces.register(person)
  },
})

type Fiber = Context['fiber']

/** How many listeners for questions the router has. */
const listeners = (router: Fiber) =>
  router.getEffects().filter(({ label }) => label.includes('user-questions/request')).length

const startWithConsumers = async (...script: Parameters<typeof startAgent>[0]) => {
  const host = await startAgent(script)
  const desk = new Person('desk'), phone = new Person('phone'), page = new Person('page')
  await host.ctx.plugin(nested(desk))
  await host.ctx.plugin(nested(phone))
  await host.ctx.plugin(dependent(page))
  return { ...host, all: [desk, phone, page] }
}

describe('the router is unloaded while a question is open', () => {
  it('field case 17: there is one clean cancellation, and every surface puts the question away once', async () => {
    const { adapter, all, ctx, router, begin } = await startWithConsumers(...oneQuestion())
    const outcomes: unknown[] = []
    ctx.on('ask-surfaces/settled', (_ask, outcome) => void outcomes.push(outcome))
    const { shown, end } = await begin(...all)
    await router.dispose()
    expect(await end).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldError(ENDED))
    expect(outcomes).toEqual([{ kind: 'aborted' }])
    for (const one of shown) {
      expect(one.stopped).toEqual(['ASK_ABORTED'])
      expect(one.settled).toEqual([])
      expect(one.request.signal!.aborted).toBe(true)
      one.answer(choose('Postgres'))
    }
    await macrotask()
    expect(ctx.get('askSurfaces')).toBeUndefined()
  })

  it('takes the card away in the web UI, and leaves the next question to it alone', async () => {
    const web = new WebUi()
    const { adapter, all, ctx, router, begin } = await startWithConsumers(...oneQuestion('c1'), ...oneQuestion('c2'))
    await ctx.plugin(web)
    const { shown: [card], end } = await begin(web)
    await router.dispose()
    await end
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(adapter.told('c1')).toEqual(toldError(ENDED, 'c1'))

    const { shown: [again], told } = await begin(web)
    again.answer(choose('SQLite'))
    expect(await told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
    expect(all.map(person => person.shown.length)).toEqual([1, 1, 1])
  })

  it('leaves a question to the host that comes through to it late, from a listener ahead', async () => {
    const { adapter, ctx, router, surfaces, turn, web } = await startWithWeb(oneQuestion(), { order: 'after' })
    const [desk] = people(surfaces, 'desk')
    const held = Promise.withResolvers<void>(), passOn = Promise.withResolvers<void>()
    // The types of the host that the tests run on do not know the event.
    ctx.on('user-questions/request' as never, (async (_request: unknown, next: () => unknown) => {
      held.resolve()
      await passOn.promise
      return next()
    }) as never, { prepend: true })
    const arrived = web.next()
    const end = turn()
    await held.promise
    await router.dispose()
    passOn.resolve()
    ;(await arrived).answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect(desk.claimed).toBe(0)
  })

  it('does not wait for a surface that lives on outside of any plugin', async () => {
    const { router, surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const { shown: [shown], told } = await begin(desk)
    await router.dispose()
    expect(await told()).toEqual(toldError(ENDED))
    expect([shown.stopped, shown.settled]).toEqual([['ASK_ABORTED'], []])
  })

  it('together with the whole host: everybody puts it away, and nothing breaks', async () => {
    const web = new WebUi()
    const { all, ctx, begin } = await startWithConsumers(...oneQuestion())
    await ctx.plugin(web)
    const { shown: [card], end } = await begin(web)
    await ctx.fiber.dispose()
    expect(await end).toEqual({ kind: 'aborted', reason: { kind: 'disposed' } })
    for (const { shown } of all) expect(shown.map(({ stopped, settled }) => [stopped.length, settled])).toEqual([[1, []]])
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
  })

  it('leaves no effect behind, also when it is disposed twice', async () => {
    const { router } = await startAgent([])
    expect(listeners(router)).toBe(1)
    await router.dispose()
    await router.dispose()
    expect(router.getEffects()).toEqual([])
  })
})

const RELOADS = {
  async restarted(_ctx: Context, router: Fiber) {
    await router.restart()
    return router
  },
  async 'unloaded and loaded again'(ctx: Context, router: Fiber) {
    await router.dispose()
    return await ctx.plugin(plugin)
  },
}

describe.each(Object.entries(RELOADS))('the router is %s while a question is open', (_how, reload) => {
  it('the surfaces come back, and the next question is asked once at each of them', async () => {
    const { adapter, all, ctx, router, begin } = await startWithConsumers(...oneQuestion('c1'), ...oneQuestion('c2'))
    const { shown, end } = await begin(...all)
    const reloaded = await reload(ctx, router)
    await end
    expect(adapter.told('c1')).toEqual(toldError(ENDED, 'c1'))
    expect(ctx.get('askSurfaces')!.list().map(({ name }) => name)).toEqual(['desk', 'phone', 'page'])
    expect(listeners(reloaded)).toBe(1)

    const { shown: shownAgain, end: next } = await begin(...all)
    // What is said now about the question of before is nobody's answer.
    for (const one of shown) one.answer(choose('SQLite'))
    await macrotask()
    expect(pending(ctx)).toHaveLength(1)
    shownAgain[1]!.answer(choose('Postgres'))
    expect(await next).toEqual({ kind: 'completed' })
    expect(adapter.told('c2')).toEqual(toldAnswer(choose('Postgres'), 'c2'))
    expect(all.map(person => [person.claimed, person.shown.length])).toEqual([[2, 2], [2, 2], [2, 2]])
    expect(shownAgain.map(({ settled }) => settled.length)).toEqual([1, 0, 1])
    for (const one of shown) expect([one.stopped.length, one.settled.length]).toEqual([1, 0])
  })

  it('and again, and again: there is still one listener', async () => {
    const { adapter, all, ctx, router, begin } = await startWithConsumers(...oneQuestion())
    const reloaded = await reload(ctx, await reload(ctx, await reload(ctx, router)))
    expect(listeners(reloaded)).toBe(1)
    const { shown: [shown], end } = await begin(all[0]!)
    shown.answer(choose('Postgres'))
    await end
    expect(all.map(person => [person.claimed, person.shown.length])).toEqual([[1, 1], [1, 1], [1, 1]])
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })
})
