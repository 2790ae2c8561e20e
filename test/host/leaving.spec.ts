// A surface's plugin is unloaded, or its registration disposed, while its question is open.
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import {
  choose, macrotask, oneQuestion, people, Person, questionError, type Shown, startAgent, toldAnswer, toldError,
} from './support.ts'

/** A plugin that registers and never looks back. */
const careless = (person: Person) => ({
  name: 'careless',
  apply(ctx: Context) {
    ctx.get('askSurfaces')!.register(person)
  },
})

/** A plugin that says something about its open question while it is being unloaded. */
const talkative = (person: Person, when: 'before' | 'after', say: (shown: Shown) => void) => ({
  name: 'talkative',
  apply(ctx: Context) {
    const lastWords = () => ctx.effect(() => () => say(person.shown[0]!), 'last words')
    // Disposers run in reverse: what is made first is undone last. The nested plugin goes a little after its parent.
    if (when === 'after') {
      lastWords()
      ctx.get('askSurfaces')!.register(person)
    } else {
      ctx.inject(['askSurfaces'], inner => void inner.askSurfaces.register(person))
      lastWords()
    }
  },
})

/** However slow the machine is, nobody gives up on the question. */
const PATIENT = { rejoinMs: 2_147_483_647 }

const startWith = async (plugin: (person: Person) => object, config?: unknown) => {
  const host = await startAgent(oneQuestion(), config)
  const page = new Person('page')
  const fiber = await host.ctx.plugin(plugin(page) as Parameters<Context['plugin']>[0])
  return { ...host, page, fiber }
}

describe('a plugin that registers without keeping the disposer', () => {
  it('is unloaded while it is asked: its surface goes with it, and the others go on', async () => {
    const { fiber, page, surfaces, begin } = await startWith(careless)
    const [desk] = people(surfaces, 'desk')
    const { shown: [inPage, atDesk], told } = await begin(page, desk)
    await fiber.dispose()
    expect(surfaces.list().map(({ name }) => name)).toEqual(['desk'])
    expect([inPage.stopped, inPage.settled]).toEqual([['SURFACE_GONE'], []])
    expect([atDesk.stopped, atDesk.settled]).toEqual([[], []])
    inPage.answer(choose('SQLite'))
    await macrotask()
    atDesk.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect([inPage.stopped, inPage.settled]).toEqual([['SURFACE_GONE'], []])
  })

  it('is unloaded while it is the only one: the question waits for somebody to come', async () => {
    const { fiber, page, surfaces, begin } = await startWith(careless, PATIENT)
    const { told } = await begin(page)
    await fiber.dispose()
    await macrotask()
    const desk = new Person('desk')
    const again = desk.next()
    surfaces.register(desk)
    ;(await again).answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })

  it('is unloaded while it is the only one, and nobody comes: the question fails and says why', async () => {
    const { fiber, page, begin } = await startWith(careless, { rejoinMs: 0 })
    const { told } = await begin(page)
    await fiber.dispose()
    expect(await told()).toEqual(toldError('unanswered: "page" left'))
  })

  it('is hot-edited while it is the only one: the question is there again (field case 13)', async () => {
    const { fiber, page, begin } = await startWith(careless, PATIENT)
    const { shown: [before], told } = await begin(page)
    const again = page.next()
    await fiber.restart()
    const after = await again
    expect(before.stopped).toEqual(['SURFACE_GONE'])
    expect(after.context.id).toBe(before.context.id)
    expect(after.request).toBe(before.request)
    after.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([before.settled, after.settled]).toEqual([[], []])
  })
})

describe.each(['before', 'after'] as const)('what a surface says %s its registration goes, while its plugin is unloaded', (when) => {
  it.each<[string, (shown: Shown) => void]>([
    ['cancels', shown => shown.fail(questionError('ASK_CANCELLED', 'dismissed'))],
    ['answers', shown => shown.answer(choose('SQLite'))],
    ['fails', shown => shown.fail(new Error('shutting down'))],
  ])('is teardown, not a person: it %s', async (_what, say) => {
    const { fiber, page, surfaces, begin } = await startWith(person => talkative(person, when, say))
    const [desk] = people(surfaces, 'desk')
    const { shown: [inPage, atDesk], told } = await begin(page, desk)
    await fiber.dispose()
    await macrotask()
    expect([atDesk.stopped, atDesk.settled]).toEqual([[], []])
    atDesk.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect([inPage.stopped, inPage.settled]).toEqual([['SURFACE_GONE'], []])
  })
})

describe('a plugin with two surfaces', () => {
  it.each<[string, Person, unknown]>([
    ['the session\'s own surface', new Person('desk', 'agent'), PATIENT],
    ['the one without a delay', new Person('desk'), { ...PATIENT, surfaces: { phone: { delayMs: 2_147_483_647 } } }],
  ])('is unloaded: the second is not asked when the first goes, %s (rule 13)', async (_what, desk, config) => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion(), config)
    const phone = new Person('phone')
    const fiber = await ctx.plugin({
      name: 'both',
      apply(inner: Context) {
        // Disposers run in reverse: what is registered last goes first.
        inner.get('askSurfaces')!.register(phone)
        inner.get('askSurfaces')!.register(desk)
      },
    })
    const { told } = await begin(desk)
    await macrotask()
    await fiber.dispose()
    const [page] = people(surfaces, 'page')
    page.shown[0]!.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect(phone.shown.length).toBe(0)
  })
})

describe('a registration that is disposed while its plugin lives on', () => {
  it('counts an answer that was given just before', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const page = new Person('page')
    const dispose = surfaces.register(page)
    const { shown: [shown], told } = await begin(page)
    shown.answer(choose('SQLite'))
    dispose()
    dispose()
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('takes the surface out on the next macrotask', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const page = new Person('page')
    const dispose = surfaces.register(page)
    const [desk] = people(surfaces, 'desk')
    const { shown: [inPage, atDesk], told } = await begin(page, desk)
    dispose()
    await macrotask()
    expect(inPage.stopped).toEqual(['SURFACE_GONE'])
    inPage.answer(choose('SQLite'))
    await macrotask()
    atDesk.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })
})
