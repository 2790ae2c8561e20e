// The page's configuration, secrets and names: what is refused, and that no refusal tells a secret.
import { hostname } from 'node:os'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLoopback } from '../../src/surfaces/loopback.ts'
import { Access } from '../../src/surfaces/web/access.ts'
import { Config } from '../../src/surfaces/web/config.ts'
import { Hosts } from '../../src/surfaces/web/hosts.ts'

const TOKEN = 'k3vJ9-qLx_27RbTgYw8sZp'

// What the person who runs the tests has there is not part of them.
beforeEach(() => void vi.stubEnv('DSH_ASK_WEB_TOKEN', ''))

afterEach(() => vi.unstubAllEnvs())

describe('Config', () => {
  it('has defaults', () => {
    expect(Config.parse(undefined)).toEqual({ host: '127.0.0.1', port: 0, allowedHosts: [], lang: 'auto' })
  })

  it.each([
    [{ host: '' }, 'host'], [{ host: 'a/b' }, 'host'], [{ port: -1 }, 'port'], [{ port: 65_536 }, 'port'], [{ port: '80' }, 'port'],
    [{ publicUrl: 'ftp://x', port: 1 }, 'publicUrl'], [{ publicUrl: 'x', port: 1 }, 'publicUrl'],
    [{ publicUrl: 'https://u:p@x', port: 1 }, 'publicUrl'], [{ publicUrl: 'https://x/?a', port: 1 }, 'publicUrl'],
    [{ publicUrl: 'https://x' }, 'publicUrl'],
    [{ allowedHosts: ['x:80'] }, 'allowedHosts.0'], [{ allowedHosts: ['http://x'] }, 'allowedHosts.0'], [{ lang: 'fr' }, 'lang'],
  ])('refuses %j, naming the field', (value, field) => {
    const { error } = Config.safeParse(value)
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([field])
  })

  it('refuses an unknown key, naming it and what there is', () => {
    expect(() => Config.parse({ tokn: 'x' })).toThrow(/unknown key tokn; it may be host, port, publicUrl, allowedHosts, token, lang/)
  })

  it.each([
    'correct-horse-battery-staple', '1q2w3e4r5t6y7u8i9o0p1q2w3e4r', 'jan01feb02mar03apr04may05jun06', 'my-secret-dsh-token-2026', 'password-password-password',
    '0123456789abcdef0123456789abcdef', 'short', '1234567890123456789012', '0123456789abcdef0123456789abcde', 'a'.repeat(64), 'with a space in it 1234567890', '部署部署部署部署部署部署部署部署', `${TOKEN.slice(1)}`,
  ])('refuses the weak token %s and does not repeat it', (token) => {
    const { error } = Config.safeParse({ token })
    expect(error?.issues[0]?.path).toEqual(['token'])
    expect(JSON.stringify(error)).not.toContain(token)
    expect(error?.message).toContain('128 bits')
  })

  it.each([TOKEN, '3f9c0a71be5d4286914d07f3c8ea62b5', '731904826550273619408827156394022718365'])('takes a token of 128 bits: %s', (token) => {
    expect(Config.parse({ token }).token).toBe(token)
  })
})

describe('the token in the environment', () => {
  it('is taken where the configuration has none, is checked too, and is not told', () => {
    vi.stubEnv('DSH_ASK_WEB_TOKEN', TOKEN)
    expect(Config.parse(undefined)).toMatchObject({ token: TOKEN, host: '127.0.0.1' })
    expect(Config.parse({ token: `${TOKEN}x` }).token).toBe(`${TOKEN}x`)
    expect(Config.safeParse('x').success).toBe(false)
    vi.stubEnv('DSH_ASK_WEB_TOKEN', 'correct-horse-battery-staple')
    expect(Config.safeParse({}).error?.issues[0]?.path).toEqual(['token'])
    expect(String(Config.safeParse({}).error)).not.toContain('horse')
  })
})

