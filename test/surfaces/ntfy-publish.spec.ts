// Publishing a question to an ntfy server that is slow, busy, full, or no ntfy server.
import { describe, expect, it } from 'vitest'
import { NtfyFailure } from '../../src/surfaces/ntfy/failure.ts'
import { pass } from '../helpers/time.ts'
import { broken, cut, type Fault, limited, MINUTE, refused } from '../ntfy/helpers/memory.ts'
import { denied, never, newCard, useOutbox, watch } from '../ntfy/helpers/outbox.ts'

const rig = useOutbox()

describe('publishing a question', () => {
  it('a burst that is too much is waited out, with one notice (case 27)', async () => {
    rig.answers.push(limited(42901), limited(42901), limited(42901))
    const shown = rig.show()
    const other = rig.show()
    await pass(8000)
    for (const { result } of [shown, other]) expect(result).toEqual({ id: 'm1', time: 1000 })
    expect(rig.troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('that the server goes on putting off is given up after a minute, however long it could not be reached before', async () => {
    rig.answers = Array.from({ length: 20 }, () => broken)
    const shown = rig.show()
    while (rig.answers.length > 0) await pass(100)
    rig.always(limited(42901))
    await pass(59_000)
    expect(shown.error).toBeUndefined()
    await pass(62_000)
    expect(shown.error).toMatchObject({ kind: 'rate-limited', message: 'the ntfy server asks to slow down' })
    const { length } = rig.requests
    expect(length).toBeGreaterThanOrEqual(24)
    await pass(2 * MINUTE)
    expect(rig.requests).toHaveLength(length)
  })

  it.each<[string, Fault, string]>([
    ['the day’s quota (case 27)', limited(42908), "the day's quota of messages on the ntfy server is used up"],
    ['another limit', limited(42999), 'a limit of the ntfy server is reached (error 42999)'],
    ['wrong credentials', denied(401, 40101), 'the ntfy server does not accept the credentials'],
    ['no access', denied(403, 40301), 'the ntfy server denies access'],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login?token=tk_secret' } }), 'the address in server redirects (status 302)'],
    ['a page', () => new Response('<html>tk_secret</html>', { headers: { 'content-type': 'text/html' } }), 'the address in server answers, but not as ntfy does'],
    ['JSON without an id', () => Response.json({ ok: true }), 'the address in server answers, but not as ntfy does'],
    ['an endless page', () => new Response('x'.repeat(20_000)), 'the address in server answers, but not as ntfy does'],
    ['a refusal', denied(400, 40014), 'the ntfy server refuses the request (error 40014)'],
    ['a wrong address', () => new Response('not found', { status: 404 }), 'the ntfy server refuses the request (status 404)'],
    ['a certificate', cut({ code: 'CERT_HAS_EXPIRED' }), 'the certificate of the ntfy server is not accepted (CERT_HAS_EXPIRED)'],
  ])('%s: fails at once with what to do, and says so once', async (_what, answer, why) => {
    rig.answers.push(answer, answer)
    const first = rig.show()
    await pass(0)
    const second = rig.show()
    await pass(2 * MINUTE)
    for (const { error } of [first, second]) expect(error?.message).toContain(why)
    expect(rig.requests).toHaveLength(2)
    expect(rig.troubles).toHaveLength(1)
    expect(first.error!.message + rig.troubles[0]).not.toContain('tk_secret')
  })

  it.each<[string, Fault]>([
    ['a broken server', () => new Response('oops', { status: 500 })],
    ['a busy proxy', () => new Response('slow down', { status: 429 })],
    ['a proxy that waits no longer', () => new Response('timeout', { status: 408 })],
    ['no connection', refused],
    ['no response within 15 seconds', () => new Promise<Response>(() => {})],
  ])('%s: is tried again', async (_what, answer) => {
    rig.answers.push(answer)
    const shown = rig.show()
    await pass(16_500)
    expect(shown.result).toEqual({ id: 'm1', time: 1000 })
    expect(rig.requests).toEqual(['question', 'question'])
  })

  it('is written anew for each attempt, and not tried again when that fails', async () => {
    rig.answers.push(limited(42901), limited(42901))
    let count = 0
    const shown = watch(rig.outbox.show(newCard(), () => {
      if (++count === 3) throw new RangeError('does not fit')
      return `question ${count}`
    }, never))
    await pass(2 * MINUTE)
    expect(shown.error).toBeInstanceOf(RangeError)
    expect(rig.requests).toEqual(['question 1', 'question 2'])
    expect(rig.troubles).toEqual(['the ntfy server asks to slow down'])
  })

  it('is not tried again once it is put away', async () => {
    rig.answers.push(limited(42901))
    const stop = new AbortController()
    const shown = rig.show(newCard(), stop.signal)
    await pass(100)
    stop.abort()
    await pass(2 * MINUTE)
    expect(shown.error).toBeInstanceOf(NtfyFailure)
    expect(rig.requests).toEqual(['question'])
  })
})

describe('a server that is out of reach', () => {
  it('for long is said once, whatever goes wrong and however many wait for it, and its end once', async () => {
    const faults = [refused, broken, cut({ code: 'ENOTFOUND', syscall: 'getaddrinfo' }), cut({ code: 'ECONNRESET', syscall: 'read' })]
    rig.answers = Array.from({ length: 999 }, (_, at) => faults[at % 4]!)
    for (let count = 0; count < 5; count++) rig.show()
    await pass(29_000)
    expect(rig.troubles).toEqual([])
    await pass(30 * MINUTE)
    expect(rig.troubles).toEqual([expect.stringMatching(/^the phone is out of reach for now, the ntfy server .*; open questions stay, and come to it when the server is back$/)])
    rig.answers = []
    await pass(3 * MINUTE)
    expect(rig.troubles.slice(1)).toEqual(['the ntfy server is back'])
  })

  it('for a moment is nothing to be said', async () => {
    rig.answers.push(refused, broken)
    rig.show()
    await pass(10 * MINUTE)
    expect(rig.requests).toHaveLength(3)
    expect(rig.troubles).toEqual([])
  })
})
