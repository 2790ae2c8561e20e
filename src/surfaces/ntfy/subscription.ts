// The one stream to both topics: opened live while the plugin is loaded, opened again whenever it ends or goes silent,
// and from the last message seen, so that what was said in the gap is delivered, once.
import { pause, backoffDelay } from './backoff.ts'
import { CatchUp } from './catch-up.ts'
import type { NtfyClient, Published } from './client.ts'
import { type NtfyMessage, readEvent } from './event.ts'
import { failureOfError, NtfyFailure } from './failure.ts'

/** How often a server says that it is alive, as ntfy does by default, in milliseconds. */
const KEEPALIVE_MS = 45_000

const BACKOFF = { firstMs: 1000, longestMs: 60_000 }

/** Ids that are remembered: more than a server replays in most cases, and little memory. */
const MAX_SEEN = 5000

/** A question does not wait longer than this for the stream that its answer comes by, in milliseconds. */
const READY_MS = 3000

/** Without a stream for longer than this somebody should know, in milliseconds. */
const LOST_AFTER_MS = 30_000

/** A line is a message of at most some kilobytes; more without an end is no stream of ntfy's. In characters. */
const MAX_LINE = 262_144

/** Who listens. */
export interface SubscriptionSink {
  /** A stream has opened, at that second of the server's. */
  opened(time: number): void
  /**
   * One message that was not seen before.
   *
   * @param isOld whether it was said before this subscription began: a server that does not know the id to go on from
   *   replays all it has.
   */
  message(message: NtfyMessage, isOld: boolean): void
  /** The server does not let us listen, and that will last. */
  refused(failure: NtfyFailure): void
  /** There has been no stream for a while, for a reason that may pass; said once until there is one again. */
  lost(failure: NtfyFailure): void
}

/** The subscription. It runs from its construction until it is closed, and keeps the process alive while it runs. */
export class Subscription {
  /** Resolves once the first attempt has shown whether the server lets us listen, or has taken too long for it. */
  readonly ready: Promise<void>
  readonly #client: NtfyClient
  readonly #topics: readonly string[]
  readonly #sink: SubscriptionSink
  readonly #closing = new AbortController()
  readonly #seen = new Set<string>()
  /** Where to go on: the last message seen, else when the first stream opened or what was published before. */
  #since: string | undefined
  /** When this subscription began, in seconds since the epoch. */
  #startedAt: number | undefined
  /** When the server was last heard, by its clock, in seconds since the epoch. */
  #lastHeard: number | undefined
  readonly #catchUp: CatchUp
  #failures = 0
  /** Why there is no stream, as far as that is known. */
  #failure: NtfyFailure | undefined
  /** Runs while there is no stream. */
  #lostTimer: NodeJS.Timeout | undefined
  #isReady!: () => void

  constructor(client: NtfyClient, topics: readonly string[], sink: SubscriptionSink) {
    this.#client = client
    this.#topics = topics
    this.#sink = sink
    this.#catchUp = new CatchUp(client, topics, line => this.#onKept(line), this.#closing.signal)
    this.ready = new Promise(resolve => {
      const timer = setTimeout(resolve, READY_MS).unref()
      this.#isReady = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    void this.#run()
  }

  /** Something of ours was published: if no stream has been open yet, the first one goes on from there. */
  published({ id, time }: Published): void {
    this.#since ??= id
    this.#startedAt ??= time
  }

  /** Stop for good. */
  close(): void {
    this.#closing.abort()
    clearTimeout(this.#lostTimer)
    this.#isReady()
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const started = performance.now()
      this.#lostTimer ??= setTimeout(() => this.#onLost(), LOST_AFTER_MS)
      const failure = await this.#follow(this.#since)
      this.#isReady()
      if (signal.aborted) return
      if (failure === undefined) continue
      // One that has lasted is no reason to wait long, as where a server says less often that it is alive.
      if (performance.now() - started > KEEPALIVE_MS) this.#failures = 0
      this.#failures++
      this.#failure = failure
      this.#lostTimer ??= setTimeout(() => this.#onLost(), LOST_AFTER_MS)
      if (failure.kind === 'permanent') this.#tell(() => this.#sink.refused(failure))
      await pause(backoffDelay(this.#failures, BACKOFF), signal)
    }
  }

  /**
   * Open a stream and read it to its end.
   *
   * @returns why it ended; `undefined` when another is to be opened at once.
   */
  async #follow(since: string | undefined): Promise<NtfyFailure | undefined> {
    const silence = new AbortController()
    const end = () => silence.abort(new Error('the stream is silent'))
    const watch = () => setTimeout(end, 2 * KEEPALIVE_MS)
    let watchdog = watch()
    this.#closing.signal.addEventListener('abort', end)
    try {
      const body = await this.#client.stream(this.#topics, since, silence.signal)
      const decoder = new TextDecoder()
      let rest = '', isNew = true
      for await (const chunk of body) {
        // Not refreshed: made-up timers lose others then (fake-timers 15).
        clearTimeout(watchdog)
        watchdog = watch()
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop()!
        // It took so long to open that a question was published meanwhile: answers to it may have been missed.
        if (isNew && since === undefined && this.#since !== undefined) return undefined
        isNew = false
        for (const line of lines) this.#onLine(line)
        if (rest.length > MAX_LINE) return failureOfError(new Error('a line has no end'))
      }
      return failureOfError(new Error('the stream ended'))
    } catch (error) {
      return error instanceof NtfyFailure ? error : failureOfError(error)
    } finally {
      clearTimeout(watchdog)
      this.#closing.signal.removeEventListener('abort', end)
      silence.abort()
    }
  }

  #onLine(line: string): void {
    if (this.#closing.signal.aborted) return
    const event = readEvent(line)
    if (event === undefined) return
    const heard = this.#lastHeard ?? this.#startedAt
    this.#lastHeard = event.kind === 'message' ? event.message.time : event.time
    if (event.kind === 'open') {
      if (heard !== undefined) this.#catchUp.reopened(heard)
      this.#since ??= String(event.time)
      this.#startedAt ??= event.time
      this.#isReady()
      clearTimeout(this.#lostTimer)
      this.#lostTimer = this.#failure = undefined
      this.#tell(() => this.#sink.opened(event.time))
      return
    }
    // A server that opens streams and drops them at once is not hammered: only what comes after counts as health.
    this.#failures = 0
    if (event.kind === 'message' && this.#take(event.message)) this.#since = event.message.id
  }

  /** A line that the server has kept; those of the stream are known. */
  #onKept(line: string): void {
    const event = this.#closing.signal.aborted ? undefined : readEvent(line)
    if (event?.kind === 'message') this.#take(event.message)
  }

  /** @returns whether it is new. */
  #take(message: NtfyMessage): boolean {
    if (this.#seen.has(message.id)) return false
    this.#remember(message.id)
    this.#tell(() => this.#sink.message(message, message.time < (this.#startedAt ?? 0)))
    return true
  }

  #onLost(): void {
    const failure = this.#failure ?? failureOfError(new Error('no response'))
    // One that lasts was said at once.
    if (failure.kind !== 'permanent') this.#tell(() => this.#sink.lost(failure))
  }

  #tell(listener: () => void): void {
    try {
      listener()
    } catch {
      // A mistake about one message must not end the listening to all others, nor the process.
    }
  }

  #remember(id: string): void {
    this.#seen.add(id)
    if (this.#seen.size <= MAX_SEEN) return
    const [oldest] = this.#seen
    this.#seen.delete(oldest!)
  }
}
