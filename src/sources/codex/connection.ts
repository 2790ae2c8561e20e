// One connection to Codex' app-server: a WebSocket over its socket, with JSON-RPC in both directions. It answers what it is told to
// answer and never with an error, which would end the request for everybody.
import { realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { WebSocket } from 'ws'
import { messageSchema, type RequestId } from './protocol.ts'

/** The app-server is on this machine: one that has not greeted within this time, in milliseconds, does not speak what we speak. */
const GREET_WITHIN_MS = 10_000

/** Who hears what comes. */
export interface Listener {
  /** Codex wants to know something. */
  request(id: RequestId, method: string, params: unknown): void
  notification(method: string, params: unknown): void
  /** A message is none. */
  malformed(): void
  /** The connection has ended; called once. */
  closed(): void
}

/** A call that was answered with an error, or not at all. */
export class CallFailed extends Error {}

/** A socket in which somebody else may listen. */
export class NotOurs extends Error {}

/** An open connection. */
export class Connection {
  readonly #socket: WebSocket
  readonly #calls = new Map<RequestId, PromiseWithResolvers<unknown>>()
  #lastId = 0

  /** @param socket that is open. */
  constructor(socket: WebSocket, listener: Listener) {
    this.#socket = socket
    socket.on('message', (data, isBinary) => this.#hear(isBinary ? undefined : String(data as Buffer), listener))
    socket.on('error', () => {
      // 'close' follows.
    })
    socket.on('close', () => {
      for (const { reject } of this.#calls.values()) reject(new CallFailed('the connection has ended'))
      this.#calls.clear()
      listener.closed()
    })
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  /**
   * Call a method of the app-server.
   *
   * @returns its result, unchecked.
   * @throws CallFailed
   */
  call(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastId, one = Promise.withResolvers<unknown>()
    this.#calls.set(id, one)
    // Whoever does not care how it ends need not say so.
    one.promise.catch(() => {})
    if (!this.#send({ id, method, params })) {
      this.#calls.delete(id)
      one.reject(new CallFailed('the connection has ended'))
    }
    return one.promise
  }

  notify(method: string): void {
    this.#send({ method })
  }

  /** Answer a request. Returns whether it could be sent. */
  respond(id: RequestId, result: object): boolean {
    return this.#send({ id, result })
  }

  close(): void {
    this.#socket.close()
    // A server that does not close its side is not waited for.
    this.#socket.terminate()
  }

  #send(message: object): boolean {
    if (!this.isOpen) return false
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }))
    return true
  }

  #hear(text: string | undefined, listener: Listener): void {
    const message = readMessage(text)
    if (!message) return listener.malformed()
    const { id, method, params, result, error } = message
    if (method !== undefined) return id === undefined ? listener.notification(method, params) : listener.request(id, method, params)
    const call = id === undefined ? undefined : this.#calls.get(id)
    if (!call) return listener.malformed()
    this.#calls.delete(id!)
    if (error === undefined || error === null) call.resolve(result)
    else call.reject(new CallFailed(String((error as { message?: unknown }).message)))
  }
}

/**
 * The socket behind a path. Codex puts it into a folder of the system's temporary files, whose name anybody can tell, and a link to it
 * outlives both: whoever makes that folder anew would be taken for Codex.
 */
function ourSocket(path: string): string {
  const real = realpathSync(path), uid = process.getuid?.(), folder = statSync(dirname(real))
  // Windows says nothing of users here.
  if (uid === undefined) return real
  const isOurs = statSync(real).uid === uid && folder.uid === uid && (folder.mode & 0o022) === 0
  if (!isOurs) throw new NotOurs(`Codex' socket ${real} is not used: it, or its folder, is another user's, or others may write there`)
  return real
}

function readMessage(text: string | undefined) {
  try {
    return text === undefined ? undefined : messageSchema.safeParse(JSON.parse(text)).data
  } catch {
    // No JSON.
    return undefined
  }
}

/**
 * Connect.
 *
 * @param path of the socket, or of a link to it: what is behind it may have a path that is short enough where its own is not.
 * @param signal gives up.
 * @throws NotOurs where another user of this machine may listen there; Error when nobody does.
 */
export function connect(path: string, signal: AbortSignal, listener: Listener): Promise<Connection> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const socket = new WebSocket(`ws+unix://${ourSocket(path)}:/`, { perMessageDeflate: false, handshakeTimeout: GREET_WITHIN_MS })
    const give = () => socket.terminate()
    signal.addEventListener('abort', give)
    const end = () => {
      signal.removeEventListener('abort', give)
      socket.off('error', fail)
    }
    const fail = (error: Error) => {
      end()
      // What comes after the first error is the same failure again.
      socket.on('error', () => {})
      reject(error)
    }
    socket.once('error', fail)
    socket.once('open', () => {
      end()
      resolve(new Connection(socket, listener))
    })
  })
}
