// An agent's question in a turn of the real host: everybody is asked, the first answer is what the model is told, the
// others put the question away.
import { describe, expect, it } from 'vitest'
import {
  asking, choose, DATABASE, macrotask, oneQuestion, pending, people, Person, startAgent, text, toldAnswer,
} from './support.ts'

describe('a question in a turn', () => {
  it('is answered by the first of three surfaces, and the others are told once', async () => {
    const { adapter, ctx, surfaces, begin } = await startAgent(oneQuestion())
    const [desk, phone, page] = people(surfaces, 'desk', 'phone', 'page')
    const { shown: [atDesk, onPhone, inPage], end } = await begin(desk, phone, page)
    onPhone.answer(choose('SQLite'))
    expect(await end).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    for (const loser of [atDesk, inPage]) {
      expect(loser.settled).toEqual([{ by: 'phone', answer: choose('SQLite') }])
      expect(loser.stopped).toEqual(['ASK_SETTLED'])
    }
    expect([onPhone.settled, onPhone.stopped]).toEqual([[], []])
    expect([desk, phone, page].map(person => [person.claimed, person.shown.length])).toEqual([[1, 1], [1, 1], [1, 1]])
    expect(pending(ctx)).toEqual([])
  })

  it('shows every surface what the model asked, with the agent and a signal', async () => {
    const { agent, surfaces, begin } = await startAgent(oneQuestion())
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const { shown: [atDesk, onPhone], end } = await begin(desk, phone)
    expect(atDesk.request).toBe(onPhone.request)
    expect(atDesk.request).toEqual({ questions: [DATABASE], agent: expect.anything(), signal: expect.any(AbortSignal) })
    expect(atDesk.request.agent).toBe(agent)
    expect(atDesk.context.id).toBe(onPhone.context.id)
    expect(atDesk.request.signal!.aborted).toBe(false)
    atDesk.answer(choose('Postgres'))
    await end
    expect(atDesk.request.signal!.aborted).toBe(false)
  })

  it('is listed while it is open, and its beginning and end are events', async () => {
    const { agent, ctx, surfaces, begin } = await startAgent(oneQuestion())
    const events: unknown[] = []
    ctx.on('ask-surfaces/asked', ask => void events.push(ask))
    ctx.on('ask-surfaces/asked', () => {
      throw new Error('a listener that is broken')
    })
    ctx.on('ask-surfaces/settled', (ask, outcome) => void events.push(ask, outcome))
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const { shown: [shown], end } = await begin(desk)
    await macrotask()
    const open = {
      id: shown.context.id, sessionId: agent.session.id, questions: [DATABASE], askedAt: expect.any(Number),
    }
    const states = (atDesk: string, onPhone: string, host?: string) => ({
      ...open, participants: [['desk', atDesk], ['phone', onPhone], ...host ? [['host', host]] : []].map(([name, state]) => expect.objectContaining({ name, state }) as object),
    })
    // Nobody else answers questions in this host, and it says so; nobody is not listed.
    expect(pending(ctx)).toEqual([states('asked', 'asked')])
    shown.answer(choose('Postgres'))
    await end
    expect(events).toEqual([
      states('asked', 'asked', 'waiting'),
      states('answered', 'asked'), { kind: 'answered', by: 'desk', answer: choose('Postgres') },
    ])
    expect(phone.shown[0]!.settled).toHaveLength(1)
  })

  it('is asked again in the next turn with a new id, and nothing is left of the one before', async () => {
    const { adapter, surfaces, begin } = await startAgent([...oneQuestion('c1'), ...oneQuestion('c2')])
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    for (const [callId, label] of [['c1', 'Postgres'], ['c2', 'SQLite']] as const) {
      const { shown: [shown], end } = await begin(desk)
      shown.answer(choose(label))
      await end
      expect(adapter.told(callId)).toEqual(toldAnswer(choose(label), callId))
    }
    const [first, second] = phone.shown
    expect(first!.context.id).not.toBe(second!.context.id)
    expect([first!.settled.length, second!.settled.length]).toEqual([1, 1])
  })

  it('may come several times in one turn', async () => {
    const { adapter, surfaces, turn } = await startAgent([asking('c1'), asking('c2'), text('Done.')])
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const first = desk.next()
    const end = turn()
    const second = first.then((shown) => {
      const next = phone.next()
      shown.answer(choose('Postgres'))
      return next
    })
    ;(await second).answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres'), 'c1'))
    expect(adapter.told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
  })

  it('field case 11: a phone that comes online hides nothing at the desk, both show it', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], end } = await begin(desk)
    const [phone] = people(surfaces, 'phone')
    expect(phone.shown[0]!.request).toBe(atDesk.request)
    expect([atDesk.stopped, atDesk.settled]).toEqual([[], []])
    atDesk.answer(choose('Postgres'))
    await end
    expect(phone.shown[0]!.settled).toEqual([{ by: 'desk', answer: choose('Postgres') }])
  })

  it('field case 14: a page that is opened after the question was asked shows it, and may answer it', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const { told } = await begin(desk)
    const page = new Person('page')
    const opened = page.next()
    surfaces.register(page)
    const inPage = await opened
    inPage.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(desk.shown[0]!.settled).toEqual([{ by: 'page', answer: choose('SQLite') }])
  })

  it('field cases 15 and 16: a reply that comes too late changes nothing, and its surface knew who had answered', async () => {
    const { adapter, surfaces, begin } = await startAgent(oneQuestion())
    const [desk, phone, page] = people(surfaces, 'desk', 'phone', 'page')
    const { shown: [atDesk, onPhone, inPage], end } = await begin(desk, phone, page)
    onPhone.answer(choose('Postgres'))
    await end
    atDesk.answer(choose('SQLite'))
    inPage.fail(new Error('too late to matter'))
    await macrotask()
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
    expect(atDesk.settled).toEqual([{ by: 'phone', answer: choose('Postgres') }])
    expect(inPage.settled).toEqual([{ by: 'phone', answer: choose('Postgres') }])
  })

  it('lets no surface change the answer that another one gave', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    surfaces.register({
      name: 'vandal',
      claim: () => false,
      ask: () => new Promise(() => {}),
      settled: (_request, _by, answer) => void answer!.answers.splice(0),
    })
    const { shown: [shown], told } = await begin(desk)
    shown.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
  })
})
