// What a message from the phone's topics means, decided without a server.
import { describe, expect, it } from 'vitest'
import { type Card, Cards, nextSequence } from '../../src/surfaces/ntfy/cards.ts'
import { type ReplyRules, judge, type Reply } from '../../src/surfaces/ntfy/verdict.ts'

const own: ReplyRules = { shared: false, freeText: true }
const sharing: ReplyRules = { shared: true, freeText: true }

/** A card that was shown at second 100. */
function show(cards: Cards, labels: readonly string[], shown: Card['shown'] = { time: 100, order: 1 }): Card {
  const card = cards.add({
    question: { id: `q${cards.open.length}`, question: 'Which?', options: labels.map(label => ({ label })) },
    part: { index: 1, total: 1 }, title: 'dsh: Question', answer: () => {},
  })!
  card.shown = shown
  return card
}

const reply = (text: string, extra: Partial<Reply> = {}): Reply => ({ text, time: 105, order: 9, isTyped: false, streamOrder: 0, ...extra })

describe('a typed reply', () => {
  it('is for the only open question', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    expect(judge(reply('2'), cards, own)).toEqual({ kind: 'answer', card, item: { id: 'q0', selected: ['b'] } })
  })

  it.each(['', '  ', 'triggered', ' triggered '])('%j answers nothing', text => {
    const cards = new Cards()
    show(cards, ['a', 'b'])
    expect(judge(reply(text), cards, own)).toEqual({ kind: 'nothing' })
  })

  it('`triggered`, typed on the reply topic, is told once while a question is open that it answers nothing', () => {
    const cards = new Cards()
    const card = show(cards, [])
    expect(judge(reply('triggered', { isTyped: true }), cards, own)).toEqual({ kind: 'explain', why: 'empty', card })
    card.emptyReplyTold = true
    expect(judge(reply('triggered', { isTyped: true }), cards, own)).toEqual({ kind: 'nothing' })
    expect(judge(reply('triggered', { isTyped: true }), new Cards(), own)).toEqual({ kind: 'nothing' })
  })

  it.each(['triggered', 'z4k', 'q2b'])('%j answers where it is an option', text => {
    const cards = new Cards()
    const card = show(cards, ['a', text])
    expect(judge(reply(text), cards, own)).toMatchObject({ kind: 'answer', item: { selected: [text] } })
    expect(judge(reply(`${card.code} ${text}`), cards, sharing)).toMatchObject({ kind: 'answer', item: { selected: [text] } })
  })

  it('that is only a code answers nothing, and is told what is missing', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    expect(judge(reply(`${card.code}:`), cards, own)).toEqual({ kind: 'explain', why: 'code-alone', card })
    expect(judge(reply(`${card.code} triggered`), cards, own)).toEqual({ kind: 'explain', why: 'code-alone', card })
  })

  it('that starts with a code which is not ours answers nothing here', () => {
    const cards = new Cards()
    const { code } = show(cards, ['a', 'b'])
    const other = code === 'z4k' ? 'q2b' : 'z4k'
    expect(judge(reply(`${other} 2`), cards, own)).toEqual({ kind: 'explain', why: 'unknown-code' })
    expect(judge(reply(`${other} 2`), cards, sharing)).toEqual({ kind: 'nothing' })
  })

  it('without a code is not guessed among several, and on shared topics never (case 20)', () => {
    const cards = new Cards()
    const first = show(cards, ['a', 'b'])
    expect(judge(reply('a'), cards, sharing)).toEqual({ kind: 'explain', why: 'which-one' })
    show(cards, ['c', 'd'])
    expect(judge(reply('a'), cards, own)).toEqual({ kind: 'explain', why: 'which-one' })
    expect(judge(reply(`${first.code} a`), cards, own)).toMatchObject({ kind: 'answer', card: first, item: { selected: ['a'] } })
  })

  it('on shared topics with nothing open here is for another host to say', () => {
    expect(judge(reply('2'), new Cards(), sharing)).toEqual({ kind: 'nothing' })
    expect(judge(reply('2'), new Cards(), own)).toEqual({ kind: 'explain', why: 'nothing-open' })
  })

  it.each<[string, Partial<Reply>, Card['shown']]>([
    ['that is older by the server’s clock', { time: 99 }, { time: 100, order: 1 }],
    ['that came before its question was published', { order: 1 }, { time: 100, order: 2 }],
    ['while its question is not published', {}, undefined],
    ['from the same second, brought by a later stream', { time: 100, streamOrder: 5 }, { time: 100, order: 1 }],
  ])('%s is never its answer, with or without the code', (_what, when, shown) => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    card.shown = shown
    expect(judge(reply('2', when), cards, own)).toEqual({ kind: 'explain', why: 'too-early' })
    expect(judge(reply(`${card.code} 2`, when), cards, own)).toEqual({ kind: 'explain', why: 'too-early' })
  })

  it('from the same second on the stream that was open counts', () => {
    const cards = new Cards()
    show(cards, ['a', 'b'])
    expect(judge(reply('2', { time: 100 }), cards, own)).toMatchObject({ kind: 'answer' })
    expect(judge(reply('2', { time: 101, streamOrder: 5 }), cards, own)).toMatchObject({ kind: 'answer' })
  })

  it('goes to the one that its sender can have seen', () => {
    const cards = new Cards()
    const first = show(cards, ['a', 'b'])
    show(cards, ['c', 'd'], { time: 110, order: 20 })
    expect(judge(reply('2'), cards, own)).toMatchObject({ kind: 'answer', card: first })
  })

  it('after its question was settled is late', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    cards.settle(card, 'Answered: a, on terminal')
    expect(judge(reply(`${card.code} 2`), cards, own)).toEqual({ kind: 'late', card })
  })

  it('with words is no answer where only options are', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    const rules = { shared: false, freeText: false }
    expect(judge(reply('neither'), cards, rules)).toEqual({ kind: 'explain', why: 'no-option', card })
    expect(judge(reply('B'), cards, rules)).toMatchObject({ kind: 'answer', item: { selected: ['b'] } })
  })

  it('is words to a question without options all the same', () => {
    const cards = new Cards()
    show(cards, [])
    expect(judge(reply('4'), cards, { shared: false, freeText: false })).toMatchObject({ kind: 'answer', item: { selected: [], custom: '4' } })
  })
})

