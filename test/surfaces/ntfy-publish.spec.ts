// Publishing to an ntfy server that is slow, busy, full, or no ntfy server. No socket, and time is made up.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Card, Cards } from '../../src/surfaces/ntfy/cards.ts'
import { NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import { ConnectionHealth } from '../../src/surfaces/ntfy/connection-health.ts'
import { NtfyFailure } from '../../src/surfaces/ntfy/failure.ts'
import { Outbox } from '../../src/surfaces/ntfy/outbox.ts'
import { ServerClock } from '../../src/surfaces/ntfy/server-clock.ts'
import { broken, cut, type Fault, limited, meet, MINUTE, HOUR, refused, URL as SERVER } from '../ntfy/helpers/memory.ts'

const taken = () => Response.json({ id: 'm1', time: 1000 })
const denied = (status: number, code: number): Fault => () => Response.json({ code }, { status })
const never = new AbortController().signal
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

let answers: Fault[]
let requests: string[]
let troubles: string[]
let outbox: Outbox

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  requests = []
  troubles = []
  const client = new NtfyClient(SERVER, 'Bearer tk_secret', async (url, { method, body, signal }) => {
    requests.push(body as string | undefined ?? `${method} ${new URL(url).pathname}`)
    return await meet(answers.shift() ?? taken, signal!)
  })
  outbox = new Outbox(client, 'topic', message => void troubles.push(message), new ServerClock(), new ConnectionHealth())
})

