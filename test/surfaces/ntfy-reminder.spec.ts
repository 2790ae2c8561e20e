// A question once more: as a new notification, for as long as it is wanted.
import { describe, expect, it } from 'vitest'
import type { Card } from '../../src/surfaces/ntfy/cards.ts'
import { pass } from '../helpers/time.ts'
import { broken, type Fault, HOUR, limited, MINUTE } from '../ntfy/helpers/memory.ts'
import { answered, denied, never, newCard, taken, useOutbox } from '../ntfy/helpers/outbox.ts'

const rig = useOutbox()

describe('a reminder', () => {
  /** A question that is on the phone. */
  async function shown() {
    const card = newCard()
    rig.show(card)
    await pass(10)
    rig.requests = []
    return { card, first: card.sequence, stop: new AbortController() }
  }

  const again = (sequence: string) => `reminder ${sequence}`
  /** Remind, at any hour until the wish is taken back. */
  function remind(card: Card, stop = never, wish = { isWanted: true }) {
    rig.outbox.remind(card, { write: again, isWanted: () => wish.isWanted, stop })
  }
  /** The same, and what comes of it at once. */
  async function reminded(card: Card): Promise<void> {
    remind(card)
    await pass(10)
  }
  const takes = (sequence: string) => `DELETE /topic/${sequence}`

  it('comes as a notification of its own, then the old one goes; so does the next', async () => {
    const { card, first } = await shown()
    await reminded(card)
    const second = card.sequence
    expect(second).not.toBe(first)
    await reminded(card)
    const third = card.sequence
    await rig.conclude(card)
    expect(rig.requests).toEqual([again(second), takes(first), again(third), takes(second), answered(third)])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it.each([
    ['before the question is there', async () => ({ card: newCard() })],
    ['where the question never came', async () => {
      rig.answers.push(limited(42908))
      return await shown()
    }],
  ])('%s is none', async (_what, start) => {
    const { card } = await start()
    remind(card)
    await pass(100)
    expect(rig.requests).toEqual([])
  })

  it('that fails leaves the question, and what became of it is said there', async () => {
    const { card, first, stop } = await shown()
    rig.answers.push(limited(42908))
    remind(card, stop.signal)
    await pass(100)
    expect(rig.requests).toEqual([expect.stringMatching(`^reminder ${first}....$`)])
    expect(rig.troubles).toEqual([expect.stringContaining("the day's quota")])
    expect(card.sequence).toBe(first)
    const reminder = rig.requests[0]!.split(' ')[1]!
    stop.abort()
    await rig.conclude(card)
    // It may have come: a server does not always get to say so.
    expect(rig.requests.slice(1)).toEqual([answered(first), takes(reminder)])
  })

  it('is tried again while the server is away, one at a time, until the question is answered', async () => {
    const { card, first, stop } = await shown()
    rig.answers = Array.from({ length: 3 }, () => broken)
    remind(card, stop.signal)
    remind(card, stop.signal)
    await pass(900)
    remind(card, stop.signal)
    await pass(100)
    expect(rig.requests).toHaveLength(2)
    expect(new Set(rig.requests).size).toBe(1)
    stop.abort()
    rig.answers = []
    rig.outbox.conclude(card, answered)
    await pass(2 * MINUTE)
    expect(rig.requests.slice(2)).toEqual([answered(first), takes(rig.requests[0]!.split(' ')[1]!)])
    expect(card.staleSequences.size).toBe(0)
  })

  it.each<[string, Fault]>([
    ['is away', broken],
    ['has no quota left', limited(42908)],
    ['refuses', denied(403, 40301)],
  ])('is tried for as long as the server %s, in the end every minute, and comes once', async (_what, refuses) => {
    const { card, first } = await shown()
    rig.always(refuses)
    remind(card)
    await pass(2 * MINUTE)
    const { length: atFirst } = rig.requests
    expect(atFirst).toBeLessThanOrEqual(11)
    await pass(HOUR)
    expect(rig.requests.length - atFirst).toBeGreaterThanOrEqual(58)
    expect(rig.requests.length - atFirst).toBeLessThanOrEqual(120)
    // Another that is due meanwhile is the same one.
    remind(card)
    expect(new Set(rig.requests).size).toBe(1)
    rig.answers = []
    const { length } = rig.requests
    await pass(MINUTE)
    expect(rig.requests.slice(length)).toEqual([rig.requests[0], takes(first)])
    expect(rig.troubles.filter(line => line !== 'the ntfy server is back')).toHaveLength(1)
    await pass(HOUR)
    expect(rig.requests).toHaveLength(length + 2)
  })

  it('that is no longer wanted is given up, for good; the next is another', async () => {
    const { card, first } = await shown()
    const wish = { isWanted: true }
    rig.answers.push(limited(42901))
    remind(card, never, wish)
    await pass(100)
    wish.isWanted = false
    await pass(2 * MINUTE)
    remind(card, never, wish)
    await pass(100)
    expect(rig.requests).toHaveLength(1)
    wish.isWanted = true
    await pass(2 * MINUTE)
    expect(rig.requests).toHaveLength(1)
    const given = rig.requests[0]!.split(' ')[1]!
    remind(card, never, wish)
    await pass(100)
    expect(card.sequence).not.toBe(given)
    expect(rig.requests.slice(1)).toEqual([again(card.sequence), takes(given), takes(first)])
  })

  it('that is due while the one before is still being tidied up after comes after that', async () => {
    const { card, first } = await shown()
    rig.answers.push(taken, broken)
    await reminded(card)
    const second = card.sequence
    remind(card)
    remind(card)
    await pass(10_000)
    expect(rig.requests).toEqual([again(second), takes(first), takes(first), again(card.sequence), takes(second)])
  })

  it('ends with the plugin', async () => {
    const { card } = await shown()
    rig.always(broken)
    remind(card)
    await pass(10 * MINUTE)
    const { length } = rig.requests
    const closed = rig.close()
    await pass(2000)
    expect(closed.result).toBe('closed')
    await pass(10 * MINUTE)
    expect(rig.requests.length).toBeLessThanOrEqual(length + 1)
  })

  it('of a question that is answered before its turn has come is none', async () => {
    const { card, first, stop } = await shown()
    remind(card, stop.signal)
    rig.outbox.conclude(card, answered)
    stop.abort()
    await pass(10)
    expect(rig.requests).toEqual([answered(first)])
  })

  it('of a question that is answered meanwhile: the outcome is in its place, and the old one goes', async () => {
    const { card, first, stop } = await shown()
    const answer = rig.slowly()
    remind(card, stop.signal)
    await pass(10)
    rig.outbox.conclude(card, answered)
    stop.abort()
    await pass(10)
    expect(rig.requests).toHaveLength(1)
    answer()
    await pass(10)
    expect(card.sequence).not.toBe(first)
    expect(rig.requests).toEqual([again(card.sequence), takes(first), answered(card.sequence)])
  })

  it('on a server that takes nothing back: that is said once, and the outcome is in both places', async () => {
    const { card, first } = await shown()
    const refuses = denied(404, 40401)
    for (const count of [1, 2]) {
      rig.answers.push(taken, ...Array.from({ length: count }, () => refuses))
      await reminded(card)
    }
    const [second] = [...card.staleSequences].slice(1)
    expect([...card.staleSequences]).toEqual([first, second])
    expect(rig.troubles).toEqual([expect.stringMatching(/^an outdated notification stays on the phone for now, the ntfy server refuses the request \(error 40401\)/)])
    rig.requests = []
    rig.answers.push(taken, refuses, taken, refuses, taken)
    await rig.conclude(card)
    expect(rig.requests).toEqual([answered(card.sequence), takes(first), answered(first), takes(second!), answered(second!)])
    expect(card.conclusion).toMatchObject({ isShown: true })
    expect(rig.troubles).toHaveLength(1)
  })

  it('whose old notification can neither be taken back nor replaced: the question still looks open', async () => {
    const { card } = await shown()
    const refuses = denied(403, 40301)
    rig.answers.push(taken, refuses, taken, refuses, refuses)
    remind(card)
    await rig.conclude(card)
    expect(card.conclusion).toMatchObject({ isShown: false })
  })
})
