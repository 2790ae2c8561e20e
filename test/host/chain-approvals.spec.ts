// Every UI of the real host races for an approval, too: listeners behind the router that know nothing of it. Nothing but somebody's
// `allowed-once` permits, and each that holds it is told when it is over.
import type { Context } from '@deepseek-ai/cordis'
import type { ApprovalOutcome, ApprovalRequest } from '@deepseek-ai/dsh-user-approval'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { chooses } from '../helpers/approval.ts'
import { stopCode } from '../helpers/surface.ts'
import { DEPLOYED, PanelUi, REJECTED, startGated, UNAVAILABLE } from './permission.ts'
import { interrupt, macrotask, pending } from './support.ts'

type Listen = (request: ApprovalRequest, next: () => Promise<ApprovalOutcome>) => unknown

/** A plugin of the host with a listener. */
const listening = (name: string, listen: Listen, prepend = false) => ({
  name, apply: (ctx: Context) => void ctx.on('approval/request', listen as never, { prepend }),
})

/** The host with the router, an agent whose tool needs permission, and two UIs behind the router. */
async function start(config?: unknown, ...before: readonly object[]) {
  const all = await startGated(config), web = new PanelUi('web'), bridge = new PanelUi('im-bridge')
  for (const one of [...before, web, bridge]) await all.ctx.plugin(one as never, undefined as never)
  return { ...all, web, bridge, outcome: () => all.audit()[1]![2] }
}

/** Who takes part in the open approval, and how it stands with each. */
const participants = (ctx: Context) => pending(ctx)[0]!.participants.map(({ name, state }) => `${name}: ${state}`)

/** Some turns of the event loop. */
async function macrotasks(): Promise<void> {
  for (let count = 0; count < 5; count++) await macrotask()
}

describe('two UIs of the host that hold the approval', () => {
  it('both have it, beside three surfaces, each by the name of its plugin and with a signal of its own', async () => {
    const { agent, ctx, takers, web, bridge, begin, outcome } = await start()
    const { shown: [panel, message], end } = await begin(web, bridge, ...takers('desk', 'phone', 'page'))
    expect(participants(ctx)).toEqual(['desk: asked', 'phone: asked', 'page: asked', 'host: web: asked', 'host: im-bridge: asked'])
    expect(panel.signal === message.signal).toBe(false)
    interrupt(agent)
    await end
    expect([panel, message].map(({ signal }) => signal!.aborted)).toEqual([true, true])
    expect(outcome()).toBe('cancelled')
  })

  it.each([
    ['web', 'bridge', 'allowed-once', DEPLOYED], ['web', 'bridge', 'rejected', REJECTED],
    ['bridge', 'web', 'allowed-once', DEPLOYED], ['bridge', 'web', 'rejected', REJECTED],
  ] as const)('the %s decides, the %s and three surfaces put it away: "%s"', async (winner, loser, said, result) => {
    const { takers, begin, ran, outcome, ...host } = await start(), won = host[winner]
    const { shown: [panel, other, ...shown], told } = await begin(won, host[loser], ...takers('desk', 'phone', 'page'))
    panel.decide(said)
    expect(await told()).toEqual(result)
    expect([ran.length, outcome()]).toEqual([said === 'rejected' ? 0 : 1, said])
    expect([stopCode(panel.signal!), stopCode(other.signal!)]).toEqual([undefined, 'ASK_SETTLED'])
    const answer = chooses(said === 'rejected' ? 'reject' : 'allow')
    for (const one of shown) expect([one!.stopped, one!.settled]).toEqual([['ASK_SETTLED'], [{ by: `host: ${won.name}`, answer }]])
  })

  it('race with no surface there', async () => {
    const { ctx, web, bridge, begin, ran } = await start()
    const { shown: [panel, message], told } = await begin(web, bridge)
    expect(participants(ctx)).toEqual(['host: web: asked', 'host: im-bridge: asked'])
    message.decide('rejected')
    expect(await told()).toEqual(REJECTED)
    expect([stopCode(panel.signal!), ran]).toEqual(['ASK_SETTLED', []])
  })

  it('leave the decision to each other and to the surface, where one is withdrawn or has nobody there', async () => {
    const { ctx, takers, web, bridge, begin, ran } = await start()
    const [desk] = takers('desk')
    const { shown: [panel, message, atDesk], told } = await begin(web, bridge, desk)
    panel.decide('cancelled')
    message.decide('unavailable')
    await macrotasks()
    expect([participants(ctx), ran]).toEqual([['desk: asked', 'host: web: failed'], []])
    atDesk.answer(chooses('allow'))
    expect(await told()).toEqual(DEPLOYED)
  })

  it.each([[['unavailable', 'unavailable'], 'unavailable'], [['cancelled', 'unavailable'], 'cancelled']] as const)('have nobody to decide, which denies: %j', async ([first, second], said) => {
    const { web, bridge, begin, ran, outcome, adapter } = await start()
    const { shown: [panel, message], end } = await begin(web, bridge)
    panel.decide(first)
    message.decide(second)
    await end
    expect([ran, outcome(), adapter.told('c1')!.isError]).toEqual([[], said, true])
  })
})

