// A subscription to a server that is made of streams in memory, with made-up time.
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type Fetch, NtfyClient } from '../../../src/surfaces/ntfy/client.ts'
import type { NtfyMessage } from '../../../src/surfaces/ntfy/event.ts'
import { Subscription } from '../../../src/surfaces/ntfy/subscription.ts'
import { pass } from '../../helpers/time.ts'

export const utf8 = new TextEncoder()

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

export const line = (event: object) => `${JSON.stringify({ id: 'x', time: 1000, event: 'message', topic: 'a', ...event })}\n`
export const open = (time = 1000) => line({ event: 'open', time })
export const said = (id: string, message: string, time = 1000) => line({ id, message, time })

/** What is in a promise chain happens. */
export const settle = () => pass(0)

/** What is new in each test. */
const fresh = () => ({
  server: new FakeStreams(),
  heard: [] as NtfyMessage[],
  old: [] as NtfyMessage[],
  refused: [] as string[],
  lost: [] as string[],
  opened: 0,
})

/** A server and a subscription to it, new for each test of this file. */
export function useStreams() {
  const rig = Object.assign(fresh(), {
    subscription: undefined as unknown as Subscription,
    /** Subscribe; the server sends something, if anything. */
    async subscribe(bytes?: string, fetchIt: Fetch = rig.server.fetch): Promise<void> {
      rig.subscription = new Subscription(new NtfyClient('https://ntfy.example.org', undefined, fetchIt), ['a', 'b'], {
        opened: () => void rig.opened++,
        message: (message, isOld) => void (isOld ? rig.old : rig.heard).push(message),
        refused: ({ message }) => void rig.refused.push(message),
        lost: ({ message }) => void rig.lost.push(message),
        failed: () => expect.unreachable('nothing here throws'),
      })
      await settle()
      if (bytes !== undefined) await rig.send(bytes)
    },
    /** The server sends something, and it is read. */
    async send(bytes: Uint8Array | string): Promise<void> {
      rig.server.send(bytes)
      await settle()
    },
    /** The stream ends, and the server has another second. */
    async end(): Promise<void> {
      rig.server.end()
      await pass(1000)
    },
    ids: () => rig.heard.map(({ id }) => id),
    texts: () => rig.heard.map(({ message }) => message),
  })
  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(rig, fresh())
  })
  afterEach(async () => {
    rig.subscription.close()
    await settle()
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return rig
}
