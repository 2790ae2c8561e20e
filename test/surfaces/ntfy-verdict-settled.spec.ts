// What a reply means whose question may have been settled while it was written, decided without a server.
import { describe, expect, it } from 'vitest'
import { type Card, Cards, type Conclusion } from '../../src/surfaces/ntfy/cards.ts'
import { type ReplyRules, judge, type Reply } from '../../src/surfaces/ntfy/verdict.ts'

const own: ReplyRules = { shared: false, freeText: true }
const sharing: ReplyRules = { shared: true, freeText: true }

/** A card is settled, and its outcome taken by the server at a second. */
function settle(cards: Cards, card: Card, time: number, extra: Partial<Conclusion> = {}): void {
  cards.settle(card, 'Answered')
  card.conclusion = { time, order: 2, isShown: true, ...extra }
}

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
  it.each<[string, (cards: Cards, card: Card) => void, string]>([
    ['was settled elsewhere ten seconds before it', (cards, card) => settle(cards, card, 110), 'which-one'],
    ['was settled elsewhere long before it', (cards, card) => settle(cards, card, 109), 'answer'],
    ['was settled after it, by the server’s clock', (cards, card) => settle(cards, card, 125), 'which-one'],
    ['was settled while its file was fetched', (cards, card) => settle(cards, card, 100, { order: 10 }), 'which-one'],
    ['has not been replaced on the phone yet', (cards, card) => cards.settle(card, 'Answered'), 'which-one'],
    ['could not be replaced on the phone', (cards, card) => settle(cards, card, 101, { isShown: false }), 'which-one'],
    ['could not be replaced on the phone, hours before', (cards, card) => settle(cards, card, -3500, { isShown: false }), 'answer'],
    ['the same words had answered', (cards, card) => {
      card.answeredWith = `${card.code} B `
      settle(cards, card, 110)
    }, 'which-one'],
    ['other words had answered just before', (cards, card) => {
      card.answeredWith = 'a'
      settle(cards, card, 115)
    }, 'which-one'],
    ['other words had answered some seconds before', (cards, card) => {
      card.answeredWith = 'a'
      settle(cards, card, 114)
    }, 'answer'],
    ['a button had answered some seconds before', (cards, card) => {
      card.answeredWith = `dsh-ask ${card.secret} 1`
      settle(cards, card, 114)
    }, 'answer'],
  ])('without a code, where another question %s: %s', (_what, end, expected) => {
    const cards = new Cards()
    const first = show(cards, ['a', 'b'])
    const second = show(cards, ['b', 'c'])
    end(cards, first)
    expect(judge(reply('b', { time: 120 }), cards, own)).toMatchObject(expected === 'answer' ? { kind: 'answer', card: second } : { kind: 'explain', why: expected })
    // The code and the button say which.
    expect(judge(reply(`${second.code} b`, { time: 120 }), cards, own)).toMatchObject({ kind: 'answer', card: second })
    expect(judge(reply(`dsh-ask ${second.secret} 1`, { time: 120 }), cards, own)).toMatchObject({ kind: 'answer', card: second })
  })

  it('that was sent before the second question was there, for the first that is settled since, is late once', () => {
    const cards = new Cards()
    const first = show(cards, ['a', 'b'])
    show(cards, ['a', 'b'], { time: 130, order: 20 })
    settle(cards, first, 125)
    expect(judge(reply('a', { time: 120 }), cards, own)).toEqual({ kind: 'late', card: first })
    first.lateReplyTold = true
    expect(judge(reply('a', { time: 120 }), cards, own)).toEqual({ kind: 'explain', why: 'too-early' })
    expect(judge(reply('a', { time: 120 }), cards, sharing)).toEqual({ kind: 'nothing' })
  })

  it('for one of several settled questions is told that none is open', () => {
    const cards = new Cards()
    for (const card of [show(cards, ['a']), show(cards, ['a'])]) settle(cards, card, 119)
    expect(judge(reply('a', { time: 120 }), cards, own)).toEqual({ kind: 'explain', why: 'nothing-open' })
  })
})
