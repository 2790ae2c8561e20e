// What those are told who did not win (rule 8).
import { describe, expect, it } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { start } from '../helpers/ask.ts'
import { boot, dispatch, logged, register } from '../helpers/cordis.ts'
import { cancelled, FakeSurface, hang, question, says, stopCode } from '../helpers/surface.ts'
import { macrotask, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('losers', () => {
  it('8: each is told once by whom and with what, and its signal aborts', async () => {
    const { a, b, c } = await start(undefined, 'a', 'b', 'c')
    const early = a.context.signal
    await b.answer(says('SQLite'))
    for (const loser of [a, c]) {
      expect(loser.settled).toHaveBeenCalledExactlyOnceWith(loser.request, 'b', says('SQLite'))
      expect(stopCode(loser.context.signal)).toBe('ASK_SETTLED')
    }
    expect(early.aborted).toBe(true)
    expect((early.reason as Error).name).toBe('UserQuestionError')
    expect(early.reason).toBeInstanceOf(Error)
  })

  it('8: their own request.signal does not abort because somebody else won', async () => {
    const { a, b } = await start(undefined, 'a', 'b')
    b.answer()
    await pass(1000)
    expect(a.request.signal!.aborted).toBe(false)
  })

  it('8: the winner is told nothing and its signal stays as it is', async () => {
    const { a } = await start(undefined, 'a', 'b')
    await a.answer()
    expect(a.settled).not.toHaveBeenCalled()
    expect(a.context.signal.aborted).toBe(false)
  })

  it('8: who failed, timed out or was kept blank is told as well', async () => {
    const { a, b, c, host } = await start({ surfaces: { b: { timeoutMs: 10 } } }, 'a', 'b', 'c')
    a.fail()
    c.answer({ answers: [] })
    await pass(10)
    await host.answer(says('SQLite'))
    for (const one of [a, b, c]) expect(one.settled).toHaveBeenCalledExactlyOnceWith(one.request, 'host', says('SQLite'))
    expect([a, b, c].map(one => stopCode(one.context.signal))).toEqual(['ASK_SETTLED', 'ASK_SETTLED', 'ASK_SETTLED'])
  })

  it('8: who left is not', async () => {
    const { a, b } = await start(undefined, 'a', 'b')
    await a.leave()
    await b.answer()
    expect(a.settled).not.toHaveBeenCalled()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
  })

  it('8 and 13: who leaves in the same tick in which somebody else wins is not either', async () => {
    const { a, b } = await start(undefined, 'a', 'b')
    a.dispose()
    await b.answer()
    expect(a.settled).not.toHaveBeenCalled()
    expect(stopCode(a.context.signal)).toBe('SURFACE_GONE')
  })

  it.each([
    ['failed', (a: FakeSurface) => a.fail()],
    ['answered nothing', (a: FakeSurface) => a.answer({ answers: [] })],
  ])('8 and 13: nor is who %s and left', async (_, end) => {
    const { a, b } = await start(undefined, 'a', 'b')
    end(a)
    await macrotask()
    await a.leave()
    await b.answer()
    expect(a.settled).not.toHaveBeenCalled()
  })

  it.each([
    ['fails', (a: FakeSurface) => a.fail()],
    ['answers nothing', (a: FakeSurface) => a.answer({ answers: [] })],
  ])('8 and 13: nor is who leaves and %s in the same tick', async (_, end) => {
    const { a, b } = await start(undefined, 'a', 'b')
    a.dispose()
    end(a)
    await macrotask()
    await b.answer()
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('8 and 12: who was invited and not asked yet is told nothing', async () => {
    const { a, b } = await start({ surfaces: { b: { delayMs: 1000 } } }, 'a', 'b')
    a.answer()
    await pass(1000)
    expect([b.asked, b.settled.mock.calls.length]).toEqual([0, 0])
  })

  it('8: a surface without settled is fine', async () => {
    const { ctx } = await boot()
    const plain: AskSurface = { name: 'plain', claim: () => false, ask: hang }
    const b = new FakeSurface('b')
    register(ctx, plain, b)
    const ask = dispatch(ctx, question())
    b.answer()
    expect(await ask).toEqual(says('Postgres'))
  })

  it('8: settled is called as a method of its surface', async () => {
    const { ctx } = await boot()
    const seen: unknown[] = []
    const a: AskSurface = {
      name: 'a', claim: () => false, ask: hang, settled() { seen.push(this) },
    }
    const b = new FakeSurface('b')
    register(ctx, a, b)
    const ask = dispatch(ctx, question())
    b.answer()
    await ask
    expect(seen).toEqual([a])
  })

  it('8: one that throws or rejects is contained and logged, and the next one is told all the same', async () => {
    const { ask, a, b, c, host, logs } = await start(undefined, 'a', 'b', 'c')
    a.settled.mockThrow(new Error('secret of a'))
    b.settled.mockReturnValue(Promise.reject(new Error('secret of b')) as never)
    const unhandled = await unhandledRejections(async () => host.answer())
    expect(unhandled).toEqual([])
    expect(ask.state).toBe('resolved')
    expect(c.settled).toHaveBeenCalledTimes(1)
    expect(logged(logs, 'warn')).toMatch(/"a".*\n.*"b"/)
    expect(logged(logs, 'error', 'warn', 'info')).not.toContain('secret')
    expect(logged(logs, 'debug')).toMatch(/secret of a[^]*secret of b/)
  })

  it('8: one that asks for its signal only later finds it aborted for the same reason', async () => {
    const { a, b } = await start(undefined, 'a', 'b')
    const { context } = a
    await b.answer()
    expect(stopCode(context.signal)).toBe('ASK_SETTLED')
    expect(context.signal.reason).toBe(context.signal.reason)
  })

  it('8 and 9: who cancelled is told by name and without an answer', async () => {
    const { a, b } = await start(undefined, 'a', 'b')
    await a.fail(cancelled())
    expect(a.settled).not.toHaveBeenCalled()
    expect(b.settled).toHaveBeenCalledTimes(1)
    expect(b.settled.mock.lastCall![1]).toBe('a')
    expect(b.settled.mock.lastCall![2]).toBeUndefined()
    expect(stopCode(b.context.signal)).toBe('ASK_SETTLED')
    expect(b.request.signal!.aborted).toBe(false)
  })

  it('8: nobody is told before the ask is over', async () => {
    const { registry, a, b } = await start(undefined, 'a', 'b')
    const open: number[] = []
    b.settled.mockImplementation(() => void open.push(registry.pending().length))
    await a.answer()
    expect(open).toEqual([0])
  })

  it('8: two asks are told apart', async () => {
    const { registry, ctx, a, b, host } = await start(undefined, 'a', 'b')
    const first = a.request
    const second = watch(dispatch(ctx, question(), host.next))
    await b.answer(says('SQLite'))
    expect(second.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', says('SQLite'))
    expect(a.request).not.toBe(first)
    expect(registry.pending()).toHaveLength(1)
  })
})

describe('a context', () => {
  it('cannot be stopped by the surface that has it', async () => {
    const { a } = await start(undefined, 'a')
    expect(Object.keys(a.context)).toEqual(['id'])
    expect(() => Object.assign(a.context, { signal: AbortSignal.abort() })).toThrow(TypeError)
    expect(a.context.signal.aborted).toBe(false)
  })
})
