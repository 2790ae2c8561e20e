// The page's configuration, secrets and names: what is refused, and that no refusal tells a secret.
import { hostname } from 'node:os'
import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../src/surfaces/loopback.ts'
import { Access } from '../../src/surfaces/web/access.ts'
import { Config } from '../../src/surfaces/web/config.ts'
import { Hosts } from '../../src/surfaces/web/hosts.ts'

const TOKEN = 'k3vJ9-qLx_27RbTgYw8sZp'

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
    'short', '1234567890123456789012', '0123456789abcdef0123456789abcde', 'a'.repeat(64), 'with a space in it 1234567890', '部署部署部署部署部署部署部署部署', `${TOKEN.slice(1)}`,
  ])('refuses the weak token %s and does not repeat it', (token) => {
    const { error } = Config.safeParse({ token })
    expect(error?.issues[0]?.path).toEqual(['token'])
    expect(JSON.stringify(error)).not.toContain(token)
    expect(error?.message).toContain('128 bits')
  })

  it.each([TOKEN, '0123456789abcdef0123456789abcdef', '123456789012345678901234567890123456789'])('takes a token of 128 bits: %s', (token) => {
    expect(Config.parse({ token }).token).toBe(token)
  })
})

describe('Access', () => {
  const access = new Access(TOKEN)
  const grant = access.grantFragment('ask-1').slice('#g='.length)

  it('knows the token, a grant, and nobody else', () => {
    expect(access.scopeOf(`Bearer ${TOKEN}`)).toEqual({})
    expect(access.scopeOf(`bearer ${TOKEN}`)).toEqual({})
    expect(access.scopeOf(`Bearer ${grant}`)).toEqual({ ask: 'ask-1' })
    const [id, secret] = grant.split('.')
    for (const stranger of [
      undefined, '', 'Bearer', 'Bearer ', TOKEN, `Basic ${TOKEN}`, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, `Bearer  ${TOKEN}`,
      `Bearer ask-2.${secret}`, `Bearer ${id}.`, `Bearer .${secret}`, `Bearer ${grant}.x`, `Bearer ${id}.${secret!.slice(0, -1)}`, `Bearer ${'x'.repeat(600)}`,
    ]) expect(access.scopeOf(stranger), stranger).toBeUndefined()
  })

  it('a grant has 128 bits, is the same every time, and another token makes another', () => {
    expect(Buffer.from(grant.split('.')[1]!, 'base64url')).toHaveLength(16)
    expect(new Access(TOKEN).grantFragment('ask-1')).toBe(`#g=${grant}`)
    expect(new Access(`${TOKEN}x`).grantFragment('ask-1')).not.toBe(`#g=${grant}`)
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
