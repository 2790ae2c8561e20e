// What is malformed fails alone: thousands of broken questions and requests, while good ones are open and stay answerable.
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AskSurfaceRegistry } from '../../src/index.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { askOn, type BootedWeb, bootWeb, CHECKS, DATABASE, NAME, readStream } from '../helpers/web.ts'

let page: BootedWeb

afterEach(() => page.close())

/** Throws, whatever is done with it. */
const bomb = () => new Proxy({}, new Proxy({}, { get: () => () => { throw new Error('bomb') } }))

const revoked = () => {
  const { proxy, revoke } = Proxy.revocable([], {})
  revoke()
  return proxy
}

/** Broken requests: each kind in the hands of whoever calls the surface. */
const BROKEN: readonly (() => unknown)[] = [
  () => ({}), () => ({ questions: null }), () => ({ questions: [] }), () => ({ questions: [null] }), () => ({ questions: [undefined] }), () => ({ questions: 'x' }),
  () => ({ questions: { length: 1, 0: NAME } }), () => ({ questions: [{}] }), () => ({ questions: [{ id: 'x' }] }), () => ({ questions: [{ ...NAME, question: 5 }] }),
  () => ({ questions: [{ ...NAME, question: null }] }), () => ({ questions: [{ ...NAME, detail: 5 }] }), () => ({ questions: [{ ...NAME, header: {} }] }),
  () => ({ questions: [{ ...NAME, options: 5 }] }), () => ({ questions: [{ ...NAME, options: [null] }] }), () => ({ questions: [{ ...NAME, options: ['a'] }] }),
  () => ({ questions: [{ ...NAME, options: [{}] }] }), () => ({ questions: [{ ...NAME, options: [{ label: Symbol('x') }] }] }), () => ({ questions: [{ ...NAME, options: [{ label: 1n }] }] }),
  () => ({ questions: [{ ...NAME, multiSelect: 'yes' }] }), () => ({ questions: [NAME, { ...NAME, id: 5 }] }), () => ({ questions: [bomb()] }), () => ({ questions: revoked() }),
  () => ({ get questions() { throw new Error('bomb') } }), () => ({ questions: [{ ...NAME, get detail() { throw new Error('bomb') } }] }), () => bomb(),
  () => ({ questions: [NAME], get agent() { throw new Error('bomb') } }), () => ({ questions: [NAME], agent: { get session() { throw new Error('bomb') } } }),
  () => ({ questions: [NAME], agent: { session: bomb() } }), () => ({ questions: Array.from({ length: 30 }, () => ({ ...NAME, question: 'x'.repeat(10_000) })) }),
]

describe('5,000 broken questions', () => {
  it('fail one by one, and the good ones among them are shown, streamed and answered', { timeout: 60_000 }, async () => {
    page = await bootWeb()
    const board = page.registry.list()[0] as Parameters<typeof askOn>[0]
    const stream = readStream(await page.api('events', { browser: 'b' }))
    const first = page.ask([DATABASE])
    const failed: unknown[] = []
    for (let turn = 0; turn < 5000; turn++) {
      const request = BROKEN[turn % BROKEN.length]!() as AskUserQuestionRequest
      const context = { id: `broken-${turn}`, signal: new AbortController().signal, quiet: false }
      board.ask(request, context).then(() => failed.push('answered'), (error: unknown) => failed.push(error))
      // The router goes on with whoever is left.
      board.remind(request, context)
      board.settled(request, 'terminal')
    }
    const second = page.ask([CHECKS])
    await expect.poll(() => failed.length).toBe(5000)
    expect(failed.every(error => error instanceof Error)).toBe(true)
    const { open, ended } = await page.snapshot()
    expect(open.map(({ questions }) => questions[0]!.question)).toEqual(['Which database?', 'Which checks?'])
    expect(ended).toEqual([])
    await expect.poll(() => stream.lines.map(({ type }) => type)).toEqual(['snapshot', 'opened', 'opened'])
    expect((await page.api(`asks/${open[0]!.id}/answer`, { answers: [{ selected: [1] }] })).status).toBe(200)
    expect((await page.api(`asks/${open[1]!.id}/answer`, { answers: [{ selected: [0, 2] }] })).status).toBe(200)
    expect(await first).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
    expect(await second).toEqual({ answers: [{ id: 'checks', selected: ['Tests', 'Lint'] }] })
  })
})

