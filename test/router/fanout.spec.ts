// Everybody is asked at once, and the host takes part (ROUTING rules 1, 3, 4 and 5).
import { describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { answerer, boot, dispatch, dispatchAndForget, logged, register } from '../helpers/cordis.ts'
import { agentOf, cancelled, FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

async function setUp(config?: unknown, ...surfaces: FakeSurface[]) {
  const { ctx, logs } = await boot(config)
  const disposers = register(ctx, ...surfaces)
  return { ctx, logs, host: new FakeHost(), disposers }
}

describe('without a surface', () => {
  it('1: the host is asked in the same tick', async () => {
    const { ctx, host } = await setUp()
    dispatchAndForget(ctx, question(), host.next)
    expect(host.asked).toBe(1)
  })

  it('1: in fallback mode too', async () => {
    const { ctx, host } = await setUp({ host: 'fallback' })
    dispatchAndForget(ctx, question(), host.next)
    expect(host.asked).toBe(1)
  })

  it.each([
    ['a proper answer', says('SQLite')],
    ['a label that nobody offered', says('Oracle')],
    ['no answers', { answers: [] }],
    ['something that is no answer at all', 'Postgres'],
    ['undefined', undefined],
  ])('1: %s is passed on as it is', async (_, value) => {
    const { ctx, host } = await setUp()
    const ask = watch(dispatch(ctx, question(), host.next))
    host.answer(value)
    await flush()
    expect(ask.state).toBe('resolved')
    expect(ask.value).toBe(value)
  })

  it.each([new Error('broken'), cancelled(), 'a string', undefined])('1: the rejection %s is passed on as it is', async error => {
    const { ctx, host } = await setUp()
    const ask = watch(dispatch(ctx, question(), host.next))
    host.fail(error)
    await flush()
    expect(ask.state).toBe('rejected')
    expect(ask.error).toBe(error)
  })

  it('1: so is NO_PROVIDER, the host\'s own error', async () => {
    const { ctx, host } = await setUp()
    const error = Object.assign(new Error('nobody'), { name: 'UserQuestionError', code: 'NO_PROVIDER' })
    const ask = watch(dispatch(ctx, question(), host.next))
    host.fail(error)
    await flush()
    expect(ask.error).toBe(error)
  })

  it('1: a host that throws instead of rejecting is passed on all the same', async () => {
    const { ctx } = await setUp()
    const error = new Error('sync')
    const ask = watch(dispatch(ctx, question(), () => {
      throw error
    }))
    await flush()
    expect(ask.error).toBe(error)
  })

  it('1: an agent\'s question is passed on just so', async () => {
    const { ctx, host } = await setUp()
    const ask = watch(dispatch(ctx, question({ agent: agentOf('s1') }), host.next))
    host.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })
})

describe('one of our own copies', () => {
  it('1: dispatched again by a surface, it goes straight to the host', async () => {
    const a = new FakeSurface()
    const { ctx, host } = await setUp(undefined, a)
    dispatchAndForget(ctx, question(), () => new Promise(() => {}))
    const ask = watch(dispatch(ctx, a.request, host.next))
    expect([host.asked, a.asked, ctx.get('askSurfaces')!.pending().length]).toEqual([1, 1, 1])
    host.answer('whatever')
    await flush()
    expect(ask.value).toBe('whatever')
  })

  it('1: also as the host\'s service makes it anew', async () => {
    const a = new FakeSurface()
    const { ctx, host } = await setUp(undefined, a)
    dispatchAndForget(ctx, question(), () => new Promise(() => {}))
    const { questions, signal } = a.request
    dispatchAndForget(ctx, { questions, signal: signal!, agent: agentOf('s1') }, host.next)
    expect([host.asked, a.asked]).toEqual([1, 1])
  })

  it('1: other questions under the same signal are an ask of their own', async () => {
    const a = new FakeSurface()
    const { ctx, host } = await setUp(undefined, a)
    dispatchAndForget(ctx, question(), () => new Promise(() => {}))
    dispatchAndForget(ctx, { ...a.request, questions: question().questions }, host.next)
    expect([host.asked, a.asked]).toEqual([0, 2])
  })
})

describe('fan-out', () => {
  it('3: every surface is asked, in registration order, in the same tick', async () => {
    const order: string[] = []
    const surfaces = ['c', 'a', 'b'].map(name => new FakeSurface(name))
    for (const one of surfaces) one.ask.mockImplementation(() => (order.push(one.name), new Promise(() => {})))
    const { ctx } = await setUp(undefined, ...surfaces)
    dispatchAndForget(ctx, question())
    expect(order).toEqual(['c', 'a', 'b'])
  })

  it('3: a surface that comes while the others are being asked does not get ahead of them', async () => {
    const order: string[] = []
    const [a, b, late] = [new FakeSurface('a'), new FakeSurface('b'), new FakeSurface('late')]
    const { ctx } = await setUp(undefined, a, b)
    for (const one of [a, b, late]) {
      one.ask.mockImplementation(() => {
        order.push(one.name)
        if (one === a) register(ctx, late)
        return new Promise(() => {})
      })
    }
    dispatchAndForget(ctx, question())
    expect(order).toEqual(['a', 'b', 'late'])
  })

  it('3: one that throws synchronously delays nobody and is only out', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    a.ask.mockImplementation(() => {
      throw new Error('sync')
    })
    const { ctx, host, logs } = await setUp(undefined, a, b)
    const ask = watch(dispatch(ctx, question(), host.next))
    expect(b.asked).toBe(1)
    b.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
    expect(logged(logs, 'warn')).toContain('"a"')
  })

  it('3: one that hangs delays nobody', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx, host } = await setUp(undefined, a, b)
    const ask = watch(dispatch(ctx, question(), host.next))
    b.answer()
    await flush()
    expect(ask.state).toBe('resolved')
  })

  it('3: one that answers without a promise is understood', async () => {
    const a = new FakeSurface('a')
    a.ask.mockReturnValue(says('SQLite') as never)
    const { ctx, host } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('surfaces get one copy of the request with every field of it, the same in claim, ask and settled', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx, host } = await setUp(undefined, a, b)
    const tag = Symbol('tag')
    const original = Object.assign(question({ agent: agentOf('s1'), wait: { callId: 'c1', timed: true } }), { [tag]: 1 })
    dispatchAndForget(ctx, original, host.next)
    const { signal, ...rest } = a.request
    expect(rest).toEqual(original)
    expect(Reflect.ownKeys(rest)).toContain(tag)
    expect(rest.questions).toBe(original.questions)
    expect(rest.agent).toBe(original.agent)
    expect(signal).toBeInstanceOf(AbortSignal)
    expect(a.request).not.toBe(original)
    b.answer()
    await flush()
    for (const one of [a, b]) expect(one.claim.mock.lastCall![0]).toBe(a.request)
    expect(b.request).toBe(a.request)
    expect(a.settled.mock.lastCall![0]).toBe(a.request)
  })

  it('a surface that changes its copy changes nothing of the original, nor what its answer is checked against', async () => {
    const a = new FakeSurface('a')
    const { ctx, host } = await setUp(undefined, a)
    const original = question({ wait: 1 })
    const ask = watch(dispatch(ctx, original, host.next))
    Object.assign(a.request, { questions: [], wait: 2 })
    a.answer({ answers: [] })
    await flush()
    expect(ask.state).toBe('open')
    expect(original).toEqual(question({ wait: 1 }))
  })

  it('the context\'s id is the same for everybody and another for another ask', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx, host } = await setUp(undefined, a, b)
    dispatchAndForget(ctx, question(), host.next)
    const { id } = a.context
    expect(id).toMatch(/./)
    expect(b.context.id).toBe(id)
    expect(b.context).not.toBe(a.context)
    dispatchAndForget(ctx, question(), host.next)
    expect(a.context.id).not.toBe(id)
  })

  it('a signal is made on first read and stays the same', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx, host } = await setUp({ host: 'fallback' }, a, b)
    let made = 0
    vi.stubGlobal('AbortController', class extends AbortController {
      constructor() {
        super()
        made++
      }
    })
    dispatchAndForget(ctx, question(), host.next)
    const before = made
    const { signal } = a.context
    expect(made).toBe(before + 1)
    expect(a.context.signal).toBe(signal)
    expect(signal.aborted).toBe(false)
    b.answer()
    await flush()
    expect(signal.aborted).toBe(true)
    expect(made).toBe(before + 1)
    vi.unstubAllGlobals()
  })
})

