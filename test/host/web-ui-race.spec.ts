// The web UI beside a phone: a listener that holds the question and never calls `next()`. Both show the question;
// whichever answers first wins, and the other is taken away.
import { describe, expect, it } from 'vitest'
import { asking, choose, DATABASE, interrupt, macrotask, oneQuestion, pending, people, toldAnswer } from './support.ts'
import { LATE, startWithWeb } from './web-ui.ts'

const SETUPS = (['before', 'after'] as const).flatMap(order =>
  (Object.keys(LATE) as (keyof typeof LATE)[]).map(read => [order, read] as const))

describe.each(SETUPS)('a web UI that is registered %s the router and reads the signal %s', (order, read) => {
  it('shows the question together with a phone', async () => {
    const { agent, ctx, surfaces, web, begin } = await startWithWeb([asking()], { order, read })
    const [phone] = people(surfaces, 'phone')
    const { shown: [onPhone, card], end } = await begin(phone, web)
    expect([card.state, onPhone.stopped]).toEqual(['open', []])
    expect(card.request.questions).toEqual([DATABASE])
    expect(card.request.agent).toBe(agent)
    expect(pending(ctx)[0]!.participants).toMatchObject([{ name: 'phone', state: 'asked' }, { name: 'host: web-ui', state: 'asked' }])
    interrupt(agent)
    await end
  })

  it('loses to the phone: its card is taken away once', async () => {
    const { adapter, surfaces, web, begin } = await startWithWeb(oneQuestion(), { order, read })
    const [phone] = people(surfaces, 'phone')
    const { shown: [onPhone, card], end } = await begin(phone, web)
    onPhone.answer(choose('SQLite'))
    await card.gone
    await end
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(card.request.signal!.reason).toMatchObject({ name: 'UserQuestionError', code: 'ASK_SETTLED' })
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    card.answer(choose('Postgres'))
    await macrotask()
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })

  it('wins: the phone is told that the host answered, and the card is not aborted', async () => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion(), { order, read })
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, card], told } = await begin(phone, web)
    card.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    for (const one of [onPhone, desk.shown[0]!]) {
      expect([one.stopped, one.settled]).toEqual([['ASK_SETTLED'], [{ by: 'host: web-ui', answer: choose('Postgres') }]])
    }
    expect([card.state, card.aborts]).toEqual(['answered', 0])
  })

  it('is asked, and loses before it has read the signal: it finds one that has aborted', async () => {
    const { adapter, surfaces, turn, web } = await startWithWeb(oneQuestion(), { order, read })
    const [phone] = people(surfaces, 'phone')
    web.onCard = () => phone.shown[0]!.answer(choose('SQLite'))
    const late = web.next()
    await turn()
    const card = await late
    await card.gone
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })

  it('is taken away when the turn is aborted, and shows the next question', async () => {
    const { agent, surfaces, web, begin } = await startWithWeb([asking('c1'), ...oneQuestion('c2')], { order, read })
    people(surfaces, 'phone')
    const { shown: [card], end } = await begin(web)
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    const { shown: [again], told } = await begin(web)
    again.answer(choose('SQLite'))
    expect(await told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
    expect(web.cards.length).toBe(2)
  })
})
