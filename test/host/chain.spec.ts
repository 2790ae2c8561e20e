// Every UI of the real host races: listeners behind the router that know nothing of it, whatever each does with its question.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer, AskUserQuestionRequest } from '../../src/index.ts'
import { answerer } from '../helpers/cordis.ts'
import { stopCode } from '../helpers/surface.ts'
import {
  asking, choose, DATABASE, ENDED, interrupt, macrotask, oneQuestion, pending, people, plugin, startAgent, toldAnswer, toldError,
} from './support.ts'
import { LATE, WebUi } from './web-ui.ts'

type Listen = (request: AskUserQuestionRequest, next: () => Promise<AskUserQuestionAnswer>) => unknown

/** A plugin of the host with a listener. */
const listening = (name: string, listen: Listen) => ({ name, apply: (ctx: Context) => void answerer(ctx, listen as never) })

/** A plugin that holds every question, reads its signal at once, and never hears of anything else. */
class Holder {
  readonly name: string
  readonly signals: AbortSignal[] = []
  readonly answers: ((answer: unknown) => void)[] = []

  constructor(name: string) {
    this.name = name
  }

  readonly apply = listening('', ({ signal }) => {
    this.signals.push(signal!)
    return new Promise(resolve => this.answers.push(resolve))
  }).apply

  get isAsked(): boolean {
    return this.signals.length > 0
  }
}

/** The host with the router, an agent that asks, and the stand-ins for the web UI and for a bridge to an IM. */
async function start(config?: unknown, ...before: readonly object[]) {
  const all = await startAgent(oneQuestion(), config)
  const web = new WebUi(), bridge = new WebUi(LATE['after a microtask'], 'im-bridge')
  for (const one of [...before, web, bridge]) await all.ctx.plugin(one as never, undefined as never)
  return { ...all, web, bridge }
}

/** Who takes part in the open ask, and how it stands with each. */
const participants = (ctx: Context) => pending(ctx)[0]!.participants.map(({ name, state }) => `${name}: ${state}`)

/** Some turns of the event loop. */
async function macrotasks(): Promise<void> {
  for (let count = 0; count < 5; count++) await macrotask()
}

