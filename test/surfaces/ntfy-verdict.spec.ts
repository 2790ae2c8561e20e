// What a message from the phone's topics means, decided without a server.
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Card, Cards, type Conclusion, nextSequence } from '../../src/surfaces/ntfy/cards.ts'
import { judge, type Reply, type ReplyRules } from '../../src/surfaces/ntfy/verdict.ts'

const own: ReplyRules = { shared: false, freeText: true }
const sharing: ReplyRules = { shared: true, freeText: true }
const explained = (why: string) => ({ kind: 'explain', why })

let cards: Cards

beforeEach(() => {
  cards = new Cards()
})

/** A card that was shown at second 100. */
function show(labels: readonly string[] = ['a', 'b'], shown: Card['shown'] = { time: 100, order: 1 }, on = cards): Card {
  const card = on.add({
    question: { id: `q${on.open.length}`, question: 'Which?', options: labels.map(label => ({ label })) },
    approval: undefined, part: { index: 1, total: 1 }, title: 'dsh: Question', answer: () => {},
  })!
  card.shown = shown
  return card
}

/** A card is settled, and its outcome taken by the server at a second. */
function settle(card: Card, time: number, extra: Partial<Conclusion> = {}): void {
  cards.settle(card, 'Answered')
  card.conclusion = { time, order: 2, isShown: true, ...extra }
}

/** The same, by words or a button on the phone. */
function answer(card: Card, reply: string, time: number): void {
  card.answeredWith = reply
  settle(card, time)
}

/** What a reply means at second 105. */
function meaning(text: string, rules = own, extra: Partial<Reply> = {}) {
  return judge({ text, time: 105, order: 9, streamOrder: 0, ...extra }, cards, rules)
}

describe('a typed reply', () => {
  it('is for the only open question', () => {
    const card = show()
    expect(meaning('2')).toEqual({ kind: 'answer', card, item: { id: 'q0', selected: ['b'] } })
  })

  it.each(['', '  ', 'triggered', ' triggered '])('%j answers nothing, which is told once for each question', text => {
    const card = show([])
    expect(meaning(text)).toEqual({ kind: 'explain', why: 'empty', card })
    card.emptyReplyTold = true
    expect(meaning(text)).toEqual({ kind: 'nothing' })
    cards = new Cards()
    expect(meaning(text)).toEqual(explained('nothing-open'))
  })

  it.each(['triggered', 'z4k', 'q2b'])('%j answers where it is an option', text => {
    const card = show(['a', text])
    expect(meaning(text)).toMatchObject({ kind: 'answer', item: { selected: [text] } })
    expect(meaning(`${card.code} ${text}`, sharing)).toMatchObject({ kind: 'answer', item: { selected: [text] } })
  })

  it('that is only a code answers nothing, and is told what is missing', () => {
    const card = show()
    expect(meaning(`${card.code}:`)).toEqual({ kind: 'explain', why: 'code-alone', card })
    expect(meaning(`${card.code} triggered`)).toEqual({ kind: 'explain', why: 'code-alone', card })
  })

  it('that starts with a code which is not ours answers nothing here', () => {
    const { code } = show()
    const other = code === 'z4k' ? 'q2b' : 'z4k'
    expect(meaning(`${other} 2`)).toEqual(explained('unknown-code'))
    expect(meaning(`${other} 2`, sharing)).toEqual({ kind: 'elsewhere', code: other })
  })

  it('without a code is not guessed among several, and on shared topics never (case 20)', () => {
    const first = show()
    expect(meaning('a', sharing)).toEqual({ kind: 'explain', why: 'which-one', text: 'a', candidates: [first] })
    const second = show(['c', 'd'])
    expect(meaning('a')).toEqual({ kind: 'explain', why: 'which-one', text: 'a', candidates: [first, second] })
    expect(meaning(`${first.code} a`)).toMatchObject({ kind: 'answer', card: first, item: { selected: ['a'] } })
  })

  it('on shared topics with nothing open here is for another host to say', () => {
    expect(meaning('2', sharing)).toEqual({ kind: 'elsewhere', code: undefined })
    expect(meaning('2')).toEqual(explained('nothing-open'))
  })

  it.each<[string, Partial<Reply>, Card['shown']]>([
    ['that is older by the server’s clock', { time: 99 }, { time: 100, order: 1 }],
    ['that came before its question was published', { order: 1 }, { time: 100, order: 2 }],
    ['while its question is not published', {}, undefined],
    ['from the same second, brought by a later stream', { time: 100, streamOrder: 5 }, { time: 100, order: 1 }],
  ])('%s is never its answer, with or without the code', (_what, when, shown) => {
    const card = show()
    card.shown = shown
    expect(meaning('2', own, when)).toEqual(explained('too-early'))
    expect(meaning(`${card.code} 2`, own, when)).toEqual(explained('too-early'))
  })

  it('from the same second on the stream that was open counts', () => {
    show()
    expect(meaning('2', own, { time: 100 })).toMatchObject({ kind: 'answer' })
    expect(meaning('2', own, { time: 101, streamOrder: 5 })).toMatchObject({ kind: 'answer' })
  })

  it('goes to the one that its sender can have seen', () => {
    const first = show()
    show(['c', 'd'], { time: 110, order: 20 })
    expect(meaning('2')).toMatchObject({ kind: 'answer', card: first })
  })

  it('after its question was settled is late', () => {
    const card = show()
    cards.settle(card, 'Answered: a, on terminal')
    expect(meaning(`${card.code} 2`)).toEqual({ kind: 'late', card })
  })

  it('with words is no answer where only options are', () => {
    const card = show()
    const rules = { shared: false, freeText: false }
    expect(meaning('neither', rules)).toEqual({ kind: 'explain', why: 'no-option', card })
    expect(meaning('B', rules)).toMatchObject({ kind: 'answer', item: { selected: ['b'] } })
  })

  it('that is a label in other space or width is that label, with and without the code', () => {
    const card = show(['2', '4', '8'])
    for (const text of ['2 ', '２', `${card.code} ２`, `${card.code}: 2 `]) {
      expect(meaning(text)).toMatchObject({ kind: 'answer', item: { selected: ['2'] } })
    }
  })

  it('that is a label with something that looks like a code in it is that label', () => {
    show(['z4k 2', 'x'])
    show(['a', 'b'], { time: 130, order: 20 })
    expect(meaning(' z4k　２')).toMatchObject({ kind: 'answer', item: { selected: ['z4k 2'] } })
  })

  it.each([true, false])('that mixes labels and positions chooses nothing and is no words: freeText %s', freeText => {
    const card = show(['1', '2', '4', '8'])
    Object.assign(card.question, { multiSelect: true })
    expect(meaning('2,3', { shared: false, freeText })).toEqual({ kind: 'explain', why: 'mixed', reply: { mixed: { label: '2', position: '3' } } })
    expect(meaning('2,4', { shared: false, freeText })).toMatchObject({ kind: 'answer', item: { selected: ['2', '4'] } })
  })

  it('is words to a question without options all the same', () => {
    show([])
    expect(meaning('4', { shared: false, freeText: false })).toMatchObject({ kind: 'answer', item: { selected: [], custom: '4' } })
  })
})

