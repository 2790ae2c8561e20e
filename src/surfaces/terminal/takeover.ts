// Holding a terminal while it is wanted and can be used: raw mode, its input and its size. It is given back on every way out
// of the process, while a signal has its effect, and while the process is in the background, where nothing is read, written
// or changed.
import type { Foreground } from './foreground.ts'
import { type Key, KeyDecoder } from './keys.ts'
import type { SetRaw } from './raw-mode.ts'
import type { Output } from './screen.ts'
import { SignalListener } from './signals.ts'

/** An input that may be a terminal. */
export type Input = NodeJS.ReadableStream & {
  readonly isTTY?: boolean
  readonly isRaw?: boolean
  readonly readableFlowing?: boolean | null
  setRawMode?(raw: boolean): unknown
}

/** A terminal, and when it can be used. */
export interface Terminal {
  readonly input: Input
  readonly output: Output
  readonly foreground: Foreground
  readonly setRaw: SetRaw
}

/** What happens while a terminal is wanted. */
export interface TakeoverEvents {
  /** It is held from now on. */
  taken(): void
  /**
   * It is about to be given back.
   *
   * @param isQuiet whether nothing may be written: the process is in the background, or the terminal is gone.
   */
  leaving(isQuiet: boolean): void
  /** It was left without a word, is wanted no longer, and can be written to again: put its modes right. */
  tidy(): void
  /** Keys were pressed. */
  keys(keys: readonly Key[]): void
  resized(): void
  /** The process continues after a stop; the terminal may have been used for something else meanwhile. */
  resumed(): void
  /** Something else reads the terminal (`taken`), or it no longer exists (`gone`). Nothing is wanted any longer. */
  lost(why: 'taken' | 'gone'): void
}

/** How long whatever a signal leads to has to end the question before the terminal is taken again, in milliseconds. */
const RESUME_MS = 50

const held = new WeakSet<Input>()

/**
 * Whether something else reads this terminal key by key: in raw mode, or with keypress listeners. A `data` listener proves
 * nothing, since node:readline leaves one behind.
 */
export function isTaken(input: Input): boolean {
  return input.isRaw === true || held.has(input) || input.listenerCount('keypress') > 0
}

/** Holds and releases one terminal. */
export class Takeover {
  readonly #terminal: Terminal
  readonly #events: TakeoverEvents
  readonly #signals = new SignalListener(() => {
    if (this.#isHeld) this.pause(() => {})
  })
  #decoder = new KeyDecoder()
  #pending: NodeJS.Timeout | undefined
  #isWanted = false
  #isHeld = false
  /** Whether it was left in the background, with its modes as they were. */
  #isUntidy = false
  /** Whether something else reads the input too, line by line; then it must not be paused. */
  #isShared = false
  #resumption: NodeJS.Timeout | undefined
  #unwatch: (() => void) | undefined

  constructor(terminal: Terminal, events: TakeoverEvents) {
    this.#terminal = terminal
    this.#events = events
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /** Hold the terminal from now on, whenever it can be used. */
  take(): void {
    this.#isWanted = true
    this.#unwatch ??= this.#terminal.foreground.watch(this.#look)
    this.#look()
  }

  /** Want it no longer. */
  release(): void {
    this.#isWanted = false
    clearTimeout(this.#resumption)
    this.#resumption = undefined
    this.#look()
  }

  /** Give it back, do what may end the process or the question, and take it again if it is still wanted. */
  pause(meanwhile: () => void): void {
    this.#leave(this.#terminal.foreground.isHere() ? 'open' : 'behind')
    // Set first, since `meanwhile` may release it.
    this.#resumption = setTimeout(() => {
      this.#resumption = undefined
      this.#look()
    }, RESUME_MS)
    meanwhile()
  }

  readonly #look = (): void => {
    const { foreground } = this.#terminal
    // That costs something, so it is read only where it matters.
    const isHere = (this.#isHeld || this.#isWanted || this.#isUntidy) && foreground.isHere()
    if (this.#isHeld && !(this.#isWanted && isHere)) this.#leave(isHere ? 'open' : 'behind')
    if (isHere && this.#resumption === undefined) {
      if (this.#isWanted && !this.#isHeld) this.#enter()
      else if (!this.#isWanted && this.#isUntidy) this.#tidy()
    }
    if (this.#isWanted || this.#isUntidy) return
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  #enter(): void {
    const { input, output, setRaw } = this.#terminal
    if (this.#isUntidy) this.#tidy()
    if (isTaken(input)) return this.#lose('taken')
    this.#isHeld = true
    held.add(input)
    this.#decoder = new KeyDecoder()
    this.#isShared = input.readableFlowing === true
    setRaw(true)
    input.on('data', this.#onData).on('end', this.#onGone).on('close', this.#onGone).on('error', this.#onGone)
    output.on('resize', this.#onResize).on('error', this.#onGone)
    process.on('exit', this.#onExit).on('SIGCONT', this.#onContinue)
    this.#signals.start()
    input.resume()
    this.#events.taken()
  }

  /** @param how `behind` in the background, where the modes must stay; `gone` when there is no terminal any more. */
  #leave(how: 'open' | 'behind' | 'gone'): void {
    if (!this.#isHeld) return
    this.#events.leaving(how !== 'open')
    this.#isHeld = false
    this.#isUntidy = how === 'behind'
    const { input, output, setRaw } = this.#terminal
    held.delete(input)
    clearTimeout(this.#pending)
    input.off('data', this.#onData)
    if (!this.#isShared) input.pause()
    if (!this.#isUntidy) setRaw(false)
    input.off('end', this.#onGone).off('close', this.#onGone).off('error', this.#onGone)
    output.off('resize', this.#onResize)
    // The last write may still fail because the terminal is gone.
    setImmediate(() => output.off('error', this.#onGone))
    process.off('exit', this.#onExit).off('SIGCONT', this.#onContinue)
    this.#signals.stop()
  }

  #tidy(): void {
    this.#isUntidy = false
    this.#terminal.setRaw(false)
    if (!this.#isWanted) this.#events.tidy()
  }

  readonly #onData = (chunk: Uint8Array | string): void => this.#pass(this.#decoder.feed(chunk))

  #pass(keys: readonly Key[]): void {
    clearTimeout(this.#pending)
    const { pendingMs } = this.#decoder
    if (pendingMs !== undefined) this.#pending = setTimeout(() => this.#pass(this.#decoder.flush()), pendingMs)
    if (keys.length === 0) return
    if (this.#terminal.input.listenerCount('keypress') > 0) return this.#lose('taken')
    this.#events.keys(keys)
  }

  readonly #onResize = (): void => this.#events.resized()

  readonly #onExit = (): void => this.#leave(this.#terminal.foreground.isHere() ? 'open' : 'behind')

  readonly #onGone = (): void => {
    if (this.#isHeld) this.#lose('gone')
  }

  readonly #onContinue = (): void => {
    this.#look()
    if (!this.#isHeld) return
    // A shell may have changed the mode meanwhile. Turning it off first makes sure that it is set again.
    this.#terminal.setRaw(false)
    this.#terminal.setRaw(true)
    this.#events.resumed()
  }

  #lose(why: 'taken' | 'gone'): void {
    if (why === 'gone') this.#leave(why)
    this.release()
    this.#events.lost(why)
  }
}
