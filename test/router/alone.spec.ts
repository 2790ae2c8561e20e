// Where nothing is to be raced: no surface, or one of our own copies (rule 1).
import { describe, expect, it } from 'vitest'
import { openAsk, setUp } from '../helpers/ask.ts'
import { dispatch, dispatchAndForget } from '../helpers/cordis.ts'
import { agentOf, cancelled, question, says } from '../helpers/surface.ts'
import { flush, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

describe('without a surface', () => {
  it('1: the host is asked in the same tick', async () => {
    const { host } = await openAsk({ names: [] })
    expect(host.asked).toBe(1)
  })

  it('1: in fallback mode too', async () => {
    const { host } = await openAsk({ config: { host: 'fallback' }, names: [] })
    expect(host.asked).toBe(1)
  })

  it.each([
    ['a proper answer', says('SQLite')],
    ['a label that nobody offered', says('Oracle')],
    ['no answers', { answers: [] }],
    ['something that is no answer at all', 'Postgres'],
    ['undefined', undefined],
  ])('1: %s is passed on as it is', async (_, value) => {
    const { host, ask } = await openAsk({ names: [] })
    await host.answer(value)
    expect(ask.state).toBe('resolved')
    expect(ask.value).toBe(value)
  })

  it.each([new Error('broken'), cancelled(), 'a string', undefined])('1: the rejection %s is passed on as it is', async error => {
    const { host, ask } = await openAsk({ names: [] })
    await host.fail(error)
    expect(ask.state).toBe('rejected')
    expect(ask.error).toBe(error)
  })

  it('1: so is NO_PROVIDER, the host\'s own error', async () => {
    const { host, open } = await setUp({ names: [] })
    const error = Object.assign(new Error('nobody'), { name: 'UserQuestionError', code: 'NO_PROVIDER' })
    const ask = open()
    await host.fail(error)
    expect(ask.error).toBe(error)
  })

  it('1: a host that throws instead of rejecting is passed on all the same', async () => {
    const { host, open } = await setUp({ names: [] })
    const error = new Error('sync')
    host.next.mockThrow(error)
    const ask = open()
    await flush()
    expect(ask.error).toBe(error)
  })

  it('1: an agent\'s question is passed on just so', async () => {
    const { host, ask } = await openAsk({ names: [], request: question({ agent: agentOf('s1') }) })
    await host.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
  })
})

describe('one of our own copies', () => {
  it('1: dispatched again by a surface, it goes straight to the host', async () => {
    const { registry, ctx, host, a } = await openAsk({ names: ['a'] })
    const ask = watch(dispatch(ctx, a.request, host.next))
    expect([host.asked, a.asked, registry.pending().length]).toEqual([1, 1, 1])
    await host.answer('whatever')
    expect(ask.value).toBe('whatever')
  })

  it('1: also as the host\'s service makes it anew', async () => {
    const { ctx, host, a } = await openAsk({ names: ['a'] })
    const { questions, signal } = a.request
    dispatchAndForget(ctx, { questions, signal: signal!, agent: agentOf('s1') }, host.next)
    // Under the signal that is the surface's own, too.
    dispatchAndForget(ctx, { questions, signal: a.context.signal }, host.next)
    expect([host.asked, a.asked]).toEqual([2, 1])
  })

  it('1: other questions under the same signal are an ask of their own', async () => {
    const { ctx, host, a } = await openAsk({ names: ['a'] })
    dispatchAndForget(ctx, { ...a.request, questions: question().questions }, host.next)
    expect([host.asked, a.asked]).toEqual([0, 2])
  })
})
