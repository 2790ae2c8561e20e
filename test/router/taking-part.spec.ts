// The host takes part, and the router stands before it (rules 4 and 5).
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { openAsk, setUp } from '../helpers/ask.ts'
import { answerer, boot, dispatch, dispatchAndForget, logged, register } from '../helpers/cordis.ts'
import { FakeSurface, hang, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

describe('the host in the race', () => {
  it('4: is asked one macrotask after the surfaces, once', async () => {
    const { host, a } = await openAsk({ names: ['a'] })
    await flush()
    expect([a.asked, host.asked]).toEqual([1, 0])
    await macrotask()
    expect(host.asked).toBe(1)
    await pass(100_000)
    expect(host.asked).toBe(1)
  })

  it('4: is not asked when a surface answers at once', async () => {
    const { host, a, open } = await setUp({ names: ['a'] })
    a.ask.mockResolvedValue(says('Postgres'))
    const ask = open()
    await macrotask()
    expect(ask.state).toBe('resolved')
    expect(host.asked).toBe(0)
  })

  it('4: wins by the name of host', async () => {
    const { host, a, ask } = await openAsk({ names: ['a'] })
    await macrotask()
    await host.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'host', says('SQLite'))
  })

  it('4: a host that throws is out', async () => {
    const { a, host, open } = await setUp({ names: ['a'] })
    host.next.mockThrow(new Error('sync'))
    const ask = open()
    await macrotask()
    expect(ask.state).toBe('open')
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('4: NO_PROVIDER is nobody there: not logged, and no failure that anybody reads about', async () => {
    const { logs, host, a, ask } = await openAsk({ names: ['a'] })
    await macrotask()
    await host.isEmpty()
    expect(ask.state).toBe('open')
    expect(logged(logs, 'error', 'warn', 'info', 'debug')).toBe('')
    const error = new Error('a is broken')
    await a.fail(error)
    expect(ask.error).toBe(error)
  })

  it('4: a surface that rejects with NO_PROVIDER has failed like any other', async () => {
    const { logs, host, a, ask } = await openAsk({ names: ['a'] })
    await macrotask()
    host.isEmpty()
    const error = Object.assign(new Error('nobody at a'), { name: 'UserQuestionError', code: 'NO_PROVIDER' })
    await a.fail(error)
    expect(ask.error).toBe(error)
    expect(logged(logs, 'warn')).toContain('"a"')
  })

  it('4: is asked even when every surface is out before its macrotask, and the ask waits for it', async () => {
    const { host, a, ask } = await openAsk({ names: ['a'] })
    await a.fail()
    expect(ask.state).toBe('open')
    await macrotask()
    expect(host.asked).toBe(1)
    await host.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
  })
})

describe('the host as a fallback', () => {
  it('4: is asked only once every surface is out', async () => {
    const { host, a, b, ask } = await openAsk({ config: { host: 'fallback' } })
    await pass(10_000)
    a.fail()
    await macrotask()
    expect(host.asked).toBe(0)
    b.fail()
    await macrotask()
    expect(host.asked).toBe(1)
    await host.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(host.asked).toBe(1)
  })

  it('4 and 7: its answer is checked as any other', async () => {
    const { host, a, ask } = await openAsk({ config: { host: 'fallback' }, names: ['a'] })
    await a.fail()
    await host.answer(says('Oracle'))
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [], custom: 'Oracle' }] })
  })
})

describe('being first in the chain', () => {
  it('5: stands before an answerer that was there earlier, though it never calls next', async () => {
    const seen: AskUserQuestionRequest[] = []
    const { ctx } = await boot(undefined, root => {
      answerer(root, request => (seen.push(request), hang()))
    })
    const a = new FakeSurface('a')
    register(ctx, a)
    dispatchAndForget(ctx, question())
    expect([a.asked, seen.length]).toEqual([1, 0])
    await macrotask()
    expect(seen).toHaveLength(1)
  })

  it('5: stands before one that comes later, too', async () => {
    const { ctx, a, open } = await setUp({ names: ['a'] })
    answerer(ctx, () => Promise.resolve(says('SQLite')))
    open()
    expect(a.asked).toBe(1)
  })

  it('5: one that is prepended later stands ahead all the same', async () => {
    const { ctx, a } = await setUp({ names: ['a'] })
    answerer(ctx, () => Promise.resolve(says('SQLite')), true)
    expect(await dispatch(ctx, question())).toEqual(says('SQLite'))
    expect(a.asked).toBe(0)
  })
})
