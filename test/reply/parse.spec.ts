// A typed reply -> the answer to one question (src/reply/parse.ts).
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { parseReply } from '../../src/reply/parse.ts'

function ask(labels: readonly string[] | undefined, multiSelect?: boolean): AskUserQuestionItem {
  return {
    id: 'q',
    question: 'Which?',
    ...(labels && { options: labels.map(label => ({ label })) }),
    ...(multiSelect !== undefined && { multiSelect }),
  }
}

const selected = (...labels: string[]) => ({ id: 'q', selected: labels })
const custom = (words: string) => ({ id: 'q', selected: [], custom: words })

describe('a reply to a single-select question', () => {
  it.each([
    { opts: ['Postgres', 'SQLite'], reply: 'SQLite', answer: selected('SQLite') },
    { opts: ['Postgres', 'SQLite'], reply: '2', answer: selected('SQLite') },
    { opts: ['Postgres', 'SQLite'], reply: ' 2 ', answer: selected('SQLite') },
    { opts: ['Postgres', 'SQLite'], reply: '２', answer: selected('SQLite') },
    { opts: ['Postgres', 'SQLite'], reply: ' sqlite', answer: selected('SQLite') },
    { opts: ['Größe', 'Farbe'], reply: 'GRO\u0308ßE', answer: selected('Größe') },
    { opts: ['Yes, always', 'No'], reply: 'Yes, always', answer: selected('Yes, always') },
    { opts: ['Postgres', 'SQLite'], reply: 'neither, please', answer: custom('neither, please') },
    { opts: ['Postgres', 'SQLite'], reply: '3', answer: custom('3') },
    { opts: ['Postgres', 'SQLite'], reply: '0', answer: custom('0') },
    { opts: ['Postgres', 'SQLite'], reply: '01', answer: custom('01') },
    { opts: ['Postgres', 'SQLite'], reply: '-1', answer: custom('-1') },
    { opts: ['Postgres', 'SQLite'], reply: '1.0', answer: custom('1.0') },
    { opts: ['Postgres', 'SQLite'], reply: '1,2', answer: custom('1,2') },
    { opts: ['Postgres', 'SQLite'], reply: '15:00', answer: custom('15:00') },
    { opts: ['Postgres', 'SQLite'], reply: '{"x":1}', answer: custom('{"x":1}') },
    { opts: ['Postgres', 'SQLite'], reply: ' ', answer: selected() },
    { opts: ['Postgres', 'SQLite'], reply: '', answer: selected() },
  ])('$opts: $reply', ({ opts, reply, answer }) => {
    expect(parseReply(ask(opts), reply)).toEqual(answer)
  })

  it('takes an exact label before a position (case 1)', () => {
    expect(parseReply(ask(['2', '4', '8']), '2')).toEqual(selected('2'))
    expect(parseReply(ask(['2', '4', '8']), '3')).toEqual(selected('8'))
  })

  it('takes a position before a label that only resembles the reply', () => {
    expect(parseReply(ask(['2 ', 'x']), '2')).toEqual(selected('x'))
  })

  it('does not choose between labels that resemble the reply alike', () => {
    expect(parseReply(ask(['Yes', 'YES']), 'yes')).toEqual(custom('yes'))
    expect(parseReply(ask(['Yes', 'YES']), 'YES')).toEqual(selected('YES'))
  })

  it('keeps the words as they were typed', () => {
    expect(parseReply(ask(['A', 'B']), '  two words ')).toEqual(custom('  two words '))
  })
})

describe('a reply to a multi-select question', () => {
  it.each([
    { reply: '1,3', answer: selected('A', 'C') },
    { reply: '1 3', answer: selected('A', 'C') },
    { reply: '1、3', answer: selected('A', 'C') },
    { reply: '１，３', answer: selected('A', 'C') },
    { reply: '3 , 1', answer: selected('C', 'A') },
    { reply: '1,1', answer: selected('A') },
    { reply: '2', answer: selected('B') },
    { reply: '1,', answer: selected('A') },
    { reply: 'A', answer: selected('A') },
    { reply: 'a', answer: selected('A') },
    { reply: '1,9', answer: custom('1,9') },
    { reply: '1-3', answer: custom('1-3') },
    { reply: 'A and C', answer: custom('A and C') },
    { reply: ' , ', answer: custom(' , ') },
    { reply: '\t', answer: selected() },
  ])('$reply', ({ reply, answer }) => {
    expect(parseReply(ask(['A', 'B', 'C'], true), reply)).toEqual(answer)
  })
})

describe('a reply to a question without options', () => {
  it.each(['4', '{"x":1}', '[1]', 'null', '1,3', 'blue'])('%s is words (case 7)', (reply) => {
    expect(parseReply({ ...ask(undefined), question: '[{"a":1}]' }, reply)).toEqual(custom(reply))
    expect(parseReply(ask([]), reply)).toEqual(custom(reply))
  })
})

describe('every reply', () => {
  const labels = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme' }).filter(label => label.trim() !== ''), { maxLength: 12 })

  it('is acceptable to the protocol, and loses no word', () => {
    fc.assert(fc.property(labels, fc.boolean(), fc.string({ unit: 'grapheme' }), (opts, multi, reply) => {
      const question = ask(opts, multi)
      const item = parseReply(question, reply)
      const { answer, blank } = checkAnswer([question], { answers: [item] })
      expect(answer.answers).toEqual([item])
      expect(blank).toBe(false)
      expect(item.selected.length > 0 || item.custom === reply || reply.trim() === '').toBe(true)
    }))
  })

  it('that is a label gives that label, and one that is a number gives the label there unless it is a label itself', () => {
    fc.assert(fc.property(labels.filter(all => all.length > 0), fc.boolean(), fc.nat(), (opts, multi, seed) => {
      const at = seed % opts.length
      expect(parseReply(ask(opts, multi), opts[at]!)).toEqual(selected(opts[at]!))
      const byNumber = opts.includes(String(at + 1)) ? String(at + 1) : opts[at]!
      expect(parseReply(ask(opts, multi), String(at + 1))).toEqual(selected(byNumber))
    }))
  })
})

it('takes options that are null, which the host lets through, for none', () => {
  expect(parseReply({ id: 'q', question: 'Which?', options: null as never }, '1')).toEqual({ id: 'q', selected: [], custom: '1' })
})
