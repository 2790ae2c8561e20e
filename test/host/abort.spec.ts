// The turn is aborted while its question is open: everybody puts it away once, and the host goes on.
import { describe, expect, it } from 'vitest'
import {
  choose, DATABASE, disposableAgent, ENDED, interrupt, macrotask, oneQuestion, pending, people, Person, runTurn, startAgent, text, toldAnswer, toldError,
} from './support.ts'
import { WebUi } from './web-ui.ts'

describe('a turn that is aborted while its question is open', () => {
  it('field case 12: puts the question away once on each of three surfaces, and the next turn works', async () => {
    const { adapter, agent, ctx, surfaces, begin } = await startAgent([oneQuestion('c1')[0]!, ...oneQuestion('c2')])
    const all = people(surfaces, 'desk', 'phone', 'page')
    const outcomes: unknown[] = []
    ctx.on('ask-surfaces/settled', (_ask, outcome) => void outcomes.push(outcome))
    const { shown, end } = await begin(...all)
    const turnSignal = shown[0]!.request.signal!
    interrupt(agent)
    // At once, not after a round of anything.
    for (const one of shown) expect([one.stopped, one.settled]).toEqual([['ASK_ABORTED'], []])
    expect(turnSignal.aborted).toBe(true)
    expect(pending(ctx)).toEqual([])
    expect(await end).toEqual({ kind: 'aborted', reason: { kind: 'user' } })
    expect(outcomes).toEqual([{ kind: 'aborted' }])

    // Late words of every kind change nothing.
    shown[0]!.answer(choose('Postgres'))
    shown[1]!.fail(new Error('too late to matter'))
    await macrotask()
    for (const one of shown) expect([one.stopped, one.settled]).toEqual([['ASK_ABORTED'], []])

    const { shown: [again], end: next } = await begin(all[2]!)
    again.answer(choose('SQLite'))
    expect(await next).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldError(ENDED, 'c1'))
    expect(adapter.told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
    expect(all.map(person => person.shown.length)).toEqual([2, 2, 2])
  })

  it('is told to the model in the words that dsh itself has for it', async () => {
    const { agent, adapter, ctx, surfaces, begin, turn } = await startAgent([oneQuestion('c1')[0]!, text('Hello.')])
    const [desk] = people(surfaces, 'desk')
    const { end } = await begin(desk)
    interrupt(agent)
    await end
    await turn()
    // The real service, for a question whose turn is over before it is asked.
    const own: Error = await ctx.userQuestions.ask({ questions: [DATABASE], signal: AbortSignal.abort() } as never).catch(error => error)
    expect(adapter.told('c1')).toEqual(toldError(own.message))
  })

  it('field case 18: is not held up by a surface that ignores its signal, or by one that breaks when it aborts', async () => {
    const { agent, ctx, surfaces, begin } = await startAgent([oneQuestion()[0]!])
    surfaces.register({ name: 'deaf', claim: () => false, ask: () => new Promise(() => {}) })
    surfaces.register({
      name: 'fragile',
      claim: () => false,
      ask: (_request, { signal }) => new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
    })
    const [desk] = people(surfaces, 'desk')
    const { shown: [shown], end } = await begin(desk)
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    expect(shown.stopped).toEqual(['ASK_ABORTED'])
    expect(pending(ctx)).toEqual([])
  })

  it('takes the card away in the web UI too', async () => {
    const web = new WebUi()
    const { agent, ctx, surfaces, begin } = await startAgent([oneQuestion()[0]!])
    await ctx.plugin(web)
    const [phone] = people(surfaces, 'phone')
    const { shown: [card], end } = await begin(web)
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(phone.shown[0]!.stopped).toEqual(['ASK_ABORTED'])
  })

  it('never shows the question to a web UI that was about to be asked', async () => {
    const web = new WebUi()
    const { agent, ctx, surfaces, begin } = await startAgent([oneQuestion()[0]!])
    await ctx.plugin(web)
    const [phone] = people(surfaces, 'phone')
    const { end } = await begin(phone)
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    await macrotask()
    expect(web.cards.length).toBe(0)
  })

  it('is aborted by a surface in the moment in which it is asked', async () => {
    const { agent, ctx, surfaces, turn } = await startAgent([oneQuestion()[0]!])
    const [before] = people(surfaces, 'before')
    surfaces.register({
      name: 'stop button',
      claim: () => false,
      ask: () => {
        interrupt(agent)
        return new Promise(() => {})
      },
    })
    const [after] = people(surfaces, 'after')
    expect((await turn()).kind).toBe('aborted')
    expect(before.shown.map(({ stopped }) => stopped)).toEqual([['ASK_ABORTED']])
    expect(after.shown.length).toBe(0)
    expect(pending(ctx)).toEqual([])
  })

  it('is aborted by a claim: nobody is asked', async () => {
    const { agent, ctx, surfaces, turn } = await startAgent([oneQuestion()[0]!])
    surfaces.register({
      name: 'stop button',
      claim: () => {
        interrupt(agent)
        return true
      },
      ask: () => Promise.resolve(choose('SQLite')),
    })
    const [desk] = people(surfaces, 'desk')
    expect((await turn()).kind).toBe('aborted')
    expect(desk.shown.length).toBe(0)
    expect(pending(ctx)).toEqual([])
  })
})

describe('the agent itself', () => {
  it('may be disposed while its question is open', async () => {
    const { adapter, ctx, surfaces } = await startAgent([oneQuestion()[0]!])
    const { agent, dispose } = await disposableAgent(ctx, 'short-lived')
    const desk = new Person('desk', 'short-lived')
    surfaces.register(desk)
    const arrived = desk.next()
    const end = runTurn(ctx, agent, 'go on')
    const shown = await arrived
    await dispose()
    expect((await end).kind).toBe('aborted')
    expect([shown.stopped, shown.settled]).toEqual([['ASK_ABORTED'], []])
    expect(pending(ctx)).toEqual([])
    expect(adapter.told('c1')).toBeUndefined()
  })
})
