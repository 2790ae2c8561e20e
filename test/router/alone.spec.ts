// Where nothing is to be raced: no surface, or one of our own copies (ROUTING rule 1).
import { describe, expect, it } from 'vitest'
import { boot, dispatch, dispatchAndForget, register } from '../helpers/cordis.ts'
import { agentOf, cancelled, FakeHost, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, useFakeTime, watch } from '../helpers/time.ts'

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
    // Under the signal that is the surface's own, too.
    dispatchAndForget(ctx, { questions, signal: a.context.signal }, host.next)
    expect([host.asked, a.asked]).toEqual([2, 1])
  })

  it('1: other questions under the same signal are an ask of their own', async () => {
    const a = new FakeSurface()
    const { ctx, host } = await setUp(undefined, a)
    dispatchAndForget(ctx, question(), () => new Promise(() => {}))
    dispatchAndForget(ctx, { ...a.request, questions: question().questions }, host.next)
    expect([host.asked, a.asked]).toEqual([0, 2])
  })
})