describe('two UIs of the host that hold the question', () => {
  it('both show it, beside three surfaces, each by the name of its plugin', async () => {
    const { agent, ctx, surfaces, web, bridge, begin } = await start()
    const all = people(surfaces, 'desk', 'phone', 'page')
    const { shown, end } = await begin(web, bridge, ...all)
    expect([shown[0].request.questions, shown[1].request.questions]).toEqual([[DATABASE], [DATABASE]])
    expect(participants(ctx)).toEqual(['desk: asked', 'phone: asked', 'page: asked', 'host: web-ui: asked', 'host: im-bridge: asked'])
    interrupt(agent)
    await end
  })

  it.each([['web', 'bridge'], ['bridge', 'web']] as const)('the %s wins: the %s and three surfaces put it away', async (winner, loser) => {
    const { surfaces, begin, ...host } = await start()
    const won = host[winner], all = people(surfaces, 'desk', 'phone', 'page')
    const { shown: [card, other, ...shown], told } = await begin(won, host[loser], ...all)
    card.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([other.state, other.aborts, card.state]).toEqual(['taken away', 1, 'answered'])
    for (const one of shown) {
      expect([one!.stopped, one!.settled]).toEqual([['ASK_SETTLED'], [{ by: `host: ${won.name}`, answer: choose('SQLite') }]])
    }
  })

  it('are both withdrawn when a surface wins, once, and what they say then is nothing', async () => {
    const { adapter, surfaces, web, bridge, begin } = await start()
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    atDesk.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect([card, message].map(({ state, aborts }) => [state, aborts])).toEqual([['taken away', 1], ['taken away', 1]])
    expect(phone.shown[0]!.settled).toEqual([{ by: 'desk', answer: choose('Postgres') }])
    card.answer(choose('SQLite'))
    await macrotask()
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })

  it('are both withdrawn when the turn is aborted, as are the surfaces', async () => {
    const { agent, ctx, surfaces, web, bridge, begin } = await start()
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], end } = await begin(web, bridge, desk)
    interrupt(agent)
    expect((await end).kind).toBe('aborted')
    expect([card, message].map(({ state, aborts }) => [state, aborts])).toEqual([['taken away', 1], ['taken away', 1]])
    expect([atDesk.stopped, atDesk.settled, pending(ctx)]).toEqual([['ASK_ABORTED'], [], []])
  })

  it('are both withdrawn when the router is unloaded', async () => {
    const { router, web, bridge, begin } = await start()
    const { shown, told } = await begin(web, bridge)
    await router.dispose()
    expect(await told()).toEqual(toldError(ENDED))
    expect(shown.map(({ state, aborts }) => [state, aborts])).toEqual([['taken away', 1], ['taken away', 1]])
  })

  it.each([['web', 'bridge'], ['bridge', 'web']] as const)('race with no surface there: the %s wins, the %s puts it away', async (winner, loser) => {
    const { ctx, begin, ...host } = await start()
    const { shown: [card, other], told } = await begin(host[winner], host[loser])
    expect(participants(ctx)).toEqual(['host: web-ui: asked', 'host: im-bridge: asked'])
    card.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([other.state, other.aborts]).toEqual(['taken away', 1])
  })

  it.each([0, 1])('have a signal each, which aborts when that one loses, and not when it wins', async (winner) => {
    const { ctx, turn, surfaces } = await startAgent(oneQuestion())
    people(surfaces, 'desk')
    const all = [new Holder('first'), new Holder('second')]
    for (const one of all) await ctx.plugin(one)
    const end = turn()
    while (!all[1]!.isAsked) await macrotask()
    expect(all.map(({ signals }) => signals.length)).toEqual([1, 1])
    expect(all.map(({ signals: [signal] }) => signal!.aborted)).toEqual([false, false])
    all[winner]!.answers[0]!(choose('SQLite'))
    await end
    expect(all.map(({ signals: [signal] }) => stopCode(signal!))).toEqual(winner === 0 ? [undefined, 'ASK_SETTLED'] : ['ASK_SETTLED', undefined])
  })

  it('are called "host" where cordis knows no plugin: the root\'s own listener', async () => {
    const { agent, ctx, surfaces, turn } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    answerer(ctx, () => new Promise(() => {}))
    const named = new Holder('named')
    await ctx.plugin(named)
    const end = turn()
    while (!named.isAsked) await macrotask()
    expect(participants(ctx)).toEqual(['desk: asked', 'host: asked', 'host: named: asked'])
    interrupt(agent)
    await end
    expect(desk.shown[0]!.stopped).toEqual(['ASK_ABORTED'])
  })
})

