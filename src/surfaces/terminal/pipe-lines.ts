// Lines from a pipe or a file, read as they come.
import { StringDecoder } from 'node:string_decoder'
import type { Line, LineSink, LineSource } from './lines.ts'

/** Read from a pipe, but not delivered yet. */
interface Unread {
  readonly decoder: StringDecoder
  readonly lines: Line[]
  draft: string
  /** When the draft's first character was read. */
  draftSince: number
  discarding: boolean
  ended: boolean
}

// By stream: the next reader, such as the plugin after a restart, goes on where the last one stopped.
const unread = new WeakMap<NodeJS.ReadableStream, Unread>()

/** Lines from one stream. Lines that come before they are wanted wait, in order. */
export class PipeLines implements LineSource {
  readonly #input: NodeJS.ReadableStream
  readonly #unread: Unread
  #sink: LineSink | undefined
  #listening = false
  #delivery: NodeJS.Immediate | undefined

  constructor(input: NodeJS.ReadableStream) {
    this.#input = input
    this.#unread = unread.get(input) ?? { decoder: new StringDecoder('utf8'), lines: [], draft: '', draftSince: 0, discarding: false, ended: false }
    unread.set(input, this.#unread)
  }

  start(sink: LineSink): void {
    this.#sink = sink
    if (!this.#listening) {
      this.#listening = true
      this.#input.on('data', this.#onData)
      this.#input.on('end', this.#onEnd)
      this.#input.on('close', this.#onEnd)
      this.#input.on('error', this.#onEnd)
    }
    this.#input.resume()
    this.#deliverSoon()
  }

  stop(): void {
    this.#sink = undefined
    clearImmediate(this.#delivery)
    this.#delivery = undefined
    this.#input.pause()
  }

  discard(): void {
    this.stop()
    if (this.#unread.draft === '') return
    this.#unread.draft = ''
    this.#unread.discarding = true
  }

  aside(print: () => void): void {
    print()
  }

  close(): void {
    this.stop()
    this.#input.off('data', this.#onData)
    this.#input.off('end', this.#onEnd)
    this.#input.off('close', this.#onEnd)
    this.#input.off('error', this.#onEnd)
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const pieces = (typeof chunk === 'string' ? chunk : this.#unread.decoder.write(chunk)).split('\n')
    const state = this.#unread, now = performance.now()
    if (state.draft === '') state.draftSince = now
    // Only the new chunk is searched for line ends: a long line may come in many chunks.
    pieces[0] = state.draft + pieces[0]!
    state.draft = pieces.pop()!
    const isPasted = pieces.length > 1 || state.draft !== ''
    for (const piece of pieces) {
      this.#push(piece.endsWith('\r') ? piece.slice(0, -1) : piece, isPasted)
      state.draftSince = now
    }
    this.#deliverSoon()
  }

  readonly #onEnd = (): void => {
    const state = this.#unread
    if (state.ended) return
    state.ended = true
    const rest = state.draft + state.decoder.end()
    // Nobody has pressed Enter behind it.
    if (rest !== '') this.#push(rest, true)
    state.draft = ''
    this.#deliverSoon()
  }

  #push(text: string, isPasted: boolean): void {
    // The end of a draft that was discarded.
    if (this.#unread.discarding) this.#unread.discarding = false
    else this.#unread.lines.push({ text, isStray: false, since: this.#unread.draftSince, isPasted })
  }

  /** One line per macrotask, so that what a line causes, such as the next question, happens before the next line. */
  #deliverSoon(): void {
    if (this.#sink === undefined || this.#delivery !== undefined) return
    if (this.#unread.lines.length === 0 && !this.#unread.ended) return
    this.#delivery = setImmediate(() => {
      this.#delivery = undefined
      const sink = this.#sink!
      const line = this.#unread.lines.shift()
      if (line === undefined) {
        this.#sink = undefined
        sink.end('gone')
      } else {
        sink.line(line)
        this.#deliverSoon()
      }
    })
  }
}
