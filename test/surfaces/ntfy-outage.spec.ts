// The phone while its server cannot be reached: the question comes once it is back, and what was never shown leaves no trace.
// Time and the server are made up.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { pass, watch } from '../helpers/time.ts'
import { said } from '../ntfy/helpers/boot.ts'
import { cut, type Fault, HOUR, limited, MINUTE, question, refused, useMemoryServer } from '../ntfy/helpers/memory.ts'

/** What an outage looks like from here. */
const outages: [string, Fault][] = [
  ['refuses connections', refused],
  ['cannot be found', cut({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['resets connections', cut({ code: 'ECONNRESET', syscall: 'read' })],
  ['ends the TLS handshake', cut({ code: 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING' })],
  ['is broken', () => new Response('oops', { status: 503 })],
  ['loses requests', () => new Response('timeout', { status: 408 })],
  ['says nothing', () => new Promise(() => {})],
]

const OUT_OF_REACH = /^the phone is out of reach for now, the ntfy server .*; open questions stay, and come to it when the server is back$/

const server = useMemoryServer()
const shows = () => server.pushes.filter(({ priority }) => priority === 4).map(({ message }) => message.split('\n')[0])

describe('asked directly', () => {
  let stop: AbortController

  beforeEach(() => {
    stop = new AbortController()
  })

  const ask = (...questions: object[]) => {
    const request = { questions: questions.length > 0 ? questions as typeof question[] : [question] }
    return { request, asked: watch<unknown>(server.phone.ask(request, { id: '1', signal: stop.signal, quiet: false })) }
  }

  it.each(outages)('shows a question after hours with a server that %s', async (_what, how) => {
    server.goDown(how)
    const { asked } = ask()
    await pass(3 * HOUR)
    expect(asked.state).toBe('open')
    expect(server.requests).toBeGreaterThan(120)
    // In the end every minute, or half of it by chance.
    expect(server.requests).toBeLessThan(400)
    expect(server.phone.watched()).toBe(false)
    server.outage = undefined
    await pass(MINUTE + 20_000)
    expect(shows()).toEqual(['Which name?'])
    // A stream to a server that says nothing is waited for longer.
    await pass(90_000)
    expect(server.phone.watched()).toBe(true)
    expect(server.reconsider).toHaveBeenCalledTimes(2)
    await server.hears('Kraftwerk')
    expect(asked.value).toEqual(said('Kraftwerk'))
    expect(server.pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
    expect(server.warnings).toEqual([expect.stringMatching(OUT_OF_REACH), 'the ntfy server is back'])
  })

  it('shows the next question of a batch after hours, and what became of the one before', async () => {
    const { asked } = ask(question, { id: 'colour', question: 'Which colour?' })
    await pass(10)
    server.fault = refused
    server.says('Kraftwerk')
    await pass(50 * MINUTE)
    expect(server.pushes).toHaveLength(1)
    expect(server.phone.watched()).toBe(false)
    server.fault = undefined
    await pass(MINUTE)
    expect(shows()).toEqual(['Which name?', 'Which colour?'])
    expect(server.pushes.map(({ message }) => message)).toContain('Noted (1 of 2): Kraftwerk')
    await pass(10_000)
    await server.hears('blue')
    expect(asked.value).toEqual({ answers: [said('Kraftwerk').answers[0], { id: 'colour', selected: [], custom: 'blue' }] })
  })

  it.each(outages)('answered elsewhere, aborted or unloaded while the server %s, it leaves no trace', async (_what, how) => {
    server.goDown(how)
    const elsewhere = ask(), aborted = ask(), unloaded = ask()
    await pass(10 * MINUTE)
    server.phone.settled(elsewhere.request, 'host', said('Kraftwerk'))
    stop.abort(Object.assign(new Error('over'), { code: 'ASK_ABORTED' }))
    await pass(0)
    expect([elsewhere.asked.state, aborted.asked.state, unloaded.asked.state]).toEqual(['rejected', 'rejected', 'rejected'])
    const last = ask()
    await pass(10 * MINUTE)
    server.outage = undefined
    const closed = server.phone.close()
    await pass(0)
    expect(last.asked.error).toMatchObject({ code: 'SURFACE_GONE' })
    await pass(510)
    await closed
    expect(vi.getTimerCount()).toBe(0)
    const { requests } = server
    await pass(2 * HOUR)
    expect(server.requests).toBe(requests)
    // What may have arrived is taken from the phone; nothing is said about it.
    expect(server.pushes).toEqual([])
  })

  it('answered elsewhere before it was ever shown makes no request at all', async () => {
    server.goDown()
    const { request } = ask()
    await pass(10 * MINUTE)
    server.phone.settled(request, 'host', said('Kraftwerk'))
    const { requests } = server
    server.outage = undefined
    await pass(2 * HOUR)
    expect(server.requests).toBe(requests)
    // The stream has opened since.
    expect(server.phone.watched()).toBe(true)
  })

  it('comes as soon as the stream is open again', async () => {
    server.fault = refused
    ask()
    await pass(HOUR)
    server.fault = undefined
    server.streams.at(-1)!.end()
    await pass(2100)
    expect(server.streams).toHaveLength(2)
    expect(shows()).toEqual(['Which name?'])
  })

  it('comes soon as well when an attempt is on its way into nothing while the stream opens', async () => {
    server.fault = () => new Promise(() => {})
    ask()
    await pass(HOUR)
    const { requests } = server
    while (server.requests === requests) await pass(100)
    server.streams.at(-1)!.end()
    await pass(2000)
    server.fault = undefined
    // It has fifteen seconds.
    await pass(14_200)
    expect(shows()).toEqual(['Which name?'])
  })

  it('many questions come one after the other once the server is back, not all at once', async () => {
    server.goDown()
    let atOnce = 0, most = 0
    for (let count = 0; count < 50; count++) ask({ ...question, question: `Which number ${count}?` })
    await pass(HOUR)
    server.outage = undefined
    server.fault = async () => {
      most = Math.max(most, ++atOnce)
      await new Promise(resolve => setTimeout(resolve, 20))
      atOnce--
      server.pushes.push({ title: '', priority: 4, message: '', sequence_id: '' })
      return Response.json({ id: `p${Math.random()}`, time: 1 })
    }
    await pass(MINUTE + 5000)
    expect(shows()).toHaveLength(50)
    expect(most).toBeLessThanOrEqual(4)
    expect(server.reconsider).toHaveBeenCalledTimes(2)
  })

  it('a stream that opens again and again wakes one attempt each time', async () => {
    server.fault = refused
    for (let count = 0; count < 50; count++) ask({ ...question, question: `Which number ${count}?` })
    await pass(10 * MINUTE)
    const { requests } = server, opened = server.streams.length
    for (let round = 0; round < 20; round++) {
      server.streams.at(-1)!.end()
      await pass(1000)
    }
    // Beside those whose minute is over.
    expect(server.streams.length - opened).toBeGreaterThan(3)
    expect(server.requests - requests).toBeLessThan(50)
    // Nobody can see a question all the while.
    expect(server.reconsider).toHaveBeenCalledTimes(1)
    expect(server.phone.watched()).toBe(false)
  })

  it('a question whose answers cannot be heard for a while stays, and that is said once', async () => {
    server.streamFault = () => new Response('busy', { status: 503 })
    server.streams[0]!.end()
    const { asked } = ask()
    await pass(29_000)
    expect(server.pushes).toHaveLength(1)
    expect(server.warnings).toEqual([])
    await pass(10 * MINUTE)
    const lost = 'the phone is out of reach for now, the ntfy server has a problem (status 503); open questions stay, and come to it when the server is back'
    expect(server.warnings).toEqual([lost])
    expect(asked.state).toBe('open')
    server.streamFault = undefined
    await pass(MINUTE)
    expect(server.warnings).toEqual([lost, 'the ntfy server is back'])
    void server.phone.close()
    await pass(1000)
    expect(asked.state).toBe('rejected')
  })

  it('a server that refuses the stream for ever new reasons says each once, and is back once', async () => {
    const refusals = [new Response('{"code":40301}', { status: 403 }), new Response('{"code":40101}', { status: 401 })]
    let count = 0
    server.streamFault = () => refusals[count++ % 2]!.clone()
    server.streams[0]!.end()
    await pass(HOUR)
    expect(count).toBeGreaterThan(50)
    expect(server.warnings).toEqual([expect.stringMatching(/^replies: .*denies access/), expect.stringMatching(/^replies: .*credentials/)])
    server.streamFault = undefined
    await pass(MINUTE)
    expect(server.warnings.slice(2)).toEqual(['the ntfy server is back'])
  })

  it('is watched before anything has failed, and while the server only asks to slow down', async () => {
    expect(server.phone.watched()).toBe(true)
    server.fault = limited(42901)
    ask()
    await pass(20_000)
    expect(server.phone.watched()).toBe(true)
    expect(server.reconsider).not.toHaveBeenCalled()
  })

  it('is not watched while its stream is gone for longer than a moment, and no word comes after the end', async () => {
    server.goDown()
    await pass(29_000)
    expect(server.phone.watched()).toBe(true)
    await pass(2000)
    expect(server.phone.watched()).toBe(false)
    server.outage = undefined
    await pass(MINUTE)
    expect(server.phone.watched()).toBe(true)
    expect(server.reconsider).toHaveBeenCalledTimes(2)
    server.goDown()
    ask()
    const closed = server.phone.close()
    await pass(HOUR)
    await closed
    expect(server.reconsider).toHaveBeenCalledTimes(2)
  })
})
