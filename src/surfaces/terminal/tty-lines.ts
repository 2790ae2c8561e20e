// Lines from a TTY, edited with node:readline.
import { createInterface, type Interface } from 'node:readline'
import type { LineSink, LineSource } from './lines.ts'

/** After such a pause, a person who was in the middle of a line has seen that its question is gone; in milliseconds. */
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
  /** When the last key came, by the clock of `performance`. */
  #keyAt = -Infinity
  /** Whether the current line continues a discarded one; `undefined` until its first key. */
  #stray: boolean | undefined = false
  readonly #onKey = (): void => {
    const now = performance.now()
    this.#stray ??= now - this.#keyAt < PAUSE_MS
    this.#keyAt = now
  }

  /**
   * @param onInterrupt Ctrl-C, which readline keeps from the process; called once the terminal is restored.
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
    // Behind readline's own listener, so a line is delivered before its Enter is noted, which does no harm.
    this.#input.on('keypress', this.#onKey)
    opened.on('line', line => {
      const stray = this.#stray === true
      this.#stray = false
      this.#sink?.line(line, stray)
    })
    const letGo = (act: () => void) => {
      this.stop()
      // The handler of an interrupt may end the question; if not, it can still be answered. After a suspension this runs
      // when the process continues.
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
    // The terminal is gone; its window was closed, for example.
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
    // The next output must not continue the line that is being edited.
    if (this.#interface !== undefined) this.#output.write('\n')
    if (this.#interface?.line) this.#stray = undefined
    this.stop()
  }

  aside(print: () => void): void {
    const opened = this.#interface
    if (opened === undefined) return print()
    if (opened.line !== '') return
    // Over the prompt, which is shorter than any line printed here: not every terminal can erase one.
    this.#output.write('\r')
    print()
    opened.prompt()
  }

  close(): void {
    this.stop()
  }
}
