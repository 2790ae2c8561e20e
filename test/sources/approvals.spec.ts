// dsh's approvals as a source: what surfaces get of one, what dsh gets back, and what becomes of the asker's own object.
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { userQuestionError } from '../../src/protocol/errors.ts'
import type { ApprovalOutcome, ApprovalRequest } from '../../src/sources/host/approvals.ts'
import { chooses } from '../helpers/approval.ts'
import { allows, answers } from '../helpers/approval-answers.ts'
import { boot, logged } from '../helpers/cordis.ts'
import { cancelled, FakeHost, FakeSurface, hang, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const agent = {
  session: {
    id: 's1',
    events: [
      { type: 'turn/start', data: {} },
      { type: 'tool/call', data: { callId: 'c1', name: 'bash', arguments: '{"command":"rm -rf build"}' } },
    ],
  },
}

const ALLOWS = chooses('allow'), REJECTS = chooses('reject')

/** A surface that takes approvals. */
const taker = (name: string) => Object.assign(new FakeSurface(name), { approvals: true })

/** The router with two surfaces that take approvals and one that does not, and a way to ask as dsh does. */
async function setUp(config?: unknown) {
  const { ctx, fiber, logs } = await boot(config)
  const a = taker('a'), b = taker('b'), plain = new FakeSurface('plain'), host = new FakeHost(), controller = new AbortController()
  const registry = ctx.get('askSurfaces')!
  for (const one of [a, b, plain]) one.dispose = registry.register(one)
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<ApprovalOutcome>
  return {
    ctx, fiber, logs, registry, a, b, plain, host, controller,
    open: (request: unknown = { agent, toolName: 'bash', callId: 'c1', signal: controller.signal }, next: () => unknown = host.next) => (
      watch(waterfall('approval/request', request, next))
    ),
    /** Stand behind the router, as dsh's own UIs do. */
    behind: (listener: (request: ApprovalRequest, next: () => unknown) => unknown) => ctx.on('approval/request' as never, listener as never),
  }
}

/** The same, and an approval is open everywhere. */
async function start(config?: unknown, request?: unknown) {
  const all = await setUp(config), ask = all.open(request)
  await macrotask()
  return { ...all, ask }
}

describe('a surface that takes approvals', () => {
  it('gets one question with two options, what it is about, and what the tool is to do', async () => {
    const { a, ask, controller } = await start(undefined, {
      agent, toolName: 'bash', callId: 'c1', reason: 'leaves the sandbox', displayReason: { en: 'It leaves', zh: '离开' },
    })
    expect(a.request).toMatchObject({
      kind: 'approval',
      questions: [{
        id: 'approval', question: 'Allow bash?\nleaves the sandbox', detail: '```\nrm -rf build\n```',
        options: [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }],
      }],
      approval: { toolName: 'bash', reason: 'leaves the sandbox', displayReason: { en: 'It leaves', zh: '离开' } },
    })
    expect(a.request.agent).toBe(agent)
    controller.abort()
    await a.answer(REJECTS)
    expect(ask.value).toBe('rejected')
  })

  it('cannot change what the others show', async () => {
    const { a, b } = await start(undefined, { agent, toolName: 'bash', displayReason: { en: 'why' } })
    const approval = a.request.approval as { toolName: string, displayReason: Record<string, string> }
    expect(() => { approval.toolName = 'ls' }).toThrow(TypeError)
    expect(() => { approval.displayReason['en'] = 'harmless' }).toThrow(TypeError)
    expect(b.request.approval).toEqual({ toolName: 'bash', displayReason: { en: 'why' } })
    await a.answer(REJECTS)
  })

  it.each([
    [{ reason: '', displayReason: { en: 'why' } }, 'Allow bash?\nwhy'], [{ displayReason: { zh: '离开' } }, 'Allow bash?'],
    [{ reason: 5, displayReason: { en: {} } }, 'Allow bash?'], [{ displayReason: null }, 'Allow bash?'], [{ callId: 5 }, 'Allow bash?'],
  ])('gets what can be read of a reason: %j', async (more, shown) => {
    const { a } = await start(undefined, { agent, toolName: 'bash', ...more })
    expect(a.request.questions[0]!.question).toBe(shown)
    expect(a.request.questions[0]).not.toHaveProperty('detail')
    await a.answer(REJECTS)
  })

  it('is asked where the session cannot be read, and nothing of the call is told then', async () => {
    const broken = { session: { id: 's1', get events() { throw new Error('broken') } } }
    const { a, logs } = await start(undefined, { agent: broken, toolName: 'bash', callId: 'c1' })
    expect(a.request.questions[0]).not.toHaveProperty('detail')
    expect(logged(logs, 'warn')).toContain('a tool call is unreadable')
    await a.answer(REJECTS)
  })
})

