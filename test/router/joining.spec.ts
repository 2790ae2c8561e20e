// A surface comes while asks are open (ROUTING rule 14).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { openAsk } from '../helpers/ask.ts'
import { boot, dispatch, load, register } from '../helpers/cordis.ts'
import { FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

async function start(config?: unknown, ...surfaces: FakeSurface[]) {
  const { ctx } = await boot(config)
  register(ctx, ...surfaces)
  const host = new FakeHost()
  const ask = watch(dispatch(ctx, question(), host.next))
  await macrotask()
  return { ctx, ask, host }
}

describe('joining late', () => {
  it('14: where nobody had claimed it is invited, claim or not', async () => {
    for (const claims of [true, false]) {
      const { ctx, ask } = await start(undefined, new FakeSurface('a'))
      const late = new FakeSurface('late', claims)
      await pass(5000)
      register(ctx, late)
      expect(late.asked).toBe(1)
      await late.answer(says('SQLite'))
      expect(ask.value).toEqual(says('SQLite'))
    }
  })

  it('14: where somebody had claimed it is invited only if it claims', async () => {
    const { ctx } = await start(undefined, new FakeSurface('a', true))
    const [stranger, claimer] = [new FakeSurface('stranger'), new FakeSurface('claimer', true)]
    register(ctx, stranger, claimer)
    expect([stranger.asked, claimer.asked]).toEqual([0, 1])
    expect(stranger.claim).toHaveBeenCalledTimes(1)
  })

  it('14 and 2: such a claimer counts when the others are out, and those who came after are invited with the rest', async () => {
    const a = new FakeSurface('a', true)
    const { ctx } = await start(undefined, a)
    const [stranger, claimer] = [new FakeSurface('stranger'), new FakeSurface('claimer', true)]
    register(ctx, stranger, claimer)
    await a.fail()
    expect(stranger.asked).toBe(0)
    await claimer.fail()
    expect(stranger.asked).toBe(1)
  })

  it('14: each open ask is offered, and a claim is asked for each', async () => {
    const { ctx } = await start(undefined, new FakeSurface('a'))
    watch(dispatch(ctx, question(), new FakeHost().next))
    const late = new FakeSurface('late')
    register(ctx, late)
    expect(late.asked).toBe(2)
    expect(new Set(late.ask.mock.calls.map(([request]) => request)).size).toBe(2)
    expect(new Set(late.claim.mock.calls.map(([request]) => request)).size).toBe(2)
  })

  it('14: an ask that is settled is not', async () => {
    const a = new FakeSurface('a')
    const { ctx } = await start(undefined, a)
    await a.answer()
    const late = new FakeSurface('late')
    register(ctx, late)
    expect([late.asked, late.claim.mock.calls.length]).toEqual([0, 0])
  })

  it('1 and 14: an ask that only the host holds is offered, in both modes', async () => {
    for (const mode of ['race', 'fallback']) {
      const { ctx, ask, host } = await start({ host: mode })
      const late = new FakeSurface('late')
      register(ctx, late)
      expect([late.asked, host.asked]).toEqual([1, 1])
      await late.answer()
      expect(ask.value).toEqual(says('Postgres'))
      await host.fail()
    }
  })

  it('7 and 14: from then on the host\'s answer is checked', async () => {
    const { ctx, ask, host } = await start()
    register(ctx, new FakeSurface('late'))
    await host.answer(says('Oracle'))
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [], custom: 'Oracle' }] })
  })

  it('8 and 14: is told like any other when it loses', async () => {
    const a = new FakeSurface('a')
    const { ctx } = await start(undefined, a)
    const late = new FakeSurface('late')
    register(ctx, late)
    await a.answer()
    expect(late.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'a', says('Postgres'))
  })

  it('14: the same surface, gone and back, is asked again, and told once', async () => {
    const { ctx, a, b } = await openAsk()
    await a.leave()
    register(ctx, a)
    expect(a.asked).toBe(2)
    await b.answer()
    expect(a.settled).toHaveBeenCalledTimes(1)
  })

  it('14: a claim that throws is none', async () => {
    const { ctx } = await start(undefined, new FakeSurface('a', true))
    const late = new FakeSurface('late')
    late.claim.mockThrow(new Error('no'))
    expect(() => register(ctx, late)).not.toThrow()
    expect(late.asked).toBe(0)
  })

  it('14: a claim that ends the ask has it ended', async () => {
    const { ctx } = await boot()
    const controller = new AbortController()
    register(ctx, new FakeSurface('a'))
    const ask = watch(dispatch(ctx, question({ signal: controller.signal }), new FakeHost().next))
    const late = new FakeSurface('late')
    late.claim.mockImplementation(() => {
      controller.abort()
      return true
    })
    register(ctx, late)
    await flush()
    expect([ask.state, late.asked]).toEqual(['rejected', 0])
  })

  it('14: a claim that ends another ask keeps that one from being offered', async () => {
    const { ctx } = await boot()
    const controllers = [new AbortController(), new AbortController()]
    register(ctx, new FakeSurface('a'))
    const asks = controllers.map(({ signal }) => watch(dispatch(ctx, question({ signal }), new FakeHost().next)))
    const late = new FakeSurface('late')
    late.claim.mockImplementation(() => {
      controllers[1]!.abort()
      return true
    })
    register(ctx, late)
    await flush()
    expect(asks.map(({ state }) => state)).toEqual(['open', 'rejected'])
    expect([late.claim.mock.calls.length, late.asked]).toEqual([1, 1])
  })

  it('13 and 14: one whose plugin begins to go in its claim is out, and not asked', async () => {
    const { ctx, ask } = await start(undefined, new FakeSurface('a'))
    const late = new FakeSurface('late')
    await ctx.plugin({
      name: 'late',
      inject: ['askSurfaces'],
      apply(inner: Context) {
        late.claim.mockImplementation(() => {
          void inner.fiber.dispose()
          return true
        })
        inner.askSurfaces.register(late)
      },
    })
    await macrotask()
    expect([late.claim.mock.calls.length, late.asked]).toEqual([1, 0])
    expect(ask.state).toBe('open')
    expect(ctx.get('askSurfaces')!.list().map(({ name }) => name)).toEqual(['a'])
  })

  it('14: a plugin that is loaded while a question is open gets it', async () => {
    const { ctx, ask } = await start(undefined, new FakeSurface('a'))
    const late = new FakeSurface('late')
    await load(ctx, late)
    expect(late.asked).toBe(1)
    await late.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })
})
