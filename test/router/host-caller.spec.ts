// Taking the question back from the host (rule 16): a request that is the caller's own, and one that cannot be
// changed.
import { describe, expect, it } from 'vitest'
import { LateReader, openAsk, startBefore } from '../helpers/ask.ts'
import { dispatch, register } from '../helpers/cordis.ts'
import { agentOf, FakeHost, FakeSurface, question, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('without an agent', () => {
  it('16: the caller\'s signal is put back when the ask settles, whoever wins', async () => {
    for (const end of [(a: FakeSurface) => a.answer(), (_: FakeSurface, ui: LateReader) => ui.host.answer()]) {
      const turn = new AbortController()
      const request = question({ signal: turn.signal })
      const { a, ui } = await startBefore(request)
      const ours = ui.signal
      expect(ours).not.toBe(turn.signal)
      end(a, ui)
      await flush()
      expect(request.signal).toBe(turn.signal)
      expect(turn.signal.aborted).toBe(false)
    }
  })

  it('16: and the host\'s own still aborts when it loses', async () => {
    const turn = new AbortController()
    const request = question({ signal: turn.signal })
    const { a, ui } = await startBefore(request)
    const ours = ui.signal
    await a.answer()
    expect(stopCode(ours)).toBe('ASK_SETTLED')
  })

  it('16: a request that had no signal has none afterwards, not even the key', async () => {
    const request = question()
    const { a, ui } = await startBefore(request)
    expect(ui.signal).toBeInstanceOf(AbortSignal)
    await a.answer()
    expect(Object.keys(request)).toEqual(['questions'])
  })

  it('16: a second ask on the same object meanwhile does not swap and has the turn\'s own signal', async () => {
    const turn = new AbortController()
    const request = question({ signal: turn.signal })
    const { ctx, a, ui, ask } = await startBefore(request)
    const ours = ui.signal
    const second = watch(dispatch(ctx, request))
    await macrotask()
    expect(request.signal).toBe(ours)
    expect([a.asked, ui.host.asked]).toEqual([2, 2])
    await a.answer()
    expect(second.state).toBe('resolved')
    expect(ask.state).toBe('open')
    expect(request.signal).toBe(ours)
    expect(ours.aborted).toBe(false)
    turn.abort()
    await flush()
    expect(ask.state).toBe('rejected')
    expect(request.signal).toBe(turn.signal)
  })

  it('16: the end of the first ask is not the end of the second', async () => {
    const turn = new AbortController()
    const request = question({ signal: turn.signal })
    const { ctx, ask: one, first } = await openAsk({ names: ['first'], claims: ['first'], request })
    const second = new FakeSurface('second', true)
    await macrotask()
    first.dispose()
    register(ctx, second)
    const other = watch(dispatch(ctx, request, new FakeHost().next))
    await macrotask()
    expect(second.asked).toBe(2)
    const [, later] = second.ask.mock.calls
    await second.answer()
    expect([one.state, other.state]).toEqual(['open', 'resolved'])
    expect(later![0].signal!.aborted).toBe(false)
    turn.abort()
    await flush()
    expect(one.state).toBe('rejected')
  })

  it('16: what somebody else put there meanwhile stays', async () => {
    const request = question()
    const { a, ui } = await startBefore(request)
    const ours = ui.signal
    const theirs = new AbortController().signal
    request.signal = theirs
    await a.answer()
    expect(request.signal).toBe(theirs)
    expect(ours.aborted).toBe(true)
  })

  it('16: nothing else is put on the request', async () => {
    const request = question({ signal: new AbortController().signal })
    const before = Reflect.ownKeys(request)
    const { a } = await startBefore(request)
    expect(Reflect.ownKeys(request)).toEqual(before)
    await a.answer()
    expect(Reflect.ownKeys(request)).toEqual(before)
    expect(Reflect.ownKeys(request.signal!).filter(key => typeof key === 'string')).toEqual([])
  })
})

describe('a request that cannot be changed', () => {
  it('16: frozen, it keeps its signal, and the host is only ignored', async () => {
    const turn = new AbortController()
    const request = Object.freeze(question({ agent: agentOf('s1'), signal: turn.signal }))
    const { a, ui, ask } = await startBefore(request)
    expect(ui.signal).toBe(turn.signal)
    const unhandled = await unhandledRejections(async () => {
      await a.answer()
      ui.host.fail()
    })
    expect(unhandled).toEqual([])
    expect(ask.state).toBe('resolved')
    expect(request.signal).toBe(turn.signal)
    expect(turn.signal.aborted).toBe(false)
  })

  it('11 and 16: frozen and aborted, it is rejected as any other', async () => {
    const turn = new AbortController()
    const { ask } = await startBefore(Object.freeze(question({ signal: turn.signal })))
    turn.abort()
    await flush()
    expect(ask.state).toBe('rejected')
  })

  it('16: with a signal that can only be read, just so', async () => {
    const turn = new AbortController()
    const request = Object.defineProperty(question({ agent: agentOf('s1') }), 'signal', { get: () => turn.signal })
    const { a, ui, ask } = await startBefore(request)
    expect(ui.signal).toBe(turn.signal)
    await a.answer()
    expect(ask.state).toBe('resolved')
  })

  it.each([true, false])('16: frozen while the host has it (with a signal: %s), it keeps ours, and everybody is told', async has => {
    const request = question(has ? { signal: new AbortController().signal } : {})
    const { ctx, a, ui, ask } = await startBefore(request)
    const b = new FakeSurface('b')
    register(ctx, b)
    Object.freeze(request)
    const unhandled = await unhandledRejections(async () => a.answer())
    expect(unhandled).toEqual([])
    expect(ask.state).toBe('resolved')
    expect(b.settled).toHaveBeenCalledTimes(1)
    expect(ui.signal.aborted).toBe(true)
  })
})
