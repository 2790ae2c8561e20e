// Who is asked: claims, and everybody when nobody claims (rule 2).
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { openAsk, setUp } from '../helpers/ask.ts'
import { dispatchAndForget, logged, register } from '../helpers/cordis.ts'
import { agentOf, codeOf, FakeSurface, hang, question } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('claims', () => {
  it('2: asks only those that claim', async () => {
    const { a, b, c } = await openAsk({ names: ['a', 'b', 'c'], claims: ['a', 'c'] })
    expect([a.asked, b.asked, c.asked]).toEqual([1, 0, 1])
  })

  it('2: asks everybody when nobody claims', async () => {
    const { a, b } = await openAsk()
    expect([a.asked, b.asked]).toEqual([1, 1])
  })

  it('2: asks each surface for its claim once, with the request and the session on it', async () => {
    const { a } = await openAsk({ names: ['a'], request: question({ agent: agentOf('s1') }) })
    expect(a.claim).toHaveBeenCalledTimes(1)
    expect(a.claim.mock.lastCall![0].agent!.session.id).toBe('s1')
  })

  it.each([1, 'true', {}, [true], false, undefined, null, 0])('2: %j is no claim', async value => {
    const { a, b, open } = await setUp({ claims: ['a'] })
    b.claim.mockReturnValue(value as never)
    open()
    expect([a.asked, b.asked]).toEqual([1, 0])
  })

  it('2: one that throws does not claim, is logged, and hurts nobody', async () => {
    const { logs, a, b, c, open } = await setUp({ names: ['a', 'b', 'c'], claims: ['b'] })
    a.claim.mockThrow(new Error('secret of a'))
    open()
    expect([a.asked, b.asked, c.asked]).toEqual([0, 1, 0])
    expect(logged(logs, 'warn')).toContain('"a"')
    expect(logged(logs, 'error', 'warn', 'info')).not.toContain('secret')
    expect(logged(logs, 'debug')).toContain('secret of a')
  })

  it('2: a surface whose claim throws is invited with everybody when nobody claims', async () => {
    const { a, open } = await setUp({ names: ['a'] })
    a.claim.mockThrow(new Error('no'))
    open()
    expect(a.asked).toBe(1)
  })

  it('2: a promise is no claim, and its rejection is caught and logged', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b', true)]
    a.claim.mockImplementation(() => Promise.reject(new Error('later')) as never)
    const { ctx, logs } = await setUp({ surfaces: [a, b] })
    const unhandled = await unhandledRejections(async () => dispatchAndForget(ctx, question(), hang))
    expect(unhandled).toEqual([])
    expect([a.asked, b.asked]).toEqual([0, 1])
    expect(logged(logs, 'warn')).toContain('"a"')
    expect(logged(logs, 'debug')).toContain('later')
  })

  it('2: a promise of true is no claim either', async () => {
    const { a, b, open } = await setUp({ claims: ['b'] })
    a.claim.mockReturnValue(Promise.resolve(true) as never)
    open()
    await flush()
    expect([a.asked, b.asked]).toEqual([0, 1])
  })

  it('2: a plain "no" is not logged', async () => {
    const { ctx, logs } = await setUp({ claims: ['b'] })
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
    const { registry, a, open } = await setUp({ names: ['a'] })
    const pending = vi.fn<() => number>(() => registry.pending().length)
    during(a, pending)
    open()
    expect(pending).toHaveReturnedWith(1)
  })

  it('2 and 11: one that aborts the turn ends the ask at once, and nobody else is asked for a claim', async () => {
    const { host, controller, a, b, open } = await setUp()
    during(a, () => controller.abort(), true)
    const ask = open()
    await macrotask()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect([a.asked, b.asked, b.claim.mock.calls.length, host.asked]).toEqual([0, 0, 0, 0])
  })

  it('14: a surface that one registers is offered the ask after the others: asked beside them where nobody had claimed', async () => {
    const { ctx, a, open } = await setUp({ names: ['a'] })
    const late = new FakeSurface('late', true)
    during(a, () => register(ctx, late))
    open()
    expect([a.asked, late.asked, late.claim.mock.calls.length]).toEqual([1, 1, 1])
  })

  it.each([{ claims: true, asked: 1 }, { claims: false, asked: 0 }])('14: and asked only if it claims where somebody had: %j', async ({ claims, asked }) => {
    const { ctx, a, b, open } = await setUp({ names: ['a', 'b'], claims: ['b'] })
    const late = new FakeSurface('late', claims)
    during(a, () => register(ctx, late))
    open()
    expect([a.asked, b.asked, late.asked]).toEqual([0, 1, asked])
  })

  it('2 and 13: one that takes a surface out has it neither claim nor be asked, before and after its own claim', async () => {
    const { a, b, c, open } = await setUp({ names: ['a', 'b', 'c'], claims: ['a', 'c'] })
    during(b, () => {
      a.dispose()
      c.dispose()
    })
    open()
    expect([a.asked, b.asked, c.asked]).toEqual([0, 1, 0])
    expect(c.claim).not.toHaveBeenCalled()
  })

  it('2 and 13: a claimer that takes itself out leaves the ask to the others', async () => {
    const { a, b, open } = await setUp()
    during(a, () => a.dispose(), true)
    open()
    expect([a.asked, b.asked]).toEqual([0, 1])
  })
})
