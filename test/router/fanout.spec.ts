// Everybody is asked at once, with one copy of the request (rule 3 and "the surface protocol").
import { describe, expect, it, vi } from 'vitest'
import { openAsk, setUp } from '../helpers/ask.ts'
import { dispatchAndForget, logged, register } from '../helpers/cordis.ts'
import { agentOf, cancelled, FakeSurface, hang, question, says } from '../helpers/surface.ts'
import { flush, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('fan-out', () => {
  it('3: every surface is asked, in registration order, in the same tick', async () => {
    const order: string[] = []
    const surfaces = ['c', 'a', 'b'].map(name => new FakeSurface(name))
    for (const one of surfaces) one.ask.mockImplementation(() => (order.push(one.name), hang()))
    const { ctx } = await setUp({ surfaces })
    dispatchAndForget(ctx, question())
    expect(order).toEqual(['c', 'a', 'b'])
  })

  it('3: a surface that comes while the others are being asked does not get ahead of them', async () => {
    const order: string[] = []
    const { ctx, a, b, open } = await setUp()
    const late = new FakeSurface('late')
    for (const one of [a, b, late]) {
      one.whenAsked(() => {
        order.push(one.name)
        if (one === a) register(ctx, late)
      })
    }
    open()
    expect(order).toEqual(['a', 'b', 'late'])
  })

  it('3: one that throws synchronously delays nobody and is only out', async () => {
    const { logs, a, b, open } = await setUp()
    a.ask.mockThrow(new Error('sync'))
    const ask = open()
    expect(b.asked).toBe(1)
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(logged(logs, 'warn')).toContain('"a"')
  })

  it('3 and 9: one that cancels by throwing is heard after the others were asked', async () => {
    const { a, b, open } = await setUp()
    const no = cancelled()
    a.ask.mockThrow(no)
    const ask = open()
    expect(b.asked).toBe(1)
    await flush()
    expect(ask.error).toBe(no)
    expect(b.settled).toHaveBeenCalledTimes(1)
  })

  it('3: one that hangs delays nobody', async () => {
    const { b, ask } = await openAsk()
    await b.answer()
    expect(ask.state).toBe('resolved')
  })

  it('3: one that answers without a promise is understood', async () => {
    const { a, open } = await setUp({ names: ['a'] })
    a.ask.mockReturnValue(says('SQLite') as never)
    const ask = open()
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('surfaces get one copy of the request with every field of it, the same in claim, ask and settled', async () => {
    const { a, b, open } = await setUp()
    const tag = Symbol('tag')
    const original = Object.assign(question({ agent: agentOf('s1'), wait: { callId: 'c1', timed: true } }), { [tag]: 1 })
    open(original)
    const { signal, ...rest } = a.request
    expect(rest).toEqual(original)
    expect(Reflect.ownKeys(rest)).toContain(tag)
    expect(rest.agent).toBe(original.agent)
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(a.request).not.toBe(original)
    await b.answer()
    for (const one of [a, b]) expect(one.claim.mock.lastCall![0]).toBe(a.request)
    expect(b.request).toBe(a.request)
    expect(a.settled.mock.lastCall![0]).toBe(a.request)
  })

  it('the copy is frozen, with its questions, their options and their intent; the original is not', async () => {
    const original = question({ wait: 1 })
    const { a } = await openAsk({ request: original })
    expect(() => Object.assign(a.request, { wait: 2 })).toThrow(TypeError)
    expect(() => a.request.questions.splice(0)).toThrow(TypeError)
    expect(Object.isFrozen(original) || Object.isFrozen(original.questions[0])).toBe(false)
  })

  it('the context\'s id is the same for everybody and another for another ask', async () => {
    const { ctx, host, a, b } = await openAsk()
    const { id } = a.context
    expect(id).toMatch(/./)
    expect(b.context.id).toBe(id)
    expect({ ...b.context }).toEqual({ id })
    expect(b.context).not.toBe(a.context)
    dispatchAndForget(ctx, question(), host.next)
    expect(a.context.id).not.toBe(id)
  })

  it('a signal is made on first read and stays the same', async () => {
    const { a, b, open } = await setUp({ config: { host: 'fallback' } })
    let made = 0
    vi.stubGlobal('AbortController', class extends AbortController {
      constructor() {
        super()
        made++
      }
    })
    open()
    const before = made
    const { signal } = a.context
    expect(made).toBe(before + 1)
    expect(a.context.signal).toBe(signal)
    expect(signal.aborted).toBe(false)
    await b.answer()
    expect(signal.aborted).toBe(true)
    expect(made).toBe(before + 1)
    vi.unstubAllGlobals()
  })
})
