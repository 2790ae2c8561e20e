// A phone on a server in memory, with made-up time.
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { Lang } from '../../../src/reply/lang.ts'
import { type Fetch, NtfyClient } from '../../../src/surfaces/ntfy/client.ts'
import { Config } from '../../../src/surfaces/ntfy/config.ts'
import { Phone } from '../../../src/surfaces/ntfy/phone.ts'
import { newTopic } from '../../../src/surfaces/ntfy/topic.ts'
import { pass } from '../../helpers/time.ts'

export const MINUTE = 60_000, HOUR = 60 * MINUTE

/** The question of most tests. */
export const question = { id: 'q', question: 'Which name?' }

/** Where the server is said to be. */
export const URL = 'https://ntfy.example.org'

/** What a request meets instead of success. */
export type Fault = () => Response | Promise<Response>

/** The network's own error, with the fields of its cause. */
export const cut = (fields: object): Fault => () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('why'), fields) }))
export const refused = cut({ code: 'ECONNREFUSED', syscall: 'connect' })
export const broken: Fault = () => new Response('oops', { status: 502 })
export const limited = (code: number): Fault => () => Response.json({ code, http: 429, error: 'limit' }, { status: 429 })

/** What a fault comes to, unless the request is given up before. */
export async function meet(fault: Fault, signal: AbortSignal): Promise<Response> {
  signal.throwIfAborted()
  return await Promise.race([fault(), new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })])
}

/** What is published. */
export interface MemoryPush {
  readonly title: string
  readonly message: string
  readonly priority: number
  readonly tags?: readonly string[]
  readonly actions?: readonly { readonly label: string, readonly body: string }[]
  readonly sequence_id: string
}

/** A stream that somebody holds open. */
interface MemoryStream {
  readonly response: Response
  say(message: string): void
  /** Whatever is needed for what ntfy would not send. */
  raw(text: string): void
  end(): void
}

/** Open a stream that says that it is alive until it ends or the signal aborts. */
function openStream(topic: string, signal: AbortSignal): MemoryStream {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
  })
  const send = (event: object) => controller.enqueue(new TextEncoder().encode(
    `${JSON.stringify({ id: `l${String(Math.random()).slice(2)}`, time: Math.floor(Date.now() / 1000), topic, ...event })}\n`,
  ))
  const alive = setInterval(() => send({ event: 'keepalive' }), 45_000)
  const end = () => {
    clearInterval(alive)
    controller.error(new Error('over'))
  }
  send({ event: 'open' })
  signal.addEventListener('abort', end, { once: true })
  return {
    response: new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }),
    say: message => send({ event: 'message', message }),
    raw: text => controller.enqueue(new TextEncoder().encode(text)),
    end,
  }
}

/** What is new in each test. */
const fresh = () => ({
  // What was settled on a topic stays known for as long as the process lives.
  topic: newTopic(),
  pushes: [] as MemoryPush[],
  /** Every attempt at a push, those that failed too. */
  tried: [] as MemoryPush[],
  /** The sequences that were taken back. */
  removed: [] as string[],
  streams: [] as MemoryStream[],
  /** How many publishes and removals were tried. */
  requests: 0,
  /** What every request meets; what publishes and removals do; what the next of them do; what streams do. */
  outage: undefined as Fault | undefined,
  fault: undefined as Fault | undefined,
  faults: [] as Fault[],
  streamFault: undefined as Fault | undefined,
  /** How long the next publishes take, in milliseconds. */
  slow: [] as number[],
  reconsider: vi.fn<() => void>(),
  warnings: [] as string[],
})

/**
 * A server with its phone, new for each test of this file or `describe`.
 *
 * @param config of the phone, beside the server and a topic; it speaks English otherwise.
 */
export function useMemoryServer(config: { readonly lang?: Lang, readonly [field: string]: unknown } = {}) {
  const server = Object.assign(fresh(), {
    phone: undefined as unknown as Phone,
    /** The server goes, and its stream with it. */
    goDown(how: Fault = refused) {
      server.outage = how
      server.streams.at(-1)?.end()
    },
    says: (message: string) => server.streams.at(-1)!.say(message),
    /** The same, and what comes of it at once. */
    async hears(message: string) {
      server.says(message)
      await pass(10)
    },
    priorities: () => server.pushes.map(({ priority }) => priority),
    async fetch(...[url, { method, body, signal }]: Parameters<Fetch>) {
      signal!.throwIfAborted()
      const isRead = url.includes('/json')
      const push = method === 'POST' ? JSON.parse(body as string) as MemoryPush : undefined
      if (!isRead) server.requests++
      if (push) server.tried.push(push)
      const fault = server.outage ?? (isRead ? server.streamFault : server.fault ?? server.faults.shift())
      if (fault) return await meet(fault, signal!)
      if (url.includes('poll=1')) return new Response('')
      if (isRead) {
        server.streams.push(openStream(server.topic, signal!))
        return server.streams.at(-1)!.response
      }
      if (push) server.pushes.push(push)
      else server.removed.push(url.split('/').at(-1)!)
      const ms = server.slow.shift()
      if (ms !== undefined) await new Promise(resolve => setTimeout(resolve, ms))
      return Response.json({ id: `p${Math.random()}`, time: Math.floor(Date.now() / 1000) })
    },
  })
  beforeEach(async () => {
    vi.useFakeTimers({ now: new Date('2026-01-05T12:00:00Z') })
    Object.assign(server, fresh())
    server.phone = new Phone({
      config: Config.parse({ server: URL, topic: server.topic, ...config }),
      lang: config.lang ?? 'en',
      client: new NtfyClient(URL, undefined, server.fetch),
      linkFor: () => undefined,
      reconsider: server.reconsider,
      warn: message => void server.warnings.push(message),
    })
    await pass(10)
  })
  afterEach(async () => {
    const closed = server.phone.close()
    await pass(1000)
    await closed
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return server
}