describe('broken requests', () => {
  it('of every kind, many at a time: each is refused or cut, and the page goes on', async () => {
    page = await bootWeb()
    const answer = page.ask([DATABASE])
    const { port } = new URL(page.url)
    const head = (line: string, ...headers: string[]) => [line, 'Host: 127.0.0.1', `Ask-Secret: ${page.token}`, ...headers, '', ''].join('\r\n')
    const json = ['Content-Type: application/json']
    const kinds = [
      'GARBAGE\r\n\r\n', '\u0000\u0001\u0002\r\n\r\n', 'GET\r\n\r\n', head('GET /%zz HTTP/1.1'), head('GET /%00%ff?%% HTTP/1.1'), head('GET //// HTTP/1.1'), head('GET * HTTP/1.1'),
      head('GET http://[ HTTP/1.1'), head(`GET /${'a'.repeat(20_000)} HTTP/1.1`), head('GET /api/asks HTTP/9.9'), head('CONNECT x:1 HTTP/1.1'), head('OPTIONS * HTTP/1.1'),
      head('GET /api/asks HTTP/1.1', 'Upgrade: websocket', 'Connection: Upgrade'), head('GET /api/asks HTTP/1.1', ...Array.from({ length: 3000 }, (_, at) => `X-${at}: y`)),
      head('GET /api/asks HTTP/1.1', `X: ${'y'.repeat(100_000)}`), head('GET /api/asks HTTP/1.1', 'Ask-Secret: a', 'Ask-Secret: b'), head('GET /api/asks HTTP/1.1', 'Ask-Page: \u0001'),
      head('POST /api/asks/x/answer HTTP/1.1', ...json, 'Content-Length: -1'), head('POST /api/asks/x/answer HTTP/1.1', ...json, 'Content-Length: 99999999999999999999'),
      `${head('POST /api/events HTTP/1.1', ...json, 'Transfer-Encoding: chunked')}zz\r\n`, `${head('POST /api/hello HTTP/1.1', ...json, 'Content-Length: 50')}{"nonce":`,
      `${head('POST /api/presence HTTP/1.1', ...json, 'Content-Length: 9', 'Expect: 100-continue')}{`, `${head('POST /api/seen HTTP/1.1', ...json, 'Content-Length: 4', 'Content-Encoding: gzip')}null`,
      `${head('POST /api/events HTTP/1.1', ...json, 'Content-Length: 15')}{"browser":"b"}`,
    ]
    const send = (text: string) => new Promise<void>(resolve => {
      const socket = connect(Number(port), '127.0.0.1', () => socket.write(text))
      // Whoever breaks off does so at any time, most of them in the middle of the answer.
      setTimeout(() => socket.resetAndDestroy(), 1 + Math.floor(text.length % 40))
      socket.on('error', () => {}).on('close', () => resolve())
    })
    for (let round = 0; round < 15; round++) await Promise.all(kinds.map(send))
    const { open } = await page.snapshot()
    expect((await page.api(`asks/${open[0]!.id}/answer`, { answers: [{ selected: [0] }] })).status).toBe(200)
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
  })
})

describe('a router that fails', () => {
  it('in what an event or a timer of the page calls: nothing is thrown, and the page goes on, though even the log throws', async () => {
    page = await bootWeb()
    const reconsider = vi.spyOn(AskSurfaceRegistry.prototype, 'reconsider').mockImplementation(() => { throw bomb() })
    page.ctx.logger.exporter({ levels: { default: 3 }, export: () => { throw new Error('log') } })
    const stream = readStream(await page.api('events', { browser: 'b' }, { 'ask-page': 'p1 seen' }))
    await expect.poll(() => stream.lines.length).toBe(1)
    expect(reconsider).toHaveBeenCalled()
    reconsider.mockRestore()
    expect((await page.api('asks')).status).toBe(200)
  })
})
