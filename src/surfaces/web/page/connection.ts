// The connection to the host: changes come by an event stream, or by polling where streams do not get through; each answer
// is a request. A lost connection is shown, retried, and recovered.
import type {
  AnswerBody, AnswerResult, Change, Hello, Presence, PresenceBody, SecretHeader, Snapshot, StreamLine, Whereabouts,
} from '../wire.ts'
import { challenge, proves } from './proof.ts'
import { BlockedError, readLines, send, StatusError } from './request.ts'
import { dropSecret, keepSecret, newName, secrets } from './secret.ts'

export { BlockedError, StatusError }

/**
 * The state of the connection. `blocked`: something in front of the host refuses, a login for example. `denied` and `settled` are
 * final until there is another secret.
 */
export type ConnectionState = 'connecting' | 'connected' | 'lost' | 'blocked' | 'denied' | 'settled'

/** What the connection needs, and what it reports to. */
export interface ConnectionOptions {
  readonly browser: string
  /** A name for this page. */
  readonly page: string
  /** Whether a new question reaches the person: the page is visible, or notifies. */
  readonly reaches: () => boolean
  onState(state: ConnectionState): void
  onSnapshot(snapshot: Snapshot): void
  onChange(change: Change): void
}

/** A stream that is silent for this long is dead: the server's heartbeat is twice as fast. */
const SILENT_MS = 30_000
/** How long to poll after a stream died, before trying another. */
const STREAM_AGAIN_MS = 60_000
const POLL_MS = 3000
const POLL_HIDDEN_MS = 10_000
const REQUEST_MS = 15_000
const RETRY_MS = 1000
const MAX_RETRY_MS = 10_000

const SECRET: SecretHeader = 'ask-secret'

/** The connection of one page. */
export class Connection {
  readonly #options: ConnectionOptions
  #life = new AbortController()
  /** No stream is tried before this time. */
  #streamAfter = 0
  /** Whether a stream is open: then the host that proved itself is still there. */
  #isStreaming = false

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Connect, or connect again at once: there is another secret, the page was shown or hidden, the network is back. */
  restart(): void {
    this.#life.abort()
    this.#life = new AbortController()
    this.#streamAfter = 0
    void this.#run(this.#life.signal)
  }

  /**
   * Answer an ask.
   *
   * @returns how the ask ended, by this answer or before it.
   * @throws StatusError when the host refuses it, BlockedError when it does not get there; another error when there is no response.
   */
  async answer(id: string, body: AnswerBody): Promise<AnswerResult> {
    const response = await this.#fetch(`api/asks/${id}/answer`, AbortSignal.timeout(REQUEST_MS), body)
    if (!response.ok && response.status !== 409) throw new StatusError(response.status)
    return await response.json() as AnswerResult
  }

  /**
   * Say where the person is.
   *
   * @returns where the host now has them.
   * @throws as {@link Connection.answer} does.
   */
  async setPresence(presence: Presence): Promise<Whereabouts> {
    const response = await this.#fetch('api/presence', AbortSignal.timeout(REQUEST_MS), { presence } satisfies PresenceBody)
    if (!response.ok) throw new StatusError(response.status)
    return await response.json() as Whereabouts
  }

  async #run(life: AbortSignal): Promise<void> {
    let retryMs = RETRY_MS
    while (!life.aborted) {
      try {
        await this.#poll(life)
        const started = Date.now()
        if (this.#options.reaches() && started >= this.#streamAfter) await this.#stream(life)
        else await sleep(document.visibilityState === 'visible' ? POLL_MS : POLL_HIDDEN_MS, life)
        // A stream that ends at once must not be reopened at once.
        if (Date.now() - started < RETRY_MS) await sleep(retryMs, life)
        else retryMs = RETRY_MS
      } catch (error) {
        if (life.aborted) return
        const status = error instanceof StatusError ? error.status : 0
        if (status === 401 || status === 403) return this.#options.onState('denied')
        if (status === 410) return this.#options.onState('settled')
        this.#options.onState(error instanceof BlockedError ? 'blocked' : 'lost')
        await sleep(retryMs, life)
        retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
      }
    }
  }

  async #poll(life: AbortSignal): Promise<void> {
    const response = await this.#fetch('api/asks', AbortSignal.any([life, AbortSignal.timeout(REQUEST_MS)]))
    if (!response.ok) throw new StatusError(response.status)
    const snapshot = await response.json() as Snapshot
    if (life.aborted) return
    this.#options.onState('connected')
    this.#options.onSnapshot(snapshot)
  }

  /** Resolves when the stream ends, unless it was refused. */
  async #stream(life: AbortSignal): Promise<void> {
    const stop = new AbortController()
    const signal = AbortSignal.any([life, stop.signal])
    const silent = () => {
      this.#streamAfter = Date.now() + STREAM_AGAIN_MS
      stop.abort()
    }
    let watchdog = setTimeout(silent, SILENT_MS)
    // Some tunnels hold a stream back, so the page polls as well until the first line comes. A failed poll ends the stream:
    // the next one is outside it and shows what is wrong.
    const beside = setInterval(() => void this.#poll(signal).catch(() => stop.abort()), POLL_MS)
    try {
      const response = await this.#fetch('api/events', signal, { browser: this.#options.browser })
      // There are too many: this one asks instead, for some time.
      if (response.status === 429) return silent()
      if (!response.ok) throw new StatusError(response.status)
      await readLines(response.body!, line => {
        if (signal.aborted) return
        this.#isStreaming = true
        clearInterval(beside)
        clearTimeout(watchdog)
        watchdog = setTimeout(silent, SILENT_MS)
        this.#onLine(line)
      })
    } catch (error) {
      if (error instanceof StatusError || error instanceof BlockedError) throw error
    } finally {
      this.#isStreaming = false
      clearTimeout(watchdog)
      clearInterval(beside)
      stop.abort()
    }
  }

  #onLine(line: StreamLine): void {
    if (line.type === 'snapshot') this.#options.onSnapshot(line)
    else if (line.type === 'beat') this.#sayAlive()
    // Newer pages of this browser have the streams; this one polls until it is shown again.
    else if (line.type === 'poll') this.#streamAfter = Infinity
    else this.#options.onChange(line)
  }

  /** The host cannot see a page whose network went down, so each page says that it is there; a lost request does no harm. */
  #sayAlive(): void {
    this.#fetch('api/seen', AbortSignal.timeout(REQUEST_MS), {}).catch(() => {})
  }

  /** Make a request with the secret, to a host that knows it. */
  async #fetch(path: string, signal: AbortSignal, body?: unknown): Promise<Response> {
    const page = `${this.#options.page} ${this.#options.reaches() ? 'seen' : 'hidden'}`
    return await send(path, signal, { [SECRET]: await this.#prove(signal), 'ask-page': page }, body)
  }

  /** @returns the secret that the host has just proved to know, or proved before its stream began. */
  async #prove(signal: AbortSignal): Promise<string> {
    const known = secrets()
    if (this.#isStreaming && known.length === 1) return known[0]!.value
    for (const secret of known) {
      const asked = challenge(secret, newName())
      const response = await send('api/hello', signal, {}, asked)
      if (!response.ok) throw new Error('no proof')
      const hello = await response.json() as Hello
      if (proves(secret, asked, hello)) {
        keepSecret(secret, hello.port)
        return secret.value
      }
      dropSecret(secret)
    }
    throw new StatusError(401)
  }
}

/** Wait for some time, or until the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve()
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    }, { once: true })
  })
}
