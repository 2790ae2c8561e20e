// A small server that speaks the part of ntfy's protocol that is used here, and goes wrong in the ways that real ones and
// those in front of them do.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { vi } from 'vitest'
import { patience, type Push } from './person.ts'

/** Does something else than ntfy would. `take` takes the message all the same. */
export type Fault = (request: IncomingMessage, response: ServerResponse, take: () => void) => void

/** A response as ntfy gives it for an error. */
export const refuse = (status: number, code?: number): Fault => (_request, response) => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code, http: status, error: 'refused' }))
}

/** A login page, as a proxy answers with one. */
export const loginPage: Fault = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>')
}

export const redirect: Fault = (_request, response) => {
  response.writeHead(302, { location: '/login' }).end()
}

export const silence: Fault = () => {}

/** The message goes out, and its publisher never hears so. */
export const takeSilently: Fault = (_request, _response, take) => take()

export class FakeNtfy {
  readonly url: string
  /** What was published and taken, oldest first. */
  readonly pushes: Push[] = []
  /** The sequences of the notifications that were taken back, oldest first. */
  readonly removed: string[] = []
  /** What the next publishes, the next requests to take something back and the next streams meet. */
  readonly publishFaults: Fault[] = []
  readonly removeFaults: Fault[] = []
  readonly streamFaults: Fault[] = []
  /** What the next requests for a file get; without one it is not there. */
  readonly files: (string | undefined)[] = []
  /** Whether it is older than 2.16, and drops sequences. */
  isOld = false
  /** How long each file takes, in milliseconds. */
  fileMs = 0
  /** How many were under way at once. */
  mostFiles = 0
  /** Every request but streams, with the credentials that came along. */
  readonly requests: { readonly what: string, readonly authorization: string | undefined }[] = []
  /** The streams that were asked for. */
  readonly asked: string[] = []
  readonly #streams = new Set<ServerResponse>()
  readonly #underWay = new Set<ServerResponse>()
  readonly #server: ReturnType<typeof createServer>
  #count = 0
  #filesUnderWay = 0

  private constructor(server: ReturnType<typeof createServer>, scheme: string) {
    this.#server = server
    this.url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** @param tls whether it shows a certificate that nobody trusts. */
  static async start({ tls = false } = {}): Promise<FakeNtfy> {
    let fake: FakeNtfy
    const pem = (name: string) => readFileSync(new URL(`localhost.${name}.pem`, import.meta.url))
    const listener: RequestListener = (request, response) => void fake.#handle(request, response)
    const server = tls ? createTlsServer({ key: pem('key'), cert: pem('cert') }, listener) : createServer(listener)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    fake = new FakeNtfy(server, tls ? 'https' : 'http')
    return fake
  }

  /** Somebody says something on a topic: to everybody who listens now. */
  say(topic: string, message: string, extra: object = {}): void {
    this.#deliver(this.#message({ topic, message, ...extra }))
  }

  /** Whatever is needed for a line that ntfy would not send. */
  raw(bytes: string): void {
    for (const stream of this.#streams) stream.write(bytes)
  }

  /** End every stream. */
  drop(): void {
    for (const stream of this.#streams) stream.destroy()
  }

  /** Wait for a publish. */
  sees(what: (push: Push) => boolean): Promise<Push> {
    return vi.waitFor(() => {
      const push = this.pushes.find(what)
      if (!push) throw new Error(`not among ${JSON.stringify(this.pushes.map(({ message }) => message))}`)
      return push
    }, patience)
  }

  /** How many requests, streams included, are neither answered nor given up. */
  get underWay(): number {
    return this.#underWay.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#underWay.add(response)
    response.on('close', () => this.#underWay.delete(response))
    const [path] = request.url!.split('?') as [string]
    const poll = /[?&]poll=1&since=(\d+)/.exec(request.url!)
    if (poll) {
      const kept = this.pushes.filter(({ time }) => time >= Number(poll[1]))
      return void response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' }).end(kept.map(push => `${JSON.stringify(push)}\n`).join(''))
    }
    if (path.endsWith('/json')) {
      this.asked.push(request.url!)
      const fault = this.streamFaults.shift()
      if (fault) return fault(request, response, () => {})
      response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' })
      response.write(`${JSON.stringify({ id: 'open', time: this.#now(), event: 'open', topic: 'all' })}\n`)
      this.#streams.add(response)
      response.on('close', () => this.#streams.delete(response))
      return
    }
    this.requests.push({ what: `${request.method} ${request.url}`, authorization: request.headers.authorization })
    if (path.startsWith('/file/')) {
      const file = this.files.shift()
      this.#filesUnderWay++
      this.mostFiles = Math.max(this.mostFiles, this.#filesUnderWay)
      setTimeout(() => {
        this.#filesUnderWay--
        response.writeHead(file === undefined ? 404 : 200).end(file)
      }, this.fileMs)
      return
    }
    if (request.method === 'DELETE') {
      const [, topic, sequence] = path.split('/') as [string, string, string]
      const fault = this.removeFaults.shift()
      if (fault) return fault(request, response, () => {})
      const removal = this.#message({ event: 'message_delete', topic, sequence_id: sequence })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(removal))
      this.removed.push(sequence)
      this.raw(`${JSON.stringify(removal)}\n`)
      return
    }
    const body = await text(request)
    const push = this.#message(path === '/' ? JSON.parse(body) as object : { topic: path.slice(1), message: body || 'triggered' })
    const fault = this.publishFaults.shift()
    if (fault) return fault(request, response, () => this.#deliver(push))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(push))
    this.#deliver(push)
  }

  #message(fields: object): Push {
    const push = { id: `m${++this.#count}`, time: this.#now(), event: 'message', ...fields } as Push
    const { sequence_id: _dropped, ...rest } = push
    return this.isOld ? rest : push
  }

  #deliver(push: Push): void {
    this.pushes.push(push)
    this.raw(`${JSON.stringify(push)}\n`)
  }

  #now(): number {
    return Math.floor(Date.now() / 1000)
  }
}
