// The text of an approval's push: within ntfy's limits, and neither the reason nor the title crowds out what the tool is to do.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionRequest } from '../../src/index.ts'
import type { Lang } from '../../src/reply/lang.ts'
import { approvalText } from '../../src/reply/approval.ts'
import { Cards } from '../../src/surfaces/ntfy/cards.ts'
import { Config } from '../../src/surfaces/ntfy/config.ts'
import { MAX_JSON, PushWriter, type Showing } from '../../src/surfaces/ntfy/push.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { approval, DETAIL } from '../ntfy/helpers/approval.ts'
import type { MemoryPush } from '../ntfy/helpers/memory.ts'

const origin = { agent: 'coder', machine: 'laptop', project: 'kraftwerk' }
const bytes = (text: string) => Buffer.byteLength(text)
const NOTE = '(Shortened; the whole text is on the computer.)'

function pushOf(request: AskUserQuestionRequest, { config, lang = 'en', ...showing }: Showing & { config?: object, lang?: Lang } = {}) {
  const writer = new PushWriter(Config.parse({ topic: newTopic(), server: 'https://ntfy.example.org', ...config }), lang)
  const [question] = request.questions, part = { index: 1, total: 1 }, text = approvalText(request, lang)
  const card = new Cards().add({ question: question!, approval: text, part, title: writer.title(question!, part, origin, text), answer: () => {} })!
  const json = writer.question(card, origin, showing)
  return { json, card, push: JSON.parse(json) as MemoryPush & { click?: string } }
}

describe('the push of an approval', () => {
  it('has what fits as it is', () => {
    const { push, card } = pushOf(approval())
    expect(push.message).toBe(`It writes outside the project.\n\n${DETAIL}\n\nDecide with the buttons. To reject with words, reply “${card.code} reject” and the words.\nFrom coder · laptop · kraftwerk`)
  })

  it('needs neither a reason nor arguments', () => {
    const { push } = pushOf(approval('bash', ' ', ''))
    expect(push.message).toMatch(/^Decide with the buttons\..*\nFrom coder/)
  })

  it('shows the command however long the reason is, and says that it was shortened', () => {
    const { push } = pushOf(approval('bash', DETAIL, 'because '.repeat(5000)), { config: { maxBytes: 1000 } })
    expect(push.message).toMatch(/because becau?s?e?…\n\n/)
    expect(push.message).toContain(`…\n\n${DETAIL}\n\nDecide`)
    expect(push.message).toContain(NOTE)
    expect(bytes(push.message)).toBeLessThanOrEqual(1000)
  })

  it('shows the reason however long the command is, and says that it was shortened', () => {
    const { push } = pushOf(approval('bash', 'x'.repeat(50_000)), { config: { maxBytes: 1000 } })
    expect(push.message).toMatch(/^It writes outside the project\.\n\nx+…\n\nDecide/)
    expect(push.message).toContain(NOTE)
  })

  it('says in the text what does not fit into the title', () => {
    const tool = 'mcp__'.padEnd(160, 'tool')
    expect(pushOf(approval(tool)).push).toMatchObject({ title: expect.stringMatching(/^Permission: Allow mcp__.*…$/), message: expect.stringContaining(`Allow ${tool}?\n\nIt writes`) })
    const almost = 'x'.repeat(130)
    expect(pushOf(approval(almost)).push.message).not.toContain(almost)
    expect(pushOf(approval(almost), { reminder: 'ask-z4k-AAAA' }).push.message).toContain(`Allow ${almost}?`)
  })

  it('keeps the tags of questions that do not say question, and its own in front', () => {
    expect(pushOf(approval(), { config: { tags: ['question', 'house', 'grey_question'] } }).push.tags).toEqual(['closed_lock_with_key', 'house'])
  })

  it('makes control characters visible, in the title too', () => {
    const { push } = pushOf(approval('ba\nsh\u001b', 'rm \u202e-rf', 'why\u0007'))
    expect(push.title).toBe('Permission: Allow ba⏎sh␛?')
    expect(push.message).toContain('why␇\n\nrm <U+202E>-rf')
  })

  it('is within ntfy’s limits whatever the tool, and its buttons are whole', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom('"', '\\', '\n', '\u0000', '\ud83d', '👨‍👩‍👧‍👦', '\u0301', ' ', '部', '\u202e').chain(piece => fc.integer({ min: 1, max: 9000 }).map(n => piece.repeat(n))),
    )
    const anyConfig = fc.record({
      maxBytes: fc.integer({ min: 400, max: 4095 }), freeText: fc.boolean(), buttonToken: fc.constantFrom('tk_button', 'x'.repeat(256)),
      server: fc.constantFrom('https://ntfy.example.org', `https://${'long-name.'.repeat(20)}example.org`),
    })
    fc.assert(fc.property(anyText, anyText, anyText, anyConfig, fc.constantFrom<Lang>('en', 'zh'), fc.boolean(), (tool, detail, reason, config, lang, isLate) => {
      const { json, push, card } = pushOf(approval(tool, detail, reason), { config, lang, isLate, link: `https://desk.example.org/${'a'.repeat(500)}` })
      expect(bytes(json)).toBeLessThanOrEqual(MAX_JSON)
      expect(bytes(push.message)).toBeLessThanOrEqual(config.maxBytes)
      expect(bytes(push.title)).toBeLessThanOrEqual(150)
      expect(push.message.endsWith(' · laptop · kraftwerk')).toBe(true)
      expect(push.actions!.map(({ label, body }) => [label, body])).toEqual([
        [lang === 'en' ? 'Reject' : '拒绝', `dsh-ask ${card.secrets[0]} 1`], [lang === 'en' ? 'Allow once' : '仅允许这一次', `dsh-ask ${card.secrets[1]} 2`],
      ])
    }), { numRuns: 300 })
  }, 30_000)
})
