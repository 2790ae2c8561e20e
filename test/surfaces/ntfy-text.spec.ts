// Texts for a phone: within ntfy's limits whatever was asked, and answered by position or label alike.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionItem } from '../../src/index.ts'
import type { Origin } from '../../src/protocol/origin.ts'
import type { Part } from '../../src/reply/format.ts'
import type { Lang } from '../../src/reply/lang.ts'
import { Cards } from '../../src/surfaces/ntfy/cards.ts'
import { Config } from '../../src/surfaces/ntfy/config.ts'
import { judge } from '../../src/surfaces/ntfy/verdict.ts'
import { MAX_JSON, PushWriter } from '../../src/surfaces/ntfy/push.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'

const origin: Origin = { agent: 'dsh', machine: 'laptop', project: 'kraftwerk' }

interface Sent {
  readonly title: string
  readonly message: string
  readonly click?: string
  readonly actions?: { label: string, body: string, url: string, headers?: object }[]
}

interface PushOptions {
  readonly config?: object
  readonly part?: Part
  readonly link?: string
  readonly quiet?: boolean
  readonly reminder?: string | undefined
  readonly from?: Origin
  readonly lang?: Lang
}

function pushOf(question: AskUserQuestionItem, { config, part = { index: 1, total: 1 }, link, quiet, reminder, from = origin, lang = 'en' }: PushOptions = {}) {
  const writer = new PushWriter(Config.parse({ topic: newTopic(), server: 'https://ntfy.example.org', ...config }), lang)
  const cards = new Cards()
  const card = cards.add({ question, approval: undefined, part, title: writer.title(question, part, from), answer: () => {} })!
  const json = writer.question(card, from, { link, isQuiet: quiet, reminder })
  return { json, push: JSON.parse(json) as Sent, card, cards }
}

const which = { id: 'q', question: 'Which?' }
const bytes = (text: string) => Buffer.byteLength(text)

