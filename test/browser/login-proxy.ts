// A small proxy with a login in front of the page, as people put one before what they open to the world.
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What it does with whoever is not logged in. */
export type Mode = 'open' | 'cookie' | 'basic' | 'forbidden' | 'page' | 'down'

/** The proxy; `mode` can be changed at any time. */
export class LoginProxy {
  mode: Mode
  /** The only name and password that the login takes. */
  readonly credentials = { username: 'me', password: 'pw' }
  /** What the browser sent in `Authorization`. */
  readonly authorizations = new Set<string | undefined>()
  #session = 1
  readonly #target: URL
  readonly #sockets = new Set<Socket>()
  readonly #agent = new Agent({ keepAlive: false })
  readonly #server = createServer((incoming, response) => this.#handle(incoming, response))

  constructor(target: string, mode: Mode) {
    this.#target = new URL(target)
    this.mode = mode
    this.#server.on('connection', socket => {
      this.#sockets.add(socket)
      socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
    })
  }

  async start(): Promise<void> {
    await new Promise<void>(resolve => void this.#server.listen(0, '127.0.0.1', resolve))
  }

  /** A link that goes through it. */
  through(link: string): string {
    const url = new URL(link)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  /** Nobody is logged in any more, and every connection is cut. */
  logOut(): void {
    this.#session++
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.logOut()
    this.#server.close()
  }

  #handle(incoming: IncomingMessage, response: ServerResponse): void {
    this.authorizations.add(incoming.headers.authorization)
    const html = (status: number, body: string, headers: Record<string, string> = {}) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(`<!doctype html><title>Log in</title>${body}`)
    }
    if (this.mode === 'down') return html(502, 'Bad gateway')
    if (this.mode === 'forbidden') return html(403, 'Forbidden')
    if (this.mode === 'page') return html(200, 'Please log in')
    if (this.mode === 'basic') {
      const { username, password } = this.credentials
      const isKnown = incoming.headers.authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      if (!isKnown) return html(401, 'Log in', { 'www-authenticate': 'Basic realm="desk"' })
    }
    if (this.mode === 'cookie') {
      if (incoming.url === '/login') {
        if (incoming.method === 'GET') return html(200, '<form method=post action=/login><button>Log in</button></form>')
        return html(303, '', { 'location': '/', 'set-cookie': `session=${this.#session}; HttpOnly; SameSite=Lax; Path=/` })
      }
      if (!incoming.headers.cookie?.split('; ').includes(`session=${this.#session}`)) return html(302, '', { location: '/login' })
    }
    const { hostname, port } = this.#target
    const onward = request({ hostname, port, method: incoming.method!, path: incoming.url!, headers: incoming.headers, agent: this.#agent }, answer => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.on('error', () => response.destroy()).pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    incoming.pipe(onward)
  }
}