it('a surface that does not take approvals never sees one, also when it is the only one, or comes later', async () => {
  const { a, b, plain, host, registry, ask } = await start()
  const late = new FakeSurface('late', true)
  late.dispose = registry.register(late)
  await a.leave()
  await b.leave()
  await host.answer('allowed-once')
  expect([plain.asked, plain.claim.mock.calls.length, late.asked, late.claim.mock.calls.length]).toEqual([0, 0, 0, 0])
  expect([plain.settled.mock.calls.length, ask.value]).toEqual([0, 'allowed-once'])
})

describe('dsh gets', () => {
  it.each([
    ['allowed-once', ALLOWS], ['rejected', REJECTS],
    ['rejected', chooses('reject', 'use the staging server')], ['rejected', chooses('reject', 'allow')], ['rejected', chooses('reject', 'Reject: no')],
  ])('"%s" for %j', async (outcome, answer) => {
    const { a, b, ask } = await start()
    await a.answer(answer)
    expect(ask.value).toBe(outcome)
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', answer)
  })

  it('"rejected" when a person declines', async () => {
    const { a, b, ask } = await start()
    await b.fail(cancelled())
    expect(ask.value).toBe('rejected')
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', undefined)
  })

  it('"cancelled" when the turn is aborted, at once and before it began', async () => {
    const { ask, controller, open } = await start()
    controller.abort()
    await macrotask()
    expect(ask.value).toBe('cancelled')
    const again = open()
    await macrotask()
    expect(again.value).toBe('cancelled')
  })

  it('"cancelled" when the router is unloaded', async () => {
    const { a, ask, fiber } = await start()
    await fiber.dispose()
    expect([ask.value, a.context.signal.aborted]).toEqual(['cancelled', true])
  })

  it('"unavailable" when nobody is left, whatever those said who failed', async () => {
    const { a, b, host, ask } = await start()
    await a.answer(says('allow'))
    await b.fail(userQuestionError('ASK_ABORTED', 'I am broken'))
    expect(ask.state).toBe('open')
    await host.answer('unavailable')
    expect(ask.value).toBe('unavailable')
  })

  it.each(['allowed-once', 'rejected', 'cancelled', 'unavailable'])('what the host alone decides, when every surface is out: "%s"', async (outcome) => {
    const { a, b, host, ask } = await start()
    await a.fail()
    await b.answer({ answers: [{ id: 'approval', selected: ['allow', 'reject'] }] })
    expect(ask.state).toBe('open')
    await host.answer(outcome)
    expect(ask.value).toBe(outcome)
  })

  it.each([true, 'allow', 'Allow once', 'ALLOWED-ONCE', ['allowed-once'], ALLOWS, undefined, { toString: () => 'allowed-once' }])('no permission for what a listener says that is no outcome: %j', async (said) => {
    const { a, b, host, ask } = await start()
    await host.answer(said)
    expect(ask.state).toBe('open')
    await a.fail()
    await b.fail()
    expect(ask.value).toBe('unavailable')
  })

  it('the answer of the first, and nothing of what comes later', async () => {
    const { a, b, host, ask } = await start()
    await a.answer(REJECTS)
    await b.answer(ALLOWS)
    await host.answer('allowed-once')
    await a.answer(ALLOWS)
    expect(ask.value).toBe('rejected')
  })
})

