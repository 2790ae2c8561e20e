// The HTTP server: a public shell without any data, and the data behind a secret. Plain node:http: there are ten routes,
// and what matters here (streams, limits, closing at once) is node's in any framework.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { hasCode } from '../../protocol/errors.ts'
import type { Presence } from '../../protocol/policy.ts'
import type { Access } from './access.ts'
import type { Board } from './board.ts'
import { answerSchema, helloSchema, hushSchema, presenceBodySchema, readBody, RefusedError, seenSchema, streamSchema } from './body.ts'
import type { Hosts } from './hosts.ts'
import { listenAt, portOf } from './listen.ts'
import { Streams } from './streams.ts'
import type { Hello, HostHeader, SecretHeader } from './wire.ts'

/** A file of the shell. */
export interface ShellFile {
  readonly type: string
  readonly body: string
}

/** What the server needs. */
export interface PageServerOptions {
  readonly board: Board
  readonly access: Access
  readonly hosts: Hosts
  /** The shell's files by path. */
  readonly shell: ReadonlyMap<string, ShellFile>
  /** Whether an ask is open, even if it has not reached the page yet. */
  readonly isOpen: (ask: string) => boolean
  /** Takes where the person says they are; also has to tell the board what came of it. */
  readonly setPresence: (presence: Presence) => void
  /** Takes for how many minutes the surfaces are to make no sound, 0 for no longer; also has to tell the board. */
  readonly hush: (minutes: number) => void
  /** Takes what broke a request, for the log. */
  readonly onError: (error: unknown) => void
  /** How often a stream says that it is alive, in milliseconds. Default 15,000. */
  readonly heartbeatMs?: number
  /** How long a request may take to arrive, in milliseconds; it may be twice that before it is noticed. Default 10,000. */
  readonly requestMs?: number
}

const MARK: HostHeader = 'ask-host'
const SECRET: SecretHeader = 'ask-secret'

