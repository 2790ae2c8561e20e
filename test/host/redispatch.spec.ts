// A surface that hands its question on through `ctx.userQuestions.ask`: it reaches the host behind the router, and
// never this router's surfaces again.
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskContext, AskUserQuestionAnswer, AskUserQuestionRequest } from '../../src/index.ts'
import {
  choose, DATABASE, interrupt, macrotask, oneQuestion, pending, people, Person, startAgent, toldAnswer, toldError,
} from './support.ts'
import { startWithWeb } from './web-ui.ts'

type HandOn = (request: AskUserQuestionRequest, context: AskContext) => AskUserQuestionRequest

/** A surface that knows somebody who can answer: it dispatches a request of its own making. */
class Relay extends Person {
  readonly #ctx: Context
  readonly #handOn: HandOn

  constructor(ctx: Context, handOn: HandOn) {
    super('relay')
    this.#ctx = ctx
    this.#handOn = handOn
  }

  override ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    void super.ask(request, context)
    if (this.shown.length > 3) return Promise.reject(new Error('it goes round in circles'))
    // What was dispatched has the host's own agent in it.
    return this.#ctx.userQuestions.ask(this.#handOn(request, context) as never)
  }
}

const start = async (handOn: HandOn, config?: unknown) => {
  const host = await startWithWeb(oneQuestion(), { order: 'after', config })
  const relay = new Relay(host.ctx, handOn)
  host.surfaces.register(relay)
  return { ...host, relay }
}

describe.each<[string, HandOn]>([
  ['the request itself', request => request],
  ['a copy of it', request => ({ ...request })],
  ['a copy of it with more fields', request => ({ ...request, via: 'relay' })],
  ['a copy of it with its own signal', (request, { signal }) => ({ ...request, signal })],
])('a surface that dispatches %s', (_what, handOn) => {
  it('is asked once, and its answer is that of the host', async () => {
    const { ctx, relay, web, begin } = await start(handOn, { host: 'fallback' })
    const [phone] = people(ctx.get('askSurfaces')!, 'phone')
    const { shown: [card], told } = await begin(web)
    expect(card.request.questions).toEqual([DATABASE])
    expect(pending(ctx)).toHaveLength(1)
    card.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([relay.shown.length, phone.shown.length, web.cards.length]).toEqual([1, 1, 1])
    expect(phone.shown[0]!.settled).toEqual([{ by: 'relay', answer: choose('SQLite') }])
  })

  it('leaves no card behind when the turn is aborted', async () => {
    const { agent, ctx, relay, web, begin } = await start(handOn)
    const { end } = await begin(web)
    await macrotask()
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    await macrotask()
    // One card by the relay, and one by the router itself.
    expect(web.cards.map(({ state }) => state)).toEqual(['taken away', 'taken away'])
    expect([relay.shown.length, pending(ctx).length]).toEqual([1, 0])
  })
})

describe('a surface that dispatches its question', () => {
  it('with its own signal, has the card taken away when somebody else answers', async () => {
    const { adapter, ctx, web, begin } = await start((request, { signal }) => ({ ...request, signal }), { host: 'fallback' })
    const [phone] = people(ctx.get('askSurfaces')!, 'phone')
    const { shown: [card], end } = await begin(web)
    phone.shown[0]!.answer(choose('Postgres'))
    await end
    expect([card.state, card.aborts]).toEqual(['taken away', 1])
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })

  it('to a host where nobody is, fails as the host does', async () => {
    const { adapter, ctx, surfaces, turn } = await startAgent(oneQuestion())
    surfaces.register(new Relay(ctx, request => request))
    await turn()
    expect(adapter.told('c1')).toEqual(toldError('no user-questions answerer accepted the request'))
  })

  it('with other questions, asks everybody something new', async () => {
    const { adapter, ctx, surfaces, turn } = await startAgent(oneQuestion())
    const sure = { id: 'sure', question: 'Are you sure?' }
    const yes = { answers: [{ id: 'sure', selected: [], custom: 'yes' }] }
    surfaces.register({
      name: 'doubt',
      claim: () => false,
      async ask(request) {
        if (request.questions[0] === sure) return new Promise(() => {})
        return (await ctx.userQuestions.ask({ ...request, questions: [sure] } as never)).answers[0]!.custom === 'yes'
          ? choose('SQLite')
          : choose('Postgres')
      },
    })
    const [phone] = people(surfaces, 'phone')
    const end = turn()
    while (phone.shown.length < 2) await phone.next()
    expect(phone.shown.map(({ request }) => request.questions)).toEqual([[sure], [DATABASE]])
    phone.shown[0]!.answer(yes)
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect(phone.shown[1]!.settled).toEqual([{ by: 'doubt', answer: choose('SQLite') }])
  })
})