describe('whatever a person sends', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('', ' ', 'triggered', '1', 'a', '1,2', 'z4k', 'z4k 1', 'q2b: a', 'dsh-ask', `dsh-ask ${'A'.repeat(22)} 1`),
  )

  /** What may have become of the questions: still coming, open, settled long ago, just now, or not yet so on the phone. */
  const anyFates = fc.array(fc.constantFrom('coming', 'open', 'done', 'just done', 'being done'), { maxLength: 3 })

  it('is an answer, or something is said or logged about it, but for an empty one that was explained already', () => {
    fc.assert(fc.property(anyText, anyFates, fc.boolean(), fc.boolean(), fc.boolean(), (text, fates, shared, freeText, isOptional) => {
      cards = new Cards()
      for (const fate of fates) {
        const card = show(isOptional ? ['a', 'b'] : [], fate === 'coming' ? undefined : { time: 100, order: 1 })
        if (fate === 'being done') cards.settle(card, 'Answered')
        else if (fate.endsWith('done')) settle(card, fate === 'done' ? 90 : 104)
      }
      expect(meaning(text, { shared, freeText })).not.toEqual({ kind: 'nothing' })
    }), { numRuns: 2000 })
  })
})

describe('a button reply', () => {
  it('needs the secret of an open question', () => {
    const first = show()
    const second = show(['c', 'd'])
    expect(meaning(`dsh-ask ${second.secrets[0]!} 1`)).toMatchObject({ kind: 'answer', card: second, item: { selected: ['c'] } })
    expect(meaning(`dsh-ask ${first.secrets[0]!.slice(1)}A 1`)).toEqual({ kind: 'forged' })
    expect(meaning(`dsh-ask ${first.secrets[0]!} 3`)).toEqual({ kind: 'forged' })
  })

  it.each(['dsh-ask is fine', 'dsh-ask', 'dsh-ask z4k 1', `dsh-ask ${'A'.repeat(22)} 1 please`, `dsh-ask  ${'A'.repeat(22)} 1`])('has exactly one shape: %j is words', text => {
    const card = show([])
    expect(meaning(text)).toEqual({ kind: 'answer', card, item: { id: 'q0', selected: [], custom: text } })
  })

  it('to a settled question is late, also among many', () => {
    const card = show()
    cards.settle(card, 'Cancelled')
    for (let count = 0; count < 150; count++) cards.settle(show(['c']), 'Cancelled')
    expect(meaning(`dsh-ask ${card.secrets[0]!} 1`)).toEqual({ kind: 'late', card })
  })
})