describe('the host in the race', () => {
  it('4: is asked one macrotask after the surfaces, once', async () => {
    const a = new FakeSurface('a')
    const { ctx, host } = await setUp(undefined, a)
    dispatchAndForget(ctx, question(), host.next)
    await flush()
    expect([a.asked, host.asked]).toEqual([1, 0])
    await macrotask()
    expect(host.asked).toBe(1)
    await pass(100_000)
    expect(host.asked).toBe(1)
  })

  it('4: is not asked when a surface answers at once', async () => {
    const a = new FakeSurface('a')
    a.ask.mockResolvedValue(says('Postgres'))
    const { ctx, host } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    await macrotask()
    expect(ask.state).toBe('resolved')
    expect(host.asked).toBe(0)
  })

  it('4: wins by the name of host', async () => {
    const a = new FakeSurface('a')
    const { ctx, host } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    await macrotask()
    host.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'host', says('SQLite'))
  })

  it('4: a host that throws is out', async () => {
    const a = new FakeSurface('a')
    const { ctx } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), () => {
      throw new Error('sync')
    }))
    await macrotask()
    expect(ask.state).toBe('open')
    a.answer()
    await flush()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('4: NO_PROVIDER is nobody there: not logged, and no failure that anybody reads about', async () => {
    const a = new FakeSurface('a')
    const { ctx, host, logs } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    await macrotask()
    host.isEmpty()
    await flush()
    expect(ask.state).toBe('open')
    expect(logged(logs, 'error', 'warn', 'info', 'debug')).toBe('')
    const error = new Error('a is broken')
    a.fail(error)
    await flush()
    expect(ask.error).toBe(error)
  })

  it('4: a surface that rejects with NO_PROVIDER has failed like any other', async () => {
    const a = new FakeSurface('a')
    const { ctx, host, logs } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    await macrotask()
    host.isEmpty()
    const error = Object.assign(new Error('nobody at a'), { name: 'UserQuestionError', code: 'NO_PROVIDER' })
    a.fail(error)
    await flush()
    expect(ask.error).toBe(error)
    expect(logged(logs, 'warn')).toContain('"a"')
  })

  it('4: is asked even when every surface is out before its macrotask, and the ask waits for it', async () => {
    const a = new FakeSurface('a')
    const { ctx, host } = await setUp(undefined, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    a.fail()
    await flush()
    expect(ask.state).toBe('open')
    await macrotask()
    expect(host.asked).toBe(1)
    host.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
  })
})

