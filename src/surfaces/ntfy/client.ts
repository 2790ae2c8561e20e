// The HTTP calls to an ntfy server. Each makes one attempt and throws an NtfyFailure.
import { failureOfError, failureOfResponse, NtfyFailure } from './failure.ts'

/** How long to wait for a response, in milliseconds. */
const RESPONSE_MS = 15_000

/** The largest response that is read, apart from streams, stored messages and attachments, in bytes. */
const MAX_RESPONSE = 16_384

/** The same for stored messages, in bytes. A few minutes' worth is far less. */
const MAX_STORED = 4 * 1024 * 1024

/** The server's receipt for a message. */
export interface Published {
  readonly id: string
  /** In seconds since the epoch, by the server's clock. */
  readonly time: number
}

/** The part of `fetch` that is used here, so that tests can replace it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** One server, with the credentials for it. */
export class NtfyClient {
  readonly #server: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: Fetch

  /**
   * @param server the server's origin.
   * @param authorization the value of the `Authorization` header, if any.
   */
  constructor(server: string, authorization: string | undefined, fetchIt: Fetch = fetch) {
    this.#server = server
    this.#headers = authorization === undefined ? {} : { authorization }
    this.#fetch = fetchIt
  }

  /**
   * Publish one message.
   *
   * @param json the message as ntfy's JSON.
   * @throws NtfyFailure
   */
  publish(json: string, signal: AbortSignal): Promise<Published> {
    const init = { method: 'POST', body: json, headers: { 'content-type': 'application/json' } }
    return this.#call('/', init, signal, publishedOf)
  }

  /**
   * Remove a notification from the phone. Succeeds for an unknown sequence too.
   *
   * @throws NtfyFailure, also when the server is too old for this.
   */
  remove(topic: string, sequence: string, signal: AbortSignal): Promise<Published> {
    return this.#call(`/${topic}/${sequence}`, { method: 'DELETE' }, signal, publishedOf)
  }

  /**
   * Open one stream of several topics.
   *
   * @param since a message id or a time to continue from; without it, only new messages come.
   * @returns its body, which ends when the signal aborts.
   * @throws NtfyFailure
   */
  async stream(topics: readonly string[], since: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
    const response = await this.#request(`/${topics.join(',')}/json${query}`, {}, signal)
    const isStream = /^application\/x-ndjson\b/.test(response.headers.get('content-type') ?? '')
    if (response.status === 200 && isStream && response.body) return response.body
    throw failureOfResponse(response.status, await readText(response, MAX_RESPONSE) ?? '')
  }

  /**
   * Fetch the stored messages of several topics.
   *
   * @param since in seconds since the epoch.
   * @returns one line for each.
   * @throws NtfyFailure
   */
  stored(topics: readonly string[], since: number, signal: AbortSignal): Promise<string> {
    return this.#call(`/${topics.join(',')}/json?poll=1&since=${since}`, {}, signal, async response => {
      const lines = await readText(response, MAX_STORED)
      if (response.status !== 200 || lines === undefined) throw failureOfResponse(response.status, lines ?? '')
      return lines
    })
  }

  /**
   * Fetch a text file that the server keeps. Without credentials: a file's address is the only key to it (seen with ntfy 2.27.0
   * that denies everything to anonymous users), so whoever has made us fetch another address has got nothing by it.
   *
   * @param path begins with `/file/`.
   * @param max the largest size, in bytes. Nothing is read beyond it.
   * @returns `undefined` when it is larger, or not text.
   * @throws NtfyFailure
   */
  file(path: string, max: number, signal: AbortSignal): Promise<string | undefined> {
    return this.#call(path, { credentials: 'omit' }, signal, async response => {
      if (response.status !== 200) throw failureOfResponse(response.status, await readText(response, MAX_RESPONSE) ?? '')
      return await readText(response, max)
    })
  }

  /** Make a request and read its response, all within {@link RESPONSE_MS}. */
  async #call<T>(path: string, init: RequestInit, signal: AbortSignal, use: (response: Response) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const abort = () => controller.abort(signal.reason)
    const timer = setTimeout(() => controller.abort(new Error('no response in time')), RESPONSE_MS)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      return await use(await this.#request(path, init, controller.signal))
    } catch (error) {
      throw error instanceof NtfyFailure ? error : failureOfError(error)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      // Discards whatever was not read. An explicit reason, because making the default one captures a stack.
      controller.abort('done')
    }
  }

  async #request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = { ...init.credentials !== 'omit' && this.#headers, ...init.headers as Record<string, string> }
    try {
      // Redirects are not followed: that would send the credentials along.
      return await this.#fetch(this.#server + path, { ...init, headers, signal, redirect: 'manual' })
    } catch (error) {
      throw failureOfError(error)
    }
  }
}

async function publishedOf(response: Response): Promise<Published> {
  const body = await readText(response, MAX_RESPONSE)
  const published = response.status === 200 ? readPublished(body) : undefined
  if (published === undefined) throw failureOfResponse(response.status, body ?? '')
  return published
}

/**
 * Read a body as text.
 *
 * @returns `undefined` when it is larger than `max` bytes or not UTF-8.
 */
async function readText(response: Response, max: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > max) return undefined
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    // Not UTF-8.
    return undefined
  }
}

function readPublished(body: string | undefined): Published | undefined {
  try {
    const { id, time } = Object(JSON.parse(body ?? '')) as Record<string, unknown>
    return typeof id === 'string' && id !== '' && typeof time === 'number' ? { id, time } : undefined
  } catch {
    // Not JSON, such as a proxy's error page.
    return undefined
  }
}
