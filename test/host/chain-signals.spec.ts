// The signals of several listeners of the real host that read `request.signal` late, each when it likes: each gets one that ends
// when it loses. There is one property for all of them.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerer } from '../helpers/cordis.ts'
import {
  choose, DATABASE, interrupt, macrotask, newAgent, oneQuestion, pending, people, plugin, runTurn, startAgent, startHost, toldAnswer,
} from './support.ts'
import { LATE, WebUi } from './web-ui.ts'

const READS = {
  ...LATE,
  'in the next tick': () => new Promise<void>(resolve => process.nextTick(resolve)),
  'after ten seconds': () => new Promise<void>(resolve => void setTimeout(resolve, 10_000)),
} as const

type Read = keyof typeof READS

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** Everything that has been asked for its signal's sake has read it. */
async function settle(): Promise<void> {
  for (let count = 0; count < 8; count++) await macrotask()
  vi.advanceTimersByTime(10_000)
  await macrotask()
}

/** Two UIs, in the order in which they are asked, that read the signal at these times. */
async function start(first: Read, second: Read, config?: unknown) {
  const all = await startAgent(oneQuestion(), config), uis = [new WebUi(READS[first], 'first'), new WebUi(READS[second], 'second')] as const
  for (const one of uis) await all.ctx.plugin(one)
  return { ...all, uis, cards: () => uis.map(one => one.cards[0]!), states: () => uis.map(({ cards }) => cards.map(({ state, aborts }) => [state, aborts])) }
}

const TAKEN_AWAY = [['taken away', 1]]

const PAIRS = (Object.keys(READS) as Read[]).flatMap(first => (Object.keys(READS) as Read[]).map(second => [first, second] as const))

describe.each(PAIRS)('one UI reads its signal %s, another one %s', (first, second) => {
  it('both are taken away when a surface wins', async () => {
    const { surfaces, begin, states } = await start(first, second)
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    await settle()
    expect(states()).toEqual([[['open', 0]], [['open', 0]]])
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(states()).toEqual([TAKEN_AWAY, TAKEN_AWAY])
  })

  it.each([0, 1])('the other is taken away when one of them wins', async (winner) => {
    const { turn, adapter, cards, states } = await start(first, second)
    const end = turn()
    await settle()
    cards()[winner]!.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect([states()[1 - winner], cards()[winner]!.state]).toEqual([TAKEN_AWAY, 'answered'])
  })

  it.each(['a surface', 'the first', 'the second'])('whoever has not read it yet when %s wins, finds one that has aborted', async (winner) => {
    const { surfaces, turn, cards, states, uis } = await start(first, second)
    const [desk] = people(surfaces, 'desk')
    // In the very moment in which the second one gets the question.
    uis[1].onCard = () => winner === 'a surface' ? desk.shown[0]!.answer(choose('SQLite')) : cards()[winner === 'the first' ? 0 : 1]!.answer(choose('SQLite'))
    const end = turn()
    await settle()
    await end
    const lost = winner === 'a surface' ? [0, 1] : winner === 'the first' ? [1] : [0]
    expect(lost.map(at => states()[at])).toEqual(lost.map(() => TAKEN_AWAY))
  })

  it('both are taken away when the turn is aborted', async () => {
    const { agent, ctx, turn, states } = await start(first, second)
    const end = turn()
    await settle()
    interrupt(agent)
    await end
    expect([states(), pending(ctx)]).toEqual([[TAKEN_AWAY, TAKEN_AWAY], []])
  })

  it('one that fails takes nothing away from the other', async () => {
    const { turn, cards, states } = await start(first, second)
    const end = turn()
    await settle()
    cards()[0]!.fail(new Error('broken'))
    await macrotask()
    expect(states()[1]).toEqual([['open', 0]])
    cards()[1]!.answer(choose('SQLite'))
    await end
  })
})

describe.each(Object.keys(READS) as Read[])('a UI that reads its signal %s', (read) => {
  it('is taken away when one that is asked after it answers at once', async () => {
    const { adapter, ctx, turn } = await startAgent(oneQuestion())
    const web = new WebUi(READS[read])
    await ctx.plugin(web)
    answerer(ctx, () => Promise.resolve(choose('Postgres')))
    await turn()
    await settle()
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
    expect(web.cards.map(({ state, aborts }) => [state, aborts])).toEqual(TAKEN_AWAY)
  })

  it('is taken away with the listener that delegated to it', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion())
    const web = new WebUi(READS[read]), bridge = new WebUi(LATE['after a microtask'], 'im-bridge')
    answerer(ctx, (_request, next) => next())
    await ctx.plugin(web)
    await ctx.plugin(bridge)
    const [desk] = people(surfaces, 'desk')
    const { shown: [message, atDesk], told } = await begin(bridge, desk)
    await settle()
    expect([web.cards[0]!.state, message.state]).toEqual(['open', 'open'])
    atDesk.answer(choose('SQLite'))
    await told()
    expect([web, bridge].map(({ cards }) => cards.map(({ state, aborts }) => [state, aborts]))).toEqual([TAKEN_AWAY, TAKEN_AWAY])
  })
})

it.each<[string, () => Promise<void>]>([
  ['after a microtask', READS['after a microtask']],
  ['after several microtasks', async () => {
    for (let count = 0; count < 5; count++) await Promise.resolve()
  }],
  ['in the next tick', READS['in the next tick']],
])('a UI that reads its signal %s, before anybody else is asked, has one of its own: it does not abort when that UI wins', async (_read, late) => {
  for (const winner of [0, 1]) {
    const { ctx, turn } = await startAgent(oneQuestion()), uis = [new WebUi(late, 'first'), new WebUi(late, 'second')]
    for (const one of uis) await ctx.plugin(one)
    const end = turn()
    await settle()
    uis[winner]!.cards[0]!.answer(choose('SQLite'))
    await end
    expect(uis.map(({ cards: [card] }) => card!.aborts)).toEqual(winner === 0 ? [0, 1] : [1, 0])
  }
})

