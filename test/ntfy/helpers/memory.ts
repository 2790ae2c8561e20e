// A phone on a server in memory, for tests with made-up time: the stream of such a server, and the phone's end.
import { expect, vi } from 'vitest'
import { type Fetch, NtfyClient } from '../../../src/surfaces/ntfy/client.ts'
import { Config } from '../../../src/surfaces/ntfy/config.ts'
import { Phone, type PhoneOptions } from '../../../src/surfaces/ntfy/phone.ts'
import { pass } from '../../helpers/time.ts'

/** Where it is said to be. */
const URL = 'https://ntfy.example.org'

/** A stream that somebody holds open. */
export interface MemoryStream {
  readonly response: Response
  /** Somebody says something on the topic. */
  say(message: string): void
  /** The connection is lost. */
  end(): void
}

/** Open a stream that says that it is alive until it ends or the signal aborts. */
export function openStream(topic: string, signal: AbortSignal): MemoryStream {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  const body = new ReadableStream<Uint8Array>({
    start(own) {
      controller = own
    },
  })
  const send = (event: object) => controller.enqueue(new TextEncoder().encode(
    `${JSON.stringify({ id: `l${Math.random()}`, time: Math.floor(Date.now() / 1000), topic, ...event })}\n`,
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
    end,
  }
}

/** A phone in English on such a server. */
export function newPhone(server: Fetch, topic: string, more: Pick<PhoneOptions, 'reconsider'> = {}): Phone {
  return new Phone({
    config: Config.parse({ server: URL, topic }),
    lang: 'en',
    client: new NtfyClient(URL, undefined, server),
    linkFor: () => undefined,
    warn: () => {},
    ...more,
  })
}

/** Close it: no timer is left. */
export async function closePhone(phone: Phone): Promise<void> {
  const closed = phone.close()
  await pass(1000)
  await closed
  expect(vi.getTimerCount()).toBe(0)
}
