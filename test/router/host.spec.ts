// Taking the question back from the host by the signal on its request (rule 16): an agent's request, which the
// host made for this dispatch alone.
import { describe, expect, it } from 'vitest'
import { LateReader, setUp, startBefore } from '../helpers/ask.ts'
import { dispatch, noAnswerer } from '../helpers/cordis.ts'
import { agentOf, cancelled, FakeHost, FakeSurface, question, stopCode } from '../helpers/surface.ts'
import { flush, macrotask, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('with an agent', () => {
  const ofAgent = (extra: object = {}) => question({ agent: agentOf('s1'), ...extra })

  it('16: the host\'s signal aborts when the host loses, and stays on the request for those who read it late', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { a, ui, ask } = await startBefore(request)
    expect(ui.request).toBe(request)
    expect(ui.signal).not.toBe(turn.signal)
    expect(ui.signal.aborted).toBe(false)
    const { signal } = ui
    await a.answer()
    expect(ask.state).toBe('resolved')
    expect(stopCode(signal)).toBe('ASK_SETTLED')
    expect(request.signal).toBe(signal)
    expect(turn.signal.aborted).toBe(false)
  })

  it('16: there is one for a request without a signal, too', async () => {
    const { a, ui } = await startBefore(ofAgent())
    expect(ui.signal.aborted).toBe(false)
    await a.answer()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: it aborts with the turn, with the turn\'s reason', async () => {
    const turn = new AbortController()
    const { ui } = await startBefore(ofAgent({ signal: turn.signal }))
    const reason = new Error('stop')
    turn.abort(reason)
    expect(ui.signal.aborted).toBe(true)
    expect(ui.signal.reason).toBe(reason)
  })

  it('13 and 16: it aborts when the router is unloaded', async () => {
    const { fiber, ui } = await startBefore(ofAgent())
    await fiber.dispose()
    expect(stopCode(ui.signal)).toBe('ASK_ABORTED')
  })

  it('16: it does not abort when the host wins', async () => {
    const { ui, ask } = await startBefore(ofAgent())
    await ui.host.answer()
    expect(ask.state).toBe('resolved')
    expect(ui.signal.aborted).toBe(false)
  })

  it('1 and 16: without a surface it is there as well, for one may come', async () => {
    const { ctx, controller, open, join } = await setUp({ names: [] })
    const ui = new LateReader(ctx)
    open(ofAgent({ signal: controller.signal }), noAnswerer)
    const a = join('a')
    expect(ui.signal).not.toBe(controller.signal)
    await a.answer()
    expect(ui.signal.aborted).toBe(true)
  })

  it('4 and 16: nothing is swapped before the host takes part', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { a, open } = await setUp({ config: { host: 'fallback' }, names: ['a'] })
    open(request, noAnswerer)
    await macrotask()
    expect(request.signal).toBe(turn.signal)
    await a.answer()
    expect(request.signal).toBe(turn.signal)
  })

  it('16: a host asked as a fallback has one, too', async () => {
    const turn = new AbortController()
    const { a, ui } = await startBefore(ofAgent({ signal: turn.signal }), { host: 'fallback' })
    await a.fail()
    expect(ui.signal).not.toBe(turn.signal)
    turn.abort()
    expect(ui.signal.aborted).toBe(true)
  })

  it.each<[string, (host: FakeHost, a: FakeSurface) => Promise<void>]>([
    ['a person cancels elsewhere', (_, a) => a.fail(cancelled())],
    ['it failed, and another answers', async (host, a) => (await host.fail(), a.answer())],
    ['its blank answer was kept, and another answers', async (host, a) => (await host.answer({ answers: [] }), a.answer())],
  ])('16: what the host still shows is put away when %s', async (_, end) => {
    const { a, ui } = await startBefore(ofAgent())
    await end(ui.host, a)
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: a host that failed still has a signal that aborts with the turn', async () => {
    const turn = new AbortController()
    const { ui } = await startBefore(ofAgent({ signal: turn.signal }))
    await ui.host.fail()
    turn.abort()
    expect(ui.signal.aborted).toBe(true)
  })

  it('16: dispatched again after it is settled, it is raced under the turn\'s own signal', async () => {
    const turn = new AbortController()
    const request = ofAgent({ signal: turn.signal })
    const { ctx, a, ui } = await startBefore(request)
    await a.answer()
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

it('16: the host\'s losing promise is always caught', async () => {
  const { a, ui } = await startBefore(question())
  const unhandled = await unhandledRejections(async () => {
    ui.signal.addEventListener('abort', () => ui.host.fail(new Error('taken back')))
    await a.answer()
  })
  expect(unhandled).toEqual([])
})