describe.each(Object.keys(READS) as Read[])('UIs that read their signal %s', (read) => {
  async function startMany() {
    const all = await startHost({ left: oneQuestion('of left'), right: oneQuestion('of right') }), uis = [new WebUi(READS[read], 'first'), new WebUi(READS[read], 'second')]
    for (const one of uis) await all.ctx.plugin(one)
    return { ...all, uis, states: () => uis.map(({ cards }) => cards.map(({ state, aborts }) => [state, aborts])) }
  }

  it('put away only the question that is over, of two that are open', async () => {
    const { ctx, adapter, uis, states } = await startMany()
    const ends = [runTurn(ctx, await newAgent(ctx, 'left'), 'go on'), runTurn(ctx, await newAgent(ctx, 'right'), 'go on')]
    await settle()
    expect(states()).toEqual([[['open', 0], ['open', 0]], [['open', 0], ['open', 0]]])
    const ofLeft = uis[0]!.cards.findIndex(({ request }) => request.agent!.session.id === 'left'), ofRight = 1 - ofLeft
    uis[0]!.cards[ofLeft]!.answer(choose('SQLite'))
    await ends[0]
    expect([states()[1]![ofLeft], states().map(all => all[ofRight])]).toEqual([['taken away', 1], [['open', 0], ['open', 0]]])
    uis[1]!.cards[ofRight]!.answer(choose('Postgres'))
    await ends[1]
    expect(states()[0]![ofRight]).toEqual(['taken away', 1])
    expect([adapter.told('of left'), adapter.told('of right')]).toEqual([toldAnswer(choose('SQLite'), 'of left'), toldAnswer(choose('Postgres'), 'of right')])
  })

  it('put the question of a plugin away, whose own signal is back as it was', async () => {
    const { ctx, surfaces, states } = await startMany()
    const [desk] = people(surfaces, 'desk'), { signal } = new AbortController(), request = { questions: [DATABASE], signal }
    const asked = ctx.userQuestions.ask(request as never)
    await settle()
    expect([states(), request.signal === signal]).toEqual([[[['open', 0]], [['open', 0]]], false])
    desk.shown[0]!.answer(choose('SQLite'))
    expect(await asked).toEqual(choose('SQLite'))
    expect([states(), request.signal === signal, signal.aborted]).toEqual([[TAKEN_AWAY, TAKEN_AWAY], true, false])
  })
})

/** Two routers, one behind the other - the one that is loaded last stands first - and three UIs behind them. */
async function startTwo(read: Read) {
  const { ctx, router: behind, surfaces, ...all } = await startAgent(oneQuestion())
  const isolated = ctx.isolate('askSurfaces')
  await isolated.plugin(plugin)
  const inFront = isolated.get('askSurfaces')!
  const uis = ['first', 'second', 'third'].map(name => new WebUi(READS[read], name))
  for (const one of uis) await ctx.plugin(one)
  const [desk] = people(inFront, 'desk'), [phone] = people(surfaces, 'phone')
  return {
    ...all, behind, desk, phone, uis,
    states: () => uis.map(({ cards }) => cards.map(({ state, aborts }) => [state, aborts])),
    open: () => [inFront.pending().length, pending(ctx).length],
  }
}

const OPEN = [['open', 0]]

describe.each(Object.keys(READS) as Read[])('two routers, one behind the other, and UIs that read their signal %s', (read) => {
  it.each(['desk', 'phone'] as const)('each UI is asked once, and all are taken away when the %s wins', async (winner) => {
    const { turn, adapter, states, open, ...host } = await startTwo(read)
    const end = turn()
    await settle()
    expect([states(), open()]).toEqual([[OPEN, OPEN, OPEN], [1, 1]])
    host[winner].shown[0]!.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect([states(), open()]).toEqual([[TAKEN_AWAY, TAKEN_AWAY, TAKEN_AWAY], [0, 0]])
  })

  it.each([0, 1, 2])('the other UIs are taken away when one of them wins: %i', async (winner) => {
    const { turn, adapter, states, uis } = await startTwo(read)
    const end = turn()
    await settle()
    uis[winner]!.cards[0]!.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    const lost = [0, 1, 2].filter(at => at !== winner)
    expect(lost.map(at => states()[at])).toEqual(lost.map(() => TAKEN_AWAY))
  })

  it('both are over with the turn', async () => {
    const { agent, turn, states, open } = await startTwo(read)
    const end = turn()
    await settle()
    interrupt(agent)
    await end
    expect([states(), open()]).toEqual([[TAKEN_AWAY, TAKEN_AWAY, TAKEN_AWAY], [0, 0]])
  })
})

it.each<Read>(['after a microtask', 'in the next tick'])('the end of a router behind another takes only the UI away that it asked itself, where each reads its signal %s', async (read) => {
  const { turn, adapter, phone, behind, states, open, uis } = await startTwo(read)
  const end = turn()
  await settle()
  await behind.dispose()
  await settle()
  expect([phone.shown[0]!.stopped, open()]).toEqual([['ASK_ABORTED'], [1, 0]])
  expect(states()).toEqual([OPEN, TAKEN_AWAY, OPEN])
  uis[2]!.cards[0]!.answer(choose('SQLite'))
  await end
  expect([adapter.told('c1'), states()[0]]).toEqual([toldAnswer(choose('SQLite')), TAKEN_AWAY])
})
