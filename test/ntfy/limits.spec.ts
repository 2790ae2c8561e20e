// A real ntfy server takes every push that we make, as a message and not as a file, and gives it back unchanged.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Cards } from '../../src/surfaces/ntfy/cards.ts'
import { NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import { Config } from '../../src/surfaces/ntfy/config.ts'
import { PushWriter } from '../../src/surfaces/ntfy/push.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import type { Push } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 30 }).chain(text => fc.constantFrom(1, 1, 30, 400).map(times => text.repeat(times)))

const anyQuestion = fc.record({
  id: fc.constant('q'),
  question: anyText,
  header: anyText,
  detail: anyText,
  options: fc.array(fc.record({ label: anyText, description: anyText }), { maxLength: 5 }),
})

describe.skipIf(skipped)('ntfy’s own limits', { timeout: 60_000 }, () => {
  const server = useServer()

  it('hold for any question at the largest size that may be configured', async () => {
    const client = new NtfyClient(server.url, undefined)
    const topic = newTopic()
    const writer = new PushWriter(Config.parse({ server: server.url, topic, maxBytes: 4095, buttonToken: 'x'.repeat(256) }), 'zh')
    const origin = { agent: 'dsh', machine: 'laptop', project: 'kraftwerk' }
    const sent = new Map<string, { message: string, title: string }>()
    await fc.assert(fc.asyncProperty(anyQuestion, async question => {
      const card = new Cards().add({ question, approval: undefined, part: { index: 1, total: 1 }, title: writer.title(question, { index: 1, total: 1 }, origin), answer: () => {} })!
      const json = writer.question(card, origin)
      const { id } = await client.publish(json, new AbortController().signal)
      sent.set(id, JSON.parse(json) as Push as { message: string, title: string })
    }), { numRuns: 150 })
    const response = await fetch(`${server.url}/${topic}/json?poll=1&since=all`)
    const pushes = (await response.text()).split('\n').filter(Boolean).map(line => JSON.parse(line) as Push & { attachment?: object })
    expect(pushes).toHaveLength(150)
    expect(pushes.filter(({ attachment }) => attachment)).toEqual([])
    const shown = pushes.map(({ id, message, title }) => ({ id, message, title: title!.trim() }))
    // ntfy trims what it stores.
    expect(shown).toEqual(expect.arrayContaining([...sent].map(([id, { message, title }]) => ({ id, message: message.trim(), title: title.trim() }))))
  })
})
