// What both model servers have in common: JSON in, server-sent events out, and what the model was told, in order.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { Arrivals } from './arrivals.ts'

/** A model server on a free port of this machine. A subclass speaks one program's protocol. */
export abstract class ModelServer {
  readonly #server: Server
  readonly #told = new Arrivals<string>('what the model is told')
  readonly #calls = new Set<string>()

  constructor() {
    this.#server = createServer((request, response) => {
      const answer = async () => {
        if (request.method === 'POST') this.answer(request.url!, await json(request), response)
        else response.writeHead(404).end()
      }
      answer().catch(() => response.destroy())
    })
  }

  /** Begin to listen; the address is known from then on. */
  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return this
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise(resolve => this.#server.close(resolve))
  }

  /** The results of all its tool calls so far, word for word, oldest first. */
  told(): string[] {
    return [...this.#told.all]
  }

  /** The first result that no `nextTold` has returned yet, once it is there. */
  nextTold(): Promise<string> {
    return this.#told.next()
  }

  /** Answer a request of the program's. */
  protected abstract answer(path: string, body: unknown, response: ServerResponse): void

  /**
   * Keep the result of a tool call. A program sends each again with everything that follows.
   *
   * @param call the call's id.
   */
  protected keep(call: string, result: string): void {
    if (this.#calls.has(call)) return
    this.#calls.add(call)
    this.#told.add(result)
  }
}

/** One server-sent event, named as its type is. */
export function send(response: ServerResponse, type: string, data: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
}