describe('a listener that decides by itself after a time', () => {
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  const strict = () => listening('strict', ({ signal }) => new Promise((resolve) => {
    const timer = setTimeout(() => resolve('rejected'), 300_000)
    signal!.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve('cancelled')
    })
  }))

  it('lets everybody decide meanwhile, and rejects where nobody has', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { takers, web, bridge, begin, ran } = await start(undefined, strict())
    const [desk] = takers('desk')
    const { shown: [panel, message, atDesk], told } = await begin(web, bridge, desk)
    vi.advanceTimersByTime(300_000)
    expect(await told()).toEqual(REJECTED)
    expect([stopCode(panel.signal!), stopCode(message.signal!), atDesk.settled[0]!.by, ran]).toEqual(['ASK_SETTLED', 'ASK_SETTLED', 'host: strict', []])
  })

  it('is stopped by the person who is faster', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { web, begin } = await start(undefined, strict())
    const { shown: [panel], told } = await begin(web)
    panel.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a listener that delegates', () => {
  it('at once, and forbids all the same: what it takes from the next one does not permit', async () => {
    const forbidding = listening('forbidding', async (_request, next) => await next() === 'allowed-once' ? 'rejected' : 'unavailable')
    const { ctx, takers, web, bridge, begin, ran } = await start(undefined, forbidding)
    const [desk] = takers('desk')
    const { shown: [panel, message], told } = await begin(web, bridge, desk)
    await macrotasks()
    expect([web.panels.length, bridge.panels.length, participants(ctx)]).toEqual([1, 1, ['desk: asked', 'host: forbidding: asked', 'host: asked']])
    panel.decide('allowed-once')
    expect(await told()).toEqual(REJECTED)
    expect([ran, message.signal!.aborted]).toEqual([[], true])
  })

  it('late, finds that everybody has it already: it is nobody, and they decide', async () => {
    const { promise, resolve } = Promise.withResolvers<void>(), words: unknown[] = []
    const slow = listening('slow', async (_request, next) => {
      await promise
      const said = await next()
      words.push(said)
      return said
    })
    const { ctx, takers, web, bridge, begin } = await start(undefined, slow)
    const [desk] = takers('desk')
    const { shown: [panel, message], told } = await begin(web, bridge, desk)
    expect(participants(ctx)).toEqual(['desk: asked', 'host: slow: asked', 'host: web: asked', 'host: im-bridge: asked'])
    resolve()
    await macrotasks()
    expect([words, participants(ctx)]).toEqual([['unavailable'], ['desk: asked', 'host: web: asked', 'host: im-bridge: asked']])
    message.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    expect(panel.signal!.aborted).toBe(true)
  })
})