describe('Access', () => {
  const access = new Access(TOKEN)
  const grant = access.grantFragment('ask-1').slice('#g='.length)
  const bearer = (authorization?: string) => access.scopeOf({ authorization })

  it('knows the token, a grant, and nobody else', () => {
    expect(bearer(`Bearer ${TOKEN}`)).toEqual({})
    expect(bearer(`bearer ${TOKEN}`)).toEqual({})
    expect(bearer(`Bearer ${grant}`)).toEqual({ ask: 'ask-1' })
    const [id, secret] = grant.split('.')
    for (const stranger of [
      undefined, '', 'Bearer', 'Bearer ', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, `Bearer  ${TOKEN}`,
      `Bearer ask-2.${secret}`, `Bearer ${id}.`, `Bearer .${secret}`, `Bearer ${grant}.x`, `Bearer ${id}.${secret!.slice(0, -1)}`, `Bearer ${'x'.repeat(600)}`,
    ]) expect(bearer(stranger), stranger).toBeUndefined()
  })

  it('takes the secret from a header of its own, and then whatever is in Authorization is somebody else\'s', () => {
    expect(access.scopeOf({ 'ask-secret': TOKEN })).toEqual({})
    expect(access.scopeOf({ 'ask-secret': grant, 'authorization': 'Basic bWU6cHc=' })).toEqual({ ask: 'ask-1' })
    expect(access.scopeOf({ 'ask-secret': `${TOKEN}x`, 'authorization': `Bearer ${TOKEN}` })).toBeUndefined()
    expect(access.scopeOf({ 'ask-secret': '' })).toBeUndefined()
  })

  it('a grant has 128 bits, is the same every time, and another token makes another', () => {
    expect(Buffer.from(grant.split('.')[1]!, 'base64url')).toHaveLength(16)
    expect(new Access(TOKEN).grantFragment('ask-1')).toBe(`#g=${grant}`)
    expect(new Access(`${TOKEN}x`).grantFragment('ask-1')).not.toBe(`#g=${grant}`)
  })

  it('a proof is good for one nonce, one port and one secret, and is no grant', () => {
    const proofs = [
      access.proofOf('n1', 80), access.proofOf('n2', 80), access.proofOf('n1', 81), access.proofOf('n1', 80, 'ask-1'), access.proofOf('n1', 80, 'ask-2'),
      new Access(`${TOKEN}x`).proofOf('n1', 80),
    ]
    expect(new Set(proofs).size).toBe(proofs.length)
    expect(access.proofOf('n1', 80)).toBe(proofs[0])
    for (const proof of proofs) expect(access.scopeOf({ 'ask-secret': `ask-1.${proof}` })).toBeUndefined()
  })
})

describe('Hosts', () => {
  const local = new Hosts(Config.parse({}))
  const far = new Hosts(Config.parse({ port: 4000, publicUrl: 'https://Ask.Example/a', allowedHosts: ['Phone.example', '[FD00:0::1]', '部署.example'] }))

  it.each(['localhost', 'LOCALHOST:80', '127.0.0.1:4000', '[::1]:4000', hostname()])('is known as %s', (host) => {
    expect(local.allows(host)).toBe(true)
  })

  it.each([undefined, '', 'example.com', 'localhost.example.com', '127.0.0.1.example.com', 'localhost/x', 'x@localhost', 'localhost:x', 'a b', 'localhost#', 'phone.example'])(
    'is not known as %s', (host) => {
      expect(local.allows(host)).toBe(false)
    })

  it('is known by the names of its configuration', () => {
    for (const host of ['ask.example', 'ask.example:8443', 'phone.example', new URL('http://部署.example').host, '[fd00::1]:4000', '[FD00::1]']) expect(far.allows(host), host).toBe(true)
  })

  it.each([
    [undefined, '127.0.0.1:4000', true],
    ['http://127.0.0.1:4000', '127.0.0.1:4000', true],
    ['http://localhost:9000', 'localhost:9000', true],
    ['http://localhost:3000', 'localhost:4000', false],
    ['http://localhost:4000', '127.0.0.1:4000', false],
    ['https://ask.example', '127.0.0.1:4000', true],
    ['https://phone.example', 'phone.example', true],
    ['https://evil.example', 'ask.example', false],
    ['null', '127.0.0.1:4000', false],
    ['file://', '127.0.0.1:4000', false],
    ['http://127.0.0.1:4000/x', '127.0.0.1:4000', false],
    ['chrome-extension://127.0.0.1:4000', '127.0.0.1:4000', false],
    ['', '127.0.0.1:4000', false],
  ])('from %s to %s: %s', (origin, host, allowed) => {
    expect(far.allowsOrigin(origin, host)).toBe(allowed)
  })

  it('makes the address of a link', () => {
    const url = (config: object) => new Hosts(Config.parse(config)).url(4000)
    expect(url({})).toBe('http://127.0.0.1:4000/')
    expect(url({ host: '::1' })).toBe('http://[::1]:4000/')
    expect(url({ publicUrl: 'https://ask.example/a', port: 4000 })).toBe('https://ask.example/a/')
    expect(url({ host: '0.0.0.0' })).toMatch(/^http:\/\/\d+\.\d+\.\d+\.\d+:4000\/$/)
  })
})

describe('isLoopback', () => {
  it('knows which interfaces only this machine reaches', () => {
    expect(['127.0.0.1', '127.8.9.1', '::1', '[::1]', 'localhost', '0.0.0.0', '::', '192.168.0.2', '127.example.com'].map(isLoopback))
      .toEqual([true, true, true, true, true, false, false, false, false])
  })
})
