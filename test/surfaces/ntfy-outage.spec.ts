// The phone while its server cannot be reached: the question comes once it is back, others are asked meanwhile, and what was
// never shown leaves no trace. Time and the server are made up.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fetch } from '../../src/surfaces/ntfy/client.ts'
import type { Phone } from '../../src/surfaces/ntfy/phone.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { pass, watch } from '../helpers/time.ts'
import { closePhone, type MemoryStream, newPhone, openStream } from '../ntfy/helpers/memory.ts'

const MINUTE = 60_000, HOUR = 60 * MINUTE
const question = { id: 'q', question: 'Which name?' }
const answerOf = (custom: string) => ({ answers: [{ id: 'q', selected: [], custom }] })

interface Push {
  readonly message: string
  readonly priority: number
}

const cut = (fields: object) => () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('why'), fields) }))
const refused = cut({ code: 'ECONNREFUSED', syscall: 'connect' })
const busy = () => Promise.resolve(Response.json({ code: 42901 }, { status: 429 }))
/** What an outage looks like from here. */
const outages: [string, () => Promise<Response>][] = [
  ['refuses connections', refused],
  ['cannot be found', cut({ code: 'EAI_AGAIN', syscall: 'getaddrinfo' })],
  ['resets connections', cut({ code: 'ECONNRESET', syscall: 'read' })],
  ['ends the TLS handshake', cut({ code: 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING' })],
  ['is broken', () => Promise.resolve(new Response('oops', { status: 503 }))],
  ['loses requests', () => Promise.resolve(new Response('timeout', { status: 408 }))],
  ['says nothing', () => new Promise(() => {})],
]

let topic: string
let pushes: Push[]
let removed: string[]
/** When each publish was tried, taken or not. */
let tried: number[]
let streams: MemoryStream[]
/** What every request meets, if anything. */
let outage: (() => Promise<Response>) | undefined
/** What publishes meet, if anything. */
let fault: (() => Promise<Response>) | undefined
let phone: Phone
let reconsider: ReturnType<typeof vi.fn<() => void>>

const server: Fetch = async (url, { method, body, signal }) => {
  signal!.throwIfAborted()
  const isStream = url.includes('/json')
  if (!isStream) tried.push(performance.now())
  const fails = outage ?? (isStream ? undefined : fault)
  if (fails) {
    return await Promise.race([fails(), new Promise<never>((_resolve, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason as Error))
    })])
  }
  // What it has kept.
  if (url.includes('poll=1')) return new Response('')
  if (isStream) {
    streams.push(openStream(topic, signal!))
    return streams.at(-1)!.response
  }
  if (method === 'DELETE') removed.push(url)
  else pushes.push(JSON.parse(body as string) as Push)
  return Response.json({ id: `p${Math.random()}`, time: Math.floor(Date.now() / 1000) })
}

/** The server goes, and its stream with it. */
function goDown(how: () => Promise<Response> = refused): void {
  outage = how
  streams.at(-1)?.end()
}

const says = (message: string) => streams.at(-1)!.say(message)
const shows = () => pushes.filter(({ priority }) => priority === 4).map(({ message }) => message.split('\n')[1])

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-01-05T12:00:00Z') })
  topic = newTopic()
  pushes = []
  removed = []
  tried = []
  streams = []
  outage = fault = undefined
  reconsider = vi.fn<() => void>()
  phone = newPhone(server, topic, { reconsider })
  await pass(10)
})

afterEach(async () => {
  await closePhone(phone)
  vi.useRealTimers()
})

