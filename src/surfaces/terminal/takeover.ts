// Holding a terminal: raw mode, its input, its size, and giving all of it back on every way out of the process.
import type { Output } from './screen.ts'
import { type Key, KeyDecoder } from './keys.ts'

/** An input that may be a terminal. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  readonly isRaw?: boolean
  readonly readableFlowing?: boolean | null
  setRawMode?(raw: boolean): unknown
}

/** What happens to a terminal that is held. */
export interface Holder {
  /** Keys were pressed. */
  keys(keys: readonly Key[]): void
  resized(): void
  /** The process was stopped and goes on; the terminal may have been used for something else meanwhile. */
  resumed(): void
  /** A signal asks the process to end, unless somebody else listens for it. */
  interrupted(signal: NodeJS.Signals): void
  /** The process ends: the last moment to write. */
  exiting(): void
  /** The terminal is no more; nothing can be written. */
  lost(): void
}

const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Whether somebody else reads this terminal key by key: in raw mode, or with keypress listeners. A `data` listener does
 * not tell, since node:readline leaves one behind.
 */
export function isTaken(input: Input): boolean {
  return input.isRaw === true || input.listenerCount('keypress') > 0
}

/** Holds one terminal, and lets it go. */
export class Takeover {
  readonly #input: Input
  readonly #output: Output
  readonly #holder: Holder
  #decoder = new KeyDecoder()
  #pending: NodeJS.Timeout | undefined
  #held = false
  /** Whether somebody reads the input beside us, line by line: it is not ours to stop then. */
  #shared = false

  constructor(input: Input, output: Output, holder: Holder) {
    this.#input = input
    this.#output = output
    this.#holder = holder
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
    // What has just been written may still turn out not to have reached a terminal that is gone.
    setImmediate(() => this.#output.off('error', this.#onLost))
    process.off('exit', this.#onExit).off('SIGCONT', this.#onContinue)
    for (const signal of ENDINGS) process.off(signal, this.#onEnding)
  }

  readonly #onData = (chunk: Uint8Array | string): void => this.#pass(this.#decoder.feed(chunk))

  #pass(keys: readonly Key[]): void {
    clearTimeout(this.#pending)
    const { pendingMs } = this.#decoder
    if (pendingMs !== undefined) this.#pending = setTimeout(() => this.#pass(this.#decoder.flush()), pendingMs)
    if (keys.length > 0) this.#holder.keys(keys)
  }

  readonly #onResize = (): void => this.#holder.resized()

  readonly #onExit = (): void => this.#holder.exiting()

  readonly #onLost = (): void => {
    if (this.#held) this.#holder.lost()
  }

  readonly #onEnding = (signal: NodeJS.Signals): void => this.#holder.interrupted(signal)

  readonly #onContinue = (): void => {
    // What continued the process may have set the terminal to its own liking: make the mode be set again.
    this.#input.setRawMode?.(false)
    this.#input.setRawMode?.(true)
    this.#holder.resumed()
  }
}