it('no permission by any of 10,000 random and crafted answers, but by exactly the one option alone', { timeout: 120_000 }, async () => {
  const { ctx } = await boot()
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<ApprovalOutcome>, a = taker('a')
  ctx.get('askSurfaces')!.register(a)
  await fc.assert(fc.asyncProperty(answers, async (value) => {
    a.ask.mockResolvedValueOnce(value as never)
    const ask = watch(waterfall('approval/request', { agent, toolName: 'bash' }, () => 'unavailable'))
    await macrotask()
    expect(ask.state).toBe('resolved')
    expect(ask.value === 'allowed-once').toBe(allows(value))
  }), { numRuns: 10_000 })
})

describe('a listener behind the router', () => {
  it('has the approval beside the surfaces, and is withdrawn when one of them decides', async () => {
    const { a, behind, open } = await setUp()
    const signals: (AbortSignal | undefined)[] = []
    behind(request => {
      signals.push(request.signal)
      return hang()
    })
    behind(request => {
      signals.push(request.signal)
      return hang()
    })
    const ask = open()
    await pass(1)
    expect([a.asked, signals.map(signal => signal!.aborted)]).toEqual([1, [false, false]])
    await a.answer(ALLOWS)
    expect([ask.value, signals.map(signal => signal!.aborted)]).toEqual(['allowed-once', [true, true]])
  })

  it('that goes says "cancelled", which decides nothing for the others', async () => {
    const { a, b, host, ask } = await start()
    await host.answer('cancelled')
    expect(ask.state).toBe('open')
    await b.fail()
    await a.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })

  it('wins, and the surfaces are told', async () => {
    const { a, host, ask } = await start()
    await host.answer('allowed-once')
    expect(ask.value).toBe('allowed-once')
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'host', chooses('allow'))
  })
})

describe('policies', () => {
  const MINUTE = 60_000

  it('for approvals say when a surface is asked, beside those for questions', async () => {
    const { a, b } = await start({ surfaces: { a: { delayMs: MINUTE }, b: { delayMs: MINUTE, approvals: { delayMs: 2 * MINUTE } } } })
    // At home the host that is asked is somebody.
    expect([a.asked, b.asked]).toEqual([0, 0])
    await pass(MINUTE)
    expect([a.asked, b.asked]).toEqual([1, 0])
    await pass(MINUTE)
    expect([a.asked, b.asked]).toEqual([1, 1])
    await a.answer(REJECTS)
  })

  it('for approvals may keep a surface from them in one mode', async () => {
    const { a, b, registry } = await start({ presence: 'away', surfaces: { a: { approvals: { away: false } } } })
    expect([a.asked, b.asked]).toEqual([0, 1])
    registry.presence = 'home'
    expect([a.asked, b.asked]).toEqual([1, 1])
    await a.answer(REJECTS)
  })

  it('remind of approvals as often as they say', async () => {
    const { registry, open } = await setUp({ surfaces: { r: { remindMs: 10 * MINUTE, approvals: { remindMs: MINUTE, remindMax: 2 } } } })
    const r = Object.assign(taker('r'), { remind: vi.fn<() => void>() })
    registry.register(r)
    const ask = open()
    await pass(1)
    await pass(MINUTE)
    expect(r.remind).toHaveBeenCalledTimes(1)
    await pass(20 * MINUTE)
    expect(r.remind).toHaveBeenCalledTimes(2)
    await r.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })

  it('take a surface out, whose answer still counts while the approval is open', async () => {
    const { a, ask } = await start({ surfaces: { a: { approvals: { timeoutMs: MINUTE } } } })
    await pass(MINUTE)
    expect(ask.state).toBe('open')
    await a.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })

  it('and quiet hours keep approvals from a surface that makes a sound', async () => {
    vi.setSystemTime(new Date('2026-03-02T23:00:00Z'))
    const { a, b } = await start({ quiet: { from: '22:00', to: '23:30', timeZone: 'UTC', surfaces: ['a'] } })
    expect([a.asked, b.asked]).toEqual([0, 1])
    await pass(30 * MINUTE)
    expect(a.asked).toBe(1)
    await a.answer(REJECTS)
  })
})