describe('a listener that is no help', () => {
  it.each<[string, Listen]>([
    ['throws', () => { throw new Error('broken') }],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['rejects as if it permitted', () => Promise.reject('allowed-once')],
    ['says nothing', () => undefined],
    ['says true', () => true],
    ['says the option\'s id', () => 'allow'],
    ['says it in capitals', () => 'ALLOWED-ONCE'],
    ['says always', () => 'allowed-always'],
    ['answers as a surface', () => chooses('allow')],
    ['says something that reads like it', () => ({ toString: () => 'allowed-once' })],
  ])('%s: it is out and permits nothing, and the others go on', async (_what, listen) => {
    const { ctx, takers, web, bridge, begin, ran } = await start(undefined, listening('broken', listen))
    const [desk] = takers('desk')
    const { shown: [panel, message, atDesk], told } = await begin(web, bridge, desk)
    await macrotasks()
    expect([participants(ctx), ran]).toEqual([['desk: asked', 'host: broken: failed', 'host: web: asked', 'host: im-bridge: asked'], []])
    panel.decide('rejected')
    expect(await told()).toEqual(REJECTED)
    expect([message.signal!.aborted, atDesk.settled.length, ran]).toEqual([true, 1, []])
  })

  it('permits nothing with no surface there either', async () => {
    const { web, bridge, begin, ran } = await start(undefined, listening('broken', () => true))
    const { shown: [panel, message], told } = await begin(web, bridge)
    panel.decide('unavailable')
    message.decide('unavailable')
    expect(await told()).toEqual(UNAVAILABLE)
    expect(ran).toEqual([])
  })
})

describe('modes', () => {
  it('first: only the first has it', async () => {
    const { ctx, takers, web, bridge, begin } = await start({ host: 'first' })
    const [desk] = takers('desk')
    const { shown: [panel, atDesk], told } = await begin(web, desk)
    await macrotasks()
    expect([bridge.panels.length, participants(ctx)]).toEqual([0, ['desk: asked', 'host: web: asked']])
    atDesk.answer(chooses('reject'))
    expect(await told()).toEqual(REJECTED)
    expect([panel.signal!.aborted, bridge.panels.length]).toEqual([true, 0])
  })

  it('fallback: all have it once the surfaces are out', async () => {
    const { takers, web, bridge, begin } = await start({ host: 'fallback' })
    const [desk] = takers('desk')
    const { shown: [atDesk], told } = await begin(desk)
    await macrotasks()
    expect([web.panels.length, bridge.panels.length]).toEqual([0, 0])
    const come = Promise.all([web.next(), bridge.next()])
    atDesk.fail(new Error('no terminal'))
    const [panel, message] = await come
    message.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    expect(panel.signal!.aborted).toBe(true)
  })
})

describe('after the end', () => {
  it('nobody is asked: the first UI decided at once', async () => {
    const { turn, web, bridge, ran } = await start(undefined, listening('policy', () => 'rejected'))
    await turn()
    await macrotasks()
    expect([web.panels.length, bridge.panels.length, ran]).toEqual([0, 0, []])
  })

  it('nobody is asked: a surface decided just when the first UI got it', async () => {
    const { takers, turn, web, bridge, ran } = await start()
    const [desk] = takers('desk')
    void web.next().then(() => desk.shown[0]!.answer(chooses('reject')))
    await turn()
    await macrotasks()
    expect([web.panels.length, web.panels[0]!.signal!.aborted, bridge.panels.length, ran]).toEqual([1, true, 0, []])
  })

  it('the asker\'s own object has its signal again, whoever decided', async () => {
    const seen: [ApprovalRequest, AbortSignal | undefined][] = []
    const { ctx, web, bridge, begin } = await start()
    await ctx.plugin(listening('ahead', (request, next) => {
      seen.push([request, request.signal])
      return next()
    }, true))
    const { shown: [panel, message], end } = await begin(web, bridge)
    await macrotasks()
    const [[request, signal]] = seen as [typeof seen[0]]
    expect([signal, panel.signal, message.signal].includes(request.signal)).toBe(false)
    message.decide('rejected')
    await end
    expect([request.signal === signal, signal!.aborted]).toEqual([true, false])
  })
})