/** Any text that an agent may send, lone surrogates and controls included, to 20,000 characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 20_000 }))
    .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
  fc.constantFrom('"', '\\', '\n', '\u0000', '\ud83d', '👨‍👩‍👧‍👦', 'e\u0301', '\u0301', ' ', '部').chain(piece => fc.integer({ min: 1, max: 5000 }).map(n => piece.repeat(n))),
)

const anyQuestion: fc.Arbitrary<AskUserQuestionItem> = fc.record({
  id: fc.string(),
  question: anyText,
  header: anyText,
  detail: anyText,
  multiSelect: fc.boolean(),
  options: fc.array(fc.record({ label: anyText, description: anyText }, { requiredKeys: ['label'] }), { maxLength: 12 }),
}, { requiredKeys: ['id', 'question'] })

const anyConfig = fc.record({
  maxBytes: fc.integer({ min: 400, max: 4095 }),
  shared: fc.boolean(),
  buttonToken: fc.constantFrom('tk_button', 'x'.repeat(256)),
  server: fc.constantFrom('https://ntfy.example.org', `https://${'long-name.'.repeat(20)}example.org`),
})

const anyName = fc.string({ unit: 'binary', maxLength: 60 })
const anyOrigin: fc.Arbitrary<Origin> = fc.record({ agent: anyName, machine: anyName, project: anyName, session: anyName }, { requiredKeys: ['agent', 'machine', 'project'] })

// Line feeds and tabs stay.
const EXECUTED = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

describe('a push', { timeout: 60_000 }, () => {
  it('is within ntfy’s limits for any question, and any option comes back as exactly its label', () => {
    fc.assert(fc.property(anyQuestion, anyConfig, fc.constantFrom(undefined, 'ask-q2b-AAAAAAAAAAAABBBB'), anyOrigin, fc.constantFrom('en', 'zh'), (question, config, reminder, from, lang) => {
      const { json, push, card, cards } = pushOf(question, {
        config, part: { index: 20, total: 20 }, link: `https://desk.example.org/${'x'.repeat(900)}`, quiet: false, reminder, from, lang,
      })
      expect(bytes(json)).toBeLessThanOrEqual(MAX_JSON)
      expect(bytes(push.message)).toBeLessThanOrEqual(config.maxBytes)
      expect(bytes(push.title)).toBeLessThanOrEqual(150)
      expect(push.message.isWellFormed() && push.title.isWellFormed()).toBe(true)
      expect(push.message).toContain(card.code)
      expect(push.message + push.title).not.toMatch(EXECUTED)
      expect(push.title).not.toContain('\n')
      card.shown = { time: 1, order: 1 }
      const chosen = (text: string) => {
        const verdict = judge({ time: 1, order: 2, streamOrder: 0, text }, cards, { shared: config.shared, freeText: true })
        return verdict.kind === 'answer' ? verdict.item : verdict
      }
      const options = question.options ?? []
      const tapped = push.actions?.map(({ body }) => chosen(body)) ?? []
      expect(tapped).toEqual(question.multiSelect || options.length > 3 ? [] : options.map(({ label }) => ({ id: question.id, selected: [label] })))
      // An exact label goes before a position.
      const meant = (number: string, label: string) => options.some(option => option.label === number) ? number : label
      expect(options.map((_, at) => chosen(`${card.code} ${at + 1}`)))
        .toEqual(options.map(({ label }, at) => ({ id: question.id, selected: [meant(String(at + 1), label)] })))
    }), { numRuns: 1000 })
  })

  it.each([
    [4, false, 4], [4, true, 2], [5, true, 2], [2, true, 2], [1, true, 1], [1, false, 1],
  ])('configured with priority %i has, quiet or not (%s), priority %i', (priority, quiet, expected) => {
    expect(pushOf(which, { config: { priority }, quiet }).push).toMatchObject({ priority: expected })
  })

  it('that is a reminder says so in its title, and stands for itself', () => {
    const { push, card } = pushOf(which, { part: { index: 2, total: 3 }, reminder: 'ask-q2b-AAAAAAAAAAAABBBB' })
    expect(push).toMatchObject({ sequence_id: 'ask-q2b-AAAAAAAAAAAABBBB', title: 'Still open: dsh: Question (2 of 3)' })
    expect(push.message).toMatch(/^Which\?\n/)
    expect(push.message).toContain(card.code)
  })

  it.each([
    ['en', 'coder: Storage (2 of 3)', 'From coder · nas · shop · Fix the tests'],
    ['zh', 'coder: Storage（第 2 题，共 3 题）', '来自 coder · nas · shop · Fix the tests'],
  ] as const)('begins with the question, and says who asks and where in the words of every surface: in the title and the last line (%s)', (lang, title, last) => {
    const from = { agent: 'coder', machine: 'nas', project: 'shop', session: 'Fix the tests' }
    const lines = (detail: string) => {
      const { push } = pushOf({ ...which, header: 'Storage', detail }, { part: { index: 2, total: 3 }, from, lang })
      return [push.title, push.message.split('\n')[0], push.message.split('\n').at(-1)]
    }
    expect(lines('')).toEqual([title, 'Which?', last])
    expect(lines('x'.repeat(9000))).toEqual([title, 'Which?', last])
  })

  it('keeps its place in the batch in the title, however long the header is', () => {
    const { push } = pushOf({ ...which, header: 'Storage '.repeat(50) }, { part: { index: 2, total: 3 } })
    expect(push.title).toMatch(/… \(2 of 3\)$/)
    expect(bytes(push.title)).toBeLessThanOrEqual(150)
  })

  it('cuts long names, so that they leave a small message to the question', () => {
    const long = (letter: string) => letter.repeat(100)
    const from = { agent: long('a'), machine: long('m'), project: long('p'), session: long('s') }
    const names = (maxBytes: number) => pushOf(which, { config: { maxBytes }, from }).push.message.match(/\w+…/g)!.map(bytes)
    expect([names(1000), names(400)]).toEqual([[40, 40, 40, 40], [20, 20, 20, 20]])
  })

  it('shows every option in the room of the public server, however long the rest is (case 24)', () => {
    const labels = ['Postgres', 'SQLite', 'MySQL', 'DuckDB', 'Mongo', 'none of them']
    const { push } = pushOf({
      id: 'q', question: 'Which database? '.repeat(100), detail: 'x'.repeat(5000),
      options: labels.map(label => ({ label, description: 'some words on it '.repeat(30) })),
    }, { config: { maxBytes: 1000 } })
    for (const [at, label] of labels.entries()) expect(push.message).toContain(`\n${at + 1}. ${label}\n`)
    expect(push.message).toContain('\nReply with a number, or with your own words.')
    expect(push.message).toContain('(Shortened; the whole text is on the computer.)')
    expect(bytes(push.message)).toBeGreaterThan(950)
    expect(push.actions).toBeUndefined()
  })

  it('has the question, the plan that the options are about, the options, how to answer, and who asks', () => {
    const { push, card } = pushOf({
      id: 'q', question: 'Which database?', detail: 'The plan:\nuse one.', options: [{ label: 'Postgres', description: 'A server.\nMany writers.' }, { label: 'SQLite' }],
    }, { part: { index: 2, total: 3 } })
    expect(push.message).toBe([
      'Which database?',
      '',
      'The plan:',
      'use one.',
      '',
      '1. Postgres',
      '   A server.',
      '   Many writers.',
      '2. SQLite',
      `Reply with a number, or with your own words. With several questions open, start with ${card.code}.`,
      'From dsh · laptop · kraftwerk',
    ].join('\n'))
  })

  it('cuts a plan to the room that the options leave, and says so (case 24)', () => {
    const { push } = pushOf({ ...which, detail: 'the plan '.repeat(500), options: [{ label: 'Postgres', description: 'A server.' }, { label: 'SQLite' }] }, { config: { maxBytes: 1000 } })
    expect(push.message).toMatch(/^Which\?\n\nthe plan [^]*…\n\n1\. Postgres\n {3}A server\.\n2\. SQLite\nReply [^]*\(Shortened; the whole text is on the computer\.\)\nFrom /)
    expect(bytes(push.message)).toBeGreaterThan(990)
    expect(bytes(push.message)).toBeLessThanOrEqual(1000)
  })

  it('shows descriptions of 400 characters in full where the server has room (case 29)', () => {
    const descriptions = ['a', 'b', 'c'].map(letter => letter.repeat(400))
    const { push } = pushOf({ ...which, options: descriptions.map(description => ({ label: description[0]!, description })) })
    for (const description of descriptions) expect(push.message).toContain(description)
  })

  it('tells how many options have no line at all', () => {
    const { push } = pushOf({ ...which, options: Array.from({ length: 500 }, (_, at) => ({ label: `option ${at}` })) }, { config: { maxBytes: 1000 } })
    expect(push.message).toMatch(/… and \d+ more options/)
    expect(push.message).toContain('1. o')
  })

  it('keeps buttons short, each with its own position and the token that it needs', () => {
    const { push, card } = pushOf({ ...which, options: [{ label: 'Postgres, the big one' }, { label: '部署部署部署部署部署' }, { label: '' }] }, { config: { buttonToken: 'tk_button' } })
    expect(push.actions?.map(({ label, body, headers }) => ({ label, body, headers }))).toEqual([
      { label: '1 Postgres, the…', body: `dsh-ask ${card.secrets[0]!} 1`, headers: { Authorization: 'Bearer tk_button' } },
      { label: '2 部署部署部署…', body: `dsh-ask ${card.secrets[0]!} 2`, headers: { Authorization: 'Bearer tk_button' } },
      { label: '3', body: `dsh-ask ${card.secrets[0]!} 3`, headers: { Authorization: 'Bearer tk_button' } },
    ])
    expect(Buffer.from(card.secrets[0]!, 'base64url')).toHaveLength(16)
  })

  it('has room for a text whatever the buttons say: a letter with thousands of marks is one column, not one byte', () => {
    const marked = (letter: string) => letter + '\u0301'.repeat(20_000)
    const { json, push } = pushOf({ ...which, options: [{ label: marked('a') }, { label: marked('b') }, { label: marked('') }] }, { config: { buttonToken: 'x'.repeat(256) } })
    expect(bytes(json)).toBeLessThanOrEqual(MAX_JSON)
    expect(push.message).toContain('Which?')
    expect(push.actions!.map(({ label }) => label.replace(/\u0301+/, '')).join()).toBe('1 a…,2 b…,3 …')
    expect(Math.max(...push.actions!.map(({ label }) => bytes(label)))).toBeLessThanOrEqual(202)
  })

  it('says so when not even an empty text has room', () => {
    const options = ['a', 'b', 'c'].map(label => ({ label }))
    expect(() => pushOf({ ...which, options }, { config: { buttonToken: '"'.repeat(256) }, link: '\u0000'.repeat(1000) })).toThrow('leave no room')
  })

  it('takes no time to put a description on one line, however much space stands in it', { timeout: 5000 }, () => {
    const description = `first\n${' '.repeat(2000)}second\n\n third${' '.repeat(300_000)}fourth`
    const { push } = pushOf({ ...which, options: [{ label: 'a', description }] }, { config: { maxBytes: 1000 } })
    expect(push.message).toContain('\n   first second third…')
  })

  it.each<[string, Partial<AskUserQuestionItem>]>([
    ['a detail', { detail: 'ab\n'.repeat(3_500_000) }],
    ['a detail of controls', { detail: '\u0000'.repeat(5_000_000) }],
    ['a question', { question: 'ab '.repeat(3_500_000) }],
    ['labels', { options: [{ label: 'a'.repeat(5_000_000) }, { label: 'e\u0301'.repeat(2_500_000) }] }],
    ['a description', { options: [{ label: 'a', description: `a${'\n'.repeat(10_000_000)}b` }] }],
    ['options', { options: Array.from({ length: 100_000 }, (_, at) => ({ label: `option ${at}`, description: 'x' })) }],
  ])('takes no time with ten megabytes of %s, however often it is written', { timeout: 5000 }, (_what, long) => {
    for (let count = 0; count < 20; count++) expect(pushOf({ ...which, ...long }).push.message).toContain('…')
  })

  it('links to a page where there is one, unless the link is longer than the question may be', () => {
    expect(pushOf(which, { link: 'https://desk.example.org/a/1' }).push.click).toBe('https://desk.example.org/a/1')
    expect(pushOf(which, { link: `https://desk.example.org/${'x'.repeat(1000)}` }).push.click).toBeUndefined()
    expect(pushOf(which).push.click).toBeUndefined()
  })
})
