// The one stream of both topics. It is opened when the plugin is loaded and reopened whenever it ends or falls silent. It then
// continues from the last message, so that each message is delivered exactly once.
import { backoffDelay, pause } from './backoff.ts'
import { CatchUp } from './catch-up.ts'
import type { NtfyClient, Published } from './client.ts'
import { type NtfyMessage, readEvent } from './event.ts'
import { failureOfError, NtfyFailure } from './failure.ts'
import { RecentSet } from './recent-set.ts'

/** How often a server sends a keepalive by default, in milliseconds. */
const KEEPALIVE_MS = 45_000

const BACKOFF = { firstMs: 1000, longestMs: 60_000 }

/** How many message ids are remembered: more than most servers ever replay, and little memory. */
const MAX_SEEN = 5000

/** How long a question waits for the stream to open, in milliseconds. */
const READY_MS = 3000

/** After how long without a stream this is reported, in milliseconds. */
const LOST_AFTER_MS = 30_000

/** The longest line, in characters. A message has a few kilobytes; anything much longer is not ntfy's stream. */
const MAX_LINE = 262_144

/** Receives what the subscription brings. */
export interface SubscriptionSink {
  /** The stream has opened, at this time by the server's clock. */
  opened(time: number): void
  /**
   * A message that was not seen before.
   *
   * @param isOld whether it was published before this subscription began. A server that no longer knows the last message's id
   *   replays everything it has.
   */
  message(message: NtfyMessage, isOld: boolean): void
  /** The server refuses the stream, and will go on doing so. */
  refused(failure: NtfyFailure): void
  /** There has been no stream for a while, for a reason that may pass. Reported once until it is open again. */
  lost(failure: NtfyFailure): void
  /** One of the others has thrown. */
  failed(): void
}

/** The subscription. It runs, and keeps the process alive, from its construction until it is closed. */
export class Subscription {
  /** Resolves when the first attempt has succeeded or failed, or takes too long. */
  readonly ready: Promise<void>
  readonly #client: NtfyClient
  readonly #topics: readonly string[]
  readonly #sink: SubscriptionSink
  readonly #closing = new AbortController()
  readonly #seen = new RecentSet(MAX_SEEN)
  /** Where to continue: the last message, else the first opening or the first publish. */
  #since: string | undefined
  /** When this subscription began, in seconds since the epoch. */
  #startedAt: number | undefined
  /** When the server last sent something, by its clock, in seconds since the epoch. */
  #lastHeard: number | undefined
  readonly #catchUp: CatchUp
  #failures = 0
  /** Why there is no stream, if that is known. */
  #failure: NtfyFailure | undefined
  /** Runs while there is no stream. */
  #lostTimer: NodeJS.Timeout | undefined
  #isReady!: () => void

  constructor(client: NtfyClient, topics: readonly string[], sink: SubscriptionSink) {
    this.#client = client
    this.#topics = topics
    this.#sink = sink
    this.#catchUp = new CatchUp(client, topics, line => this.#onStoredLine(line), this.#closing.signal)
    this.ready = new Promise(resolve => {
      const timer = setTimeout(resolve, READY_MS).unref()
      this.#isReady = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    void this.#run()
  }

  /** This plugin has published something. If no stream has opened yet, the first one continues from there. */
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
      this.#startLostTimer()
      const failure = await this.#follow(this.#since)
      this.#isReady()
      if (signal.aborted) return
      if (failure === undefined) continue
      // A stream that has lasted is reopened soon. It may only have ended because the server's keepalives are rare.
      if (performance.now() - started > KEEPALIVE_MS) this.#failures = 0
      this.#failures++
      this.#failure = failure
      this.#startLostTimer()
      if (failure.kind === 'permanent') this.#tell(() => this.#sink.refused(failure))
      await pause(backoffDelay(this.#failures, BACKOFF), signal)
    }
  }

  /**
   * Open a stream and read it to its end.
   *
   * @returns why it ended, or `undefined` to open another at once.
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
        // A new timer instead of `refresh()`, which loses other timers in fake-timers 15.
        clearTimeout(watchdog)
        watchdog = watch()
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop()!
        // A question was published while the stream was opening, so its answers may have been missed.
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
    const lastHeard = this.#lastHeard ?? this.#startedAt
    this.#lastHeard = event.kind === 'message' ? event.message.time : event.time
    if (event.kind === 'open') {
      if (lastHeard !== undefined) this.#catchUp.reopened(lastHeard)
      this.#since ??= String(event.time)
      this.#startedAt ??= event.time
      this.#isReady()
      clearTimeout(this.#lostTimer)
      this.#lostTimer = this.#failure = undefined
      this.#tell(() => this.#sink.opened(event.time))
      return
    }
    // Opening alone does not reset the delay, so that a server that drops every stream at once is not flooded.
    this.#failures = 0
    if (event.kind === 'message' && this.#take(event.message)) this.#since = event.message.id
  }

  #onStoredLine(line: string): void {
    const event = this.#closing.signal.aborted ? undefined : readEvent(line)
    if (event?.kind === 'message') this.#take(event.message)
  }

  /** @returns whether the message is new. */
  #take(message: NtfyMessage): boolean {
    if (this.#seen.has(message.id)) return false
    this.#seen.add(message.id)
    this.#tell(() => this.#sink.message(message, message.time < (this.#startedAt ?? 0)))
    return true
  }

  #startLostTimer(): void {
    this.#lostTimer ??= setTimeout(() => {
      const failure = this.#failure ?? failureOfError(new Error('no response'))
      // Permanent failures were already reported as refusals.
      if (failure.kind !== 'permanent') this.#tell(() => this.#sink.lost(failure))
    }, LOST_AFTER_MS)
  }

  /** An error in handling one message must not end the stream or the process. */
  #tell(listener: () => void): void {
    try {
      listener()
    } catch {
      this.#sink.failed()
    }
  }
}
