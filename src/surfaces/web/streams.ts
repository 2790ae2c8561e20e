// The open event streams: each gets the changes it may see, and a heartbeat.
import type { ServerResponse } from 'node:http'
import type { Board } from './board.ts'
import type { Change, StreamLine } from './wire.ts'

/** A browser opens at most six connections to a host; the page needs some to send and to poll. */
const STREAMS_PER_BROWSER = 3

/** How many may be open for one ask's link, for all such links, and for the page's own. */
const STREAMS_PER_ASK = 8, STREAMS_FOR_ASKS = 64, STREAMS = 64

/** A browser with this much unread, in bytes, is asleep: its stream is cut, and it comes back when it wakes. */
const MAX_UNREAD = 4_000_000

interface Stream {
  readonly response: ServerResponse
  readonly browser: string
  /** The one ask that its reader may see. */
  readonly only: string | undefined
}

/** All streams of one server. */
export class Streams {
  readonly #board: Board
  /** Oldest first. */
  readonly #streams = new Set<Stream>()
  readonly #heartbeatMs: number
  #heartbeat: NodeJS.Timeout | undefined
  readonly #unwatch: () => void

  /** @param heartbeatMs how often a stream says that it is alive. */
  constructor(board: Board, heartbeatMs: number) {
    this.#board = board
    this.#heartbeatMs = heartbeatMs
    this.#unwatch = board.watch(change => this.#tell(change))
  }

  /**
   * Open a stream: a snapshot, then the changes after it.
   *
   * @param response not started yet.
   * @param browser the name that the browser made up for itself.
   * @param only the id of the one ask that the reader may see.
   * @returns false when too many are open; nothing was written then.
   */
  open(response: ServerResponse, browser: string, only: string | undefined): boolean {
    if (!this.#hasRoom(only)) return false
    response.writeHead(200, {
      'content-type': 'application/x-ndjson; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no',
    })
    const stream = { response, browser, only }
    this.#write(stream, { type: 'snapshot', ...this.#board.snapshot(only) })
    const sameBrowser = Array.from(this.#streams).filter(other => other.browser === browser && other.only === only)
    for (const old of sameBrowser.slice(0, Math.max(0, sameBrowser.length - STREAMS_PER_BROWSER + 1))) {
      this.#write(old, { type: 'poll' })
      this.#end(old)
    }
    this.#streams.add(stream)
    response.once('close', () => this.#close(stream))
    this.#heartbeat ??= setInterval(() => {
      for (const one of this.#streams) this.#write(one, { type: 'beat' })
    }, this.#heartbeatMs).unref()
    return true
  }

  /** Those of links to one ask take no room from the page's own. */
  #hasRoom(only: string | undefined): boolean {
    const others = Array.from(this.#streams).filter(other => (other.only === undefined) === (only === undefined))
    if (only === undefined) return others.length < STREAMS
    return others.length < STREAMS_FOR_ASKS && others.filter(other => other.only === only).length < STREAMS_PER_ASK
  }

  /** Close all of them at once, for good. */
  close(): void {
    this.#unwatch()
    for (const stream of this.#streams) stream.response.destroy()
    this.#streams.clear()
    this.#stopBeating()
  }

  #tell(change: Change): void {
    const id = askOf(change)
    for (const stream of this.#streams) {
      if (stream.only !== undefined && stream.only !== id) continue
      this.#write(stream, change)
      // A grant shows nothing after the end of its ask.
      if (stream.only !== undefined && change.type === 'ended') this.#end(stream)
    }
  }

  #write({ response }: Stream, line: StreamLine): void {
    if (response.writableLength > MAX_UNREAD) response.destroy()
    else response.write(`${JSON.stringify(line)}\n`)
  }

  #end(stream: Stream): void {
    this.#streams.delete(stream)
    stream.response.end()
  }

  #close(stream: Stream): void {
    this.#streams.delete(stream)
    if (this.#streams.size === 0) this.#stopBeating()
  }

  #stopBeating(): void {
    clearInterval(this.#heartbeat)
    this.#heartbeat = undefined
  }
}

/** The id of the ask that a change is about, if it is about one. */
function askOf(change: Change): string | undefined {
  switch (change.type) {
    case 'opened': return change.card.id
    case 'ended': return change.ended.id
    case 'reminded': case 'late': return change.id
    case 'waiting': case 'presence': return undefined
  }
}
