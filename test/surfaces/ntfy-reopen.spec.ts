// When the stream is opened again, from where, and what is said meanwhile. Time is made up.
import { describe, expect, it } from 'vitest'
import type { Fetch } from '../../src/surfaces/ntfy/client.ts'
import { pass } from '../helpers/time.ts'
import { line, open, said, settle, useStreams } from '../ntfy/helpers/streams.ts'

const rig = useStreams()

describe('a stream that ends or falls silent', () => {
  it('without a sign of life for two intervals it is opened again, from the last message (case 26)', async () => {
    await rig.subscribe()
    rig.server.send(open() + said('m1', 'hello'))
    await pass(60_000)
    rig.server.send(line({ event: 'keepalive' }))
    await pass(89_000)
    expect(rig.server.requests).toHaveLength(1)
    await pass(1000)
    expect(rig.server.signals[0]!.aborted).toBe(true)
    await pass(1000)
    expect(rig.server.requests).toEqual(['/a,b/json', '/a,b/json?since=m1'])
  })

  it('a server that says less often that it is alive is opened again without long waits', async () => {
    await rig.subscribe()
    for (let round = 1; round <= 8; round++) {
      await settle()
      rig.server.send(open())
      await pass(91_000)
      expect(rig.server.requests).toHaveLength(round + 1)
    }
  })

  it('a connection that never answers is given up in the same time', async () => {
    const never: Fetch = (url, { signal }) => {
      rig.server.requests.push(url)
      return new Promise((_resolve, reject) => {
        signal!.addEventListener('abort', () => reject(signal!.reason as Error))
      })
    }
    await rig.subscribe(undefined, never)
    await pass(3000)
    await rig.subscription.ready
    await pass(87_000 + 1000)
    expect(rig.server.requests).toHaveLength(2)
    expect(rig.lost).toEqual(['the ntfy server cannot be reached'])
  })

  it('after an end it goes on from the time of its opening, while nothing was said', async () => {
    await rig.subscribe()
    rig.server.send(open(1234))
    await rig.end()
    expect(rig.server.requests).toEqual(['/a,b/json', '/a,b/json?since=1234'])
  })

  it('before it was ever open it goes on from what was published', async () => {
    rig.server.instead.push(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
    await rig.subscribe()
    await rig.subscription.ready
    rig.subscription.published({ id: 'p1', time: 1000 })
    await pass(1000)
    await rig.send(open(1100) + said('m0', 'too old', 999) + said('m1', 'in the gap', 1050))
    expect(rig.server.requests[1]).toBe('/a,b/json?since=p1')
    expect(rig.ids()).toEqual(['m1'])
  })

  it('opened later than a question was published, it is opened again from there at once', async () => {
    await rig.subscribe()
    rig.subscription.published({ id: 'p1', time: 1000 })
    await rig.send(open(1009))
    expect(rig.server.requests).toEqual(['/a,b/json', '/a,b/json?since=p1'])
    await rig.send(open(1010) + said('m1', 'quick', 1004))
    expect(rig.texts()).toEqual(['quick'])
  })

  it('waits longer each time, up to a minute, and starts over once a stream was well', async () => {
    for (let failure = 0; failure < 9; failure++) rig.server.instead.push(new Response('busy', { status: 503 }))
    await rig.subscribe()
    const waits: number[] = []
    let last = Date.now()
    await settle()
    while (rig.server.requests.length < 9) {
      const count = rig.server.requests.length
      while (rig.server.requests.length === count) await pass(100)
      waits.push(Date.now() - last)
      last = Date.now()
    }
    for (const [at, wait] of waits.entries()) {
      const most = Math.min(60_000, 1000 * 2 ** at)
      expect(wait).toBeGreaterThanOrEqual(most / 2 - 100)
      expect(wait).toBeLessThanOrEqual(most + 100)
    }
    expect(rig.refused).toEqual([])
    await pass(61_000)
    await rig.send(open() + line({ event: 'keepalive' }))
    await rig.end()
    expect(rig.server.requests).toHaveLength(11)
  })

  it('says once that there has been no stream for a while, and again only after there was one', async () => {
    await rig.subscribe()
    rig.server.send(open())
    await pass(60_000)
    const busy = () => rig.server.instead.push(...Array.from({ length: 20 }, () => new Response('busy', { status: 503 })))
    busy()
    rig.server.end()
    await pass(29_000)
    expect(rig.lost).toEqual([])
    await pass(300_000)
    const why = 'the ntfy server has a problem (status 503)'
    expect(rig.lost).toEqual([why])
    rig.server.instead.length = 0
    await pass(60_000)
    rig.server.send(open() + line({ event: 'keepalive' }))
    await pass(60_000)
    busy()
    rig.server.end()
    await pass(60_000)
    expect(rig.lost).toEqual([why, why])
    expect(rig.refused).toEqual([])
  })

  it('a stream that opens and ends at once is not hammered', async () => {
    await rig.subscribe()
    for (let round = 0; round < 5; round++) {
      await settle()
      rig.server.send(open())
      rig.server.end()
      await pass(1000 * 2 ** round)
    }
    expect(rig.server.requests.length).toBeLessThanOrEqual(6)
  })

  it.each([
    ['a wrong token', new Response('{"code":40101}', { status: 401 }), 'the ntfy server does not accept the credentials'],
    ['no access', new Response('{"code":40301}', { status: 403 }), 'the ntfy server denies access to the topics'],
    ['a login page', new Response('', { status: 302, headers: { location: 'https://login.example.org' } }), 'the address in server redirects (status 302)'],
    ['a page instead of a stream', new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } }), 'the address in server answers, but not as ntfy does'],
    ['too many subscriptions', new Response('{"code":42903}', { status: 429 }), 'the ntfy server allows no more subscriptions'],
    ['failed logins', new Response('{"code":42909}', { status: 429 }), 'the ntfy server has locked this address out'],
    ['a certificate', Object.assign(new TypeError('fetch failed'), { cause: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } }), 'the certificate of the ntfy server is not accepted'],
  ])('says what to do about %s, and tries again all the same', async (_what, response, why) => {
    rig.server.instead.push(response)
    await rig.subscribe()
    expect(rig.refused).toEqual([expect.stringContaining(why)])
    await pass(1000)
    await rig.send(open())
    expect(rig.opened).toBe(1)
  })
})
