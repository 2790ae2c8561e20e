// Who is asked: claims, and everybody when nobody claims (ROUTING rule 2).
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { boot, dispatch, dispatchAndForget, logged, register } from '../helpers/cordis.ts'
import { agentOf, codeOf, FakeHost, FakeSurface, question } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const hang = () => new Promise<never>(() => {})

async function setUp(...surfaces: FakeSurface[]) {
  const { ctx, logs } = await boot()
  register(ctx, ...surfaces)
  return { ctx, logs, registry: ctx.get('askSurfaces')! }
}

describe('claims', () => {
  it('2: asks only those that claim', async () => {
    const [a, b, c] = [new FakeSurface('a', true), new FakeSurface('b'), new FakeSurface('c', true)]
    const { ctx } = await setUp(a, b, c)
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked, c.asked]).toEqual([1, 0, 1])
  })

  it('2: asks everybody when nobody claims', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx } = await setUp(a, b)
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked]).toEqual([1, 1])
  })

  it('2: asks each surface for its claim once, with the request and the session on it', async () => {
    const a = new FakeSurface('a')
    const { ctx } = await setUp(a)
    dispatchAndForget(ctx, question({ agent: agentOf('s1') }))
    expect(a.claim).toHaveBeenCalledTimes(1)
    expect(a.claim.mock.lastCall![0].agent!.session.id).toBe('s1')
  })

  it.each([1, 'true', {}, [true], false, undefined, null, 0])('2: %j is no claim', async value => {
    const [a, b] = [new FakeSurface('a', true), new FakeSurface('b')]
    b.claim.mockReturnValue(value as never)
    const { ctx } = await setUp(a, b)
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked]).toEqual([1, 0])
  })

  it('2: one that throws does not claim, is logged, and hurts nobody', async () => {
    const [a, b, c] = [new FakeSurface('a'), new FakeSurface('b', true), new FakeSurface('c')]
    a.claim.mockImplementation(() => {
      throw new Error('secret of a')
    })
    const { ctx, logs } = await setUp(a, b, c)
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked, c.asked]).toEqual([0, 1, 0])
    expect(logged(logs, 'warn')).toContain('"a"')
    expect(logged(logs, 'error', 'warn', 'info')).not.toContain('secret')
    expect(logged(logs, 'debug')).toContain('secret of a')
  })

  it('2: a surface whose claim throws is invited with everybody when nobody claims', async () => {
    const a = new FakeSurface('a')
    a.claim.mockImplementation(() => {
      throw new Error('no')
    })
    const { ctx } = await setUp(a)
    dispatchAndForget(ctx, question())
    expect(a.asked).toBe(1)
  })

  it('2: a promise is no claim, and its rejection is caught and logged', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b', true)]
    a.claim.mockImplementation(() => Promise.reject(new Error('later')) as never)
    const { ctx, logs } = await setUp(a, b)
    const unhandled = await unhandledRejections(async () => dispatchAndForget(ctx, question(), hang))
    expect(unhandled).toEqual([])
    expect([a.asked, b.asked]).toEqual([0, 1])
    expect(logged(logs, 'warn')).toContain('"a"')
    expect(logged(logs, 'debug')).toContain('later')
  })

  it('2: a promise of true is no claim either', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b', true)]
    a.claim.mockReturnValue(Promise.resolve(true) as never)
    const { ctx } = await setUp(a, b)
    dispatchAndForget(ctx, question())
    await flush()
    expect([a.asked, b.asked]).toEqual([0, 1])
  })

  it('2: a plain "no" is not logged', async () => {
    const { ctx, logs } = await setUp(new FakeSurface('a'), new FakeSurface('b', true))
    dispatchAndForget(ctx, question(), hang)
    await flush()
    expect(logged(logs, 'error', 'warn', 'info')).toBe('')
  })
})

describe('what a claim does', () => {
  const during = (a: FakeSurface, what: (request: AskUserQuestionRequest) => void, claim = false) => {
    a.claim.mockImplementation(request => {
      what(request)
      return claim
    })
  }

  it('2: the ask is open before the first claim', async () => {
    const a = new FakeSurface('a')
    const { ctx, registry } = await setUp(a)
    const pending = vi.fn<() => number>(() => registry.pending().length)
    during(a, pending)
    dispatchAndForget(ctx, question())
    expect(pending).toHaveReturnedWith(1)
  })

  it('2 and 11: one that aborts the turn ends the ask at once, and nobody else is asked for a claim', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const host = new FakeHost()
    const controller = new AbortController()
    const { ctx } = await setUp(a, b)
    during(a, () => controller.abort(), true)
    const ask = watch(dispatch(ctx, question({ signal: controller.signal }), host.next))
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect([a.asked, b.asked, b.claim.mock.calls.length, host.asked]).toEqual([0, 0, 0, 0])
  })

  it('2 and 14: one that registers a surface has it asked for its claim too', async () => {
    const [a, late] = [new FakeSurface('a'), new FakeSurface('late', true)]
    const { ctx } = await setUp(a)
    during(a, () => register(ctx, late))
    dispatchAndForget(ctx, question())
    expect([a.asked, late.asked, late.claim.mock.calls.length]).toEqual([0, 1, 1])
  })

  it('2 and 13: one that takes a surface out has it neither claim nor be asked, before and after its own claim', async () => {
    const [a, b, c] = [new FakeSurface('a', true), new FakeSurface('b'), new FakeSurface('c', true)]
    const { ctx } = await boot()
    const [disposeA, , disposeC] = register(ctx, a, b, c)
    during(b, () => {
      disposeA!()
      disposeC!()
    })
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked, c.asked]).toEqual([0, 1, 0])
    expect(c.claim).not.toHaveBeenCalled()
  })

  it('2 and 13: a claimer that takes itself out leaves the ask to the others', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx } = await boot()
    const [dispose] = register(ctx, a, b)
    during(a, () => dispose!(), true)
    dispatchAndForget(ctx, question())
    expect([a.asked, b.asked]).toEqual([0, 1])
  })
})
