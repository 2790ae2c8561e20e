// The HTTP calls to an ntfy server: publish, take back, stream, fetch an attachment. One attempt each; what failed is an
// NtfyFailure.
import { failureOfError, failureOfResponse, NtfyFailure } from './failure.ts'

/** A request without a response after this time has failed, in milliseconds. */
const RESPONSE_MS = 15_000

/** More than any response but a stream and an attachment has, in bytes. */
const MAX_RESPONSE = 16_384

/** More than a server has kept of some minutes, in bytes. */
const MAX_KEPT = 4 * 1024 * 1024

/** What the server says of a message that it took. */
export interface Published {
  readonly id: string
  /** In seconds since the epoch, by the server's clock. */
  readonly time: number
}

/** Node's own fetch, or a test's. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** One server and what it takes to be let in. */
export class NtfyClient {
  readonly #server: string
  readonly #headers: Readonly<Record<string, string>>
  readonly #fetch: Fetch

  /**
   * @param server the server's origin.
   * @param authorization the header's value, if the server wants one.
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
   * Take a notification back from the phone. The server does so for a sequence that it does not know, too.
   *
   * @throws NtfyFailure, where the server is too old for it as well.
   */
  remove(topic: string, sequence: string, signal: AbortSignal): Promise<Published> {
    return this.#call(`/${topic}/${sequence}`, { method: 'DELETE' }, signal, publishedOf)
  }

  /**
   * Open a stream of several topics.
   *
   * @param since an id or a time to go on from; live only without.
   * @returns its body; aborting the signal ends it.
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
   * Fetch the messages of several topics that the server has kept.
   *
   * @param since a time in seconds since the epoch.
   * @returns a line for each.
   * @throws NtfyFailure
   */
  kept(topics: readonly string[], since: number, signal: AbortSignal): Promise<string> {
    return this.#call(`/${topics.join(',')}/json?poll=1&since=${since}`, {}, signal, async response => {
      const lines = await readText(response, MAX_KEPT)
      if (response.status !== 200 || lines === undefined) throw failureOfResponse(response.status, lines ?? '')
      return lines
    })
  }

  /**
   * Fetch the text of an attachment, which must lie on this very server.
   *
   * @param max its largest size in bytes.
   * @returns `undefined` when it lies elsewhere, is too large or is no text.
   * @throws NtfyFailure
   */
  async text(url: string, max: number, signal: AbortSignal): Promise<string | undefined> {
    const address = URL.parse(url)
    if (address?.origin !== this.#server || address.username || address.password) return undefined
    return await this.#call(address.pathname + address.search, {}, signal, async response => {
      if (response.status !== 200) throw failureOfResponse(response.status, await readText(response, MAX_RESPONSE) ?? '')
      return await readText(response, max)
    })
  }

  /** Make a request and use its response, all within {@link RESPONSE_MS}. */
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
      // What was not read of the response is not wanted. A reason, since making the default one captures a stack.
      controller.abort('done')
    }
  }

  async #request(path: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    const headers = { ...this.#headers, ...init.headers as Record<string, string> }
    try {
      // A redirect is an answer here: following it would take the credentials along.
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
 * @returns `undefined` when it is larger than `max` bytes, or no UTF-8.
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
    // Not text.
    return undefined
  }
}

function readPublished(body: string | undefined): Published | undefined {
  try {
    const { id, time } = Object(JSON.parse(body ?? '')) as Record<string, unknown>
    return typeof id === 'string' && id !== '' && typeof time === 'number' ? { id, time } : undefined
  } catch {
    // A page of somebody who stands in front of the server.
    return undefined
  }
}
