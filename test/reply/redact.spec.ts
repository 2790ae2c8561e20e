// What may be a secret does not get through (src/reply/redact.ts), and what is none stays readable.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/reply/redact.ts'

/** Forms in which secrets stand in texts of errors: the text, and what must not be left of it. None of them is in use. */
const SECRETS: readonly (readonly [text: string, ...secrets: string[]])[] = [
  ['cannot publish to https://ntfy.sh/home-questions', 'home-questions', 'ntfy.sh'],
  ['cannot publish to ntfy.sh/home-questions', 'home-questions'],
  ['POST ntfy.example.com:8443/desk failed', 'desk'],
  ['connect 192.168.1.20:2586/mytopic', 'mytopic'],
  ['connect [fd00::1]:2586/mytopic refused', 'mytopic'],
  ['localhost:8080/private answers 404', 'private'],
  ['ntfy:80/kitchen is not there', 'kitchen'],
  ['ws://10.0.0.2/topic/ws?auth=QmFzaWM', 'QmFzaWM', '10.0.0.2'],
  ['cannot reach dsh:hunter2@nas.local', 'hunter2'],
  ['cannot reach https://dsh:p%40ss@nas.local/x', 'p%40ss', 'dsh:'],
  ['cannot reach dsh%3Ahunter2%40nas.local', 'hunter2'],
  ['postgres://app:s3cr3t@db/shop is down', 's3cr3t'],
  ['the proxy refuses ada:p@ss:w@rd@proxy.local', 'ada', 'p@ss', 'rd@'],
  ['401 for Bearer hunter', 'hunter'],
  ['401 for bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2', 'AgQdq7'],
  ['sent Authorization: Basic ZHNoOmh1bnRlcg==', 'ZHNoOmh1bnRlcg'],
  ['sent Authorization: Digest username="dsh", response="6629fae4"', 'dsh', '6629fae4'],
  ['{"authorization":"Bearer abc"}', 'abc'],
  ['Cookie: sid=abc; theme=dark', 'abc'],
  ['set-cookie: id=a3f; HttpOnly', 'a3f'],
  ['X-Api-Key: letmein', 'letmein'],
  ['x-auth-token: swordfish please', 'swordfish'],
  ['password=hunter', 'hunter'],
  ['wrong password: swordfish', 'swordfish'],
  ['password=gold,fish;x)zz', 'gold', 'fish', 'zz'],
  ['{"password":"gold\\"fish","id":7}', 'gold', 'fish'],
  ['login with password "correct horse battery" failed', 'correct horse', 'battery'],
  ['the passphrase is ‘’correct-horse', 'correct-horse'],
  ['DSH_ASK_NTFY_TOKEN=abcdef is not accepted', 'abcdef'],
  ['{"token":"abc def","user":"dsh"}', 'abc def', 'dsh"'],
  ["{ apiKey: 'k-1', secret: `s t` }", 'k-1', 's t'],
  ['no access to topic dsh-home', 'dsh-home'],
  ['topic "kitchen" is reserved', 'kitchen'],
  ['no access to topic kitchen', 'kitchen'],
  ['{"url":"https:\\/\\/ntfy.sh\\/kitchen"}', 'kitchen'],
  ['ntfy.sh\\/kitchen', 'kitchen'],
  ['Bearer: swordfish', 'swordfish'],
  ['密码：swordfish 不对', 'swordfish'],
  ['curl -u dsh:hunter failed', 'hunter'],
  ['ntfy publish --token swordfish home', 'swordfish'],
  ['opened /page#t=AAAA', 'AAAA'],
  ['GET /v1/account?auth=QmVhcmVy&x=1 failed', 'QmVhcmVy'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkc2gifQ.c2lnbmF0dXJl expired', 'eyJ', 'c2lnbmF0dXJl'],
  ['no model for sk-proj-abcdefgh', 'abcdefgh'],
  ['slack: xoxb-1234567890-abcdef', '1234567890', 'abcdef'],
  ['AWS AKIAIOSFODNN7EXAMPLE has no rights', 'IOSFODNN7'],
  ['remote: ghp_abcdefABCDEF123456 revoked', 'abcdefABC'],
  ['bad key AbC-1_23456789012345', 'AbC-1'],
  ['bad data dGhpcyBpcyBhIHNlY3JldCBvZiBvdXJz/x+yQ==', 'dGhpcyB', 'yQ=='],
  ['bad data QWxhZGRpbjpvcGVuIHNl', 'QWxhZGRp'],
  ['digest 9f86d081884c7d659a2feaa0c55ad015', '9f86d081'],
  ['grant 123e4567-e89b-12d3-a456-426614174000 is over', '123e4567', '426614174000'],
  ['TOTP JBSWY3DPEHPK3PXP', 'JBSWY3'],
  ['-----BEGIN PRIVATE KEY-----\nMIIE\nabc\n-----END PRIVATE KEY----- is no key', 'MIIE', 'abc'],
  ['-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl', 'b3Bl'],
  [`${'no '.repeat(650)}tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2${'z'.repeat(2000)}`, 'AgQdq7', 'zzz'],
]

const HARMLESS: readonly string[] = [
  'the phone cannot be asked',
  'connect ECONNREFUSED 127.0.0.1:8080',
  'getaddrinfo ENOTFOUND nas.local',
  "ENOENT: no such file or directory, open '/var/lib/ada/.config/dsh/cordis.patch.yml'",
  "Cannot read properties of undefined (reading 'session')",
  'surface.ask is not a function',
  'expected a string at answers[0].selected, got number',
  'the token is missing',
  'token: must be 1 to 256 visible ASCII characters',
  'the password was not accepted; correct it and start again',
  'Bearer authentication is required',
  'Basic auth failed with status 401',
  'no topic was given; topic names must have 16 characters',
  'Request failed with status code 503 after 2000 ms',
  'ERR_SOMETHING_VERY_LONG-AND-MORE 12345678901234567890',
  'timeout of 60000 ms in AskUserQuestionRequest.handleQuestion at src/surfaces/terminal/terminal-surface.ts:103:5',
  'cannot find package @deepseek-ai/dsh-user-questions in /srv/app/node_modules/dsh-ask-router/dist/index.js',
  'unanswered: "desk" left at 2026-12-02T18:22:11',
  'the certificate of the ntfy server is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)',
  'ask 4711-1764699731000-12 is not open: 1 + 1 = 2, a/b, and/or',
  'node v22.19.0 on linux-x64, dsh 0.1.5-rc.2',
  '手机无法提问：服务器没有响应（状态 503）',
  'mapping: done, shipping: none, author: Ada, spin: 3',
  'cookies are off; the user is away; sign in, then authorise the page',
]

describe('a text of somebody else', () => {
  it('has been tried in at least 40 forms with a secret and 20 without', () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(40)
    expect(HARMLESS.length).toBeGreaterThanOrEqual(20)
  })

  it.each(SECRETS)('loses its secret: %j', (text, ...secrets) => {
    const left = redact(text)
    for (const secret of secrets) expect(left).not.toContain(secret)
    expect(left).toContain('…')
  })

  it.each(SECRETS)('loses it in the middle of another as well: %j', (text, ...secrets) => {
    const left = redact(`cannot show it (${text}), try again`)
    for (const secret of secrets) expect(left).not.toContain(secret)
    expect(left).toMatch(/^cannot show it \(/)
  })

  it.each(HARMLESS)('stays as it is: %s', text => {
    expect(redact(text)).toBe(text)
  })

  it('stays readable around what is gone', () => {
    expect(redact('cannot publish to https://ntfy.sh/x, twice')).toBe('cannot publish to … twice')
    expect(redact('401 for Bearer abc from the server')).toBe('401 for Bearer … from the server')
    expect(redact('wrong password: swordfish, try again')).toBe('wrong password: … try again')
    expect(redact('DSH_ASK_NTFY_TOKEN=abcdef is not accepted')).toBe('DSH_ASK_NTFY_TOKEN=… is not accepted')
  })

  it('with a random token of 16 bytes or more in it loses that, in every common writing', () => {
    // As random as a token is, also when it is made simpler.
    const bytes = fc.tuple(fc.nat(), fc.integer({ min: 16, max: 48 }))
      .map(([seed, length]) => createHash('sha512').update(String(seed)).digest().subarray(0, length))
    fc.assert(fc.property(bytes, fc.constantFrom('base64', 'base64url', 'hex'), fc.constantFrom('bad ', 'x=', '"', '('), (all, writing, before) => {
      const token = all.toString(writing as BufferEncoding)
      expect(redact(`${before}${token} is no token`)).not.toContain(token.slice(0, 12))
      // Always the same ones: of some millions, one is made of what could be words.
    }), { seed: 1 })
  })

  it('takes no time to speak of, however long and strange it is', () => {
    for (const piece of ['a:', 'a.', '@', 'password ', 'a-', 'Bearer ', '-----BEGIN ', '"', 'x=', '/a']) {
      const start = performance.now()
      redact(piece.repeat(500_000))
      expect(performance.now() - start).toBeLessThan(500)
    }
  })
})
