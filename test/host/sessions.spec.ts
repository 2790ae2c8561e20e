// Several agents: each is answered by the surface that drives its session, and a child agent asks nobody.
import { describe, expect, it } from 'vitest'
import {
  choose, disposableAgent, newAgent, oneQuestion, pending, people, Person, runTurn, startAgent, startHost, toldAnswer, toldError,
} from './support.ts'
import { WebUi } from './web-ui.ts'

const twoAgents = async () => {
  const host = await startHost({ left: oneQuestion('of left'), right: oneQuestion('of right') })
  return { ...host, left: await newAgent(host.ctx, 'left'), right: await newAgent(host.ctx, 'right') }
}

describe('two agents in two sessions at once', () => {
  it('are each asked and answered only at the surface that claims its session', async () => {
    const { adapter, ctx, left, right, surfaces } = await twoAgents()
    const leftDesk = new Person('left desk', 'left'), rightDesk = new Person('right desk', 'right')
    surfaces.register(leftDesk)
    surfaces.register(rightDesk)
    const [bystander] = people(surfaces, 'phone')
    const arrived = Promise.all([leftDesk.next(), rightDesk.next()])
    const ends = Promise.all([runTurn(ctx, left, 'go on'), runTurn(ctx, right, 'go on')])
    const [atLeft, atRight] = await arrived
    expect(pending(ctx).map(({ sessionId }) => sessionId).toSorted()).toEqual(['left', 'right'])
    expect(atLeft.request.agent).toBe(left)
    expect(atRight.request.agent).toBe(right)
    atRight.answer(choose('SQLite'))
    atLeft.answer(choose('Postgres'))
    expect(await ends).toEqual([{ kind: 'completed' }, { kind: 'completed' }])
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('Postgres'), 'of left'))
    expect(adapter.told('of right')).toEqual(toldAnswer(choose('SQLite'), 'of right'))
    expect([leftDesk.shown.length, rightDesk.shown.length, bystander.shown.length]).toEqual([1, 1, 0])
    for (const shown of [atLeft, atRight]) expect([shown.stopped, shown.settled]).toEqual([[], []])
  })

  it('field case 19: ask the same surface without one question disturbing the other', async () => {
    const { adapter, ctx, left, right, surfaces } = await twoAgents()
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const first = desk.next()
    const leftEnd = runTurn(ctx, left, 'go on')
    const ofLeft = await first
    const second = desk.next()
    const rightEnd = runTurn(ctx, right, 'go on')
    const ofRight = await second
    expect(ofLeft.context.id).not.toBe(ofRight.context.id)
    expect([ofLeft.stopped, ofLeft.settled]).toEqual([[], []])
    ofRight.answer(choose('SQLite'))
    await rightEnd
    expect(pending(ctx).map(({ id, sessionId }) => [id, sessionId])).toEqual([[ofLeft.context.id, 'left']])
    expect(phone.shown.map(shown => shown.settled.length)).toEqual([0, 1])
    ofLeft.answer(choose('Postgres'))
    await leftEnd
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('Postgres'), 'of left'))
    expect(adapter.told('of right')).toEqual(toldAnswer(choose('SQLite'), 'of right'))
  })

  it('show their questions everywhere where nobody claims them', async () => {
    const { adapter, ctx, left, surfaces } = await twoAgents()
    const elsewhere = new Person('elsewhere', 'right')
    surfaces.register(elsewhere)
    const arrived = elsewhere.next()
    const end = runTurn(ctx, left, 'go on')
    ;(await arrived).answer(choose('Postgres'))
    await end
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('Postgres'), 'of left'))
  })

  it('ask the others once the surface that claimed the session is out', async () => {
    const { adapter, ctx, left, surfaces } = await twoAgents()
    const desk = new Person('desk', 'left')
    surfaces.register(desk)
    const [phone] = people(surfaces, 'phone')
    const arrived = desk.next()
    const end = runTurn(ctx, left, 'go on')
    const atDesk = await arrived
    expect(phone.shown.length).toBe(0)
    const moved = phone.next()
    atDesk.fail(new Error('the desk is broken'))
    ;(await moved).answer(choose('SQLite'))
    await end
    expect(adapter.told('of left')).toEqual(toldAnswer(choose('SQLite'), 'of left'))
    expect(phone.claimed).toBe(1)
  })
})

describe('a surface that an agent\'s own plugin registers', () => {
  it('goes with the agent', async () => {
    const { ctx, surfaces } = await startHost([])
    const { agent, dispose } = await disposableAgent(ctx, 'short-lived')
    agent.ctx.get('askSurfaces')!.register(new Person('of the agent'))
    expect(surfaces.list().map(({ name }) => name)).toEqual(['of the agent'])
    await dispose()
    expect(surfaces.list()).toEqual([])
  })
})

describe('a child agent', () => {
  it('field case 23: is refused by the host before a surface or the web UI sees its question', async () => {
    const web = new WebUi()
    const { adapter, agent, ctx, surfaces } = await startAgent(oneQuestion())
    await ctx.plugin(web)
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const asked: unknown[] = []
    ctx.on('ask-surfaces/asked', ask => void asked.push(ask))
    const child = await newAgent(agent.ctx, 'child')
    expect(await runTurn(ctx, child, 'go on')).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldError(
      'human interaction is unavailable while the calling agent is owned by another live agent; '
      + 'include the unresolved question or decision in the child agent\'s final result',
    ))
    expect([desk.claimed, phone.claimed, web.cards.length, asked.length]).toEqual([0, 0, 0, 0])
  })

  it('is refused while its parent\'s own question is open, which goes on', async () => {
    const { adapter, ctx, surfaces } = await startHost({
      parent: oneQuestion('of parent'), child: oneQuestion('of child'),
    })
    const parent = await newAgent(ctx, 'parent')
    const [desk] = people(surfaces, 'desk')
    const arrived = desk.next()
    const end = runTurn(ctx, parent, 'go on')
    const shown = await arrived
    await runTurn(ctx, await newAgent(parent.ctx, 'child'), 'go on')
    expect(adapter.told('of child')).toMatchObject({ isError: true })
    expect(desk.shown.length).toBe(1)
    shown.answer(choose('Postgres'))
    await end
    expect(adapter.told('of parent')).toEqual(toldAnswer(choose('Postgres'), 'of parent'))
  })
})
