// Shows one panel on a terminal and turns keys into its next state. It holds the terminal only while a panel is up, and
// lets go of it for an interrupt and while the process is suspended.
import type { Lang } from '../../reply/lang.ts'
import type { Key } from './keys.ts'
import { type Panel, press } from './panel.ts'
import { type Output, Screen } from './screen.ts'
import { type Holder, type Input, isTaken, Takeover } from './takeover.ts'
import { type Look, type View, view } from './view.ts'

/** Keys pressed so soon after a panel appeared were not meant for it, in milliseconds. */
const TOO_EARLY_MS = 300
/** A person who was typing for the panel before needs longer to see that it is gone: so long a pause must come first. */
const SWAPPED_MS = 1000
/** How long whoever handles an interrupt has to end the question before it is shown again, in milliseconds. */
const RESUME_MS = 50
/** How long a new size must last before it is drawn for, so that no frame is on its way while a window is dragged. */
const SETTLE_MS = 50

/** The terminal, and how to show things on it. */
export interface DriverOptions {
  readonly input: Input
  readonly output: Output
  /** Other outputs on the same terminal. */
  readonly others: readonly Output[]
  readonly lang: Lang
  /** Whether colours may be used. */
  readonly colour: boolean
  /** See {@link Screen}. */
  readonly pushes: boolean
  /** Ctrl-C; the terminal is as it was before by then. */
  readonly onInterrupt: () => void
  /** Ctrl-Z, the same. */
  readonly onSuspend: () => void
}

/** What becomes of the panel that is up. It stays up until {@link PanelDriver.hide}, save when the terminal is gone. */
export interface DriverEvents {
  /** The person has sent or cancelled it. */
  finished(panel: Panel): void
  /** It cannot be shown. */
  failed(error: unknown): void
  /** Somebody else reads the terminal (`taken`), or it is no more and nothing can be written (`gone`). */
  lost(why: 'taken' | 'gone'): void
}

/** Drives one terminal. */
export class PanelDriver {
  readonly #options: DriverOptions
  readonly #events: DriverEvents
  readonly #screen: Screen
  readonly #terminal: Takeover
  #panel: Panel | undefined
  #look: Look
  /** Until when keys do nothing, in milliseconds of `performance.now()`. */
  #deafUntil = 0
  /** Whether keys that are still coming were meant for the panel before. */
  #swapped = false
  #resumption: NodeJS.Timeout | undefined
  #settling: NodeJS.Timeout | undefined

  constructor(options: DriverOptions, events: DriverEvents) {
    const { input, output, others, lang, colour, pushes } = options
    this.#options = options
    this.#events = events
    this.#screen = new Screen(output, others, pushes)
    this.#look = { lang, colour, origin: '', waiting: 0 }
    const holder: Holder = {
      keys: keys => this.#guard(() => this.#onKeys(keys)),
      resized: () => this.#onResize(),
      resumed: () => this.#screen.refresh(),
      interrupted: signal => this.#pause(() => {
        // Without anybody else to handle it the signal does what it would have done without us.
        if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
      }),
      exiting: () => this.hide(),
      lost: () => this.#lose('gone'),
    }
    this.#terminal = new Takeover(input, output, holder)
  }

  /**
   * Put a panel up.
   *
   * @param origin who asks, in words.
   * @param swapped whether the panel before it was not ended by the person: keys that are still coming were meant for
   *   that one, so that this one listens only after a pause.
   */
  show(panel: Panel, origin: string, swapped: boolean): void {
    this.#panel = panel
    this.#look = { ...this.#look, origin }
    this.#swapped = swapped
    // Counted from the next macrotask: what was typed while the process was busy is only read then.
    this.#deafUntil = Infinity
    setImmediate(() => {
      if (this.#deafUntil === Infinity) this.#deafUntil = performance.now() + this.#deafMs
    })
    this.#take()
  }

  /** Tell how many other questions wait. */
  waiting(count: number): void {
    this.#look = { ...this.#look, waiting: count }
    if (this.#panel && !this.#resumption) this.#guard(() => this.#draw())
  }

  /** Draw attention to what is shown. */
  ring(): void {
    this.#screen.ring()
  }

  /** Take the panel away, but keep the terminal for the next one. */
  clear(): void {
    this.#panel = undefined
    clearTimeout(this.#resumption)
    clearTimeout(this.#settling)
    this.#resumption = this.#settling = undefined
    this.#screen.close()
  }

  /** Take the panel away and give the terminal back. Harmless when none is up. */
  hide(): void {
    this.clear()
    this.#terminal.release()
  }

  #take(): void {
    // Our own raw mode is not somebody else's.
    if (!this.#terminal.held && isTaken(this.#options.input)) return this.#lose('taken')
    this.#guard(() => {
      const shown = this.#view()
      this.#terminal.take()
      this.#screen.open()
      this.#screen.draw(shown)
    })
  }

  #onKeys(keys: readonly Key[]): void {
    if (!this.#panel) return
    if (this.#options.input.listenerCount('keypress') > 0) return this.#lose('taken')
    for (const key of keys) {
      if (key.name === 'interrupt') return this.#pause(this.#options.onInterrupt)
      if (key.name === 'suspend') return this.#pause(this.#options.onSuspend)
      if (key.name === 'redraw') this.#screen.refresh()
      else if (!this.#isEarly(key)) this.#panel = press(this.#panel!, key, this.#view().layout)
      // Whatever was pressed after the key that ends a question was not pressed for the next one.
      if (this.#panel!.form.submitted || this.#panel!.cancelled) return this.#events.finished(this.#panel!)
    }
    this.#draw()
  }

  #onResize(): void {
    clearTimeout(this.#settling)
    this.#settling = setTimeout(() => {
      this.#settling = undefined
      if (this.#panel) this.#guard(() => this.#screen.resized(this.#view()))
    }, SETTLE_MS)
  }

  #draw(): void {
    if (!this.#settling) this.#screen.draw(this.#view())
  }

  #isEarly({ name }: Key): boolean {
    const now = performance.now(), early = now < this.#deafUntil
    // An Enter that is held since the panel before must not send this one either.
    const isMeantForAnother = this.#swapped || name === 'enter'
    if (early && isMeantForAnother && this.#deafUntil !== Infinity) this.#deafUntil = now + this.#deafMs
    return early
  }

  get #deafMs(): number {
    return this.#swapped ? SWAPPED_MS : TOO_EARLY_MS
  }

  /** Let go of the terminal, have something done that may end the process or the question, then show it again. */
  #pause(meanwhile: () => void): void {
    this.#screen.close()
    this.#terminal.release()
    // Set before, since what is done may put the panel away.
    this.#resumption = setTimeout(() => {
      this.#resumption = undefined
      this.#take()
    }, RESUME_MS)
    meanwhile()
  }

  #lose(why: 'taken' | 'gone'): void {
    if (why === 'gone') this.#screen.abandon()
    this.hide()
    this.#events.lost(why)
  }

  #view(): View {
    const { columns = 80, rows = 24 } = this.#options.output
    return view(this.#panel!, { columns: columns || 80, rows: rows || 24 }, this.#look)
  }

  /** A question that cannot be shown fails; it must not take the host with it. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.hide()
      this.#events.failed(error)
    }
  }
}