describe('a listener that answers by itself after a time', () => {
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const autopilot = () => listening('autopilot', ({ signal }) => new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(choose('Postgres')), 300_000)
    signal!.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal!.reason)
    })
  }))

  it('lets everybody be asked meanwhile, and wins when nobody has answered by then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { ctx, surfaces, web, bridge, begin } = await start(undefined, autopilot())
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    expect(participants(ctx)).toEqual(['desk: asked', 'host: autopilot: asked', 'host: web-ui: asked', 'host: im-bridge: asked'])
    vi.advanceTimersByTime(299_999)
    await macrotask()
    expect(pending(ctx)).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect([card.state, message.state, atDesk.settled]).toEqual(['taken away', 'taken away', [{ by: 'host: autopilot', answer: choose('Postgres') }]])
  })

  it('is stopped by the person who is faster, at another UI of the host', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { web, begin } = await start(undefined, autopilot())
    const { shown: [card], told } = await begin(web)
    expect(vi.getTimerCount()).toBe(1)
    card.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a listener that delegates', () => {
  /** Adds words to what it delegates. */
  const wrapper = () => listening('polite', async (_request, next) => {
    const { answers: [item] } = await next()
    return { answers: [{ id: item!.id, selected: [], custom: `${item!.selected.join()}, please` }] }
  })

  const PLEASE = { answers: [{ id: 'db', selected: [], custom: 'SQLite, please' }] }

  it('at once and wraps `next()`: it takes the next one, whose answer it changes, and both are one participant', async () => {
    const { ctx, surfaces, web, bridge, begin } = await start(undefined, wrapper())
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    await macrotasks()
    expect([web.cards.length, bridge.cards.length]).toEqual([1, 1])
    expect(participants(ctx)).toEqual(['desk: asked', 'host: polite: asked', 'host: asked'])
    card.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(PLEASE))
    expect([message.state, atDesk.settled]).toEqual(['taken away', [{ by: 'host: polite', answer: PLEASE }]])
  })

  it('at once: the one behind it is withdrawn with it', async () => {
    const { surfaces, web, bridge, begin } = await start(undefined, wrapper())
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    atDesk.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect([card, message].map(({ state, aborts }) => [state, aborts])).toEqual([['taken away', 1], ['taken away', 1]])
  })

  it('at once, as the last: nobody is behind it, and it has nobody there', async () => {
    const { adapter, ctx, surfaces, begin, turn } = await startAgent([...oneQuestion(), ...oneQuestion('c2')])
    await ctx.plugin(wrapper())
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    await macrotasks()
    expect(participants(ctx)).toEqual(['desk: asked'])
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    // Where no surface is left either, it is the host that says so.
    const again = desk.next(), end = turn()
    ;(await again).fail(new Error('the desk is broken'))
    await end
    expect(adapter.told('c2')).toEqual(toldError('the desk is broken', 'c2'))
  })

  /** Makes up its mind later. */
  class Late {
    readonly name = 'slow'
    readonly signals: AbortSignal[] = []
    /** What its `next()` has come to. */
    readonly words: unknown[] = []
    #decided = Promise.withResolvers<void>()

    readonly apply = listening('', async ({ signal }, next) => {
      this.signals.push(signal!)
      await this.#decided.promise
      try {
        const answer = await next()
        this.words.push(answer)
        return answer
      } catch (error) {
        this.words.push((error as { code?: unknown }).code)
        throw error
      }
    }).apply

    async delegate(): Promise<void> {
      this.#decided.resolve()
      await macrotasks()
    }
  }

  it('late, finds that everybody has the question already: it is nobody, and they go on', async () => {
    const slow = new Late(), { ctx, surfaces, web, bridge, begin } = await start(undefined, slow)
    const warned: unknown[] = []
    ctx.logger.exporter({ levels: { default: 2 }, export: ({ type, args }) => void (type === 'warn' && warned.push(args)) })
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    expect(participants(ctx)).toEqual(['desk: asked', 'host: slow: asked', 'host: web-ui: asked', 'host: im-bridge: asked'])
    await slow.delegate()
    expect([slow.words, warned]).toEqual([['NO_PROVIDER'], []])
    expect(participants(ctx)).toEqual(['desk: asked', 'host: web-ui: asked', 'host: im-bridge: asked'])
    expect([web.cards.length, bridge.cards.length]).toEqual([1, 1])
    message.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([card.state, atDesk.settled]).toEqual(['taken away', [{ by: 'host: im-bridge', answer: choose('SQLite') }]])
  })

  it('late, just when the one behind it was asked, takes the one after that: each has the question once', async () => {
    const slow = new Late(), { ctx, surfaces, web, bridge, begin } = await start(undefined, slow)
    const [desk] = people(surfaces, 'desk')
    web.onCard = () => void slow.delegate()
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    await macrotasks()
    expect([web.cards.length, bridge.cards.length, slow.signals.length]).toEqual([1, 1, 1])
    // Nobody can tell which of the two behind it the second one is.
    expect(participants(ctx)).toEqual(['desk: asked', 'host: slow: asked', 'host: asked'])
    message.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([card.state, card.aborts, atDesk.settled]).toEqual(['taken away', 1, [{ by: 'host: slow', answer: choose('SQLite') }]])
  })

  it('late, while somebody behind it is not asked yet, takes that one as it always did', async () => {
    const slow = new Late(), { ctx, surfaces, web, bridge, begin } = await start({ host: 'first' }, slow)
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    await macrotasks()
    expect([web.cards.length, participants(ctx)]).toEqual([0, ['desk: asked', 'host: slow: asked']])
    await slow.delegate()
    expect([web.cards.length, bridge.cards.length, participants(ctx)]).toEqual([1, 0, ['desk: asked', 'host: slow: asked']])
    web.cards[0]!.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([slow.words, atDesk.settled]).toEqual([[choose('SQLite')], [{ by: 'host: slow', answer: choose('SQLite') }]])
  })

  it('only after the end, finds that its signal has aborted, and so does the one that it takes', async () => {
    const slow = new Late(), { adapter, surfaces, web, bridge, begin } = await start({ host: 'first' }, slow)
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], end } = await begin(desk)
    while (!slow.signals[0]) await macrotask()
    atDesk.answer(choose('SQLite'))
    await end
    expect([stopCode(slow.signals[0]), web.cards.length]).toEqual(['ASK_SETTLED', 0])
    await slow.delegate()
    expect([web.cards.map(({ state }) => state), bridge.cards.length]).toEqual([['taken away'], 0])
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
  })
})