describe('codes', () => {
  it('are of their own for as many questions as there are codes', () => {
    const all = Array.from({ length: 480 }, () => show(['a']))
    expect(new Set(all.map(({ code }) => code)).size).toBe(480)
    expect(cards.add({ ...all[0]! })).toBeUndefined()
    cards.settle(all[7]!, 'Cancelled')
    expect(cards.add({ ...all[0]! })?.code).toBe(all[7]!.code)
  })

  it('that another host has shown are left to it', () => {
    const codes = Array.from({ length: 100 }, () => show(['a']).code)
    const other = new Cards()
    for (const code of codes) expect(other.noteSequence(`ask-${code}-x`)).toBeUndefined()
    for (let count = 0; count < 300; count++) expect(codes).not.toContain(show(['a'], undefined, other).code)
  })

  it('are not taken for another host’s in a reminder, nor in what becomes of it', () => {
    const card = show(['a'])
    const { code } = card
    const again = nextSequence(card)
    expect([cards.isForeignSequence(again), cards.noteSequence(again)]).toEqual([false, card])
    cards.settle(card, 'Cancelled')
    expect([cards.isForeignSequence(again), cards.noteSequence(again), cards.isForeignCode(code)]).toEqual([false, undefined, false])
    expect(again).toMatch(/^[-\w]{1,64}$/)
  })

  it('that two hosts came to at the same time are changed, and the old one is not guessed', () => {
    const card = show()
    const { code } = card
    let shownAgain = 0
    card.onCodeClash = () => void shownAgain++
    expect(cards.noteSequence(card.sequence)).toBe(card)
    expect(shownAgain).toBe(0)
    cards.noteSequence(`ask-${code}-other`)
    expect(shownAgain).toBe(1)
    expect(card.code).not.toBe(code)
    expect(meaning(`${code} 2`, sharing)).toEqual({ kind: 'elsewhere', code })
    expect(meaning(`${card.code} 2`, sharing)).toMatchObject({ kind: 'answer' })
    cards.settle(card, 'Cancelled')
    cards.noteSequence(`ask-${card.code}-other`)
    expect(meaning(`${card.code} 2`, sharing)).toEqual({ kind: 'elsewhere', code: card.code })
  })
})

describe('a typed reply whose question may have been settled while it was written', () => {
  it.each<[string, (card: Card) => void, string]>([
    ['was settled elsewhere ten seconds before it', card => settle(card, 110), 'which-one'],
    ['was settled elsewhere long before it', card => settle(card, 109), 'answer'],
    ['was settled after it, by the server’s clock', card => settle(card, 125), 'which-one'],
    ['was settled while its file was fetched', card => settle(card, 100, { order: 10 }), 'which-one'],
    ['has not been replaced on the phone yet', card => cards.settle(card, 'Answered'), 'which-one'],
    ['could not be replaced on the phone', card => settle(card, 101, { isShown: false }), 'which-one'],
    ['could not be replaced on the phone, hours before', card => settle(card, -3500, { isShown: false }), 'answer'],
    ['the same words had answered', card => answer(card, `${card.code} B `, 110), 'which-one'],
    ['other words had answered just before', card => answer(card, 'a', 115), 'which-one'],
    ['other words had answered some seconds before', card => answer(card, 'a', 114), 'answer'],
    ['a button had answered some seconds before', card => answer(card, `dsh-ask ${card.secrets[0]!} 1`, 114), 'answer'],
  ])('without a code, where another question %s: %s', (_what, end, expected) => {
    const first = show()
    const second = show(['b', 'c'])
    end(first)
    expect(meaning('b', own, { time: 120 })).toMatchObject(expected === 'answer' ? { kind: 'answer', card: second } : { kind: 'explain', why: expected })
    // The code and the button say which.
    expect(meaning(`${second.code} b`, own, { time: 120 })).toMatchObject({ kind: 'answer', card: second })
    expect(meaning(`dsh-ask ${second.secrets[0]!} 1`, own, { time: 120 })).toMatchObject({ kind: 'answer', card: second })
  })

  it('that was sent before the second question was there, for the first that is settled since, is late once', () => {
    const first = show()
    show(['a', 'b'], { time: 130, order: 20 })
    settle(first, 125)
    expect(meaning('a', own, { time: 120 })).toEqual({ kind: 'late', card: first })
    first.lateReplyTold = true
    expect(meaning('a', own, { time: 120 })).toEqual(explained('too-early'))
    expect(meaning('a', sharing, { time: 120 })).toEqual({ kind: 'elsewhere', code: undefined })
  })

  it('for one of several settled questions is told that none is open', () => {
    for (const card of [show(['a']), show(['a'])]) settle(card, 119)
    expect(meaning('a', own, { time: 120 })).toEqual(explained('nothing-open'))
  })
})