describe('a button reply', () => {
  it('needs the secret of an open question', () => {
    const cards = new Cards()
    const first = show(cards, ['a', 'b'])
    const second = show(cards, ['c', 'd'])
    expect(judge(reply(`dsh-ask ${second.secret} 1`), cards, own)).toMatchObject({ kind: 'answer', card: second, item: { selected: ['c'] } })
    expect(judge(reply(`dsh-ask ${first.secret.slice(1)}A 1`), cards, own)).toEqual({ kind: 'forged' })
    expect(judge(reply(`dsh-ask ${first.secret} 3`), cards, own)).toEqual({ kind: 'forged' })
  })

  it.each(['dsh-ask is fine', 'dsh-ask', 'dsh-ask z4k 1', `dsh-ask ${'A'.repeat(22)} 1 please`, `dsh-ask  ${'A'.repeat(22)} 1`])('has exactly one shape: %j is words', text => {
    const cards = new Cards()
    const card = show(cards, [])
    expect(judge(reply(text), cards, own)).toEqual({ kind: 'answer', card, item: { id: 'q0', selected: [], custom: text } })
  })

  it('to a settled question is late, also among many', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    cards.settle(card, 'Cancelled')
    for (let count = 0; count < 150; count++) cards.settle(show(cards, ['c']), 'Cancelled')
    expect(judge(reply(`dsh-ask ${card.secret} 1`), cards, own)).toEqual({ kind: 'late', card })
  })
})

describe('codes', () => {
  it('are of their own for as many questions as there are codes', () => {
    const cards = new Cards()
    const all = Array.from({ length: 480 }, () => show(cards, ['a']))
    expect(new Set(all.map(({ code }) => code)).size).toBe(480)
    expect(cards.add({ ...all[0]! })).toBeUndefined()
    cards.settle(all[7]!, 'Cancelled')
    expect(cards.add({ ...all[0]! })?.code).toBe(all[7]!.code)
  })

  it('that another host has shown are left to it', () => {
    const cards = new Cards()
    const codes = Array.from({ length: 100 }, () => show(cards, ['a']).code)
    const other = new Cards()
    for (const code of codes) expect(other.noteSequence(`ask-${code}-x`)).toBeUndefined()
    for (let count = 0; count < 300; count++) expect(codes).not.toContain(show(other, ['a']).code)
  })

  it('are not taken for another host’s in a reminder, nor in what becomes of it', () => {
    const cards = new Cards()
    const card = show(cards, ['a'])
    const { code } = card
    const again = nextSequence(card)
    expect([cards.isForeignSequence(again), cards.noteSequence(again)]).toEqual([false, card])
    cards.settle(card, 'Cancelled')
    expect([cards.isForeignSequence(again), cards.noteSequence(again), cards.isForeignCode(code)]).toEqual([false, undefined, false])
    expect(again).toMatch(/^[-\w]{1,64}$/)
  })

  it('that two hosts came to at the same time are changed, and the old one is not guessed', () => {
    const cards = new Cards()
    const card = show(cards, ['a', 'b'])
    const { code } = card
    let shownAgain = 0
    card.onCodeClash = () => void shownAgain++
    expect(cards.noteSequence(card.sequence)).toBe(card)
    expect(shownAgain).toBe(0)
    cards.noteSequence(`ask-${code}-other`)
    expect(shownAgain).toBe(1)
    expect(card.code).not.toBe(code)
    expect(judge(reply(`${code} 2`), cards, sharing)).toEqual({ kind: 'nothing' })
    expect(judge(reply(`${card.code} 2`), cards, sharing)).toMatchObject({ kind: 'answer' })
    cards.settle(card, 'Cancelled')
    cards.noteSequence(`ask-${card.code}-other`)
    expect(judge(reply(`${card.code} 2`), cards, sharing)).toEqual({ kind: 'nothing' })
  })
})
