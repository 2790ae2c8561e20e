// A host that is the fallback of a phone whose server cannot be reached. Time and the server are made up.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { boot, dispatch } from '../helpers/cordis.ts'
import { pass, watch } from '../helpers/time.ts'
import { said } from '../ntfy/helpers/boot.ts'
import { HOUR, MINUTE, question, useMemoryServer } from '../ntfy/helpers/memory.ts'

const server = useMemoryServer()
const shows = () => server.pushes.filter(({ priority }) => priority === 4).map(({ message }) => message.split('\n')[0])

describe('asked by the router, before a host that is the fallback', () => {
  let ctx: Context
  let host: { signal: AbortSignal | undefined, answer(custom: string): void }[]
  let turn: AbortController

  beforeEach(async () => {
    ;({ ctx } = await boot({ host: 'fallback' }))
    server.reconsider.mockImplementation(() => ctx.askSurfaces.reconsider())
    ctx.askSurfaces.register(server.phone)
    host = []
    turn = new AbortController()
  })

  afterEach(async () => {
    turn.abort()
    await pass(10)
    await ctx.fiber.dispose()
  })

  function ask() {
    const request = { questions: [question], signal: turn.signal }
    return watch(dispatch(ctx, request, () => new Promise(resolve => {
      host.push({ signal: request.signal, answer: custom => resolve(said(custom)) })
    })))
  }

  it.each(['the phone', 'the host'])('the host is asked during the server.outage, the phone shows it afterwards, and %s answers', async who => {
    server.goDown()
    const asked = ask()
    await pass(2000)
    expect(host).toHaveLength(1)
    await pass(HOUR)
    expect(asked.state).toBe('open')
    server.outage = undefined
    await pass(MINUTE)
    expect(shows()).toEqual(['Which name?'])
    if (who === 'the phone') server.says('Kraftwerk')
    else host[0]!.answer('Kraftwerk')
    await pass(10)
    expect(asked.value).toEqual(said('Kraftwerk'))
    expect(host).toHaveLength(1)
    expect(host[0]!.signal!.aborted).toBe(who === 'the phone')
    expect(server.pushes.map(({ message }) => message).at(-1)).toBe(`Answered: Kraftwerk, ${who === 'the phone' ? 'on the phone' : 'in dsh'}`)
  })

  it('the host answers during the outage: the phone hears nothing of it', async () => {
    server.goDown()
    const asked = ask()
    await pass(HOUR)
    host[0]!.answer('Kraftwerk')
    await pass(10)
    expect(asked.value).toEqual(said('Kraftwerk'))
    server.outage = undefined
    await pass(HOUR)
    expect(server.pushes).toEqual([])
    expect(server.removed).toEqual([])
  })

  it('a question that is there when the stream goes is asked of the host too', async () => {
    ask()
    await pass(10)
    expect([shows().length, host.length]).toEqual([1, 0])
    server.goDown()
    await pass(31_000)
    expect(host).toHaveLength(1)
  })
})