afterEach(async () => {
  const closed = outbox.close(0)
  await pass(10)
  await closed
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

function newCard() {
  return new Cards().add({ question: { id: 'q', question: 'Which?' }, part: { index: 1, total: 1 }, title: 'dsh', answer: () => {} })!
}

/** Watch a publish without leaving its rejection alone. */
function watch(promise: Promise<unknown>) {
  const state: { result?: unknown, error?: NtfyFailure } = {}
  promise.then(result => Object.assign(state, { result }), error => Object.assign(state, { error }))
  return state
}

/** Publish a question. */
const show = (card = newCard(), stop = never, write = () => 'question') => watch(outbox.show(card, write, stop))
/** The server answers so, any number of times. */
const always = (fault: Fault) => {
  answers = Array.from({ length: 999 }, () => fault)
}
/** The server takes the next request when the test says so. */
function slowly(): () => void {
  const { promise, resolve } = Promise.withResolvers<Response>()
  answers.push(() => promise)
  return () => resolve(taken())
}
/** Unload; it has two seconds. */
const close = () => watch(outbox.close(2000).then(() => 'closed'))
const answered = (sequence: string) => `answered ${sequence}`

/** Conclude a card, and see what comes of it at once. */
async function conclude(card: Card): Promise<void> {
  outbox.conclude(card, answered)
  await pass(10)
}

describe('publishing a question', () => {
  it('a burst that is too much is waited out, with one notice (case 27)', async () => {
    answers.push(limited(42901), limited(42901), limited(42901))
    const shown = show()
    const other = show()
    await pass(8000)
    for (const { result } of [shown, other]) expect(result).toEqual({ id: 'm1', time: 1000 })
    expect(troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('that the server goes on putting off is given up after a minute, however long it could not be reached before', async () => {
    answers = Array.from({ length: 20 }, () => broken)
    const shown = show()
    while (answers.length > 0) await pass(100)
    always(limited(42901))
    await pass(59_000)
    expect(shown.error).toBeUndefined()
    await pass(62_000)
    expect(shown.error).toMatchObject({ kind: 'rate-limited', message: 'the ntfy server asks to slow down' })
    const { length } = requests
    expect(length).toBeGreaterThanOrEqual(24)
    await pass(2 * MINUTE)
    expect(requests).toHaveLength(length)
  })

  it.each<[string, Fault, string]>([
    ['the day’s quota (case 27)', limited(42908), "the day's quota of messages on the ntfy server is used up"],
    ['another limit', limited(42999), 'a limit of the ntfy server is reached (error 42999)'],
    ['wrong credentials', denied(401, 40101), 'the ntfy server does not accept the credentials'],
    ['no access', denied(403, 40301), 'the ntfy server denies access'],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login?token=tk_secret' } }), 'the address in server redirects (status 302)'],
    ['a page', () => new Response('<html>tk_secret</html>', { headers: { 'content-type': 'text/html' } }), 'the address in server answers, but not as ntfy does'],
    ['JSON without an id', () => Response.json({ ok: true }), 'the address in server answers, but not as ntfy does'],
    ['an endless page', () => new Response('x'.repeat(20_000)), 'the address in server answers, but not as ntfy does'],
    ['a refusal', denied(400, 40014), 'the ntfy server refuses the request (error 40014)'],
    ['a wrong address', () => new Response('not found', { status: 404 }), 'the ntfy server refuses the request (status 404)'],
    ['a certificate', cut({ code: 'CERT_HAS_EXPIRED' }), 'the certificate of the ntfy server is not accepted (CERT_HAS_EXPIRED)'],
  ])('%s: fails at once with what to do, and says so once', async (_what, answer, why) => {
    answers.push(answer, answer)
    const first = show()
    await pass(0)
    const second = show()
    await pass(2 * MINUTE)
    for (const { error } of [first, second]) expect(error?.message).toContain(why)
    expect(requests).toHaveLength(2)
    expect(troubles).toHaveLength(1)
    expect(first.error!.message + troubles[0]).not.toContain('tk_secret')
  })

  it.each<[string, Fault]>([
    ['a broken server', () => new Response('oops', { status: 500 })],
    ['a busy proxy', () => new Response('slow down', { status: 429 })],
    ['a proxy that waits no longer', () => new Response('timeout', { status: 408 })],
    ['no connection', refused],
    ['no response within 15 seconds', () => new Promise<Response>(() => {})],
  ])('%s: is tried again', async (_what, answer) => {
    answers.push(answer)
    const shown = show()
    await pass(16_500)
    expect(shown.result).toEqual({ id: 'm1', time: 1000 })
    expect(requests).toEqual(['question', 'question'])
  })

  it('is written anew for each attempt, and not tried again when that fails', async () => {
    answers.push(limited(42901), limited(42901))
    let count = 0
    const shown = watch(outbox.show(newCard(), () => {
      if (++count === 3) throw new RangeError('does not fit')
      return `question ${count}`
    }, never))
    await pass(2 * MINUTE)
    expect(shown.error).toBeInstanceOf(RangeError)
    expect(requests).toEqual(['question 1', 'question 2'])
    expect(troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('is not tried again once it is put away', async () => {
    answers.push(limited(42901))
    const stop = new AbortController()
    const shown = show(newCard(), stop.signal)
    await pass(100)
    stop.abort()
    await pass(2 * MINUTE)
    expect(shown.error).toBeInstanceOf(NtfyFailure)
    expect(requests).toEqual(['question'])
  })
})

describe('publishing what became of a question', () => {
  it('comes after the question, however slow that is', async () => {
    const card = newCard()
    const answer = slowly()
    const shown = show(card)
    outbox.replace(card, () => 'answered', never)
    outbox.replace(card, () => 'answered elsewhere', never)
    await pass(1000)
    expect(requests).toEqual(['question'])
    answer()
    await pass(10)
    expect(shown.result).toBeDefined()
    expect(requests).toEqual(['question', 'answered', 'answered elsewhere'])
  })

  it('is left out where the question never came', async () => {
    const card = newCard()
    answers.push(limited(42908))
    show(card)
    outbox.replace(card, () => 'answered', never)
    await pass(1000)
    expect(requests).toEqual(['question'])
  })

  it.each<[string, Fault]>([
    ['the server refused the connection', refused],
    ['its name was not found', cut({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
    ['there was no way to it', cut({ code: 'EHOSTUNREACH', syscall: 'connect' })],
    ['none of its addresses answered', cut({ errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }, { code: 'ENETUNREACH', syscall: 'connect' }] })],
    ['the connection took too long', cut({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['the TLS handshake was cut', cut({ code: 'ECONNRESET', message: 'Client network socket disconnected before secure TLS connection was established' })],
    ['it did not get all of it', () => new Response('timeout', { status: 408 })],
    ['it asked to slow down', limited(42901)],
  ])('is left out where the question cannot have come: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    answers.push(answer)
    show(card, stop.signal)
    await pass(10)
    stop.abort()
    await conclude(card)
    expect(requests).toEqual(['question'])
    expect(card.conclusion).toBeUndefined()
  })

  it.each<[string, Fault]>([
    ['a proxy lost the server', broken],
    ['the connection was cut', cut({ code: 'ECONNRESET', syscall: 'read' })],
    ['the network went away', cut({ code: 'EHOSTUNREACH', syscall: 'read' })],
  ])('is no news where the question may have come, which is taken from the phone: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    answers.push(answer, refused)
    show(card, stop.signal)
    await pass(1100)
    expect(requests).toHaveLength(2)
    stop.abort()
    await conclude(card)
    expect(requests.slice(2)).toEqual([`DELETE /topic/${card.sequence}`])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it('is published where the question has come, as its stream or its answer shows', async () => {
    const card = newCard(), stop = new AbortController()
    answers.push(cut({ code: 'ECONNRESET', syscall: 'read' }))
    show(card, stop.signal)
    await pass(10)
    card.shown = { time: 1000, order: 1 }
    stop.abort()
    await conclude(card)
    expect(requests).toEqual(['question', answered(card.sequence)])
  })

  it('is tried for an hour while the server is away, so that the card does not go on looking open, and then no more', async () => {
    const late = newCard(), lost = newCard()
    for (const card of [late, lost]) show(card)
    await pass(10)
    always(broken)
    outbox.conclude(late, answered)
    await pass(58 * MINUTE)
    expect(late.conclusion).toBeUndefined()
    answers = []
    await pass(MINUTE)
    expect(late.conclusion).toMatchObject({ isShown: true })
    always(broken)
    lost.staleSequences.add('older')
    outbox.conclude(lost, answered)
    await pass(HOUR)
    expect(lost.conclusion).toMatchObject({ isShown: false })
    const { length } = requests
    await pass(HOUR)
    expect(requests).toHaveLength(length)
  })

  it('has a moment left when the plugin is unloaded, then it is aborted', async () => {
    const card = newCard()
    show(card)
    await pass(0)
    answers.push(() => new Promise<Response>(() => {}))
    outbox.replace(card, () => 'answered', never)
    const closed = close()
    await pass(1999)
    expect(closed.result).toBeUndefined()
    await pass(1)
    expect(closed.result).toBe('closed')
    outbox.say('too late')
    await pass(0)
    expect(troubles).toEqual([])
  })
})

describe('a reminder', () => {
  /** A question that is on the phone. */
  async function shown() {
    const card = newCard()
    show(card)
    await pass(10)
    requests = []
    return { card, first: card.sequence, stop: new AbortController() }
  }

  const again = (sequence: string) => `reminder ${sequence}`
  /** Remind, at any hour until the wish is taken back. */
  function remind(card: Card, stop = never, wish = { isWanted: true }) {
    outbox.remind(card, { write: again, isWanted: () => wish.isWanted, stop })
  }
  /** The same, and what comes of it at once. */
  async function reminded(card: Card): Promise<void> {
    remind(card)
    await pass(10)
  }
  const takes = (sequence: string) => `DELETE /topic/${sequence}`

  it('comes as a notification of its own, then the old one goes; so does the next', async () => {
    const { card, first } = await shown()
    await reminded(card)
    const second = card.sequence
    expect(second).not.toBe(first)
    await reminded(card)
    const third = card.sequence
    await conclude(card)
    expect(requests).toEqual([again(second), takes(first), again(third), takes(second), answered(third)])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it.each([
    ['before the question is there', async () => ({ card: newCard() })],
    ['where the question never came', async () => {
      answers.push(limited(42908))
      return await shown()
    }],
  ])('%s is none', async (_what, start) => {
    const { card } = await start()
    remind(card)
    await pass(100)
    expect(requests).toEqual([])
  })

  it('that fails leaves the question, and what became of it is said there', async () => {
    const { card, first, stop } = await shown()
    answers.push(limited(42908))
    remind(card, stop.signal)
    await pass(100)
    expect(requests).toEqual([expect.stringMatching(`^reminder ${first}....$`)])
    expect(troubles).toEqual([expect.stringContaining("the day's quota")])
    expect(card.sequence).toBe(first)
    const reminder = requests[0]!.split(' ')[1]!
    stop.abort()
    await conclude(card)
    // It may have come: a server does not always get to say so.
    expect(requests.slice(1)).toEqual([answered(first), takes(reminder)])
  })

  it('is tried again while the server is away, one at a time, until the question is answered', async () => {
    const { card, first, stop } = await shown()
    answers = Array.from({ length: 3 }, () => broken)
    remind(card, stop.signal)
    remind(card, stop.signal)
    await pass(900)
    remind(card, stop.signal)
    await pass(100)
    expect(requests).toHaveLength(2)
    expect(new Set(requests).size).toBe(1)
    stop.abort()
    answers = []
    outbox.conclude(card, answered)
    await pass(2 * MINUTE)
    expect(requests.slice(2)).toEqual([answered(first), takes(requests[0]!.split(' ')[1]!)])
    expect(card.staleSequences.size).toBe(0)
  })

  it.each<[string, Fault]>([
    ['is away', broken],
    ['has no quota left', limited(42908)],
    ['refuses', denied(403, 40301)],
  ])('is tried for as long as the server %s, in the end every minute, and comes once', async (_what, refuses) => {
    const { card, first } = await shown()
    always(refuses)
    remind(card)
    await pass(2 * MINUTE)
    const { length: atFirst } = requests
    expect(atFirst).toBeLessThanOrEqual(11)
    await pass(HOUR)
    expect(requests.length - atFirst).toBeGreaterThanOrEqual(58)
    expect(requests.length - atFirst).toBeLessThanOrEqual(120)
    // Another that is due meanwhile is the same one.
    remind(card)
    expect(new Set(requests).size).toBe(1)
    answers = []
    const { length } = requests
    await pass(MINUTE)
    expect(requests.slice(length)).toEqual([requests[0], takes(first)])
    expect(troubles).toHaveLength(1)
    await pass(HOUR)
    expect(requests).toHaveLength(length + 2)
  })

  it('that is no longer wanted is given up, for good; the next is another', async () => {
    const { card, first } = await shown()
    const wish = { isWanted: true }
    answers.push(limited(42901))
    remind(card, never, wish)
    await pass(100)
    wish.isWanted = false
    await pass(2 * MINUTE)
    remind(card, never, wish)
    await pass(100)
    expect(requests).toHaveLength(1)
    wish.isWanted = true
    await pass(2 * MINUTE)
    expect(requests).toHaveLength(1)
    const given = requests[0]!.split(' ')[1]!
    remind(card, never, wish)
    await pass(100)
    expect(card.sequence).not.toBe(given)
    expect(requests.slice(1)).toEqual([again(card.sequence), takes(given), takes(first)])
  })

  it('that is due while the one before is still being tidied up after comes after that', async () => {
    const { card, first } = await shown()
    answers.push(taken, broken)
    await reminded(card)
    const second = card.sequence
    remind(card)
    remind(card)
    await pass(10_000)
    expect(requests).toEqual([again(second), takes(first), takes(first), again(card.sequence), takes(second)])
  })

  it('ends with the plugin', async () => {
    const { card } = await shown()
    always(broken)
    remind(card)
    await pass(10 * MINUTE)
    const { length } = requests
    const closed = close()
    await pass(2000)
    expect(closed.result).toBe('closed')
    await pass(10 * MINUTE)
    expect(requests.length).toBeLessThanOrEqual(length + 1)
  })

  it('of a question that is answered before its turn has come is none', async () => {
    const { card, first, stop } = await shown()
    remind(card, stop.signal)
    outbox.conclude(card, answered)
    stop.abort()
    await pass(10)
    expect(requests).toEqual([answered(first)])
  })

  it('of a question that is answered meanwhile: the outcome is in its place, and the old one goes', async () => {
    const { card, first, stop } = await shown()
    const answer = slowly()
    remind(card, stop.signal)
    await pass(10)
    outbox.conclude(card, answered)
    stop.abort()
    await pass(10)
    expect(requests).toHaveLength(1)
    answer()
    await pass(10)
    expect(card.sequence).not.toBe(first)
    expect(requests).toEqual([again(card.sequence), takes(first), answered(card.sequence)])
  })

  it('on a server that takes nothing back: that is said once, and the outcome is in both places', async () => {
    const { card, first } = await shown()
    const refuses = denied(404, 40401)
    for (const count of [1, 2]) {
      answers.push(taken, ...Array.from({ length: count }, () => refuses))
      await reminded(card)
    }
    const [second] = [...card.staleSequences].slice(1)
    expect([...card.staleSequences]).toEqual([first, second])
    expect(troubles).toEqual([expect.stringMatching(/^an outdated notification stays on the phone for now, the ntfy server refuses the request \(error 40401\)/)])
    requests = []
    answers.push(taken, refuses, taken, refuses, taken)
    await conclude(card)
    expect(requests).toEqual([answered(card.sequence), takes(first), answered(first), takes(second!), answered(second!)])
    expect(card.conclusion).toMatchObject({ isShown: true })
    expect(troubles).toHaveLength(1)
  })

  it('whose old notification can neither be taken back nor replaced: the question still looks open', async () => {
    const { card } = await shown()
    const refuses = denied(403, 40301)
    answers.push(taken, refuses, taken, refuses, refuses)
    remind(card)
    await conclude(card)
    expect(card.conclusion).toMatchObject({ isShown: false })
  })
})
