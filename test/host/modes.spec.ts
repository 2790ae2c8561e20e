// Home and away in the real host: an agent's question, the host's own UI, a desk and a phone.
import { describe, expect, it } from 'vitest'
import { choose, macrotask, oneQuestion, people, Person, startAgent, toldAnswer } from './support.ts'
import { WebUi } from './web-ui.ts'

/** A phone that is fetched at home after a minute, and at once when its person is away. */
class Phone extends Person {
  readonly defaultPolicy = { home: { delayMs: 60_000 }, away: { delayMs: 0 } }
}

describe('home and away', () => {
  it('at home the desk answers, and the phone never rings', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const phone = new Phone('phone')
    surfaces.register(phone)
    const { shown: [shown], told } = await begin(desk)
    shown.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(phone.shown).toEqual([])
  })

  it('the person leaves while the host’s own UI shows the question: the phone has it at once, and its answer wins', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion())
    const ui = new WebUi(), phone = new Phone('phone')
    await ctx.plugin(ui)
    surfaces.register(phone)
    const { shown: [card], told } = await begin(ui)
    expect(phone.shown).toEqual([])
    const rings = phone.next()
    surfaces.presence = 'away'
    ;(await rings).answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    await card.gone
    expect(card.state).not.toBe('open')
  })

  it('away, a UI of the host that holds every question delays nobody', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion(), {
      presence: 'away', surfaces: { phone: { away: { delayMs: 60_000 } } },
    })
    const ui = new WebUi(), phone = new Phone('phone')
    await ctx.plugin(ui)
    surfaces.register(phone)
    const { shown: [shown], told } = await begin(phone)
    shown.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('where nobody may be asked in this mode and the host has nobody either, everybody is asked', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion(), { surfaces: { phone: { home: false } } })
    const [phone] = people(surfaces, 'phone')
    const { shown: [shown], told } = await begin(phone)
    shown.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('presence is told to every plugin, and is the same through each context', async () => {
    const { ctx, surfaces } = await startAgent([])
    const seen: string[] = []
    await ctx.plugin({
      name: 'page',
      inject: ['askSurfaces'],
      apply(inner: typeof ctx) {
        inner.on('ask-surfaces/presence', presence => void seen.push(presence, inner.askSurfaces.presence))
      },
    })
    surfaces.presence = 'away'
    await macrotask()
    expect(seen).toEqual(['away', 'away'])
  })
})
