// Taking the question back from the host by the signal on its request (ROUTING rule 16).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { answerer, boot, dispatch, register } from '../helpers/cordis.ts'
import { agentOf, cancelled, FakeHost, FakeSurface, question, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

/** A UI behind the router that reads the signal of its request whenever it likes. */
class LateReader {
  readonly host = new FakeHost()
  request: AskUserQuestionRequest | undefined

  constructor(ctx: Context) {
    answerer(ctx, request => {
      this.request = request
      return this.host.next()
    })
  }

  get signal(): AbortSignal {
    return this.request!.signal!
  }
}

async function start(request: AskUserQuestionRequest, config?: unknown) {
  const { ctx, fiber } = await boot(config)
  const a = new FakeSurface('a')
  register(ctx, a)
  const ui = new LateReader(ctx)
  const ask = watch(dispatch(ctx, request))
  await macrotask()
  return { ctx, fiber, a, ui, ask }
}

describe('with an agent', () => {
  const ofAgent = (extra: object = {}) => question({ agent: agentOf('s1'), ...extra })

  it('16: the host\'s signal aborts when the host loses, and stays on the request for those who read it late', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { a, ui, ask } = await start(request)
    expect(ui.request).toBe(request)
    expect(ui.signal).not.toBe(turn.signal)
    expect(ui.signal.aborted).toBe(false)
    const { signal } = ui
    a.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    expect(stopCode(signal)).toBe('ASK_SETTLED')
    expect(request.signal).toBe(signal)
    expect(turn.signal.aborted).toBe(false)
  })

  it('16: there is one for a request without a signal, too', async () => {
    const { a, ui } = await start(ofAgent())
    expect(ui.signal.aborted).toBe(false)
    a.answer()
    await flush()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: it aborts with the turn, with the turn\'s reason', async () => {
    const turn = new AbortController()
    const { ui } = await start(ofAgent({ signal: turn.signal }))
    const reason = new Error('stop')
    turn.abort(reason)
    expect(ui.signal.aborted).toBe(true)
    expect(ui.signal.reason).toBe(reason)
  })

  it('9 and 16: it aborts when a person cancels elsewhere', async () => {
    const { a, ui } = await start(ofAgent())
    a.fail(cancelled())
    await flush()
    expect(ui.signal.aborted).toBe(true)
  })

  it('13 and 16: it aborts when the router is unloaded', async () => {
    const { fiber, ui } = await start(ofAgent())
    await fiber.dispose()
    expect(stopCode(ui.signal)).toBe('ASK_ABORTED')
  })

  it('16: it does not abort when the host wins', async () => {
    const { ui, ask } = await start(ofAgent())
    ui.host.answer()
    await flush()
    expect(ask.state).toBe('resolved')
    expect(ui.signal.aborted).toBe(false)
  })

  it('1 and 16: without a surface it is there as well, for one may come', async () => {
    const { ctx } = await boot()
    const ui = new LateReader(ctx)
    const turn = new AbortController()
    watch(dispatch(ctx, ofAgent({ signal: turn.signal })))
    const a = new FakeSurface('a')
    register(ctx, a)
    expect(ui.signal).not.toBe(turn.signal)
    a.answer()
    await flush()
    expect(ui.signal.aborted).toBe(true)
  })

  it('4 and 16: nothing is swapped before the host takes part', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { ctx } = await boot({ host: 'fallback' })
    const a = new FakeSurface('a')
    register(ctx, a)
    watch(dispatch(ctx, request))
    await macrotask()
    expect(request.signal).toBe(turn.signal)
    a.answer()
    await flush()
    expect(request.signal).toBe(turn.signal)
  })

  it('16: a host asked as a fallback has one, too', async () => {
    const turn = new AbortController()
    const { a, ui } = await start(ofAgent({ signal: turn.signal }), { host: 'fallback' })
    a.fail()
    await flush()
    expect(ui.signal).not.toBe(turn.signal)
    turn.abort()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: a host that failed has lost as well when another answers: what it still shows is put away', async () => {
    const { a, ui } = await start(ofAgent())
    ui.host.fail()
    await flush()
    a.answer()
    await flush()
    expect(ui.signal.aborted).toBe(true)
  })

  it('7 and 16: so has a host whose blank answer was kept', async () => {
    const { a, ui } = await start(ofAgent())
    ui.host.answer({ answers: [] })
    await flush()
    expect(ui.signal.aborted).toBe(false)
    a.answer()
    await flush()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: a host that failed still has a signal that aborts with the turn', async () => {
    const turn = new AbortController()
    const { ui } = await start(ofAgent({ signal: turn.signal }))
    ui.host.fail()
    await flush()
    turn.abort()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: dispatched again after it is settled, it is raced under the turn\'s own signal', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { ctx, a, ui } = await start(request)
    a.answer()
    await flush()
    const first = ui.signal
    expect(first.aborted).toBe(true)
    const again = watch(dispatch(ctx, request))
    await macrotask()
    expect(again.state).toBe('open')
    expect([a.asked, ui.host.asked]).toEqual([2, 2])
    expect(ui.signal).not.toBe(first)
    expect(ui.signal.aborted).toBe(false)
    turn.abort()
    await flush()
    expect([again.state, ui.signal.aborted]).toEqual(['rejected', true])
  })
})

