// What both model servers have in common: JSON in, server-sent events out, and what the model was told, in order.
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { DEADLINE } from '../../pty/person.ts'

/** A model server on a free port of this machine. A subclass speaks one program's protocol. */
export abstract class ModelServer {
  readonly #server: Server
  readonly #told = new Map<string, string>()
  #waiting: { readonly resolve: () => void } | undefined
  /** How many of what it was told a test has read. */
  #read = 0

  constructor() {
    this.#server = createServer((request, response) => {
      const answer = async () => {
        if (request.method === 'POST') this.answer(request.url!, await json(request), response)
        else response.writeHead(404).end()
      }
      answer().catch(() => response.destroy())
    })
  }

  /** Begin to listen; needed before {@link ModelServer.url} is known. */
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
    return [...this.#told.values()]
  }

  /** The result that no `nextTold` has returned yet, once it is there. */
  async nextTold(): Promise<string> {
    if (this.#read >= this.#told.size) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const timer = setTimeout(() => reject(new Error(`the model was told nothing more than ${JSON.stringify(this.told())}`)), DEADLINE)
      this.#waiting = { resolve }
      await promise.finally(() => clearTimeout(timer))
    }
    return this.told()[this.#read++]!
  }

  /** Answer a request of the program's. */
  protected abstract answer(path: string, body: unknown, response: ServerResponse): void

  /**
   * Keep the result of a tool call. A program sends each again with everything that follows.
   *
   * @param call the call's id.
   */
  protected keep(call: string, result: string): void {
    if (this.#told.has(call)) return
    this.#told.set(call, result)
    this.#waiting?.resolve()
  }
}

/** One server-sent event, named as its type is. */
export function send(response: ServerResponse, type: string, data: object): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
}
