// Timed questions in turns of a real agent: it goes on, its question stays open, and the next turn is a turn like any other. What
// dsh 0.2 has for them is a stand-in (helpers/timed.ts), and so is what the model is told of a question that is still open.
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/index.ts'
import { TimedQuestions } from '../helpers/timed.ts'
import {
  choose, disposableAgent, interrupt, macrotask, oneQuestion, pending, people, Person, plugin, runTurn, startBare, toldAnswer, withAgent,
} from './support.ts'
import { WebUi } from './web-ui.ts'

const NOT_YET = choose('(not answered yet)')

/** Make the questions of the host timed: the first has the call `t1`, and so on. */
function makeTimed(ctx: Context): TimedQuestions {
  const timed = new TimedQuestions(ctx), service = ctx.get('userQuestions')!
  let count = 0
  const ask = async (request: AskUserQuestionRequest) => {
    const answer = await timed.askTimed(request as Parameters<typeof timed.askTimed>[0], `t${++count}`)
    return 'pending' in answer ? NOT_YET : answer
  }
  Object.defineProperties(service, { ask: { value: ask, configurable: true }, answer: { value: timed.answer, configurable: true } })
  return timed
}

async function start(script: Parameters<typeof startBare>[0]) {
  const { ctx, adapter } = await startBare(script), timed = makeTimed(ctx)
  const router = await ctx.plugin(plugin)
  return { ctx, adapter, timed, router, surfaces: ctx.get('askSurfaces')! }
}

async function startAgent(script: Parameters<typeof startBare>[0]) {
  const host = await start(script)
  return { ...host, ...await withAgent(host.ctx, host.adapter) }
}

describe('a timed question of an agent', () => {
  it('is answered after its turn, while the next turn asks and is answered as ever', async () => {
    const { adapter, agent, ctx, surfaces, begin, timed } = await startAgent([...oneQuestion('c1'), ...oneQuestion('c2')])
    const web = new WebUi()
    await ctx.plugin(web)
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const first = await begin(web, phone, desk)
    timed.endTime()
    expect(await first.told()).toEqual(toldAnswer(NOT_YET))
    expect(first.shown[0].state).toBe('taken away')
    expect(pending(ctx)).toMatchObject([{ late: true, sessionId: agent.session.id }])

    const second = await begin(web, phone, desk)
    second.shown[2].answer(choose('SQLite'))
    expect(await second.told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
    expect(second.shown[1].settled).toEqual([{ by: 'desk', answer: choose('SQLite') }])

    const { shown: [, onPhone, atDesk] } = first
    expect([onPhone.stopped, atDesk.stopped]).toEqual([[], []])
    onPhone.answer(choose('Postgres'))
    await macrotask()
    expect([...timed.replies]).toEqual([['t1', choose('Postgres')]])
    expect(atDesk.settled).toEqual([{ by: 'phone', answer: choose('Postgres') }])
    expect(adapter.told('c1')).toEqual(toldAnswer(NOT_YET))
    expect(pending(ctx)).toEqual([])
  })

  it('stays open when a later turn is interrupted', async () => {
    const { agent, ctx, surfaces, begin, timed } = await startAgent([...oneQuestion('c1'), oneQuestion('c2')[0]!])
    const [phone] = people(surfaces, 'phone')
    const { shown: [onPhone], end } = await begin(phone)
    timed.endTime()
    await end
    const second = await begin(phone)
    interrupt(agent)
    expect(await second.end).toEqual({ kind: 'aborted', reason: { kind: 'user' } })
    expect([onPhone.stopped, second.shown[0].stopped]).toEqual([[], ['ASK_ABORTED']])
    onPhone.answer(choose('Postgres'))
    await macrotask()
    expect([timed.replies.size, pending(ctx)]).toEqual([1, []])
  })

  it('ends when it is answered after its agent was disposed: nobody is told that it was', async () => {
    const { ctx, surfaces, timed } = await start({ 'short-lived': oneQuestion() })
    const { agent, dispose } = await disposableAgent(ctx, 'short-lived')
    const [phone, desk] = people(surfaces, 'phone', 'desk') as [Person, Person]
    const arrived = Promise.all([phone.next(), desk.next()]), end = runTurn(ctx, agent, 'go on')
    const [onPhone, atDesk] = await arrived
    timed.endTime()
    await end
    await dispose()
    timed.dispose(agent)
    expect([onPhone.stopped, atDesk.stopped]).toEqual([[], []])
    onPhone.answer(choose('Postgres'))
    await macrotask()
    expect([timed.replies.size, pending(ctx)]).toEqual([0, []])
    for (const one of [onPhone, atDesk]) expect([one.stopped, one.settled]).toEqual([['ASK_ABORTED'], []])
  })

  it('ends with the router', async () => {
    const { ctx, router, surfaces, begin, timed } = await startAgent(oneQuestion())
    const [phone] = people(surfaces, 'phone')
    const { shown: [onPhone], end } = await begin(phone)
    timed.endTime()
    await end
    await router.dispose()
    expect([onPhone.stopped, onPhone.settled, pending(ctx)]).toEqual([['ASK_ABORTED'], [], []])
  })
})
