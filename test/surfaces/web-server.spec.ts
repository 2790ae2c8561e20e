// The page's server over real HTTP: what a stranger, a foreign site or a broken client gets, and that it answers nothing.
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Access } from '../../src/surfaces/web/access.ts'
import { Board } from '../../src/surfaces/web/board.ts'
import { Config } from '../../src/surfaces/web/config.ts'
import { Hosts } from '../../src/surfaces/web/hosts.ts'
import { PageServer } from '../../src/surfaces/web/server.ts'
import { loadShell } from '../../src/surfaces/web/shell.ts'
import { askOn, DATABASE, NAME, readStream } from '../helpers/web.ts'

const TOKEN = 'k3vJ9-qLx_27RbTgYw8sZp'
const ANSWER = JSON.stringify({ answers: [{ selected: [0] }] })
const shell = await loadShell('auto')

let board: Board, server: PageServer, access: Access, port: number, broken: unknown[], answered: unknown[], open: string[]

beforeEach(async () => {
  board = new Board()
  access = new Access(TOKEN)
  broken = []
  answered = []
  open = []
  server = new PageServer({
    board, access, shell, hosts: new Hosts(Config.parse({})), isOpen: id => open.includes(id), onError: error => broken.push(error),
    setPresence: presence => board.setPresence(presence), hush: () => {}, heartbeatMs: 20, requestMs: 300,
  })
  port = await server.listen('127.0.0.1', 0)
  for (const [id, question] of [['ask-1', DATABASE], ['ask-2', NAME]] as const) {
    askOn(board, id, [question]).answer.then(answer => answered.push(answer), () => {})
  }
})

afterEach(() => server.close())

/** A request whose every header is ours: what `fetch` would forbid or tidy up included. */
function send(path: string, { method = 'POST', token = TOKEN, body = ANSWER, headers = {} }: {
  method?: string, token?: string, body?: string | Buffer, headers?: Record<string, string | undefined>
} = {}): Promise<{ status: number, text: string, headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const given: Record<string, string | undefined> = {
      'content-type': 'application/json', ...token !== '' && { authorization: `Bearer ${token}` }, ...headers,
    }
    const request = httpRequest({ port, host: '127.0.0.1', path, method, agent: false }, response => {
      let text = ''
      response.setEncoding('utf8').on('data', chunk => { text += chunk }).on('end', () => resolve({ status: response.statusCode!, text, headers: response.headers }))
    })
    request.on('error', reject)
    for (const [name, value] of Object.entries(given)) if (value !== undefined) request.setHeader(name, value)
    request.end(['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : body)
  })
}

const grantOf = (id: string) => access.grantFragment(id).slice('#g='.length)

/** Bytes as they are. Resolves with everything that came when the server has closed. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(text))
    socket.setEncoding('utf8').on('data', chunk => { answer += chunk }).on('close', () => resolve(answer)).on('error', reject)
  })
}

/** The server lives, nothing was answered, and an answer is still taken. */
async function stillWaits(): Promise<void> {
  await new Promise(resolve => void setImmediate(resolve))
  expect(answered).toEqual([])
  expect(broken).toEqual([])
  expect((await send('/api/asks/ask-1/answer')).status).toBe(200)
  expect(answered).toEqual([{ answers: [{ id: 'db', selected: ['Postgres'] }] }])
}

