// routeAsk: the routing with no host behind it (the surface protocol, and rule 1).
import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import { cancelled, codeOf, FakeSurface, question, says, stopCode } from '../helpers/surface.ts'
import { flush, pass, unhandledRejections, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

function start(...names: string[]) {
  const surfaces = names.map(name => new FakeSurface(name, name === name.toUpperCase()))
  const ask = watch(routeAsk(surfaces, question()))
  const [a, b, c] = surfaces
  return { ask, a: a!, b: b!, c: c! }
}

describe('routeAsk', () => {
  it('1: rejects with NO_PROVIDER when there is no surface', async () => {
    const ask = watch(routeAsk([], question()))
    await flush()
    expect(codeOf(ask.error)).toBe('NO_PROVIDER')
    expect((ask.error as Error).message).toBe('no ask surface is registered')
    expect((ask.error as Error).name).toBe('UserQuestionError')
  })

  it('1: rejects what no answer could be checked against, an approval that nobody could tell the outcomes of too', async () => {
    const a = new FakeSurface('a')
    for (const [request, message] of [
      [{ questions: [{ id: 5, question: 'Which?' }] }, /^bad question: id must be a string$/],
      [{ kind: 'approval', questions: [{ id: 'approval', question: 'Allow bash?', options: [{ id: 'allow', label: 'Allow' }] }] }, /^bad approval: .*reject$/],
    ] as const) {
      const ask = watch(routeAsk([Object.assign(a, { approvals: true })], request as never))
      await flush()
      expect([ask.error, (ask.error as Error).message]).toEqual([expect.any(TypeError), expect.stringMatching(message)])
    }
    expect(a.asked).toBe(0)
  })

  it('3 and 6: asks everybody at once; the first answer wins and the others are told', async () => {
    const { ask, a, b } = start('a', 'b')
    expect([a.asked, b.asked]).toEqual([1, 1])
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', says('SQLite'))
    expect(stopCode(a.context.signal)).toBe('ASK_SETTLED')
    expect(b.settled).not.toHaveBeenCalled()
  })

  it('2: asks only those that claim, the others when they are out', async () => {
    const { ask, a, b } = start('A', 'b')
    expect([a.asked, b.asked]).toEqual([1, 0])
    await a.fail()
    expect(b.asked).toBe(1)
    await b.answer()
    expect(ask.state).toBe('resolved')
  })

  it('9: a person\'s no ends it', async () => {
    const { ask, a, b } = start('a', 'b')
    const no = cancelled()
    await a.fail(no)
    expect(ask.error).toBe(no)
    expect(b.settled).toHaveBeenCalledTimes(1)
  })

  it('10: fails when all have failed, without waiting', async () => {
    const { ask, a, b } = start('a', 'b')
    await a.fail()
    expect(ask.state).toBe('open')
    await b.answer(undefined)
    expect(ask.state).toBe('rejected')
    expect((ask.error as Error).message).toBe('a is broken')
    expect((ask.error as { cause: AggregateError }).cause.errors.map(codeOf)).toEqual([undefined, 'BAD_ANSWER'])
  })

  it('7: a blank answer wins when nobody else is left', async () => {
    const { ask, a, b } = start('a', 'b')
    await a.answer({ answers: [] })
    expect(ask.state).toBe('open')
    await b.fail()
    expect(ask.value).toEqual({ answers: [{ id: 'db', selected: [] }] })
  })

  it('11: is aborted by the request\'s signal', async () => {
    const controller = new AbortController()
    const a = new FakeSurface('a')
    const ask = watch(routeAsk([a], question({ signal: controller.signal })))
    expect(a.request.signal).not.toBe(controller.signal)
    const reason = new Error('stop')
    controller.abort(reason)
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect((ask.error as Error).cause).toBe(reason)
    expect(a.settled).not.toHaveBeenCalled()
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('11: asks nobody when it is aborted already', async () => {
    const a = new FakeSurface('a')
    const ask = watch(routeAsk([a], question({ signal: AbortSignal.abort() })))
    await flush()
    expect(codeOf(ask.error)).toBe('ASK_ABORTED')
    expect([a.asked, a.claim.mock.calls.length]).toEqual([0, 0])
  })

  it.each<[string, unknown[]]>([
    ['a malformed surface', [new FakeSurface('a'), { name: 'b' }]],
    ['a surface called host', [new FakeSurface('host')]],
    ['the same surface twice', (one => [one, one])(new FakeSurface('a'))],
  ])('19: rejects with a TypeError for %s, and asks nobody', async (_, surfaces) => {
    const ask = watch(routeAsk(surfaces as AskSurface[], question()))
    await flush()
    expect(ask.error).toBeInstanceOf(TypeError)
    for (const one of surfaces) expect((one as Partial<FakeSurface>).asked ?? 0).toBe(0)
  })

  it('puts nothing on the request and needs nothing of it but questions', async () => {
    const request = Object.freeze(question())
    const a = new FakeSurface('a')
    const ask = watch(routeAsk([a], request))
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('a mistake of a surface stays with it, unlogged', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue(undefined)
    const unhandled = await unhandledRejections(async () => {
      const { ask, a, b, c } = start('a', 'b', 'c')
      a.settled.mockThrow(new Error('no'))
      await c.answer({ answers: [{ id: 'other', selected: [] }, ...says('SQLite').answers] })
      await b.answer(says('SQLite'))
      expect(ask.value).toEqual(says('SQLite'))
    })
    expect(unhandled).toEqual([])
    expect(error).not.toHaveBeenCalled()
  })

  it('several of one name take part', async () => {
    const { ask, a, b } = start('tv', 'tv')
    await b.answer()
    expect(ask.state).toBe('resolved')
    expect(a.settled).toHaveBeenCalledTimes(1)
  })

  it('each call is a world of its own', async () => {
    const a = new FakeSurface('a')
    const first = watch(routeAsk([a], question()))
    const second = watch(routeAsk([a], question()))
    expect(a.asked).toBe(2)
    a.answer()
    await pass(1000)
    expect([first.state, second.state]).toEqual(['open', 'resolved'])
  })
})

describe('a malformed request', () => {
  it.each([null, { questions: 5 }])('is rejected, not thrown: %j', async (request) => {
    await expect(routeAsk([new FakeSurface()], request as never)).rejects.toThrow(TypeError)
  })

  it('whose signal is none is routed without one', async () => {
    const a = new FakeSurface()
    const asked = routeAsk([a], question({ signal: {} as never }))
    void a.answer()
    expect(await asked).toEqual(says('Postgres'))
  })
})