describe('without an agent', () => {
  it('16: the caller\'s signal is put back when the ask settles, whoever wins', async () => {
    for (const end of [(a: FakeSurface) => a.answer(), (_: FakeSurface, ui: LateReader) => ui.host.answer()]) {
      const turn = new AbortController()
      const request = question({ signal: turn.signal })
      const { a, ui } = await start(request)
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
    const { a, ui } = await start(request)
    const ours = ui.signal
    a.answer()
    await flush()
    expect(stopCode(ours)).toBe('ASK_SETTLED')
  })

  it('16: a request that had no signal has none afterwards, not even the key', async () => {
    const request = question()
    const { a, ui } = await start(request)
    expect(ui.signal).toBeInstanceOf(AbortSignal)
    a.answer()
    await flush()
    expect(Object.keys(request)).toEqual(['questions'])
  })

  it('16: a second ask on the same object meanwhile does not swap and has the turn\'s own signal', async () => {
    const turn = new AbortController()
    const request = question({ signal: turn.signal })
    const { ctx, a, ui, ask } = await start(request)
    const ours = ui.signal
    const second = watch(dispatch(ctx, request))
    await macrotask()
    expect(request.signal).toBe(ours)
    expect([a.asked, ui.host.asked]).toEqual([2, 2])
    a.answer()
    await flush()
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
    const { ctx } = await boot()
    const [first, second] = [new FakeSurface('first', true), new FakeSurface('second', true)]
    const [dispose] = register(ctx, first)
    const one = watch(dispatch(ctx, request, new FakeHost().next))
    await macrotask()
    dispose!()
    register(ctx, second)
    const other = watch(dispatch(ctx, request, new FakeHost().next))
    await macrotask()
    expect(second.asked).toBe(2)
    const [, later] = second.ask.mock.calls
    second.answer()
    await flush()
    expect([one.state, other.state]).toEqual(['open', 'resolved'])
    expect(later![0].signal!.aborted).toBe(false)
    turn.abort()
    await flush()
    expect(one.state).toBe('rejected')
  })

  it('16: what somebody else put there meanwhile stays', async () => {
    const request = question()
    const { a, ui } = await start(request)
    const ours = ui.signal
    const theirs = new AbortController().signal
    request.signal = theirs
    a.answer()
    await flush()
    expect(request.signal).toBe(theirs)
    expect(ours.aborted).toBe(true)
  })

  it('16: nothing else is put on the request', async () => {
    const request = question({ signal: new AbortController().signal })
    const before = Reflect.ownKeys(request)
    const { a } = await start(request)
    expect(Reflect.ownKeys(request)).toEqual(before)
    a.answer()
    await flush()
    expect(Reflect.ownKeys(request)).toEqual(before)
    expect(Reflect.ownKeys(request.signal!).filter(key => typeof key === 'string')).toEqual([])
  })
})

describe('a request that cannot be changed', () => {
  it('16: frozen, it keeps its signal, and the host is only ignored', async () => {
    const turn = new AbortController()
    const request = Object.freeze(question({ agent: agentOf('s1'), signal: turn.signal }))
    const { a, ui, ask } = await start(request)
    expect(ui.signal).toBe(turn.signal)
    const unhandled = await unhandledRejections(async () => {
      a.answer()
      await flush()
      ui.host.fail()
    })
    expect(unhandled).toEqual([])
    expect(ask.state).toBe('resolved')
    expect(request.signal).toBe(turn.signal)
    expect(turn.signal.aborted).toBe(false)
  })

  it('11 and 16: frozen and aborted, it is rejected as any other', async () => {
    const turn = new AbortController()
    const { ask } = await start(Object.freeze(question({ signal: turn.signal })))
    turn.abort()
    await flush()
    expect(ask.state).toBe('rejected')
  })

  it('16: with a signal that can only be read, just so', async () => {
    const turn = new AbortController()
    const request = Object.defineProperty(question({ agent: agentOf('s1') }), 'signal', { get: () => turn.signal })
    const { a, ui, ask } = await start(request)
    expect(ui.signal).toBe(turn.signal)
    a.answer()
    await flush()
    expect(ask.state).toBe('resolved')
  })

  it.each([true, false])('16: frozen while the host has it (with a signal: %s), it keeps ours, and everybody is told', async has => {
    const request = question(has ? { signal: new AbortController().signal } : {})
    const { ctx, a, ui, ask } = await start(request)
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

it('16: the host\'s losing promise is always caught', async () => {
  const { a, ui } = await start(question())
  const unhandled = await unhandledRejections(async () => {
    ui.signal.addEventListener('abort', () => ui.host.fail(new Error('taken back')))
    a.answer()
    await flush()
  })
  expect(unhandled).toEqual([])
})
