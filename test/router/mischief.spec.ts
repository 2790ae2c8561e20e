// Surfaces that change the router's world from within their own methods, lie about themselves, or throw: whatever they do,
// an ask is asked once everywhere, ends once, and leaves nothing behind (rules 3, 8, 12, 15 and 21).
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskSurfaces } from '../../src/protocol/surface.ts'
import { userQuestionError } from '../../src/protocol/errors.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { Page, Phone } from '../helpers/modes.ts'
import { FakeHost, FakeSurface, hang, question, says } from '../helpers/surface.ts'
import { macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

async function start(config: object = {}) {
  const { ctx, fiber } = await boot(config)
  const registry = ctx.get('askSurfaces')!
  const ask = (host = new FakeHost(), signal?: AbortSignal) => watch(dispatch(ctx, question(signal && { signal }), host.next))
  return { ctx, fiber, registry, ask }
}

describe('from within', () => {
  it('4: looking whether a page is watched has the host asked once', async () => {
    const { ctx, registry, ask } = await start({ host: 'fallback' })
    const page = new Page('page', false), host = new FakeHost()
    page.watched.mockImplementation(() => {
      registry.presence = registry.presence === 'home' ? 'away' : 'home'
      return false
    })
    register(ctx, page)
    ask(host)
    await macrotask()
    expect(host.asked).toBe(1)
    // It is looked at again right after, and not within itself without end.
    expect(page.watched.mock.calls.length).toBeLessThan(20)
  })

  it.each(['race', 'fallback'])('4: so has a listener that hears of the question, in the %s', async host => {
    const { ctx, registry, ask } = await start({ host })
    const page = new Page('page', false), next = new FakeHost()
    register(ctx, page)
    ctx.on('ask-surfaces/asked', () => registry.reconsider())
    const asked = ask(next)
    await macrotask()
    expect(next.asked).toBe(1)
    next.isEmpty()
    await page.fail()
    expect(asked.state).toBe('rejected')
  })

  it('1: and so has one where no surface is there', async () => {
    const { ctx, registry, ask } = await start()
    const next = new FakeHost()
    ctx.on('ask-surfaces/asked', () => registry.reconsider())
    ask(next)
    await macrotask()
    expect(next.asked).toBe(1)
  })

  it.each<[string, boolean, (page: Page, registry: AskSurfaces, dispose: () => void) => void]>([
    ['decides it again, and it fails', false, (page, registry) => {
      registry.reconsider()
      void page.fail()
    }],
    ['decides it again, and it leaves', false, (_, registry, dispose) => {
      registry.reconsider()
      dispose()
    }],
    ['unloads it before its time', true, (_, __, dispose) => dispose()],
  ])('4: no question stays open where a listener that hears of it %s', async (_, isLate, listener) => {
    const { ctx, registry, ask } = await start({ surfaces: { page: { delayMs: isLate ? 1000 : 0 } } })
    const page = new Page('page', false), next = new FakeHost()
    const [dispose] = register(ctx, page)
    ctx.on('ask-surfaces/asked', () => listener(page, registry, dispose!))
    next.next.mockImplementation(() => Promise.reject(userQuestionError('NO_PROVIDER', 'nobody')))
    const asked = ask(next)
    await pass(5000)
    expect([next.asked, asked.state, vi.getTimerCount()]).toEqual([1, 'rejected', 0])
  })

  it('12: nor is anybody asked who waits for the host to be out, when looking has the host asked', async () => {
    const { ctx, registry, ask } = await start({ host: 'fallback' })
    const page = new Page('page', false), phone = new Phone('phone', { home: false, away: false }), host = new FakeHost()
    page.watched.mockImplementationOnce(() => {
      registry.presence = 'away'
      return false
    })
    register(ctx, page, phone)
    ask(host)
    await macrotask()
    expect([host.asked, phone.asked]).toEqual([1, 0])
  })

  it('14: a newcomer whose claim has the asks decided is asked once', async () => {
    const { ctx, registry, ask } = await start()
    const claimer = new Page('claimer', true, true), newcomer = new FakeSurface('newcomer')
    register(ctx, claimer)
    ask()
    await macrotask()
    claimer.watched.mockReturnValue(false)
    newcomer.claim.mockImplementation(() => {
      registry.reconsider()
      return false
    })
    register(ctx, newcomer)
    expect(newcomer.asked).toBe(1)
  })

  it('14: a newcomer that has them decided when it is asked is asked once for each', async () => {
    const { ctx, registry, ask } = await start()
    const claimer = new Page('claimer', true, true), newcomer = new FakeSurface('newcomer', true)
    register(ctx, claimer)
    ask()
    ask()
    await macrotask()
    claimer.watched.mockReturnValue(false)
    newcomer.whenAsked(() => registry.reconsider())
    register(ctx, newcomer)
    await macrotask()
    const ids = newcomer.ask.mock.calls.map(([, { id }]) => id)
    expect([ids.length, new Set(ids).size]).toEqual([2, 2])
  })

  it.each(['ask', 'remind'] as const)('15: a turn that is aborted by %s while all is decided leaves no timer', async method => {
    const { ctx, registry, ask } = await start({ surfaces: { a: { away: { remindMs: 1000 } } } })
    const turn = new AbortController()
    const a = new Phone('a', { home: false }), b = new Phone('b', { home: { delayMs: 3_600_000 }, away: { delayMs: 1_800_000 } })
    a[method].mockImplementation(() => {
      turn.abort('over')
      return hang() as never
    })
    register(ctx, new FakeSurface('desk'), a, b)
    const asked = ask(new FakeHost(), turn.signal)
    await macrotask()
    registry.presence = 'away'
    await pass(1000)
    expect([asked.state, vi.getTimerCount()]).toEqual(['rejected', 0])
  })

  it('12: who is forbidden because of what another does when it is asked is not asked after it', async () => {
    vi.setSystemTime('2026-06-10T22:30:00Z')
    const { ctx, registry, ask } = await start({ quiet: { from: '22:00', to: '23:00', timeZone: 'UTC', surfaces: ['a', 'b'] } })
    const a = new Phone('a', {}, false), b = new Phone('b', { away: false }, false), host = new FakeHost()
    a.whenAsked(() => { registry.presence = 'away' })
    register(ctx, a, b)
    ask(host)
    await macrotask()
    host.isEmpty()
    await macrotask()
    expect([a.asked, b.asked]).toEqual([1, 0])
  })

  it('13: a surface that is disposed is not asked, whatever happens while it goes', async () => {
    const { ctx, registry, ask } = await start()
    const x = new FakeSurface('x'), y = new Phone('y', { home: { delayMs: 60_000 } })
    y.claim.mockReturnValue(true)
    const [, dispose] = register(ctx, x, y)
    ask()
    ask()
    await macrotask()
    expect(x.asked).toBe(0)
    // It is asked in the first ask, because the claimer goes, while the second does not know yet.
    x.whenAsked(() => { registry.presence = 'away' })
    dispose!()
    await macrotask()
    expect([x.asked, y.asked]).toEqual([2, 0])
  })

  it('21: the last presence that is told is the one that holds', async () => {
    const { ctx, registry, ask } = await start()
    const phone = new Phone('phone', { home: { delayMs: 60_000 } }), seen: string[] = []
    phone.whenAsked(() => { registry.presence = 'home' })
    register(ctx, new FakeSurface('desk'), phone)
    ctx.on('ask-surfaces/presence', presence => void seen.push(presence))
    ask()
    await macrotask()
    registry.presence = 'away'
    await macrotask()
    expect([seen.at(-1), registry.presence]).toEqual(['home', 'home'])
  })
})

describe('what a surface says of itself', () => {
  const broken = () => { throw new Error('broken') }

  it('19: is read once, when it registers, so that a getter that breaks later hurts nothing', async () => {
    vi.setSystemTime('2026-06-10T22:30:00Z')
    const { ctx, registry, ask } = await start({ quiet: { from: '22:00', to: '23:00', timeZone: 'UTC', surfaces: ['page'] } })
    const page = new Page('page', true), desk = new FakeSurface('desk')
    Object.assign(page, { defaultPolicy: { delayMs: 10 } })
    register(ctx, page, desk)
    for (const member of ['watched', 'silent', 'personal', 'name', 'defaultPolicy']) Object.defineProperty(page, member, { get: broken })
    const asked = ask()
    await macrotask()
    registry.presence = 'away'
    await pass(3_600_000)
    expect([asked.state, page.asked, desk.asked]).toEqual(['open', 1, 1])
    await desk.answer()
    expect([asked.value, vi.getTimerCount()]).toEqual([says('Postgres'), 0])
  })

  it('19: a policy that it changes afterwards changes nothing', async () => {
    const { ctx, ask } = await start()
    const policy = { home: { delayMs: 60_000 } }
    const phone = new Phone('phone', policy)
    register(ctx, new FakeSurface('desk'), phone)
    policy.home = { delayMs: 3_000_000_000 }
    ask()
    await pass(59_998)
    expect(phone.asked).toBe(0)
    await pass(2)
    expect(phone.asked).toBe(1)
  })
})

describe('presence and the life of the router', () => {
  it('21: a start that is configured away tells nobody of a change', async () => {
    const seen: string[] = []
    await boot({ presence: 'away' }, ctx => void ctx.on('ask-surfaces/presence', presence => void seen.push(presence)))
    await macrotask()
    expect(seen).toEqual([])
  })

  it('21: a registry that is kept after its router has gone tells nobody', async () => {
    const { ctx, fiber, registry } = await start()
    const seen: string[] = []
    ctx.on('ask-surfaces/presence', presence => void seen.push(presence))
    await fiber.dispose()
    registry.presence = 'away'
    await macrotask()
    expect(seen).toEqual([])
  })
})

/** What a surface may do from within a method. */
const MISCHIEF = {
  nothing() {},
  away: ({ registry }: Scene) => { registry.presence = 'away' },
  home: ({ registry }: Scene) => { registry.presence = 'home' },
  reconsider: ({ registry }: Scene) => registry.reconsider(),
  comes: ({ come }: Scene) => come(),
  goes: ({ disposers }: Scene) => disposers.shift()?.(),
  aborts: ({ turn }: Scene) => turn.abort('over'),
  answers: ({ surfaces }: Scene) => surfaces.find(one => one.asked > 0)?.answer(),
  fails: ({ surfaces }: Scene) => surfaces.findLast(one => one.asked > 0)?.fail(),
  throws() { throw new Error('thrown on purpose') },
}

interface Scene {
  readonly registry: AskSurfaces
  readonly surfaces: FakeSurface[]
  readonly disposers: (() => void)[]
  readonly turn: AbortController
  come(): void
}

type Deed = keyof typeof MISCHIEF

const deed = fc.constantFrom(...Object.keys(MISCHIEF) as Deed[])
const often = fc.oneof({ weight: 2, arbitrary: fc.constant<Deed>('nothing') }, { weight: 1, arbitrary: deed })
const timing = fc.record({ delayMs: fc.constantFrom(0, 500, 90_000), remindMs: fc.constantFrom(700, 60_000) }, { requiredKeys: [] })
const rogue = fc.record({
  claim: often, ask: often, watched: often, remind: often, settled: often,
  claims: fc.boolean(), isWatched: fc.option(fc.boolean(), { nil: undefined }), silent: fc.boolean(),
  home: fc.oneof(timing, fc.constant(false as const)), away: fc.oneof(timing, fc.constant(false as const)),
})

describe('whatever surfaces do from within', { timeout: 60_000 }, () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => void unhandled.push(error)

  beforeEach(() => void process.on('unhandledRejection', note))
  afterEach(() => void process.off('unhandledRejection', note))

  it('3, 8 and 15: nobody is asked or told twice, the host once, every ask ends, and nothing is left', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(rogue, { minLength: 1, maxLength: 4 }), fc.array(deed, { maxLength: 5 }), fc.constantFrom('race', 'fallback'),
      fc.boolean(), fc.record({ asked: often, settled: often, presence: often }),
      async (rogues, later, mode, isQuiet, heard) => {
        vi.setSystemTime('2026-06-10T21:58:50Z')
        const { ctx, registry } = await start({
          host: mode, ...isQuiet && { quiet: { from: '21:59', to: '22:00', timeZone: 'UTC', surfaces: ['s0', 's1'] } },
        })
        let newcomers = 0
        const scene: Scene = {
          registry, surfaces: [], disposers: [], turn: new AbortController(),
          come() {
            if (newcomers++ > 3) return
            const one = new FakeSurface('newcomer', newcomers % 2 === 0)
            scene.surfaces.push(one)
            scene.disposers.push(registry.register(one))
          },
        }
        // Each deed is done once for each method, or two surfaces could go on for ever.
        const once = (which: Deed) => {
          let isDone = false
          return () => {
            if (!isDone) {
              isDone = true
              MISCHIEF[which](scene)
            }
          }
        }
        ctx.on('ask-surfaces/asked', once(heard.asked))
        ctx.on('ask-surfaces/settled', once(heard.settled))
        ctx.on('ask-surfaces/presence', once(heard.presence))
        for (const [at, plan] of rogues.entries()) {
          const one = new Phone(`s${at}`, { home: plan.home, away: plan.away }, plan.silent)
          const deeds = { claim: once(plan.claim), ask: once(plan.ask), watched: once(plan.watched), remind: once(plan.remind), settled: once(plan.settled) }
          const wait = one.ask.getMockImplementation()!
          one.claim.mockImplementation(() => (deeds.claim(), plan.claims))
          one.ask.mockImplementation((...args) => {
            const answer = wait(...args)
            answer.catch(() => {})
            deeds.ask()
            return answer
          })
          one.remind.mockImplementation(deeds.remind)
          one.settled.mockImplementation(deeds.settled)
          const { isWatched } = plan
          if (isWatched !== undefined) Object.assign(one, { watched: () => (deeds.watched(), isWatched) })
          scene.surfaces.push(one)
          scene.disposers.push(registry.register(one))
        }
        const hosts = [new FakeHost(), new FakeHost()]
        const asks = hosts.map(host => watch(dispatch(ctx, question({ signal: scene.turn.signal }), host.next)))
        for (const one of later) {
          await pass(1300)
          try {
            MISCHIEF[one](scene)
          } catch {
            // It throws on purpose.
          }
        }
        await pass(120_000)
        scene.turn.abort('the end')
        await macrotask()
        await pass(10)
        expect(asks.map(({ state }) => state)).not.toContain('open')
        for (const host of hosts) expect(host.asked).toBeLessThanOrEqual(1)
        for (const one of scene.surfaces) {
          const asked = one.ask.mock.calls.map(([, { id }]) => id), told = one.settled.mock.calls.map(([request]) => request)
          expect([asked.length, told.length]).toEqual([new Set(asked).size, new Set(told).size])
        }
        expect([registry.pending(), vi.getTimerCount(), unhandled]).toEqual([[], 0, []])
      },
    ), { numRuns: 1000 })
  })
})
