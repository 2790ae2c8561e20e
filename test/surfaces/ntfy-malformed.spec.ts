// Malformed requests and malformed events while other questions are open: each fails alone. The server is in memory.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/index.ts'
import { replyTopicOf } from '../../src/surfaces/ntfy/topic.ts'
import { pass, watch } from '../helpers/time.ts'
import { database, chosen, said } from '../ntfy/helpers/boot.ts'
import { question, useMemoryServer } from '../ntfy/helpers/memory.ts'
import { codeOf, type Push } from '../ntfy/helpers/person.ts'

const server = useMemoryServer()
const never = new AbortController().signal

const ask = (request: unknown) => watch<unknown>(server.phone.ask(request as AskUserQuestionRequest, { id: '1', signal: never, quiet: false }))
const codes = () => server.pushes.filter(({ priority }) => priority === 4).map(push => codeOf(push as unknown as Push))

const trap = (): object => new Proxy({}, { get() { throw new Error('no') } })

/** What is neither text nor anything else that a question may have in some place. */
const wrong = fc.oneof(
  fc.constantFrom<unknown>(0, -1, Number.NaN, true, {}, [[]], Symbol('x'), () => 'x', 10n, new Date(0), new Map()),
  fc.constant(undefined).map(trap),
)

const field = fc.oneof(
  wrong.map(id => ({ id })),
  wrong.map(text => ({ question: text })),
  wrong.map(detail => ({ detail })),
  wrong.map(header => ({ header })),
  wrong.filter(value => value !== true).map(multiSelect => ({ multiSelect })),
  fc.oneof(wrong, fc.constant('ab')).map(options => ({ options })),
  fc.oneof(wrong, fc.constant(null)).map(option => ({ options: [{ label: 'a' }, option] })),
  wrong.map(label => ({ options: [{ label }] })),
  wrong.map(description => ({ options: [{ label: 'a', description }] })),
)

/** Requests with one fault each. */
const malformed: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, 7, 'x', {}, [], { questions: null }, { questions: {} }, { questions: 'x' }, { questions: [] }, { questions: [null] }, { questions: [[]] }),
  fc.constant(undefined).map(trap),
  wrong.map(questions => ({ questions })),
  wrong.map(item => ({ questions: [database, item] })),
  fc.tuple(field, fc.boolean()).map(([fault, isFirst]) => {
    const both = [{ ...database, ...fault }, database]
    return { questions: isFirst ? both : both.toReversed() }
  }),
  fc.constantFrom<object>(
    { get session() { throw new Error('no') } },
    { session: trap() },
  ).map(agent => ({ questions: [database], agent })),
)

describe('5,000 malformed requests', { timeout: 30_000 }, () => {
  it('are refused one by one, none is shown, and what is open is answered', async () => {
    const first = ask({ questions: [database] }), second = ask({ questions: [question] })
    await pass(10)
    const requests = fc.sample(malformed, 5000)
    const asked: [unknown, ReturnType<typeof ask>][] = []
    for (const request of requests) {
      asked.push([request, ask(request)])
      server.phone.remind(request as AskUserQuestionRequest)
      server.phone.settled(request as AskUserQuestionRequest, 'host')
    }
    await pass(100)
    expect(asked.filter(([, { state }]) => state !== 'rejected').map(([request]) => request)).toEqual([])
    expect(server.pushes).toHaveLength(2)
    expect(server.warnings).toEqual([])
    const [one, other] = codes()
    await server.hears(`${one} 2`)
    await server.hears(`${other} Kraftwerk`)
    expect([first.value, second.value]).toEqual([chosen('SQLite'), said('Kraftwerk')])
  })
})

/** Values of every kind, among them what ntfy sends. */
const value = fc.oneof(
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 2 },
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('triggered', 'dsh-ask AAAAAAAAAAAAAAAAAAAAAA 1', 'ask-q2b-AAAAAAAAAAAA', 'ask-', 'notice-', 'z4k 1', '', '\u0000', 1e308, -1e308, 1.5),
)

const event = fc.record({
  id: fc.oneof(fc.stringMatching(/^[A-Za-z0-9]{12}$/), value),
  time: fc.oneof(fc.integer({ min: -100, max: 100 }).map(offset => Math.floor(Date.UTC(2026, 0, 5, 12) / 1000) + offset), fc.constantFrom<unknown>('now', null, -1, 1e300, [], {})),
  event: fc.oneof(fc.constantFrom('message', 'message_delete', 'message_clear', 'keepalive', 'poll_request'), value),
  topic: fc.oneof(fc.constantFrom('TOPIC', 'REPLY'), value),
  message: value,
  title: value,
  tags: value,
  actions: value,
  sequence_id: value,
  attachment: fc.oneof(value, fc.record({ url: value, type: value, size: value }, { requiredKeys: [] })),
}, { requiredKeys: [] }).map(fields => JSON.stringify(fields))

const line = fc.oneof(
  { arbitrary: event, weight: 8 },
  value.map(fields => JSON.stringify(fields)),
  fc.string({ unit: 'binary', maxLength: 50 }).map(text => text.replaceAll('\n', ' ')),
)

describe('malformed events', { timeout: 60_000 }, () => {
  it('of every kind end neither the stream nor the host, and the next question is answered', async () => {
    await fc.assert(fc.asyncProperty(fc.array(line, { maxLength: 60 }), async lines => {
      const before = { questions: [question] }
      ask(before)
      await pass(10)
      const bytes = lines.map(text => `${text}\n`).join('').replaceAll('"TOPIC"', `"${server.topic}"`).replaceAll('"REPLY"', `"${replyTopicOf(server.topic)}"`)
      server.streams[0]!.raw(bytes)
      await pass(5000)
      expect(server.streams).toHaveLength(1)
      const next = ask({ questions: [question] })
      await pass(10)
      await server.hears(`${codes().at(-1)} Kraftwerk`)
      expect(next.value).toEqual(said('Kraftwerk'))
      server.phone.settled(before, 'host')
      expect(server.warnings.filter(warning => warning.includes('fault'))).toEqual([])
    }), { numRuns: 100 })
  })
})
