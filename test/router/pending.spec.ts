// What others can see of an open ask (rule 17).
import { describe, expect, it } from 'vitest'
import type { PendingAsk } from '../../src/protocol/surface.ts'
import { Ask } from '../../src/router/ask.ts'
import { noLog } from '../../src/router/log.ts'
import { Router } from '../../src/router/router.ts'
import { type Opening, startAsk } from '../helpers/ask.ts'
import { register } from '../helpers/cordis.ts'
import { agentOf, FakeSurface, question } from '../helpers/surface.ts'
import { pass, useFakeTime } from '../helpers/time.ts'

useFakeTime()

/** An ask, watched from the beginning. */
async function start<const N extends string = 'a' | 'b'>(opening: Opening<N> = {}) {
  const all = await startAsk(opening)
  return { ...all, states: () => statesOf(all.registry.pending()[0]!) }
}

function statesOf({ participants }: PendingAsk): string {
  return participants.map(({ name, state }) => `${name}=${state}`).join(' ')
}

describe('pending', () => {
  it('17: has no participant of a host where there is none', async () => {
    const router = new Router(noLog), a = new FakeSurface('a')
    router.surfaces.add(a)
    void router.open(new Ask(question(), undefined, router))
    expect(router.pending().map(statesOf)).toEqual(['a=asked'])
    await a.answer()
    expect(router.pending()).toEqual([])
  })

  it('17: lists an open ask with its id, session, questions, time and participants', async () => {
    const request = question({ agent: agentOf('s1') })
    const { registry, a } = await start({ request })
    const [ask, ...more] = registry.pending()
    expect(more).toEqual([])
    expect(ask).toEqual({
      id: a.context.id,
      sessionId: 's1',
      questions: request.questions,
      askedAt: Date.now(),
      participants: ['a', 'b', 'host'].map(name => ({ name, state: 'asked', since: Date.now() })),
    })
  })

  it('17: has no session for a request without an agent', async () => {
    const { registry } = await start()
    expect(Object.keys(registry.pending()[0]!)).not.toContain('sessionId')
  })

  it('17: copes with an agent without a session, and with a request without questions', async () => {
    const { registry } = await start({ request: question({ agent: {} as never }) })
    expect(registry.pending()[0]!.sessionId).toBeUndefined()
    const other = await start({ request: {} as never })
    expect(other.registry.pending()[0]!.questions).toEqual([])
    await other.a.answer('as it is')
    expect(other.ask.value).toBe('as it is')
  })

  it('17: is frozen, down to its participants', async () => {
    const { registry } = await start()
    const [ask] = registry.pending()
    for (const one of [ask!, ask!.questions, ask!.participants, ...ask!.participants]) expect(Object.isFrozen(one)).toBe(true)
  })

  it('17: is a picture, not the thing: it does not change, and freezes nothing of the caller\'s', async () => {
    const request = question()
    const { registry, a, states } = await start({ request })
    const [before] = registry.pending()
    await a.fail()
    expect(statesOf(before!)).toBe('a=asked b=asked host=asked')
    expect(states()).toBe('a=failed b=asked host=asked')
    expect(Object.isFrozen(request)).toBe(false)
    expect(Object.isFrozen(request.questions)).toBe(false)
  })

  it('17: lists the open asks, oldest first, and none that is settled', async () => {
    const { open, registry, a } = await start()
    const first = a.context.id
    const second = open()
    expect(registry.pending().map(({ id }) => id)).toEqual([first, a.context.id])
    await a.answer()
    expect(second.state).toBe('resolved')
    expect(registry.pending().map(({ id }) => id)).toEqual([first])
  })

  it('17: tells every state', async () => {
    const { ctx, states, a, b, host } = await start({ config: { surfaces: { b: { delayMs: 10, timeoutMs: 10 } } } })
    expect(states()).toBe('a=asked b=waiting host=asked')
    await pass(10)
    expect(states()).toBe('a=asked b=asked host=asked')
    await pass(10)
    expect(states()).toBe('a=asked b=timed-out host=asked')
    await host.answer({ answers: [] })
    expect(states()).toBe('a=asked b=timed-out host=blank')
    register(ctx, new FakeSurface('c'))
    expect(states()).toBe('a=asked b=timed-out c=asked host=blank')
    await a.fail()
    expect(states()).toBe('a=failed b=timed-out c=asked host=blank')
    await b.leave()
    expect(states()).toBe('a=failed b=left c=asked host=blank')
    expect(b.settled).not.toHaveBeenCalled()
  })

  it('17: has the host waiting until it is asked', async () => {
    const { states } = await start({ config: { host: 'fallback' } })
    expect(states()).toBe('a=asked b=asked host=waiting')
  })

  it('17: is there without a surface, too', async () => {
    const { states } = await start({ names: [] })
    expect(states()).toBe('host=asked')
  })
})