describe('a listener that is no help', () => {
  it.each<[string, Listen]>([
    ['throws', () => { throw new Error('broken') }],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['rejects with nothing', () => Promise.reject()],
    ['is withdrawn by itself', () => Promise.reject(plugin.userQuestionError('ASK_ABORTED', 'the browser is gone'))],
    ['says nothing', () => Promise.resolve()],
    ['says what is no answer', () => 'Postgres'],
    ['has no items', () => ({ answers: 'Postgres' })],
    ['chooses two', () => ({ answers: [{ id: 'db', selected: ['Postgres', 'SQLite'] }] })],
    ['is blank', () => ({ answers: [] })],
    ['answers another question', () => choose('Postgres', 'other')],
  ])('%s is out, and the others go on', async (_what, listen) => {
    const { adapter, ctx, surfaces, web, bridge, begin } = await start(undefined, listening('broken', listen))
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], end } = await begin(web, bridge, desk)
    await macrotasks()
    expect(participants(ctx)).toEqual(['desk: asked', expect.stringMatching(/^host: broken: (failed|blank)$/), 'host: web-ui: asked', 'host: im-bridge: asked'])
    card.answer(choose('SQLite'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('SQLite')))
    expect([message.state, atDesk.settled.length]).toEqual(['taken away', 1])
  })

  it('is out with no surface there either: what it says is passed on only once the others have had their say', async () => {
    const { adapter, ctx, web, bridge, begin } = await start(undefined, listening('broken', () => Promise.resolve({ answers: [] })))
    const { shown: [card, message], end } = await begin(web, bridge)
    card.fail(new Error('the browser is broken'))
    await macrotask()
    expect(pending(ctx)).toHaveLength(1)
    message.fail(new Error('the bridge is broken'))
    await end
    expect(adapter.told('c1')).toEqual(toldAnswer({ answers: [] }))
  })

  it('ends in what went wrong when nobody is left', async () => {
    const { web, bridge, begin } = await start()
    const { shown: [card, message], told } = await begin(web, bridge)
    card.fail(new Error('the browser is broken'))
    message.fail(new Error('the bridge is broken'))
    expect(await told()).toEqual(toldError('the browser is broken'))
  })

  it('is not needed for a person\'s no: one UI declines, and everybody puts the question away', async () => {
    const { surfaces, web, bridge, begin } = await start()
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, message, atDesk], told } = await begin(web, bridge, desk)
    message.fail(plugin.userQuestionError('ASK_CANCELLED', 'not now'))
    expect(await told()).toEqual(toldError('not now'))
    expect([card.state, atDesk.settled]).toEqual(['taken away', [{ by: 'host: im-bridge', answer: undefined }]])
  })
})