describe('the asker\'s own object', () => {
  it('has its own signal again afterwards', async () => {
    const controller = new AbortController(), request: ApprovalRequest = { agent, toolName: 'bash', signal: controller.signal }
    const { a } = await start(undefined, request)
    expect(request.signal).not.toBe(controller.signal)
    await a.answer(ALLOWS)
    expect(request).toEqual({ agent, toolName: 'bash', signal: controller.signal })
    expect(request.signal).toBe(controller.signal)
  })

  it('has none again where it had none', async () => {
    const request: ApprovalRequest = { agent, toolName: 'bash' }
    const { a } = await start(undefined, request)
    await a.answer(ALLOWS)
    expect(Object.keys(request)).toEqual(['agent', 'toolName'])
  })

  it('may be frozen: it is asked everywhere all the same, and the host cannot be told', async () => {
    const { a, host, ask } = await start(undefined, Object.freeze({ agent, toolName: 'bash' }))
    expect([a.asked, host.asked]).toEqual([1, 1])
    await a.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })
})

describe('what is malformed goes to the host alone', () => {
  const fails = () => { throw new Error('broken') }

  it.each([
    undefined, null, 'bash', {}, { agent }, { agent, toolName: 5 }, { agent, toolName: ' ' },
    { agent, get toolName() { return fails() } }, { agent, toolName: 'bash', get signal() { return fails() } },
    { agent, toolName: 'bash', get reason() { return fails() } }, { agent, toolName: 'bash', displayReason: { get en() { return fails() } } },
    { agent, toolName: 'bash', get callId() { return fails() } }, { get agent() { return fails() }, toolName: 'bash' },
  ])('%#', async (request) => {
    const { a, b, host, ask, logs, registry } = await start(undefined, request ?? (request === null ? null : 'none'))
    expect([a.asked, b.asked, host.asked, registry.pending().length]).toEqual([0, 0, 1, 0])
    expect(logged(logs, 'warn')).toContain('a malformed approval is left to the host')
    await host.answer('allowed-once')
    expect(ask.value).toBe('allowed-once')
  })
})

describe('approvals: off', () => {
  it('leaves them to the host, and an edit counts for the next one', async () => {
    const { a, host, ask, fiber, open } = await start({ approvals: 'off' })
    expect([a.asked, host.asked]).toEqual([0, 1])
    await host.answer('rejected')
    expect(ask.value).toBe('rejected')
    fiber.update({ approvals: 'race' } as never)
    const next = open()
    await macrotask()
    expect(a.asked).toBe(1)
    fiber.update({ approvals: 'off' } as never)
    await a.answer(ALLOWS)
    expect(next.value).toBe('allowed-once')
    open(undefined, () => 'unavailable')
    expect(a.asked).toBe(1)
  })
})

describe('a surface that hands its approval on', () => {
  const handsOn = async (again: (request: AskUserQuestionRequest, signal: AbortSignal) => object) => {
    const all = await setUp()
    const { a, open } = all
    a.ask.mockImplementation((request, { signal }) => {
      open(again(request, signal), all.host.next)
      return hang()
    })
    const ask = open(undefined, () => hang())
    await macrotask()
    return { ...all, ask }
  }

  it.each<[string, Parameters<typeof handsOn>[0]]>([
    ['of the request', ({ agent: one, approval, signal }) => ({ agent: one, toolName: approval!.toolName, signal })],
    ['of its own', ({ agent: one, approval }, signal) => ({ agent: one, ...approval, signal })],
  ])('under the signal %s reaches the host, and nobody is asked twice', async (_whose, again) => {
    const { a, b, host, ask } = await handsOn(again)
    expect([a.asked, b.asked, host.asked]).toEqual([1, 1, 1])
    await b.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })

  it('as another one asks everybody, one level deep', async () => {
    let count = 0
    const { a, b, ask } = await handsOn(({ agent: one, signal }) => ({ agent: one, toolName: `other-${++count}`, signal }))
    expect([a, b].map(one => one.ask.mock.calls.map(([{ approval }]) => approval!.toolName))).toEqual([['bash', 'other-1'], ['other-1', 'bash']])
    await b.answer(ALLOWS)
    expect(ask.value).toBe('allowed-once')
  })
})