describe('asked directly', () => {
  let stop: AbortController

  beforeEach(() => {
    stop = new AbortController()
  })

  const ask = (...questions: object[]) => {
    const request = { questions: questions.length > 0 ? questions as typeof question[] : [question] }
    return { request, ...watchAll(phone.ask(request, { id: '1', signal: stop.signal, quiet: false })) }
  }
  const watchAll = (promise: Promise<unknown>) => ({ asked: watch(promise) })

  it.each(outages)('shows a question after hours with a server that %s', async (_what, how) => {
    goDown(how)
    const { asked } = ask()
    await pass(3 * HOUR)
    expect(asked.state).toBe('open')
    expect(tried.length).toBeGreaterThan(120)
    // In the end every minute, or half of it by chance.
    expect(tried.length).toBeLessThan(400)
    expect(phone.watched()).toBe(false)
    outage = undefined
    await pass(MINUTE + 20_000)
    expect(shows()).toEqual(['Which name?'])
    // A stream to a server that says nothing is waited for longer.
    await pass(90_000)
    expect(phone.watched()).toBe(true)
    expect(reconsider).toHaveBeenCalledTimes(2)
    says('Kraftwerk')
    await pass(10)
    expect(asked.value).toEqual(answerOf('Kraftwerk'))
    expect(pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
  })

  it('shows the next question of a batch after hours, and what became of the one before', async () => {
    const { asked } = ask(question, { id: 'colour', question: 'Which colour?' })
    await pass(10)
    fault = refused
    says('Kraftwerk')
    await pass(50 * MINUTE)
    expect(pushes).toHaveLength(1)
    expect(phone.watched()).toBe(false)
    fault = undefined
    await pass(MINUTE)
    expect(shows()).toEqual(['Which name?', 'Which colour?'])
    expect(pushes.map(({ message }) => message)).toContain('Noted (1 of 2): Kraftwerk')
    await pass(10_000)
    says('blue')
    await pass(10)
    expect(asked.value).toEqual({ answers: [answerOf('Kraftwerk').answers[0], { id: 'colour', selected: [], custom: 'blue' }] })
  })

  it.each(outages)('answered elsewhere, aborted or unloaded while the server %s, it leaves no trace', async (_what, how) => {
    goDown(how)
    const elsewhere = ask(), aborted = ask(), unloaded = ask()
    await pass(10 * MINUTE)
    phone.settled(elsewhere.request, 'host', answerOf('Kraftwerk'))
    stop.abort(Object.assign(new Error('over'), { code: 'ASK_ABORTED' }))
    await pass(0)
    expect([elsewhere.asked.state, aborted.asked.state, unloaded.asked.state]).toEqual(['rejected', 'rejected', 'rejected'])
    const last = ask()
    await pass(10 * MINUTE)
    outage = undefined
    const closed = phone.close()
    await pass(0)
    expect(last.asked.error).toMatchObject({ code: 'SURFACE_GONE' })
    await pass(510)
    await closed
    expect(vi.getTimerCount()).toBe(0)
    const { length } = tried
    await pass(2 * HOUR)
    expect(tried).toHaveLength(length)
    // What may have arrived is taken from the phone; nothing is said about it.
    expect(pushes).toEqual([])
  })

  it('answered elsewhere before it was ever shown makes no request at all', async () => {
    goDown()
    const { request } = ask()
    await pass(10 * MINUTE)
    phone.settled(request, 'host', answerOf('Kraftwerk'))
    const { length } = tried
    outage = undefined
    await pass(2 * HOUR)
    expect(tried).toHaveLength(length)
    // The stream has opened since.
    expect(phone.watched()).toBe(true)
  })

  it('comes as soon as the stream is open again', async () => {
    fault = refused
    ask()
    await pass(HOUR)
    fault = undefined
    streams.at(-1)!.end()
    await pass(2100)
    expect(streams).toHaveLength(2)
    expect(shows()).toEqual(['Which name?'])
  })

  it('comes soon as well when an attempt is on its way into nothing while the stream opens', async () => {
    fault = () => new Promise(() => {})
    ask()
    await pass(HOUR)
    const { length } = tried
    while (tried.length === length) await pass(100)
    streams.at(-1)!.end()
    await pass(2000)
    fault = undefined
    // It has fifteen seconds.
    await pass(14_200)
    expect(shows()).toEqual(['Which name?'])
  })

  it('many questions come one after the other once the server is back, not all at once', async () => {
    goDown()
    let atOnce = 0, most = 0
    for (let count = 0; count < 50; count++) ask({ ...question, question: `Which number ${count}?` })
    await pass(HOUR)
    outage = undefined
    fault = async () => {
      most = Math.max(most, ++atOnce)
      await new Promise(resolve => setTimeout(resolve, 20))
      atOnce--
      pushes.push({ priority: 4, message: '\n' })
      return Response.json({ id: `p${Math.random()}`, time: 1 })
    }
    await pass(MINUTE + 5000)
    expect(shows()).toHaveLength(50)
    expect(most).toBeLessThanOrEqual(4)
    expect(reconsider).toHaveBeenCalledTimes(2)
  })

  it('a stream that opens again and again wakes one attempt each time', async () => {
    fault = refused
    for (let count = 0; count < 50; count++) ask({ ...question, question: `Which number ${count}?` })
    await pass(10 * MINUTE)
    const { length } = tried, opened = streams.length
    for (let round = 0; round < 20; round++) {
      streams.at(-1)!.end()
      await pass(1000)
    }
    // Beside those whose minute is over.
    expect(streams.length - opened).toBeGreaterThan(3)
    expect(tried.length - length).toBeLessThan(50)
    // Nobody can see a question all the while.
    expect(reconsider).toHaveBeenCalledTimes(1)
    expect(phone.watched()).toBe(false)
  })

  it('is watched before anything has failed, and while the server only asks to slow down', async () => {
    expect(phone.watched()).toBe(true)
    fault = busy
    ask()
    await pass(20_000)
    expect(phone.watched()).toBe(true)
    expect(reconsider).not.toHaveBeenCalled()
  })

  it('is not watched while its stream is gone for longer than a moment, and no word comes after the end', async () => {
    goDown()
    await pass(29_000)
    expect(phone.watched()).toBe(true)
    await pass(2000)
    expect(phone.watched()).toBe(false)
    outage = undefined
    await pass(MINUTE)
    expect(phone.watched()).toBe(true)
    expect(reconsider).toHaveBeenCalledTimes(2)
    goDown()
    ask()
    const closed = phone.close()
    await pass(HOUR)
    await closed
    expect(reconsider).toHaveBeenCalledTimes(2)
  })
})

describe('asked by the router, before a host that is the fallback', () => {
  let ctx: Context
  let host: { signal: AbortSignal | undefined, answer(custom: string): void }[]
  let turn: AbortController

  beforeEach(async () => {
    ;({ ctx } = await boot({ host: 'fallback' }))
    reconsider.mockImplementation(() => ctx.askSurfaces.reconsider())
    ctx.askSurfaces.register(phone)
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
      host.push({ signal: request.signal, answer: custom => resolve(answerOf(custom)) })
    })))
  }

  it.each(['the phone', 'the host'])('the host is asked during the outage, the phone shows it afterwards, and %s answers', async who => {
    goDown()
    const asked = ask()
    await pass(2000)
    expect(host).toHaveLength(1)
    await pass(HOUR)
    expect(asked.state).toBe('open')
    outage = undefined
    await pass(MINUTE)
    expect(shows()).toEqual(['Which name?'])
    if (who === 'the phone') says('Kraftwerk')
    else host[0]!.answer('Kraftwerk')
    await pass(10)
    expect(asked.value).toEqual(answerOf('Kraftwerk'))
    expect(host).toHaveLength(1)
    expect(host[0]!.signal!.aborted).toBe(who === 'the phone')
    expect(pushes.map(({ message }) => message).at(-1)).toBe(`Answered: Kraftwerk, on ${who === 'the phone' ? 'the phone' : 'dsh'}`)
  })

  it('the host answers during the outage: the phone hears nothing of it', async () => {
    goDown()
    const asked = ask()
    await pass(HOUR)
    host[0]!.answer('Kraftwerk')
    await pass(10)
    expect(asked.value).toEqual(answerOf('Kraftwerk'))
    outage = undefined
    await pass(HOUR)
    expect(pushes).toEqual([])
    expect(removed).toEqual([])
  })

  it('a question that is there when the stream goes is asked of the host too', async () => {
    ask()
    await pass(10)
    expect([shows().length, host.length]).toEqual([1, 0])
    goDown()
    await pass(31_000)
    expect(host).toHaveLength(1)
  })
})
