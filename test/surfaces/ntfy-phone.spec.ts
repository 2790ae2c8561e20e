// The phone with a server of functions and made-up time: an outage of the stream alone.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Fetch, NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import { Config } from '../../src/surfaces/ntfy/config.ts'
import { Phone } from '../../src/surfaces/ntfy/phone.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a question whose answers cannot be heard for a while stays, and that is said once', async () => {
  const topic = newTopic()
  const troubles: string[] = []
  const published: string[] = []
  const server: Fetch = (url, { body }) => {
    if (url.includes('/json')) return Promise.resolve(new Response('busy', { status: 503 }))
    published.push(body as string)
    return Promise.resolve(Response.json({ id: `p${published.length}`, time: 1000 }))
  }
  const phone = new Phone({
    config: Config.parse({ server: 'https://ntfy.example.org', topic }),
    lang: 'en',
    client: new NtfyClient('https://ntfy.example.org', undefined, server),
    linkFor: () => undefined,
    warn: message => void troubles.push(message),
  })
  const turn = new AbortController()
  const ended: unknown[] = []
  phone.ask({ questions: [{ id: 'q', question: 'Which name?' }] }, { id: '1', signal: turn.signal, quiet: false })
    .catch((error: unknown) => void ended.push(error))
  await vi.advanceTimersByTimeAsync(29_000)
  expect(published).toHaveLength(1)
  expect(troubles).toEqual([])
  await vi.advanceTimersByTimeAsync(600_000)
  expect(troubles).toEqual(['replies: none can be received at the moment, the ntfy server has a problem (status 503); open questions stay'])
  expect(ended).toEqual([])
  const closed = phone.close()
  await vi.advanceTimersByTimeAsync(1000)
  await closed
  expect(ended).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})
