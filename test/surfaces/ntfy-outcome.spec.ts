// Publishing what became of a question: after it, in its place, and only where it was seen.
import { describe, expect, it } from 'vitest'
import { pass } from '../helpers/time.ts'
import { broken, cut, type Fault, HOUR, limited, MINUTE, refused } from '../ntfy/helpers/memory.ts'
import { answered, never, newCard, useOutbox } from '../ntfy/helpers/outbox.ts'

const rig = useOutbox()

describe('publishing what became of a question', () => {
  it('comes after the question, however slow that is', async () => {
    const card = newCard()
    const answer = rig.slowly()
    const shown = rig.show(card)
    rig.outbox.replace(card, () => 'answered', never)
    rig.outbox.replace(card, () => 'answered elsewhere', never)
    await pass(1000)
    expect(rig.requests).toEqual(['question'])
    answer()
    await pass(10)
    expect(shown.result).toBeDefined()
    expect(rig.requests).toEqual(['question', 'answered', 'answered elsewhere'])
  })

  it('is left out where the question never came', async () => {
    const card = newCard()
    rig.answers.push(limited(42908))
    rig.show(card)
    rig.outbox.replace(card, () => 'answered', never)
    await pass(1000)
    expect(rig.requests).toEqual(['question'])
  })

  it.each<[string, Fault]>([
    ['the server refused the connection', refused],
    ['its name was not found', cut({ code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
    ['there was no way to it', cut({ code: 'EHOSTUNREACH', syscall: 'connect' })],
    ['none of its addresses answered', cut({ errors: [{ code: 'ETIMEDOUT', syscall: 'connect' }, { code: 'ENETUNREACH', syscall: 'connect' }] })],
    ['the connection took too long', cut({ code: 'UND_ERR_CONNECT_TIMEOUT' })],
    ['the TLS handshake was cut', cut({ code: 'ECONNRESET', message: 'Client network socket disconnected before secure TLS connection was established' })],
    ['it did not get all of it', () => new Response('timeout', { status: 408 })],
    ['it asked to slow down', limited(42901)],
  ])('is left out where the question cannot have come: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    rig.answers.push(answer)
    rig.show(card, stop.signal)
    await pass(10)
    stop.abort()
    await rig.conclude(card)
    expect(rig.requests).toEqual(['question'])
    expect(card.conclusion).toBeUndefined()
  })

  it.each<[string, Fault]>([
    ['a proxy lost the server', broken],
    ['the connection was cut', cut({ code: 'ECONNRESET', syscall: 'read' })],
    ['the network went away', cut({ code: 'EHOSTUNREACH', syscall: 'read' })],
  ])('is no news where the question may have come, which is taken from the phone: %s', async (_what, answer) => {
    const card = newCard(), stop = new AbortController()
    rig.answers.push(answer, refused)
    rig.show(card, stop.signal)
    await pass(1100)
    expect(rig.requests).toHaveLength(2)
    stop.abort()
    await rig.conclude(card)
    expect(rig.requests.slice(2)).toEqual([`DELETE /topic/${card.sequence}`])
    expect(card.conclusion).toMatchObject({ isShown: true })
  })

  it('is published where the question has come, as its stream or its answer shows', async () => {
    const card = newCard(), stop = new AbortController()
    rig.answers.push(cut({ code: 'ECONNRESET', syscall: 'read' }))
    rig.show(card, stop.signal)
    await pass(10)
    card.shown = { time: 1000, order: 1 }
    stop.abort()
    await rig.conclude(card)
    expect(rig.requests).toEqual(['question', answered(card.sequence)])
  })

  it('is tried for an hour while the server is away, so that the card does not go on looking open, and then no more', async () => {
    const late = newCard(), lost = newCard()
    for (const card of [late, lost]) rig.show(card)
    await pass(10)
    rig.always(broken)
    rig.outbox.conclude(late, answered)
    await pass(58 * MINUTE)
    expect(late.conclusion).toBeUndefined()
    rig.answers = []
    await pass(MINUTE)
    expect(late.conclusion).toMatchObject({ isShown: true })
    rig.always(broken)
    lost.staleSequences.add('older')
    rig.outbox.conclude(lost, answered)
    await pass(HOUR)
    expect(lost.conclusion).toMatchObject({ isShown: false })
    const { length } = rig.requests
    await pass(HOUR)
    expect(rig.requests).toHaveLength(length)
  })

  it('has a moment left when the plugin is unloaded, then it is aborted', async () => {
    const card = newCard()
    rig.show(card)
    await pass(0)
    rig.answers.push(() => new Promise<Response>(() => {}))
    rig.outbox.replace(card, () => 'answered', never)
    const closed = rig.close()
    await pass(1999)
    expect(closed.result).toBeUndefined()
    await pass(1)
    expect(closed.result).toBe('closed')
    rig.outbox.say('too late')
    await pass(0)
    expect(rig.troubles).toEqual([])
  })
})
