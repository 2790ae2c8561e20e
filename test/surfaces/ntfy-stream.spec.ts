// The stream from an ntfy server: lines however they are cut, silence, gaps, refusals. No socket: the server is made of
// streams in memory, and time is made up.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Fetch, NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import type { NtfyMessage } from '../../src/surfaces/ntfy/event.ts'
import { Subscription } from '../../src/surfaces/ntfy/subscription.ts'

const utf8 = new TextEncoder()

/** A server that holds each stream open until a test does something about it. */
class FakeStreams {
  readonly requests: string[] = []
  /** What was asked for beside the streams, and what is kept for that. */
  readonly polls: string[] = []
  kept: (string | Error)[] = []
  readonly signals: AbortSignal[] = []
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Responses for the next requests, instead of a stream. */
  readonly instead: (Response | Error)[] = []

  readonly fetch: Fetch = (url, { signal }) => {
    if (url.includes('poll=1')) {
      this.polls.push(url.replace('https://ntfy.example.org', ''))
      const kept = this.kept.shift() ?? ''
      return kept instanceof Error ? Promise.reject(kept) : Promise.resolve(new Response(kept))
    }
    this.requests.push(url.replace('https://ntfy.example.org', ''))
    this.signals.push(signal!)
    const instead = this.instead.shift()
    if (instead instanceof Error) return Promise.reject(instead)
    if (instead) return Promise.resolve(instead)
    const body = new ReadableStream<Uint8Array>({
      start: controller => {
        this.#controller = controller
        signal!.addEventListener('abort', () => controller.error(signal!.reason))
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' } }))
  }

  send(bytes: Uint8Array | string): void {
    this.#controller!.enqueue(typeof bytes === 'string' ? utf8.encode(bytes) : bytes)
  }

  end(): void {
    this.#controller!.close()
  }
}

const line = (event: object) => `${JSON.stringify({ id: 'x', time: 1000, event: 'message', topic: 'a', ...event })}\n`
const open = (time = 1000) => line({ event: 'open', time })
const said = (id: string, message: string, time = 1000) => line({ id, message, time })

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
/** What is in a promise chain happens. */
const settle = () => pass(0)

let server: FakeStreams
let heard: NtfyMessage[]
let old: NtfyMessage[]
let refused: string[]
let lost: string[]
let opened: number
let failed: number
let subscription: Subscription

/** Subscribe; the server sends something, if anything. */
async function subscribe(bytes?: string): Promise<void> {
  subscription = new Subscription(new NtfyClient('https://ntfy.example.org', undefined, server.fetch), ['a', 'b'], {
    opened: () => void opened++,
    message: (message, isOld) => void (isOld ? old : heard).push(message),
    refused: ({ message }) => void refused.push(message),
    lost: ({ message }) => void lost.push(message),
    failed: () => void failed++,
  })
  await settle()
  if (bytes !== undefined) await send(bytes)
}

/** The server sends something, and it is read. */
async function send(bytes: Uint8Array | string): Promise<void> {
  server.send(bytes)
  await settle()
}

/** The stream ends, and the server has another second. */
async function end(): Promise<void> {
  server.end()
  await pass(1000)
}

const ids = () => heard.map(({ id }) => id)
const texts = () => heard.map(({ message }) => message)

beforeEach(() => {
  vi.useFakeTimers()
  server = new FakeStreams()
  heard = []
  old = []
  refused = []
  lost = []
  opened = 0
  failed = 0
})

afterEach(async () => {
  subscription.close()
  await settle()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

describe('the stream', () => {
  it('starts live, with both topics on one connection', async () => {
    await subscribe(open())
    await subscription.ready
    expect(server.requests).toEqual(['/a,b/json'])
    expect(opened).toBe(1)
  })

  it('reads lines that are split at every byte', async () => {
    await subscribe()
    const bytes = utf8.encode(open() + said('m1', 'Größe 部署 🙂') + line({ event: 'keepalive' }) + said('m2', '—'))
    for (const byte of bytes) {
      await send(Uint8Array.of(byte))
    }
    expect(texts()).toEqual(['Größe 部署 🙂', '—'])
  })

  it.each([1, 2, 3, 5, 7, 64])('reads lines in pieces of %i bytes', async size => {
    await subscribe()
    const bytes = utf8.encode(open() + said('m1', 'Größe 部署 🙂'.repeat(9)) + said('m2', '—'))
    for (let at = 0; at < bytes.length; at += size) server.send(bytes.slice(at, at + size))
    await settle()
    expect(texts()).toEqual(['Größe 部署 🙂'.repeat(9), '—'])
  })

  it.each([
    ['broken JSON', '{"id":"m0","time":10\n'],
    ['a page', '<html>\n'],
    ['another type', '["message"]\n"message"\nnull\n42\n'],
    ['fields of other types', line({ id: 7 }) + line({ time: 'now' }) + line({ topic: 3 })],
    ['events that are no messages', line({ event: 'message_delete', message: 'x' }) + line({ event: 'message_clear' }) + line({ event: 'poll_request' })],
  ])('passes over %s', async (_what, noise) => {
    await subscribe(open() + noise + said('m1', 'hello'))
    expect(ids()).toEqual(['m1'])
  })

  it('without a sign of life for two intervals it is opened again, from the last message (case 26)', async () => {
    await subscribe()
    server.send(open() + said('m1', 'hello'))
    await pass(60_000)
    server.send(line({ event: 'keepalive' }))
    await pass(89_000)
    expect(server.requests).toHaveLength(1)
    await pass(1000)
    expect(server.signals[0]!.aborted).toBe(true)
    await pass(1000)
    expect(server.requests).toEqual(['/a,b/json', '/a,b/json?since=m1'])
  })

  it('a server that says less often that it is alive is opened again without long waits', async () => {
    await subscribe()
    for (let round = 1; round <= 8; round++) {
      await settle()
      server.send(open())
      await pass(91_000)
      expect(server.requests).toHaveLength(round + 1)
    }
  })

  it('a connection that never answers is given up in the same time', async () => {
    const never: Fetch = (url, { signal }) => {
      server.requests.push(url)
      return new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
      })
    }
    subscription = new Subscription(new NtfyClient('https://ntfy.example.org', undefined, never), ['a'], { opened() {}, message() {}, refused() {}, lost: ({ message }) => void lost.push(message), failed() {} })
    await pass(3000)
    await subscription.ready
    await pass(87_000 + 1000)
    expect(server.requests).toHaveLength(2)
    expect(lost).toEqual(['the ntfy server cannot be reached'])
  })

  it('after an end it goes on from the time of its opening, while nothing was said', async () => {
    await subscribe()
    server.send(open(1234))
    await end()
    expect(server.requests).toEqual(['/a,b/json', '/a,b/json?since=1234'])
  })

  describe('what was said just when it was opened again', () => {
    /** A stream, its end, and another. */
    async function reopen(): Promise<void> {
      await end()
      await send(open(1100) + line({ event: 'keepalive', time: 1100 }))
    }

    beforeEach(async () => {
      await subscribe(open(1000) + said('m1', 'hello', 1005) + line({ event: 'keepalive', time: 1010 }))
    })

    it('is asked for from when the server was last heard, some times, and is heard once', async () => {
      await pass(40_000)
      expect(server.polls).toEqual([])
      server.kept = ['', said('m1', 'hello', 1005) + said('m2', 'in the hole', 1050), said('m2', 'in the hole', 1050)]
      await reopen()
      for (const [ms, polls, known] of [[999, 0, ['m1']], [1, 1, ['m1']], [4000, 2, ['m1', 'm2']], [25_000, 3, ['m1', 'm2']]] as const) {
        await pass(ms)
        expect([server.polls.length, ids()]).toEqual([polls, known])
      }
      expect(new Set(server.polls)).toEqual(new Set(['/a,b/json?poll=1&since=1008']))
      // The stream goes on from what it said itself: what came beside it may be older.
      await end()
      expect(server.requests.at(-1)).toBe('/a,b/json?since=m1')
    })

    it('is asked for again when it could not be had', async () => {
      server.kept = [new TypeError('fetch failed'), said('m2', 'in the hole', 1050)]
      await reopen()
      await pass(5000)
      expect(ids()).toEqual(['m1', 'm2'])
    })

    it('is asked for from the first gap while there comes one after the other', async () => {
      await reopen()
      await pass(2000)
      await reopen()
      await pass(40_000)
      expect(server.polls).toEqual(Array.from({ length: 4 }, () => '/a,b/json?poll=1&since=1008'))
      await reopen()
      await pass(1000)
      expect(server.polls.at(-1)).toBe('/a,b/json?poll=1&since=1098')
    })

    it('is asked for no more once it is closed', async () => {
      server.kept = [said('m2', 'too late', 1050)]
      await reopen()
      subscription.close()
      await pass(60_000)
      expect([server.polls, vi.getTimerCount()]).toEqual([[], 0])
    })
  })

  it('before it was ever open it goes on from what was published', async () => {
    server.instead.push(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
    await subscribe()
    await subscription.ready
    subscription.published({ id: 'p1', time: 1000 })
    await pass(1000)
    await send(open(1100) + said('m0', 'too old', 999) + said('m1', 'in the gap', 1050))
    expect(server.requests[1]).toBe('/a,b/json?since=p1')
    expect(ids()).toEqual(['m1'])
  })

  it('opened later than a question was published, it is opened again from there at once', async () => {
    await subscribe()
    subscription.published({ id: 'p1', time: 1000 })
    await send(open(1009))
    expect(server.requests).toEqual(['/a,b/json', '/a,b/json?since=p1'])
    await send(open(1010) + said('m1', 'quick', 1004))
    expect(texts()).toEqual(['quick'])
  })

  it('delivers once what the server repeats, and marks what is from before its time', async () => {
    await subscribe(open() + said('m1', 'one') + said('m1', 'one'))
    await end()
    // A server that does not know the id any more replays all it has.
    await send(open(1100) + said('m0', 'yesterday', 10) + said('m1', 'one') + said('m2', 'two'))
    expect(ids()).toEqual(['m1', 'm2'])
    expect(old.map(({ id }) => id)).toEqual(['m0'])
  })

  it('a line that was cut off comes whole with the next stream', async () => {
    await subscribe(open() + said('m1', 'one').slice(0, 30))
    await end()
    await send(open(1001) + said('m1', 'one'))
    expect(texts()).toEqual(['one'])
  })

  it('waits longer each time, up to a minute, and starts over once a stream was well', async () => {
    for (let failure = 0; failure < 9; failure++) server.instead.push(new Response('busy', { status: 503 }))
    await subscribe()
    const waits: number[] = []
    let last = Date.now()
    await settle()
    while (server.requests.length < 9) {
      const count = server.requests.length
      while (server.requests.length === count) await pass(100)
      waits.push(Date.now() - last)
      last = Date.now()
    }
    for (const [at, wait] of waits.entries()) {
      const most = Math.min(60_000, 1000 * 2 ** at)
      expect(wait).toBeGreaterThanOrEqual(most / 2 - 100)
      expect(wait).toBeLessThanOrEqual(most + 100)
    }
    expect(refused).toEqual([])
    await pass(61_000)
    await send(open() + line({ event: 'keepalive' }))
    await end()
    expect(server.requests).toHaveLength(11)
  })

  it('says once that there has been no stream for a while, and again only after there was one', async () => {
    await subscribe()
    server.send(open())
    await pass(60_000)
    const busy = () => server.instead.push(...Array.from({ length: 20 }, () => new Response('busy', { status: 503 })))
    busy()
    server.end()
    await pass(29_000)
    expect(lost).toEqual([])
    await pass(300_000)
    const why = 'the ntfy server has a problem (status 503)'
    expect(lost).toEqual([why])
    server.instead.length = 0
    await pass(60_000)
    server.send(open() + line({ event: 'keepalive' }))
    await pass(60_000)
    busy()
    server.end()
    await pass(60_000)
    expect(lost).toEqual([why, why])
    expect(refused).toEqual([])
  })

  it('a stream that opens and ends at once is not hammered', async () => {
    await subscribe()
    for (let round = 0; round < 5; round++) {
      await settle()
      server.send(open())
      server.end()
      await pass(1000 * 2 ** round)
    }
    expect(server.requests.length).toBeLessThanOrEqual(6)
  })

  it.each([
    ['a wrong token', new Response('{"code":40101}', { status: 401 }), 'the ntfy server does not accept the credentials'],
    ['no access', new Response('{"code":40301}', { status: 403 }), 'the ntfy server denies access to the topics'],
    ['a login page', new Response('', { status: 302, headers: { location: 'https://login.example.org' } }), 'the address in server redirects (status 302)'],
    ['a page instead of a stream', new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }), 'the address in server answers, but not as ntfy does'],
    ['too many subscriptions', new Response('{"code":42903}', { status: 429 }), 'the ntfy server allows no more subscriptions'],
    ['failed logins', new Response('{"code":42909}', { status: 429 }), 'the ntfy server has locked this address out'],
    ['a certificate', Object.assign(new TypeError('fetch failed'), { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } }), 'the certificate of the ntfy server is not accepted'],
  ])('says what to do about %s, and tries again all the same', async (_what, response, why) => {
    server.instead.push(response)
    await subscribe()
    expect(refused).toEqual([expect.stringContaining(why)])
    await pass(1000)
    await send(open())
    expect(opened).toBe(1)
  })

  it('a line without an end is no stream of ntfy’s', async () => {
    await subscribe()
    server.send(open() + 'x'.repeat(300_000))
    await pass(1000)
    expect(server.requests).toHaveLength(2)
  })

  it('closed, it ends its connection and asks for no other', async () => {
    await subscribe(open())
    subscription.close()
    await pass(200_000)
    expect(server.signals[0]!.aborted).toBe(true)
    expect(server.requests).toHaveLength(1)
  })
})
