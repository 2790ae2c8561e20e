// Holding a terminal: raw mode, its input and its size, restored on every way out of the process.
import type { Output } from './screen.ts'
import { type Key, KeyDecoder } from './keys.ts'

/** An input that may be a terminal. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  readonly isRaw?: boolean
  readonly readableFlowing?: boolean | null
  setRawMode?(raw: boolean): unknown
}

/** What happens while a terminal is held. */
export interface TakeoverEvents {
  /** Keys were pressed. */
  keys(keys: readonly Key[]): void
  resized(): void
  /** The process continues after a stop; the terminal may have been used for something else meanwhile. */
  resumed(): void
  /** A signal asks the process to end. */
  interrupted(signal: NodeJS.Signals): void
  /** The process is about to exit: the last chance to write. */
  exiting(): void
  /** The terminal is gone; nothing can be written. */
  lost(): void
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Whether something else reads this terminal key by key: in raw mode, or with keypress listeners. A `data` listener proves
 * nothing, since node:readline leaves one behind.
 */
export function isTaken(input: Input): boolean {
  return input.isRaw === true || input.listenerCount('keypress') > 0
}

/** Holds and releases one terminal. */
export class Takeover {
  readonly #input: Input
  readonly #output: Output
  readonly #events: TakeoverEvents
  #decoder = new KeyDecoder()
  #pending: NodeJS.Timeout | undefined
  #held = false
  /** Whether something else reads the input too, line by line; then it must not be paused. */
  #shared = false

  constructor(input: Input, output: Output, events: TakeoverEvents) {
    this.#input = input
    this.#output = output
    this.#events = events
  }

  get held(): boolean {
    return this.#held
  }

  take(): void {
    if (this.#held) return
    this.#held = true
    this.#decoder = new KeyDecoder()
    this.#shared = this.#input.readableFlowing === true
    this.#input.setRawMode?.(true)
    this.#input.on('data', this.#onData).on('end', this.#onLost).on('close', this.#onLost).on('error', this.#onLost)
    this.#output.on('resize', this.#onResize).on('error', this.#onLost)
    process.on('exit', this.#onExit).on('SIGCONT', this.#onContinue)
    for (const signal of ENDINGS) process.on(signal, this.#onEnding)
    this.#input.resume()
  }

  release(): void {
    if (!this.#held) return
    this.#held = false
    clearTimeout(this.#pending)
    this.#input.off('data', this.#onData)
    if (!this.#shared) this.#input.pause()
    this.#input.setRawMode?.(false)
    this.#input.off('end', this.#onLost).off('close', this.#onLost).off('error', this.#onLost)
    this.#output.off('resize', this.#onResize)
    // The last write may still fail because the terminal is gone.
    setImmediate(() => this.#output.off('error', this.#onLost))
    process.off('exit', this.#onExit).off('SIGCONT', this.#onContinue)
    for (const signal of ENDINGS) process.off(signal, this.#onEnding)
  }

  readonly #onData = (chunk: Uint8Array | string): void => this.#pass(this.#decoder.feed(chunk))

  #pass(keys: readonly Key[]): void {
    clearTimeout(this.#pending)
    const { pendingMs } = this.#decoder
    if (pendingMs !== undefined) this.#pending = setTimeout(() => this.#pass(this.#decoder.flush()), pendingMs)
    if (keys.length > 0) this.#events.keys(keys)
  }

  readonly #onResize = (): void => this.#events.resized()

  readonly #onExit = (): void => this.#events.exiting()

  readonly #onLost = (): void => {
    if (this.#held) this.#events.lost()
  }

  readonly #onEnding = (signal: NodeJS.Signals): void => this.#events.interrupted(signal)

  readonly #onContinue = (): void => {
    // A shell may have changed the mode meanwhile. Turning it off first makes sure that it is set again.
    this.#input.setRawMode?.(false)
    this.#input.setRawMode?.(true)
    this.#events.resumed()
  }
}