describe('host: first', () => {
  it('asks only the first, which keeps the question from the others', async () => {
    const { ctx, surfaces, web, bridge, begin } = await start({ host: 'first' })
    const [desk] = people(surfaces, 'desk')
    const { shown: [card, atDesk], told } = await begin(web, desk)
    await macrotasks()
    expect([bridge.cards.length, participants(ctx)]).toEqual([0, ['desk: asked', 'host: web-ui: asked']])
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect([card.state, bridge.cards.length]).toEqual(['taken away', 0])
  })

  it('asks the others after an edit to race, while the question is open', async () => {
    const { router, web, bridge, begin } = await start({ host: 'first' })
    const { shown: [card], told } = await begin(web)
    const comes = bridge.next()
    router.update({ host: 'race' })
    ;(await comes).answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(card.state).toBe('taken away')
  })
})

describe('host: fallback', () => {
  it('asks nobody of the host while a surface is there, and all of them when the last is out', async () => {
    const { ctx, surfaces, web, bridge, begin } = await start({ host: 'fallback' })
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const { shown: [atDesk, onPhone], told } = await begin(desk, phone)
    atDesk.fail(new Error('no terminal'))
    await macrotasks()
    expect([web.cards.length, bridge.cards.length]).toEqual([0, 0])
    const come = Promise.all([web.next(), bridge.next()])
    onPhone.fail(new Error('no network'))
    const [card, message] = await come
    expect(participants(ctx)).toEqual(['desk: failed', 'phone: failed', 'host: web-ui: asked', 'host: im-bridge: asked'])
    message.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(card.state).toBe('taken away')
  })

  it('asks all of them where no surface is registered', async () => {
    const { web, bridge, begin } = await start({ host: 'fallback' })
    const { shown: [card, message], told } = await begin(web, bridge)
    message.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(card.state).toBe('taken away')
  })
})

describe('after the end', () => {
  it.each<[string, (host: Awaited<ReturnType<typeof start>>, answer: () => void) => unknown]>([
    ['a surface has answered', (_host, answer) => answer()],
    ['the turn was aborted', ({ agent }) => interrupt(agent)],
    ['the router was unloaded', ({ router }) => router.dispose()],
  ])('nobody is asked: %s just when the first UI got the question', async (_what, endIt) => {
    const host = await start(), { surfaces, web, bridge, turn } = host
    const [desk] = people(surfaces, 'desk')
    web.onCard = () => void endIt(host, () => desk.shown[0]!.answer(choose('SQLite')))
    await turn()
    await macrotasks()
    expect([web.cards.length, bridge.cards.length]).toEqual([1, 0])
    expect([desk.shown.length, web.cards[0]!.state]).toEqual([1, 'taken away'])
  })

  it('nobody is asked: the first UI has answered at once', async () => {
    const { bridge, turn, adapter } = await start(undefined, listening('policy', () => Promise.resolve(choose('Postgres'))))
    await turn()
    await macrotasks()
    expect([adapter.told('c1'), bridge.cards.length]).toEqual([toldAnswer(choose('Postgres')), 0])
  })
})

it('a listener that is registered while another one is asked has the next question, and the others keep their names', async () => {
  const { adapter, ctx, surfaces, begin } = await startAgent([asking(), ...oneQuestion('c2')])
  const newcomer = new WebUi(undefined, 'newcomer'), web = new WebUi(), mounted: unknown[] = []
  await ctx.plugin(listening('loader', () => {
    mounted[0] ??= ctx.plugin(newcomer)
    return new Promise(() => {})
  }))
  await ctx.plugin(web)
  const [desk] = people(surfaces, 'desk')
  const { shown: [card, atDesk], end } = await begin(web, desk)
  await macrotasks()
  expect([participants(ctx), newcomer.cards.length]).toEqual([['desk: asked', 'host: loader: asked', 'host: web-ui: asked'], 0])
  const comes = newcomer.next(), again = desk.next()
  atDesk.answer(choose('SQLite'))
  ;(await comes).answer(choose('Postgres'))
  await end
  expect([adapter.told('c1'), adapter.told('c2')]).toEqual([toldAnswer(choose('SQLite')), toldAnswer(choose('Postgres'), 'c2')])
  expect([card.state, (await again).settled[0]!.by]).toEqual(['taken away', 'host: newcomer'])
})
