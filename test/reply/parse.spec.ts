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

const fold = (text: string) => text.normalize('NFKC').trim()
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

  it.each([
    { opts: ['2', '4', '8'], reply: '2 ', label: '2' },
    { opts: ['2', '4', '8'], reply: '２', label: '2' },
    { opts: ['2', '4', '8'], reply: '\t４\u3000', label: '4' },
    { opts: ['2 ', 'x'], reply: '2', label: '2 ' },
    { opts: ['x', '１'], reply: '1', label: '１' },
    { opts: ['１', '1'], reply: '1', label: '1' },
    { opts: ['１', '1'], reply: '１ ', label: '１' },
    { opts: ['2.5', '1.5', '1'], reply: '１．５', label: '1.5' },
    { opts: ['yes', 'Yes, always'], reply: 'Yes， always', label: 'Yes, always' },
    { opts: ['a', 'b'], reply: '２', label: 'b' },
  ])('takes a label in other space or width before a position: $opts, $reply', ({ opts, reply, label }) => {
    for (const multi of [false, true]) expect(parseReply(ask(opts, multi), reply)).toEqual(selected(label))
  })

  it('does not take a position for a number that several labels are', () => {
    expect(parseReply(ask([' 2', 'x', '2 ']), '2')).toEqual(custom('2'))
    expect(parseReply(ask([' 2', 'x', '2 ']), '3')).toEqual(selected('2 '))
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

describe('a reply of several parts to a multi-select question', () => {
  const numbers = ['1', '2', '4', '8']

  it.each(['2,4', '2 4', ' ２，４', '2、4', '4 2', '2, 4,', '2,2,4'])('%j picks the labels, never the positions', (reply) => {
    const { selected: labels } = parseReply(ask(numbers, true), reply) as ReturnType<typeof selected>
    expect(labels.toSorted()).toEqual(['2', '4'])
  })

  it.each([
    { reply: '2,3', label: '2', position: '3' },
    { reply: '3 8', label: '8', position: '3' },
    { reply: '２，３', label: '２', position: '３' },
    { reply: '1,2,3,4', label: '1', position: '3' },
  ])('$reply is some labels and some positions: it picks nothing, and is no words either', ({ reply, ...mixed }) => {
    expect(parseReply(ask(numbers, true), reply)).toEqual({ mixed })
  })

  it.each([
    { reply: 'A,C', answer: selected('A', 'C') },
    { reply: 'c, a', answer: selected('C', 'A') },
    { reply: 'fast mode，Ｂ', answer: selected('Fast mode', 'B') },
    { reply: 'A, 4', answer: { mixed: { label: 'A', position: '4' } } },
    { reply: 'fast mode, 1 2', answer: { mixed: { label: 'fast mode', position: '1' } } },
    { reply: 'A 2', answer: { mixed: { label: 'A', position: '2' } } },
    { reply: 'A,D', answer: custom('A,D') },
    { reply: 'A, or B', answer: custom('A, or B') },
    // It may be a sentence.
    { reply: 'A C', answer: custom('A C') },
    { reply: 'A, B C', answer: custom('A, B C') },
    { reply: '2,9', answer: custom('2,9') },
  ])('$reply', ({ reply, answer }) => {
    expect(parseReply(ask(['A', 'B', 'C', 'Fast mode'], true), reply)).toEqual(answer)
  })

  it('is a single label before it is several', () => {
    expect(parseReply(ask(['1', '2', '1,2'], true), ' １，２')).toEqual(selected('1,2'))
  })

  it('takes no time to speak of, however long it is', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => String(2 * at))
    const start = performance.now()
    expect(parseReply(ask(many, true), many.join(','))).toEqual(selected(...many))
    expect(performance.now() - start).toBeLessThan(2000)
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
      if ('mixed' in item) return
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
      const number = String(at + 1)
      const [own, ...others] = opts.filter(label => label === number || fold(label) === number)
      // Numbers as labels in several forms are an example above.
      fc.pre(others.length === 0)
      expect(parseReply(ask(opts, multi), number)).toEqual(selected(own ?? opts[at]!))
    }))
  })

  // What a question's labels and a reply's parts may be where every one of them is a number.
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }).map(String), { minLength: 1, maxLength: 8 })
  const typed = (number: string) => fc.tuple(
    fc.constantFrom('', ' ', '\u3000', '\t'), fc.constantFrom(number, number.replaceAll(/\d/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))), fc.constantFrom('', ' '),
  ).map(parts => parts.join(''))
  const separated = (parts: string[]) => fc.constantFrom(',', '，', '、', ' ', ', ').map(separator => parts.join(separator))

  it('of numbers where labels are numbers picks those labels, those positions, or nothing', () => {
    const given = numbers.chain(opts => fc.tuple(
      fc.constant(opts), fc.uniqueArray(fc.integer({ min: 1, max: 14 }).map(String), { minLength: 1, maxLength: 4 }),
    )).chain(([opts, meant]) => fc.tuple(fc.constant(opts), fc.constant(meant), fc.tuple(...meant.map(typed)).chain(separated)))
    fc.assert(fc.property(given, ([opts, meant, reply]) => {
      const named = meant.filter(number => opts.includes(number))
      const positions = meant.filter(number => !opts.includes(number) && Number(number) <= opts.length)
      const isKnown = named.length + positions.length === meant.length
      const read = parseReply(ask(opts, true), reply)
      const expected = !isKnown ? custom(reply)
        : named[0] && positions[0] ? 'mixed' : selected(...named, ...new Set(positions.map(number => opts[Number(number) - 1]!)))
      expect('mixed' in read ? 'mixed' : read).toEqual(expected)
    }))
  })

  it('of one number is that label in any width and space, else that position, where one is chosen', () => {
    const given = fc.tuple(numbers, fc.integer({ min: 1, max: 14 }).map(String).chain(number => fc.tuple(fc.constant(number), typed(number))))
    fc.assert(fc.property(given, ([opts, [number, reply]]) => {
      const label = opts.includes(number) ? number : opts[Number(number) - 1]
      expect(parseReply(ask(opts), reply)).toEqual(label === undefined ? custom(reply) : selected(label))
    }))
  })
})

it('takes options that are null, which the host lets through, for none', () => {
  expect(parseReply({ id: 'q', question: 'Which?', options: null as never }, '1')).toEqual({ id: 'q', selected: [], custom: '1' })
})
