// The pushes of a phone whose server is slow, busy, full, or no ntfy server. No socket, and time is made up.
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type Card, Cards } from '../../../src/surfaces/ntfy/cards.ts'
import { NtfyClient } from '../../../src/surfaces/ntfy/client.ts'
import { ConnectionHealth } from '../../../src/surfaces/ntfy/connection-health.ts'
import type { NtfyFailure } from '../../../src/surfaces/ntfy/failure.ts'
import { Outbox } from '../../../src/surfaces/ntfy/outbox.ts'
import { ServerClock } from '../../../src/surfaces/ntfy/server-clock.ts'
import { pass } from '../../helpers/time.ts'
import { type Fault, meet, URL as SERVER } from './memory.ts'

export const taken = () => Response.json({ id: 'm1', time: 1000 })
export const denied = (status: number, code: number): Fault => () => Response.json({ code }, { status })
export const never = new AbortController().signal

export function newCard() {
  return new Cards().add({ question: { id: 'q', question: 'Which?' }, approval: undefined, part: { index: 1, total: 1 }, title: 'dsh', answer: () => {} })!
}

export const answered = (sequence: string) => `answered ${sequence}`

/** Watch a publish without leaving its rejection alone. */
export function watch(promise: Promise<unknown>) {
  const state: { result?: unknown, error?: NtfyFailure } = {}
  promise.then(result => Object.assign(state, { result }), error => Object.assign(state, { error }))
  return state
}

/** An outbox and its server, new for each test of this file. */
export function useOutbox() {
  const rig = {
    /** What the next requests meet; afterwards all goes well. */
    answers: [] as Fault[],
    requests: [] as string[],
    troubles: [] as string[],
    outbox: undefined as unknown as Outbox,
    /** Publish a question. */
    show: (card = newCard(), stop = never, write = () => 'question') => watch(rig.outbox.show(card, write, stop)),
    /** The server answers so, any number of times. */
    always(fault: Fault) {
      rig.answers = Array.from({ length: 999 }, () => fault)
    },
    /** The server takes the next request when the test says so. */
    slowly(): () => void {
      const { promise, resolve } = Promise.withResolvers<Response>()
      rig.answers.push(() => promise)
      return () => resolve(taken())
    },
    /** Unload; it has two seconds. */
    close: () => watch(rig.outbox.close(2000).then(() => 'closed')),
    /** Conclude a card, and see what comes of it at once. */
    async conclude(card: Card): Promise<void> {
      rig.outbox.conclude(card, answered)
      await pass(10)
    },
  }
  beforeEach(() => {
    vi.useFakeTimers()
    Object.assign(rig, { answers: [], requests: [], troubles: [] })
    const client = new NtfyClient(SERVER, 'Bearer tk_secret', async (url, { method, body, signal }) => {
      rig.requests.push(body as string | undefined ?? `${method} ${new URL(url).pathname}`)
      return await meet(rig.answers.shift() ?? taken, signal!)
    })
    const warn = (message: string) => void rig.troubles.push(message)
    rig.outbox = new Outbox(client, 'topic', warn, new ServerClock(), new ConnectionHealth(warn))
  })
  afterEach(async () => {
    const closed = rig.outbox.close(0)
    await pass(10)
    await closed
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })
  return rig
}
