// Publishing to an ntfy server that is slow, busy, full, or no ntfy server. No socket, and time is made up.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Card, Cards } from '../../src/surfaces/ntfy/cards.ts'
import { type Fetch, NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import { NtfyFailure } from '../../src/surfaces/ntfy/failure.ts'
import { ServerClock } from '../../src/surfaces/ntfy/server-clock.ts'
import { ConnectionHealth } from '../../src/surfaces/ntfy/connection-health.ts'
import { Outbox } from '../../src/surfaces/ntfy/outbox.ts'

const taken = () => Response.json({ id: 'm1', time: 1000 })
const limited = (code: number) => Response.json({ code, http: 429, error: 'limit' }, { status: 429 })

let answers: (() => Response | Promise<Response>)[]
let requests: string[]
let troubles: string[]
let outbox: Outbox
let health: ConnectionHealth

const fetchIt: Fetch = async (url, { method, body, signal }) => {
  requests.push(body as string | undefined ?? `${method} ${new URL(url).pathname}`)
  signal!.throwIfAborted()
  const next = answers.shift() ?? taken
  return await Promise.race([next(), new Promise<never>((_resolve, reject) => {
    signal!.addEventListener('abort', () => reject(signal!.reason as Error))
  })])
}

function newCard() {
  return new Cards().add({ question: { id: 'q', question: 'Which?' }, part: { index: 1, total: 1 }, title: 'dsh', answer: () => {} })!
}

/** Watch a publish without leaving its rejection alone. */
function watch(promise: Promise<unknown>) {
  const state: { result?: unknown, error?: NtfyFailure } = {}
  promise.then(result => Object.assign(state, { result }), error => Object.assign(state, { error }))
  return state
}

const never = new AbortController().signal

beforeEach(() => {
  vi.useFakeTimers()
  answers = []
  requests = []
  troubles = []
  health = new ConnectionHealth()
  outbox = new Outbox(new NtfyClient('https://ntfy.example.org', 'Bearer tk_secret', fetchIt), 'topic', message => void troubles.push(message), new ServerClock(), health)
})

afterEach(async () => {
  const closed = outbox.close(0)
  await vi.advanceTimersByTimeAsync(10)
  await closed
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('publishing a question', () => {
  it('a burst that is too much is waited out, with one notice (case 27)', async () => {
    answers.push(() => limited(42901), () => limited(42901), () => limited(42901))
    const shown = watch(outbox.show(newCard(), () => 'question', never))
    const other = watch(outbox.show(newCard(), () => 'another', never))
    await vi.advanceTimersByTimeAsync(8000)
    expect(shown.result).toEqual({ id: 'm1', time: 1000 })
    expect(other.result).toEqual({ id: 'm1', time: 1000 })
    expect(troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('that the server goes on putting off is given up after a minute, however long it could not be reached before', async () => {
    answers = Array.from({ length: 20 }, () => () => new Response('oops', { status: 502 }))
    const shown = watch(outbox.show(newCard(), () => 'question', never))
    while (answers.length > 0) await vi.advanceTimersByTimeAsync(100)
    answers = Array.from({ length: 99 }, () => () => limited(42901))
    await vi.advanceTimersByTimeAsync(59_000)
    expect(shown.error).toBeUndefined()
    await vi.advanceTimersByTimeAsync(62_000)
    expect(shown.error).toMatchObject({ kind: 'rate-limited', message: 'the ntfy server asks to slow down' })
    const { length } = requests
    expect(length).toBeGreaterThanOrEqual(24)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(requests).toHaveLength(length)
  })

  it.each<[string, () => Response | Promise<Response>, string]>([
    ['the day’s quota (case 27)', () => limited(42908), "the day's quota of messages on the ntfy server is used up"],
    ['another limit', () => limited(42999), 'a limit of the ntfy server is reached (error 42999)'],
    ['wrong credentials', () => new Response('{"code":40101}', { status: 401 }), 'the ntfy server does not accept the credentials'],
    ['no access', () => new Response('{"code":40301}', { status: 403 }), 'the ntfy server denies access'],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login?token=tk_secret' } }), 'the address in server redirects (status 302)'],
    ['a page', () => new Response('<html>tk_secret</html>', { headers: { 'content-type': 'text/html' } }), 'the address in server answers, but not as ntfy does'],
    ['JSON without an id', () => Response.json({ ok: true }), 'the address in server answers, but not as ntfy does'],
    ['an endless page', () => new Response('x'.repeat(20_000)), 'the address in server answers, but not as ntfy does'],
    ['a refusal', () => new Response('{"code":40014}', { status: 400 }), 'the ntfy server refuses the request (error 40014)'],
    ['a wrong address', () => new Response('not found', { status: 404 }), 'the ntfy server refuses the request (status 404)'],
    ['a certificate', () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'CERT_HAS_EXPIRED' } })), 'the certificate of the ntfy server is not accepted (CERT_HAS_EXPIRED)'],
  ])('%s: fails at once with what to do, and says so once', async (_what, answer, why) => {
    answers.push(answer, answer)
    const first = watch(outbox.show(newCard(), () => 'question', never))
    await vi.advanceTimersByTimeAsync(0)
    const second = watch(outbox.show(newCard(), () => 'question', never))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(first.error?.message).toContain(why)
    expect(second.error?.message).toContain(why)
    expect(requests).toHaveLength(2)
    expect(troubles).toHaveLength(1)
    expect(first.error!.message + troubles[0]).not.toContain('tk_secret')
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['a broken server', () => new Response('oops', { status: 500 })],
    ['a busy proxy', () => new Response('slow down', { status: 429 })],
    ['a proxy that waits no longer', () => new Response('timeout', { status: 408 })],
    ['no connection', () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))],
    ['no response within 15 seconds', () => new Promise<Response>(() => {})],
  ])('%s: is tried again', async (_what, answer) => {
    answers.push(answer)
    const shown = watch(outbox.show(newCard(), () => 'question', never))
    await vi.advanceTimersByTimeAsync(16_500)
    expect(shown.result).toEqual({ id: 'm1', time: 1000 })
    expect(requests).toEqual(['question', 'question'])
  })

  it('is written anew for each attempt, and not tried again when that fails', async () => {
    answers.push(() => limited(42901), () => limited(42901))
    let count = 0
    const shown = watch(outbox.show(newCard(), () => {
      if (++count === 3) throw new RangeError('does not fit')
      return `question ${count}`
    }, never))
    await vi.advanceTimersByTimeAsync(120_000)
    expect(shown.error).toBeInstanceOf(RangeError)
    expect(requests).toEqual(['question 1', 'question 2'])
    expect(troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('is not tried again once it is put away', async () => {
    answers.push(() => limited(42901))
    const stop = new AbortController()
    const shown = watch(outbox.show(newCard(), () => 'question', stop.signal))
    await vi.advanceTimersByTimeAsync(100)
    stop.abort()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(shown.error).toBeInstanceOf(NtfyFailure)
    expect(requests).toEqual(['question'])
  })
})

describe('publishing what became of a question', () => {
  it('comes after the question, however slow that is', async () => {
    const card = newCard()
    let answer!: (response: Response) => void
    answers.push(() => new Promise(resolve => { answer = resolve }))
    const shown = watch(outbox.show(card, () => 'question', never))
    outbox.replace(card, () => 'answered', never)
    outbox.replace(card, () => 'answered elsewhere', never)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests).toEqual(['question'])
    answer(taken())
    await vi.advanceTimersByTimeAsync(10)
    expect(shown.result).toBeDefined()
    expect(requests).toEqual(['question', 'answered', 'answered elsewhere'])
  })

  it('is left out where the question never came', async () => {
    const card = newCard()
    answers.push(() => limited(42908))
    watch(outbox.show(card, () => 'question', never))
    outbox.replace(card, () => 'answered', never)
    await vi.advanceTimersByTimeAsync(1000)
    expect(requests).toEqual(['question'])
  })

  const answered = (sequence: string) => `answered ${sequence}`
  const error = (fields: object) => () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('why'), fields) }))

  it.each<[string, () => Response | Promise<Response>]>([
    ['the server refused the connection', error({ code: 'ECONNREFUSED' })],
    ['its name was not found', error({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
    ['there was no way to it', error({ code: 'EHOSTUNREACH', syscall: 'connect' })],
    ['none of its addresses answered', error({ errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }, { code: 'ENETUNREACH', syscall: 'connect' }] })],
    ['the connection took too long', error({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['the TLS handshake was cut', error({ code: 'ECONNRESET', message: 'Client network socket disconnected before secure TLS connection was established' })],
    ['it did not get all of it', () => new Response('timeout', { status: 408 })],
    ['it asked to slow down', () => limited(42901)],
  ])('is left out where the question cannot have come: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    answers.push(answer)
    watch(outbox.show(card, () => 'question', stop.signal))
    await vi.advanceTimersByTimeAsync(10)
    stop.abort()
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual(['question'])
    expect(card.conclusion).toBeUndefined()
  })

  it.each<[string, () => Response | Promise<Response>]>([
    ['a proxy lost the server', () => new Response('oops', { status: 502 })],
    ['the connection was cut', error({ code: 'ECONNRESET', syscall: 'read' })],
    ['the network went away', error({ code: 'EHOSTUNREACH', syscall: 'read' })],
  ])('is no news where the question may have come, which is taken from the phone: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    answers.push(answer, error({ code: 'ECONNREFUSED' }))
    watch(outbox.show(card, () => 'question', stop.signal))
    await vi.advanceTimersByTimeAsync(1100)
    expect(requests).toHaveLength(2)
    stop.abort()
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests.slice(2)).toEqual([`DELETE /topic/${card.sequence}`])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it('is published where the question has come, as its stream or its answer shows', async () => {
    const card = newCard(), stop = new AbortController()
    answers.push(error({ code: 'ECONNRESET', syscall: 'read' }))
    watch(outbox.show(card, () => 'question', stop.signal))
    await vi.advanceTimersByTimeAsync(10)
    card.shown = { time: 1000, order: 1 }
    stop.abort()
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual(['question', answered(card.sequence)])
  })

  it('is tried for an hour while the server is away, so that the card does not go on looking open, and then no more', async () => {
    const late = newCard(), lost = newCard()
    for (const card of [late, lost]) watch(outbox.show(card, () => 'question', never))
    await vi.advanceTimersByTimeAsync(10)
    answers = Array.from({ length: 999 }, () => () => new Response('oops', { status: 502 }))
    outbox.conclude(late, answered)
    await vi.advanceTimersByTimeAsync(58 * 60_000)
    expect(late.conclusion).toBeUndefined()
    answers = []
    await vi.advanceTimersByTimeAsync(60_000)
    expect(late.conclusion).toMatchObject({ isShown: true })
    answers = Array.from({ length: 999 }, () => () => new Response('oops', { status: 502 }))
    lost.staleSequences.add('older')
    outbox.conclude(lost, answered)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(lost.conclusion).toMatchObject({ isShown: false })
    const { length } = requests
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(requests).toHaveLength(length)
  })

  it('has a moment left when the plugin is unloaded, then it is aborted', async () => {
    const card = newCard()
    watch(outbox.show(card, () => 'question', never))
    await vi.advanceTimersByTimeAsync(0)
    answers.push(() => new Promise<Response>(() => {}))
    outbox.replace(card, () => 'answered', never)
    const closed = watch(outbox.close(2000).then(() => 'closed'))
    await vi.advanceTimersByTimeAsync(1999)
    expect(closed.result).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(closed.result).toBe('closed')
    outbox.say('too late')
    await vi.advanceTimersByTimeAsync(0)
    expect(troubles).toEqual([])
  })
})

describe('a reminder', () => {
  /** A question that is on the phone. */
  async function shown() {
    const card = newCard()
    watch(outbox.show(card, () => 'question', never))
    await vi.advanceTimersByTimeAsync(10)
    requests = []
    return { card, first: card.sequence }
  }

  const again = (sequence: string) => `reminder ${sequence}`
  const answered = (sequence: string) => `answered ${sequence}`
  /** Remind, at any hour until the wish is taken back. */
  function remind(card: Card, stop = never, wish = { isWanted: true }) {
    outbox.remind(card, { write: again, isWanted: () => wish.isWanted, stop })
  }
  const takes = (sequence: string) => `DELETE /topic/${sequence}`

  it('comes as a notification of its own, then the old one goes; so does the next', async () => {
    const { card, first } = await shown()
    remind(card)
    await vi.advanceTimersByTimeAsync(10)
    const second = card.sequence
    expect(second).not.toBe(first)
    remind(card)
    await vi.advanceTimersByTimeAsync(10)
    const third = card.sequence
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual([again(second), takes(first), again(third), takes(second), answered(third)])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it.each([
    ['before the question is there', async () => ({ card: newCard() })],
    ['where the question never came', async () => {
      const card = newCard()
      answers.push(() => limited(42908))
      watch(outbox.show(card, () => 'question', never))
      await vi.advanceTimersByTimeAsync(10)
      requests = []
      return { card }
    }],
  ])('%s is none', async (_what, start) => {
    const { card } = await start()
    remind(card)
    await vi.advanceTimersByTimeAsync(100)
    expect(requests).toEqual([])
  })

  it('that fails leaves the question, and what became of it is said there', async () => {
    const { card, first } = await shown()
    const stop = new AbortController()
    answers.push(() => limited(42908))
    remind(card, stop.signal)
    await vi.advanceTimersByTimeAsync(100)
    expect(requests).toEqual([expect.stringMatching(`^reminder ${first}....$`)])
    expect(troubles).toEqual([expect.stringContaining("the day's quota")])
    expect(card.sequence).toBe(first)
    const reminder = requests[0]!.split(' ')[1]!
    stop.abort()
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    // It may have come: a server does not always get to say so.
    expect(requests.slice(1)).toEqual([answered(first), takes(reminder)])
  })

  it('is tried again while the server is away, one at a time, until the question is answered', async () => {
    const { card, first } = await shown()
    const stop = new AbortController()
    answers = Array.from({ length: 3 }, () => () => new Response('oops', { status: 502 }))
    remind(card, stop.signal)
    remind(card, stop.signal)
    await vi.advanceTimersByTimeAsync(900)
    remind(card, stop.signal)
    await vi.advanceTimersByTimeAsync(100)
    expect(requests).toHaveLength(2)
    expect(new Set(requests).size).toBe(1)
    stop.abort()
    answers = []
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(120_000)
    expect(requests.slice(2)).toEqual([answered(first), takes(requests[0]!.split(' ')[1]!)])
    expect(card.staleSequences.size).toBe(0)
  })

  it.each<[string, () => Response]>([
    ['is away', () => new Response('oops', { status: 502 })],
    ['has no quota left', () => limited(42908)],
    ['refuses', () => Response.json({ code: 40301 }, { status: 403 })],
  ])('is tried for as long as the server %s, in the end every minute, and comes once', async (_what, refused) => {
    const { card, first } = await shown()
    answers = Array.from({ length: 999 }, () => refused)
    remind(card)
    await vi.advanceTimersByTimeAsync(120_000)
    const { length: atFirst } = requests
    expect(atFirst).toBeLessThanOrEqual(11)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(requests.length - atFirst).toBeGreaterThanOrEqual(58)
    expect(requests.length - atFirst).toBeLessThanOrEqual(120)
    // Another that is due meanwhile is the same one.
    remind(card)
    expect(new Set(requests).size).toBe(1)
    answers = []
    const { length } = requests
    await vi.advanceTimersByTimeAsync(60_000)
    expect(requests.slice(length)).toEqual([requests[0], takes(first)])
    expect(troubles).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(requests).toHaveLength(length + 2)
  })

  it('that is no longer wanted is given up, for good; the next is another', async () => {
    const { card, first } = await shown()
    const wish = { isWanted: true }
    answers.push(() => limited(42901))
    remind(card, never, wish)
    await vi.advanceTimersByTimeAsync(100)
    wish.isWanted = false
    await vi.advanceTimersByTimeAsync(120_000)
    remind(card, never, wish)
    await vi.advanceTimersByTimeAsync(100)
    expect(requests).toHaveLength(1)
    wish.isWanted = true
    await vi.advanceTimersByTimeAsync(120_000)
    expect(requests).toHaveLength(1)
    const given = requests[0]!.split(' ')[1]!
    remind(card, never, wish)
    await vi.advanceTimersByTimeAsync(100)
    expect(card.sequence).not.toBe(given)
    expect(requests.slice(1)).toEqual([again(card.sequence), takes(given), takes(first)])
  })

  it('that is due while the one before is still being tidied up after comes after that', async () => {
    const { card, first } = await shown()
    answers.push(taken, () => new Response('oops', { status: 502 }))
    remind(card)
    await vi.advanceTimersByTimeAsync(10)
    const second = card.sequence
    remind(card)
    remind(card)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(requests).toEqual([again(second), takes(first), takes(first), again(card.sequence), takes(second)])
  })

  it('ends with the plugin', async () => {
    const { card } = await shown()
    answers = Array.from({ length: 999 }, () => () => new Response('oops', { status: 502 }))
    remind(card)
    await vi.advanceTimersByTimeAsync(600_000)
    const { length } = requests
    const closed = watch(outbox.close(2000).then(() => 'closed'))
    await vi.advanceTimersByTimeAsync(2000)
    expect(closed.result).toBe('closed')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(requests.length).toBeLessThanOrEqual(length + 1)
  })

  it('of a question that is answered before its turn has come is none', async () => {
    const { card, first } = await shown()
    const stop = new AbortController()
    remind(card, stop.signal)
    outbox.conclude(card, answered)
    stop.abort()
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual([answered(first)])
  })

  it('of a question that is answered meanwhile: the outcome is in its place, and the old one goes', async () => {
    const { card, first } = await shown()
    const stop = new AbortController()
    let answer!: (response: Response) => void
    answers.push(() => new Promise(resolve => { answer = resolve }))
    remind(card, stop.signal)
    await vi.advanceTimersByTimeAsync(10)
    outbox.conclude(card, answered)
    stop.abort()
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toHaveLength(1)
    answer(taken())
    await vi.advanceTimersByTimeAsync(10)
    expect(card.sequence).not.toBe(first)
    expect(requests).toEqual([again(card.sequence), takes(first), answered(card.sequence)])
  })

  it('on a server that takes nothing back: that is said once, and the outcome is in both places', async () => {
    const { card, first } = await shown()
    const refused = () => Response.json({ code: 40401 }, { status: 404 })
    for (const count of [1, 2]) {
      answers.push(taken, ...Array.from({ length: count }, () => refused))
      remind(card)
      await vi.advanceTimersByTimeAsync(10)
    }
    const [second] = [...card.staleSequences].slice(1)
    expect([...card.staleSequences]).toEqual([first, second])
    expect(troubles).toEqual([expect.stringMatching(/^an outdated notification stays on the phone for now, the ntfy server refuses the request \(error 40401\)/)])
    requests = []
    answers.push(taken, refused, taken, refused, taken)
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(requests).toEqual([answered(card.sequence), takes(first), answered(first), takes(second!), answered(second!)])
    expect(card.conclusion).toMatchObject({ isShown: true })
    expect(troubles).toHaveLength(1)
  })

  it('whose old notification can neither be taken back nor replaced: the question still looks open', async () => {
    const { card } = await shown()
    const refused = () => Response.json({ code: 40301 }, { status: 403 })
    answers.push(taken, refused, taken, refused, refused)
    remind(card)
    outbox.conclude(card, answered)
    await vi.advanceTimersByTimeAsync(10)
    expect(card.conclusion).toMatchObject({ isShown: false })
  })
})
