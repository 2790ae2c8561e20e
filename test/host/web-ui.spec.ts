// The web UI's part in a question: when it is asked, what its words count, and what stands in its way.
import { describe, expect, it } from 'vitest'
import {
  choose, macrotask, newAgent, oneQuestion, people, questionError, runTurn, startAgent, startHost, toldAnswer, toldError,
} from './support.ts'
import { startWithWeb, WebUi } from './web-ui.ts'

describe('the web UI', () => {
  it('is never bothered by a surface that answers at once', async () => {
    const { adapter, surfaces, turn, web } = await startWithWeb(oneQuestion())
    surfaces.register({ name: 'robot', claim: () => false, ask: () => Promise.resolve(choose('Postgres')) })
    await turn()
    await macrotask()
    expect(web.cards.length).toBe(0)
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })

  it('answers alone when there is no surface, with exactly its own request and answer', async () => {
    const { web, begin } = await startWithWeb(oneQuestion())
    const { shown: [card], told } = await begin(web)
    // Not even checked: no surface takes part.
    card.answer({ answers: [{ id: 'db', selected: ['Oracle', 'DB2'] }] })
    expect(await told()).toEqual(toldAnswer({ answers: [{ id: 'db', selected: ['Oracle', 'DB2'] }] }))
  })

  it('shows the question alone until a phone comes, which may win', async () => {
    const { adapter, surfaces, web, begin } = await startWithWeb(oneQuestion())
    const { shown: [card], end } = await begin(web)
    const [phone] = people(surfaces, 'phone')
    phone.shown[0]!.answer(choose('SQLite'))
    await end
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })

  it('goes on when every surface has failed (field case 22)', async () => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion())
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [card], told } = await begin(web)
    phone.shown[0]!.fail(new Error('no network'))
    desk.shown[0]!.fail(new Error('no terminal'))
    await macrotask()
    expect([card.state, card.aborts]).toEqual(['open', 0])
    card.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })

  it('is asked only then, once, when it is configured as the fallback', async () => {
    const { adapter, surfaces, web, begin } = await startWithWeb(oneQuestion(), { config: { host: 'fallback' } })
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, atDesk], end } = await begin(phone, desk)
    onPhone.fail(new Error('no network'))
    await macrotask()
    expect(web.cards.length).toBe(0)
    const fallback = web.next()
    atDesk.fail(new Error('no terminal'))
    ;(await fallback).answer(choose('Postgres'))
    await end
    expect(web.cards.length).toBe(1)
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })

  it.each(['ASK_CANCELLED', 'ASK_TIMED_OUT'])('ends the question for everybody with %s', async (code) => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion())
    const [phone] = people(surfaces, 'phone')
    const { shown: [shown], told } = await begin(web)
    shown.fail(Object.assign(questionError('ASK_CANCELLED', 'the person said no'), { code }))
    expect(await told()).toEqual(toldError('the person said no'))
    const { stopped, settled } = phone.shown[0]!
    expect([stopped, settled]).toEqual([['ASK_SETTLED'], [{ by: 'host: web-ui', answer: undefined }]])
  })

  it('is kept apart by question when two are open', async () => {
    const { ctx, adapter, surfaces } = await startHost({ left: oneQuestion('of left'), right: oneQuestion('of right') })
    const web = new WebUi()
    await ctx.plugin(web)
    const [phone] = people(surfaces, 'phone')
    const ends = []
    for (const id of ['left', 'right']) {
      const arrived = web.next()
      ends.push(runTurn(ctx, await newAgent(ctx, id), 'go on'))
      await arrived
    }
    const [ofLeft, ofRight] = web.cards
    phone.shown[0]!.answer(choose('SQLite'))
    await ends[0]
    expect([ofLeft!.state, ofRight!.state]).toEqual(['taken away', 'open'])
    ofRight!.answer(choose('Postgres'))
    await ends[1]
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('SQLite'), 'of left'))
    expect(adapter.told('of right')).toEqual(toldAnswer(choose('Postgres'), 'of right'))
    expect(phone.shown.map(({ settled }) => settled.length)).toEqual([0, 1])
  })

  it('may be unloaded while it holds the question: the phone still answers', async () => {
    const { surfaces, ctx, begin } = await startAgent(oneQuestion())
    const web = new WebUi()
    const fiber = await ctx.plugin(web)
    const [phone] = people(surfaces, 'phone')
    const { told } = await begin(web)
    await fiber.dispose()
    phone.shown[0]!.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })

  it('keeps every surface from seeing the question when it was prepended after the router (known limitation)', async () => {
    const { adapter, ctx, surfaces, turn } = await startAgent(oneQuestion())
    const [phone] = people(surfaces, 'phone')
    // The types of the host that the tests run on do not know the event.
    ctx.on('user-questions/request' as never, (() => Promise.resolve(choose('SQLite'))) as never, { prepend: true })
    await turn()
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect(phone.claimed).toBe(0)
  })

  it('may belong to one agent: it gets the questions of that one alone', async () => {
    const { ctx, adapter, surfaces } = await startHost({ left: oneQuestion('of left'), right: oneQuestion('of right') })
    const [left, right] = [await newAgent(ctx, 'left'), await newAgent(ctx, 'right')]
    const web = new WebUi()
    await left.ctx.plugin(web)
    const [phone] = people(surfaces, 'phone')
    const arrived = web.next()
    const ends = Promise.all([runTurn(ctx, left, 'go on'), runTurn(ctx, right, 'go on')])
    const card = await arrived
    await macrotask()
    expect(card.request.agent).toBe(left)
    expect(web.cards.length).toBe(1)
    card.answer(choose('SQLite'))
    phone.shown.find(({ request }) => request.agent === right)!.answer(choose('Postgres'))
    await ends
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('SQLite'), 'of left'))
    expect(adapter.told('of right')).toEqual(toldAnswer(choose('Postgres'), 'of right'))
  })
})