describe('the host as a fallback', () => {
  it('4: is asked only once every surface is out', async () => {
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    const { ctx, host } = await setUp({ host: 'fallback' }, a, b)
    const ask = watch(dispatch(ctx, question(), host.next))
    await pass(10_000)
    a.fail()
    await macrotask()
    expect(host.asked).toBe(0)
    b.fail()
    await macrotask()
    expect(host.asked).toBe(1)
    host.answer(says('SQLite'))
    await flush()
    expect(ask.value).toEqual(says('SQLite'))
    expect(host.asked).toBe(1)
  })

  it('4 and 7: its answer is checked as any other', async () => {
    const a = new FakeSurface('a')
    const { ctx, host } = await setUp({ host: 'fallback' }, a)
    const ask = watch(dispatch(ctx, question(), host.next))
    a.fail()
    await flush()
    host.answer(says('Oracle'))
    await flush()
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [], custom: 'Oracle' }] })
  })
})

describe('being first in the chain', () => {
  it('5: stands before an answerer that was there earlier, though it never calls next', async () => {
    const seen: AskUserQuestionRequest[] = []
    const { ctx } = await boot(undefined, root => {
      answerer(root, request => (seen.push(request), new Promise(() => {})))
    })
    const a = new FakeSurface('a')
    register(ctx, a)
    dispatchAndForget(ctx, question())
    expect([a.asked, seen.length]).toEqual([1, 0])
    await macrotask()
    expect(seen).toHaveLength(1)
  })

  it('5: stands before one that comes later, too', async () => {
    const { ctx } = await boot()
    const a = new FakeSurface('a')
    register(ctx, a)
    answerer(ctx, () => Promise.resolve(says('SQLite')))
    dispatchAndForget(ctx, question())
    expect(a.asked).toBe(1)
  })

  it('5: one that is prepended later stands ahead all the same', async () => {
    const { ctx } = await boot()
    const a = new FakeSurface('a')
    register(ctx, a)
    answerer(ctx, () => Promise.resolve(says('SQLite')), true)
    expect(await dispatch(ctx, question())).toEqual(says('SQLite'))
    expect(a.asked).toBe(0)
  })
})