const HEADERS = {
  [MARK]: 'ask-web',
  'content-security-policy': 'default-src \'none\'; script-src \'self\'; style-src \'self\'; img-src \'self\'; connect-src \'self\'; '
    + 'base-uri \'none\'; form-action \'none\'; frame-ancestors \'none\'; require-trusted-types-for \'script\'; trusted-types \'none\'',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const API = new Set(['/api/hello', '/api/asks', '/api/events', '/api/seen', '/api/presence', '/api/hush'])
const ANSWER = /^\/api\/asks\/([\w-]{1,64})\/answer$/

/** The header in which a page names itself and says whether it reaches its person. */
const PAGE = /^([\w-]{1,64}) (seen|hidden)$/

/** The page's server. */
export class PageServer {
  readonly #options: PageServerOptions
  readonly #streams: Streams
  /** One for each address. */
  #servers: readonly Server[] = []
  readonly #unwatch: () => void

  constructor(options: PageServerOptions) {
    this.#options = options
    const { board, heartbeatMs = 15_000 } = options
    this.#streams = new Streams(board, heartbeatMs)
    this.#unwatch = board.watch(() => this.#keepAlive())
  }

  /**
   * Start listening, at every address that the host means.
   *
   * @returns the port.
   * @throws the error of `listen`, such as `EADDRINUSE`.
   */
  async listen(host: string, port: number): Promise<number> {
    this.#servers = await listenAt(() => this.#create(), host, port)
    for (const server of this.#servers) server.on('error', this.#options.onError)
    this.#keepAlive()
    return portOf(this.#servers)!
  }

  #create(): Server {
    const { requestMs = 10_000 } = this.#options
    const server = createServer({
      // Node looks for late requests by the clock, also where there is none: a shorter interval would wake an idle desk more often.
      requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: requestMs,
    }, (request, response) => void this.#handle(request, response))
    // An open question keeps the process alive; an open page or an idle server does not.
    return server.on('connection', socket => socket.unref())
  }

  /**
   * Close the server and its streams at once, and every connection a macrotask later: an answer may have ended the host,
   * and its sender is still told that it arrived.
   */
  close(): Promise<void> {
    this.#unwatch()
    this.#streams.close()
    for (const server of this.#servers) server.close()
    return new Promise(resolve => void setImmediate(() => {
      for (const server of this.#servers) server.closeAllConnections()
      resolve()
    }))
  }

  #keepAlive(): void {
    const { hasOpen } = this.#options.board
    for (const server of this.#servers) {
      if (hasOpen) server.ref()
      else server.unref()
    }
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on('error', this.#options.onError)
    try {
      for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value)
      await this.#route(request, response)
    } catch (error) {
      const known = error instanceof RefusedError
      // That a body broke off is no fault of the server.
      if (!known && !request.destroyed) this.#options.onError(error)
      const { status, code, message } = known ? error : new RefusedError(500, 'failed', 'the page failed')
      if (response.headersSent) response.destroy()
      else send(response, status, { error: code, message })
    }
  }

  async #route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { board, hosts, shell, isOpen } = this.#options
    const { method = '', headers, headersDistinct } = request
    // Of several, node takes the first; a proxy in front may have taken another.
    if (headersDistinct['host']?.length !== 1 || !hosts.allows(headers.host)) throw new RefusedError(403, 'bad-host', 'this host name is not allowed; see allowedHosts')
    if (!hosts.allowsOrigin(headers.origin, headers.host)) throw new RefusedError(403, 'bad-origin', 'other sites may not use the page')
    // Taken literally: whatever is not exactly one of our paths is not found.
    const path = (request.url ?? '').split('?', 1)[0]!
    const file = shell.get(path)
    if (file !== undefined) {
      allow(method, 'GET', 'HEAD')
      response.setHeader('cache-control', 'no-cache')
      response.setHeader('content-type', file.type)
      return void response.end(method === 'HEAD' ? undefined : file.body)
    }
    const answered = ANSWER.exec(path)?.[1]
    if (answered === undefined && !API.has(path)) throw new RefusedError(404, 'not-found', 'there is nothing here')
    allow(method, path === '/api/asks' ? 'GET' : 'POST')
    if (path === '/api/hello') return this.#hello(request, response)
    const scope = this.#options.access.scopeOf(headers)
    if (scope === undefined) throw new RefusedError(401, 'no-access', `the link of the page is required: its secret in ${SECRET}`)
    if (scope.ask !== undefined && (path === '/api/presence' || path === '/api/hush' || (answered !== undefined && scope.ask !== answered))) {
      throw new RefusedError(403, 'other-ask', answered === undefined ? 'this link is for one question' : 'this link is for another question')
    }
    if (scope.ask !== undefined && !board.has(scope.ask) && !isOpen(scope.ask)) {
      throw new RefusedError(410, 'settled', 'the question behind this link has been settled')
    }
    // Somebody with a link for one ask does not count as watching the page.
    const [, page, state] = (scope.ask === undefined && PAGE.exec(headers['ask-page'] as string | undefined ?? '')) || []
    const isSeen = page !== undefined && state === 'seen'
    if (isSeen) board.viewers.seen(page)
    else if (page !== undefined) board.viewers.hidden(page)
    if (path === '/api/asks') return send(response, 200, board.snapshot(scope.ask))
    if (path === '/api/events') {
      const { browser } = await readBody(request, streamSchema)
      if (!this.#streams.open(response, browser, scope.ask)) {
        throw new RefusedError(429, 'too-many', 'too many streams are open: poll instead, or try again later')
      }
      return void (isSeen && response.once('close', board.viewers.streamOpened(page)))
    }
    if (path === '/api/seen') {
      await readBody(request, seenSchema)
      return void response.writeHead(204).end()
    }
    if (path === '/api/presence') {
      const { presence } = await readBody(request, presenceBodySchema)
      this.#options.setPresence(presence)
      return send(response, 200, board.whereabouts)
    }
    if (path === '/api/hush') {
      const { minutes } = await readBody(request, hushSchema)
      this.#options.hush(minutes)
      return send(response, 200, board.whereabouts)
    }
    await this.#answer(request, response, answered!)
  }

  /** The one thing that a stranger may ask: whether we know a secret. The proof tells nothing of it. */
  async #hello(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { nonce, ask } = await readBody(request, helloSchema)
    const port = portOf(this.#servers)!
    send(response, 200, { port, proof: this.#options.access.proofOf(nonce, port, ask) } satisfies Hello)
  }

  async #answer(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    const body = await readBody(request, answerSchema)
    const result = await this.#options.board.answer(id, body).catch((error: unknown) => {
      throw hasCode(error, 'BAD_ANSWER') ? new RefusedError(422, 'bad-answer', error.message) : error
    })
    if (result === undefined) throw new RefusedError(404, 'not-found', 'there is no such question')
    send(response, result.accepted ? 200 : 409, result)
  }
}

function allow(method: string, ...methods: readonly string[]): void {
  if (!methods.includes(method)) throw new RefusedError(405, 'bad-method', `the method must be ${methods.join(' or ')}`)
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(value))
}
