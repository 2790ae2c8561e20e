// A surface comes while asks are open (rule 14).
import { describe, expect, it } from 'vitest'
import { openAsk, setUp, start, startAsk } from '../helpers/ask.ts'
import { load, loadFleeting } from '../helpers/cordis.ts'
import { FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('joining late', () => {
  it('14: where nobody had claimed it is invited, claim or not', async () => {
    for (const claims of [true, false]) {
      const { ask, join } = await start(undefined, 'a')
      await pass(5000)
      const late = join('late', claims)
      expect(late.asked).toBe(1)
      await late.answer(says('SQLite'))
      expect(ask.value).toEqual(says('SQLite'))
    }
  })

  it('14: where somebody had claimed it is invited only if it claims', async () => {
    const { join } = await startAsk({ names: ['a'], claims: ['a'] })
    const [stranger, claimer] = [join('stranger'), join('claimer', true)]
    expect([stranger.asked, claimer.asked]).toEqual([0, 1])
    expect(stranger.claim).toHaveBeenCalledTimes(1)
  })

  it('14 and 2: such a claimer counts when the others are out, and those who came after are invited with the rest', async () => {
    const { a, join } = await startAsk({ names: ['a'], claims: ['a'] })
    const [stranger, claimer] = [join('stranger'), join('claimer', true)]
    await a.fail()
    expect(stranger.asked).toBe(0)
    await claimer.fail()
    expect(stranger.asked).toBe(1)
  })

  it('14: each open ask is offered, and a claim is asked for each', async () => {
    const { open, join } = await start(undefined, 'a')
    open()
    const late = join('late')
    expect(late.asked).toBe(2)
    expect(new Set(late.ask.mock.calls.map(([request]) => request)).size).toBe(2)
    expect(new Set(late.claim.mock.calls.map(([request]) => request)).size).toBe(2)
  })

  it('14: an ask that is settled is not', async () => {
    const { a, join } = await start(undefined, 'a')
    await a.answer()
    const late = join('late')
    expect([late.asked, late.claim.mock.calls.length]).toEqual([0, 0])
  })

  it('1 and 14: an ask that only the host holds is offered, in both modes', async () => {
    for (const mode of ['race', 'fallback']) {
      const { ask, host, join } = await start({ host: mode })
      const late = join('late')
      expect([late.asked, host.asked]).toEqual([1, 1])
      await late.answer()
      expect(ask.value).toEqual(says('Postgres'))
      await host.fail()
    }
  })

  it('7 and 14: from then on the host\'s answer is checked', async () => {
    const { ask, host, join } = await start()
    join('late')
    await host.answer(says('Oracle'))
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [], custom: 'Oracle' }] })
  })

  it('8 and 14: is told like any other when it loses', async () => {
    const { a, join } = await start(undefined, 'a')
    const late = join('late')
    await a.answer()
    expect(late.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'a', says('Postgres'))
  })

  it('14: the same surface, gone and back, is asked again, and told once', async () => {
    const { a, b, join } = await openAsk()
    await a.leave()
    join(a)
    expect(a.asked).toBe(2)
    await b.answer()
    expect(a.settled).toHaveBeenCalledTimes(1)
  })

  it('14: a claim that throws is none', async () => {
    const { join } = await startAsk({ names: ['a'], claims: ['a'] })
    const late = new FakeSurface('late')
    late.claim.mockThrow(new Error('no'))
    expect(() => join(late)).not.toThrow()
    expect(late.asked).toBe(0)
  })

  it('14: a claim that ends the ask has it ended', async () => {
    const { ask, controller, join } = await openAsk({ names: ['a'] })
    const late = new FakeSurface('late')
    late.claim.mockImplementation(() => {
      controller.abort()
      return true
    })
    join(late)
    await flush()
    expect([ask.state, late.asked]).toEqual(['rejected', 0])
  })

  it('14: a claim that ends another ask keeps that one from being offered', async () => {
    const { controller, join, open } = await setUp({ names: ['a'] })
    const asks = [open(question()), open()]
    const late = new FakeSurface('late')
    late.claim.mockImplementation(() => {
      controller.abort()
      return true
    })
    join(late)
    await flush()
    expect(asks.map(({ state }) => state)).toEqual(['open', 'rejected'])
    expect([late.claim.mock.calls.length, late.asked]).toEqual([1, 1])
  })

  it('13 and 14: one whose plugin begins to go in its claim is out, and not asked', async () => {
    const { ctx, ask, registry } = await start(undefined, 'a')
    const late = new FakeSurface('late')
    await loadFleeting(ctx, late)
    await macrotask()
    expect([late.claim.mock.calls.length, late.asked]).toEqual([1, 0])
    expect(ask.state).toBe('open')
    expect(registry.list().map(({ name }) => name)).toEqual(['a'])
  })

  it('14: a plugin that is loaded while a question is open gets it', async () => {
    const { ctx, ask } = await start(undefined, 'a')
    const late = new FakeSurface('late')
    await load(ctx, late)
    expect(late.asked).toBe(1)
    await late.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })
})