describe('the page\'s server refuses', () => {
  it.each([
    ['no token', 401, { token: '' }],
    ['a wrong token', 401, { token: `${TOKEN.slice(0, -1)}x` }],
    ['a token in a cookie', 401, { token: '', headers: { cookie: `token=${TOKEN}` } }],
    ['another scheme', 401, { token: '', headers: { authorization: `Basic ${TOKEN}` } }],
    ['a made-up grant', 401, { token: 'ask-1.AAAAAAAAAAAAAAAAAAAAAA' }],
    ['a foreign Origin', 403, { headers: { origin: 'https://evil.example' } }],
    ['another port of this machine as Origin', 403, { headers: { origin: 'http://127.0.0.1:1' } }],
    ['Origin: null', 403, { headers: { origin: 'null' } }],
    ['a foreign Host', 403, { headers: { host: 'evil.example' } }],
    ['a foreign Host that looks like ours', 403, { headers: { host: '127.0.0.1.evil.example' } }],
    ['no content type', 415, { headers: { 'content-type': undefined } }],
    ['a form', 415, { headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['plain text', 415, { headers: { 'content-type': 'text/plain' } }],
    ['another charset', 415, { headers: { 'content-type': 'application/json; charset=utf-16' } }],
    ['no JSON', 400, { body: '{answers' }],
    ['no UTF-8', 400, { body: Buffer.from([0x22, 0xff, 0x22]) }],
    ['a byte order mark', 400, { body: '\ufeff{"answers":[{"selected":[0]}]}' }],
    ['a key twice', 400, { body: '{"answers":[{"selected":[1],"selected":[0]}]}' }],
    ['JSON that is very deep', 400, { body: '['.repeat(30_000) + ']'.repeat(30_000) }],
    ['an empty body', 400, { body: '' }],
    ['a body that is too large', 413, { body: JSON.stringify({ answers: [{ selected: [], custom: 'x'.repeat(65_536) }] }) }],
    ['no answers', 422, { body: '{}' }],
    ['an unknown key', 422, { body: '{"answers":[{"selected":[0],"x":1}]}' }],
    ['labels for positions', 422, { body: '{"answers":[{"selected":["Postgres"]}]}' }],
    ['an option that is not there', 422, { body: '{"answers":[{"selected":[9]}]}' }],
    ['two options where one is asked for', 422, { body: '{"answers":[{"selected":[0,1]}]}' }],
    ['more answers than questions', 422, { body: '{"answers":[{"selected":[0]},{"selected":[0]}]}' }],
    ['an answer that says nothing', 422, { body: '{"answers":[{"selected":[]}]}' }],
    ['GET', 405, { method: 'GET' }],
    ['PUT', 405, { method: 'PUT' }],
    ['OPTIONS', 405, { method: 'OPTIONS' }],
  ])('%s: %i', async (_what, status, options) => {
    const response = await send('/api/asks/ask-1/answer', options)
    expect(response.status).toBe(status)
    expect(response.text).not.toContain(TOKEN)
    expect(JSON.parse(response.text)).toEqual({ error: expect.any(String) as string, message: expect.any(String) as string })
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
    expect(response.headers['set-cookie']).toBeUndefined()
    await stillWaits()
  })

  it.each([
    '/api/asks/../asks/ask-1/answer', '/./api/asks/ask-1/answer', '//api/asks/ask-1/answer', '/api/asks/ask-1/answer/', '/api/asks/ask%2d1/answer',
    '/api/asks//answer', '/api/asks/ask-1%00/answer', '/API/asks/ask-1/answer', '/../package.json', '/%2e%2e/package.json', '/page.js/..', '/api',
    'http://127.0.0.1/api/asks/ask-1/answer', '/api/asks/ask-9/answer', '/api/asks/constructor/answer', '/__proto__', '/api/asks/ask-1/answer;x',
  ])('the path %s: 404', async (path) => {
    expect((await send(path)).status).toBe(404)
    await stillWaits()
  })

  it('a grant for another ask: 403; for what is settled: 410; its own is answered once', async () => {
    expect((await send('/api/asks/ask-1/answer', { token: grantOf('ask-2') })).status).toBe(403)
    expect((await send('/api/asks/ask-1/answer', { token: grantOf('ask-1') })).status).toBe(200)
    const again = await send('/api/asks/ask-1/answer', { token: grantOf('ask-1') })
    expect(again.status).toBe(410)
    expect(again.text).not.toContain('Postgres')
    expect(answered).toHaveLength(1)
    expect((await send('/api/asks', { method: 'GET', token: grantOf('ask-1') })).status).toBe(410)
    expect((await send('/api/asks', { method: 'GET', token: grantOf('ask-3') })).status).toBe(410)
  })

  it('a grant reads its one ask; also before the page has it', async () => {
    const read = async (id: string) => JSON.parse((await send('/api/asks', { method: 'GET', token: grantOf(id) })).text) as { open: { id: string }[] }
    expect((await read('ask-2')).open.map(({ id }) => id)).toEqual(['ask-2'])
    open = ['ask-3']
    expect((await read('ask-3')).open).toEqual([])
  })

  it('requests that end in the middle, or never: 408, and the server goes on', async () => {
    const head = `POST /api/asks/ask-1/answer HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`
    const slow = await Promise.all([
      raw(`${head}Content-Length: ${ANSWER.length}\r\n\r\n${ANSWER.slice(0, -1)}`),
      raw(head),
      raw('POST /api'),
    ])
    for (const answer of slow) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    await stillWaits()
  })

  it('what is not HTTP: 400; no host or two: 403', async () => {
    for (const text of [
      'HELLO\r\n\r\n',
      `POST /api/asks/ask-1/answer HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ]) expect(await raw(text), text).toMatch(/^HTTP\/1\.1 400 /)
    for (const hosts of ['', 'Host: 127.0.0.1\r\nHost: evil.example\r\n']) {
      expect(await raw(`GET / HTTP/1.0\r\n${hosts}\r\n`), hosts).toMatch(/^HTTP\/1\.1 403 /)
    }
    await stillWaits()
  })

  it('an oversized body without a length: 413, however long it goes on', async () => {
    const response = await new Promise<number>((resolve, reject) => {
      const request = httpRequest({
        port, host: '127.0.0.1', path: '/api/asks/ask-1/answer', method: 'POST', agent: false,
        headers: { 'content-type': 'application/json', 'authorization': `Bearer ${TOKEN}`, 'transfer-encoding': 'chunked' },
      }, answer => resolve(answer.resume().statusCode!))
      request.on('error', reject)
      for (let part = 0; part < 20; part++) request.write('x'.repeat(10_000))
    })
    expect(response).toBe(413)
    await stillWaits()
  })
})

describe('the page\'s server', () => {
  it('gives everybody the shell, which holds nothing, under a policy that allows nothing but its own files', async () => {
    for (const path of ['/', '/page.js', '/page.css', '/icon.svg', '/?x']) {
      const { status, text, headers } = await send(path, { method: 'GET', token: '' })
      expect(status, path).toBe(200)
      expect(text).not.toMatch(/Postgres|ask-1/)
      expect(text).not.toContain(TOKEN)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';/)
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    const { text } = await send('/', { method: 'GET', token: '' })
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|(src|href)="(\/|http)/i)
    expect((await send('/', { method: 'HEAD', token: '' })).text).toBe('')
    expect((await send('/', { method: 'POST' })).status).toBe(405)
  })

  it('says who was quicker: 409, with what was answered', async () => {
    await send('/api/asks/ask-1/answer')
    const late = await send('/api/asks/ask-1/answer', { body: '{"answers":[{"selected":[1]}]}' })
    expect(late.status).toBe(409)
    expect(JSON.parse(late.text)).toMatchObject({ accepted: false, ended: { id: 'ask-1', questions: [{ selected: ['Postgres'] }] } })
  })

  /** Read a stream's lines; `done` when it ended. */
  async function stream(token = TOKEN, browser = 'b1') {
    const stop = new AbortController()
    const response = await fetch(`http://127.0.0.1:${port}/api/events`, {
      method: 'POST', signal: stop.signal, body: JSON.stringify({ browser }),
      headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}` },
    })
    return { status: response.status, ...readStream(response), stop: () => stop.abort() }
  }

  it('streams what is open, then what changes, and that it lives', async () => {
    const { lines, stop } = await stream()
    await send('/api/asks/ask-1/answer')
    await expect.poll(() => lines.some(({ type }) => type === 'ended')).toBe(true)
    await expect.poll(() => lines.filter(({ type }) => type === 'beat').length).toBeGreaterThan(2)
    const [first, ...rest] = lines
    expect(first).toMatchObject({ type: 'snapshot', open: [{ id: 'ask-1' }, { id: 'ask-2' }] })
    expect(rest.filter(({ type }) => type !== 'beat')).toMatchObject([{ type: 'ended', ended: { id: 'ask-1' } }])
    stop()
  })

  it('a grant\'s stream tells of its ask alone, and ends with it', async () => {
    const { lines, done } = await stream(grantOf('ask-2'))
    await send('/api/asks/ask-1/answer')
    await send('/api/asks/ask-2/answer', { body: '{"answers":[{"selected":[],"custom":"x"}]}' })
    await done
    expect(lines.filter(({ type }) => type !== 'beat')).toMatchObject([{ type: 'snapshot', open: [{ id: 'ask-2' }], ended: [] }, { type: 'ended', ended: { id: 'ask-2' } }])
  })

  it('a browser has three streams at most; the oldest is told to ask instead', async () => {
    const own = []
    for (let tab = 0; tab < 4; tab++) own.push(await stream())
    const other = await stream(TOKEN, 'b2')
    await own[0]!.done
    expect(own[0]!.lines.at(-1)).toEqual({ type: 'poll' })
    const living = [...own.slice(1), other]
    for (const { lines } of living) await expect.poll(() => lines.at(-1)?.type).toBe('beat')
    for (const { stop } of living) stop()
    expect((await stream(TOKEN, 'no name!')).status).toBe(422)
  })

  it('a browser\'s streams for one ask are counted apart from its others', async () => {
    const all = []
    for (let tab = 0; tab < 3; tab++) all.push(await stream())
    for (let tab = 0; tab < 3; tab++) all.push(await stream(grantOf('ask-2')))
    for (const { lines } of all) await expect.poll(() => lines.at(-1)?.type).toBe('beat')
    for (const { stop } of all) stop()
  })

  it('the link to one question opens a few streams, whatever names it makes up, and takes none from the page or from other questions', async () => {
    const own = await Promise.all(Array.from({ length: 40 }, (_, at) => stream(grantOf('ask-2'), `b${at}`)))
    expect(own.filter(({ status }) => status === 200)).toHaveLength(8)
    const refused = await send('/api/events', { token: grantOf('ask-2'), body: '{"browser":"b"}' })
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.text)).toEqual({ error: 'too-many', message: 'too many streams are open: poll instead, or try again later' })
    expect((await send('/api/asks', { method: 'GET', token: grantOf('ask-2') })).status).toBe(200)
    const others = await Promise.all([stream(grantOf('ask-1')), stream()])
    expect(others.map(({ status }) => status)).toEqual([200, 200])
    own.find(({ status }) => status === 200)!.stop()
    await expect.poll(async () => {
      const again = await stream(grantOf('ask-2'), 'again')
      own.push(again)
      return again.status
    }).toBe(200)
    for (const { stop } of [...own, ...others]) stop()
  })

  it('the page\'s own streams have a bound too', async () => {
    const all = await Promise.all(Array.from({ length: 70 }, (_, at) => stream(TOKEN, `b${at}`)))
    expect(all.filter(({ status }) => status === 429)).toHaveLength(6)
    for (const { stop } of all) stop()
  })

  const NONCE = 'AbCdEfGhIjKlMnOp-_09'
  it('proves to anybody that it knows the secret, and tells nothing of it; every response says whose it is', async () => {
    const hello = async (body: object) => {
      const { status, text, headers } = await send('/api/hello', { token: '', body: JSON.stringify(body) })
      expect(text).not.toContain(TOKEN)
      expect(headers['ask-host']).toBe('ask-web')
      return { status, ...JSON.parse(text) as object }
    }
    expect(await hello({ nonce: NONCE })).toEqual({ status: 200, port, proof: createHmac('sha256', TOKEN).update(`ask-web host:${port}:${NONCE}`).digest('hex') })
    expect(await hello({ nonce: NONCE, ask: 'ask-1' }))
      .toEqual({ status: 200, port, proof: createHmac('sha256', grantOf('ask-1')).update(`ask-web host:${port}:${NONCE}`).digest('hex') })
    for (const body of [{}, { nonce: 'short' }, { nonce: `${NONCE} x` }, { nonce: 'x'.repeat(65) }, { nonce: NONCE, ask: '' }, { nonce: NONCE, ask: 'a.b' }, { nonce: NONCE, token: 'x' }]) {
      expect((await hello(body)).status).toBe(422)
    }
    expect((await send('/api/hello', { body: JSON.stringify({ nonce: NONCE }), headers: { origin: 'https://evil.example' } })).status).toBe(403)
    for (const [path, options] of [['/', { method: 'GET' }], ['/nothing', {}], ['/api/asks', { method: 'GET', token: '' }]] as const) {
      expect((await send(path, options)).headers['ask-host'], path).toBe('ask-web')
    }
  })

  it('takes the secret from a header of its own, beside a proxy\'s Authorization', async () => {
    const headers = { 'ask-secret': TOKEN, 'authorization': 'Basic bWU6cHc=' }
    expect((await send('/api/asks', { method: 'GET', token: '', headers })).status).toBe(200)
    expect((await send('/api/asks', { method: 'GET', headers: { 'ask-secret': `${TOKEN}x` } })).status).toBe(401)
  })

  it('closes everything at once, an open stream and a request in the middle of its body too', async () => {
    const { done } = await stream()
    const half = raw(`POST /api/asks/ask-1/answer HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`)
    await send('/api/asks', { method: 'GET' })
    server.close()
    await expect(done).rejects.toThrow('terminated')
    expect(await half).toBe('')
    await expect(send('/', { method: 'GET' })).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(broken).toEqual([])
  })
})
