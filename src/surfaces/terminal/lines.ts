// Where the line mode gets its lines from: a pipe, read as it comes, or a TTY, edited with node:readline. Both read only
// while somebody wants a line, so that an idle surface keeps no process alive.
import { createInterface, type Interface } from 'node:readline'
import { StringDecoder } from 'node:string_decoder'

/** Who wants the lines. */
export interface LineSink {
  /**
   * One line, without its end.
   *
   * @param stray whether it may be the rest of what was typed for a question that is gone.
   */
  line(text: string, stray: boolean): void
  /** No line will come any more. */
  end(): void
}

/** A source of lines. */
export interface LineSource {
  /** Deliver lines to the sink until {@link LineSource.stop}. */
  start(sink: LineSink): void
  /** Deliver nothing more for now. */
  stop(): void
  /** Stop, and forget what is typed but not sent: it belonged to a question that is gone. */
  discard(): void
  /** Have a line printed where it runs into nothing that is being typed; in the middle of that, not at all. */
  aside(print: () => void): void
  /** Stop for good. */
  close(): void
}

/** What was read of a pipe and not delivered yet. */
interface Unread {
  readonly decoder: StringDecoder
  readonly lines: string[]
  draft: string
  discarding: boolean
  ended: boolean
}

// By stream: who reads it next, after a restart of the plugin say, goes on where the last one stopped.
const unread = new WeakMap<NodeJS.ReadableStream, Unread>()

/** Lines from a pipe or a file. Those that come before anybody wants them wait, in order. */
export class PipeLines implements LineSource {
  readonly #input: NodeJS.ReadableStream
  readonly #unread: Unread
  #sink: LineSink | undefined
  #listening = false
  #delivery: NodeJS.Immediate | undefined

  constructor(input: NodeJS.ReadableStream) {
    this.#input = input
    this.#unread = unread.get(input) ?? { decoder: new StringDecoder('utf8'), lines: [], draft: '', discarding: false, ended: false }
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
    // Only what is new is searched for line ends: a line may be long and come in many chunks.
    pieces[0] = this.#unread.draft + pieces[0]!
    this.#unread.draft = pieces.pop()!
    for (const piece of pieces) this.#push(piece.endsWith('\r') ? piece.slice(0, -1) : piece)
    this.#deliverSoon()
  }

  readonly #onEnd = (): void => {
    const state = this.#unread
    if (state.ended) return
    state.ended = true
    const rest = state.draft + state.decoder.end()
    if (rest !== '') this.#push(rest)
    state.draft = ''
    this.#deliverSoon()
  }

  #push(line: string): void {
    // The end of a draft that was discarded.
    if (this.#unread.discarding) this.#unread.discarding = false
    else this.#unread.lines.push(line)
  }

  /** One line per macrotask: what a line does, an answer that brings the next question say, happens before the next. */
  #deliverSoon(): void {
    if (this.#sink === undefined || this.#delivery !== undefined) return
    if (this.#unread.lines.length === 0 && !this.#unread.ended) return
    this.#delivery = setImmediate(() => {
      this.#delivery = undefined
      const sink = this.#sink!
      const line = this.#unread.lines.shift()
      if (line === undefined) {
        this.#sink = undefined
        sink.end()
      } else {
        sink.line(line, false)
        this.#deliverSoon()
      }
    })
  }
}

/** Who was in the middle of a line needs so long a pause to see that its question is gone, in milliseconds. */
const PAUSE_MS = 2000

/** Lines from a TTY. */
export class TtyLines implements LineSource {
  readonly #input: NodeJS.ReadableStream
  readonly #output: NodeJS.WritableStream
  readonly #onInterrupt: () => void
  readonly #onSuspend: () => void
  #sink: LineSink | undefined
  #interface: Interface | undefined
  #resumption: NodeJS.Immediate | undefined
  /** When the last key came, on the clock of `performance`. */
  #keyAt = -Infinity
  /** Whether the line that is typed goes on from one that was discarded; `undefined` until its first key. */
  #stray: boolean | undefined = false
  readonly #onKey = (): void => {
    const now = performance.now()
    this.#stray ??= now - this.#keyAt < PAUSE_MS
    this.#keyAt = now
  }

  /**
   * @param onInterrupt Ctrl-C, which readline takes from the process; the terminal is as it was before by then.
   * @param onSuspend Ctrl-Z, likewise.
   */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, onInterrupt: () => void, onSuspend: () => void) {
    this.#input = input
    this.#output = output
    this.#onInterrupt = onInterrupt
    this.#onSuspend = onSuspend
  }

  start(sink: LineSink): void {
    this.#sink = sink
    if (this.#interface !== undefined) return this.#interface.prompt()
    const opened = createInterface({ input: this.#input, output: this.#output, terminal: true, prompt: '> ', historySize: 0 })
    this.#interface = opened
    // After readline's own listener; that the line of an Enter is told before its key does no harm.
    this.#input.on('keypress', this.#onKey)
    opened.on('line', line => {
      const stray = this.#stray === true
      this.#stray = false
      this.#sink?.line(line, stray)
    })
    const letGo = (act: () => void) => {
      this.stop()
      // Whoever handles an interrupt decides whether the question goes; while it is open it can be answered. After a
      // suspension this happens when the process goes on.
      this.#resumption = setImmediate(() => this.start(sink))
      act()
    }
    opened.on('SIGINT', () => letGo(this.#onInterrupt))
    opened.on('SIGTSTP', () => letGo(this.#onSuspend))
    const onEnd = () => {
      if (this.#interface !== opened) return
      this.#interface = undefined
      this.#input.off('keypress', this.#onKey)
      this.#sink?.end()
    }
    opened.on('close', onEnd)
    // The terminal has gone away: its window was closed, say.
    opened.on('error', onEnd)
    opened.prompt()
  }

  stop(): void {
    const opened = this.#interface
    clearImmediate(this.#resumption)
    this.#sink = this.#interface = this.#resumption = undefined
    this.#input.off('keypress', this.#onKey)
    opened?.close()
  }

  discard(): void {
    // The interface of the next question starts with an empty line; what is printed now must not go on this one.
    if (this.#interface !== undefined) this.#output.write('\n')
    if (this.#interface?.line) this.#stray = undefined
    this.stop()
  }

  aside(print: () => void): void {
    const opened = this.#interface
    if (opened === undefined) return print()
    if (opened.line !== '') return
    // Over the prompt, which is shorter than any line: not every terminal knows how to erase one.
    this.#output.write('\r')
    print()
    opened.prompt()
  }

  close(): void {
    this.stop()
  }
}
