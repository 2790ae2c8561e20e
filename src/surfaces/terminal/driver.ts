// Shows one panel on a terminal and turns keys into its next state. It wants the terminal only while a panel is up; whether
// it has it then is the business of takeover.ts.
import type { Lang } from '../../reply/lang.ts'
import { Hearing } from './hearing.ts'
import type { Key } from './keys.ts'
import { press } from './panel.ts'
import type { Panel } from './panel-state.ts'
import { type Output, Screen } from './screen.ts'
import { Takeover, type TakeoverEvents, type Terminal } from './takeover.ts'
import { type Look, type View, view } from './view.ts'

/** How long a new size must last before it is drawn for, so that nothing is drawn while a window is being dragged. */
const SETTLE_MS = 50

/** A terminal, and how to use it. */
export interface DriverOptions extends Terminal {
  /** Other outputs on the same terminal. */
  readonly others: readonly Output[]
  readonly lang: Lang
  /** Whether to use colours. */
  readonly colour: boolean
  /** See {@link Screen}. */
  readonly pushes: boolean
  /** Handles Ctrl-C; called once the terminal is restored. */
  readonly onInterrupt: () => void
  /** Handles Ctrl-Z, likewise. */
  readonly onSuspend: () => void
}

/** What happens to the panel that is up. It stays up until {@link PanelDriver.hide}, unless the terminal is lost. */
export interface DriverEvents {
  /** The person has submitted or cancelled it. */
  finished(panel: Panel): void
  /** It cannot be shown. */
  failed(error: unknown): void
  /**
   * Something else reads the terminal (`taken`), or it no longer exists (`gone`).
   *
   * @param panel the one that was up.
   */
  lost(why: 'taken' | 'gone', panel: Panel | undefined): void
}

/** Drives one terminal. */
export class PanelDriver {
  readonly #options: DriverOptions
  readonly #events: DriverEvents
  readonly #screen: Screen
  readonly #terminal: Takeover
  #panel: Panel | undefined
  #look: Look
  #hearing = new Hearing(false)
  #settling: NodeJS.Timeout | undefined

  constructor(options: DriverOptions, events: DriverEvents) {
    const { output, others, lang, colour, pushes } = options
    this.#options = options
    this.#events = events
    this.#screen = new Screen(output, others, pushes)
    this.#look = { lang, colour, origin: '', waiting: 0 }
    const onTerminal: TakeoverEvents = {
      taken: () => this.#appear(),
      leaving: (isQuiet) => {
        if (isQuiet) this.#screen.abandon()
        else this.#screen.close()
      },
      tidy: () => this.#screen.tidy(),
      keys: keys => this.#guard(() => this.#onKeys(keys)),
      resized: () => this.#onResize(),
      resumed: () => this.#screen.refresh(),
      lost: why => this.#events.lost(why, this.#panel),
    }
    this.#terminal = new Takeover(options, onTerminal)
  }

  /**
   * Put a panel up.
   *
   * @param origin who asks, in words.
   * @param replaces whether it takes the place of a panel that somebody else ended: the person may still be typing for
   *   that one.
   */
  show(panel: Panel, origin: string, replaces: boolean): void {
    const hearing = new Hearing(replaces)
    this.#panel = panel
    this.#look = { ...this.#look, origin }
    this.#hearing = hearing
    // Counted from the next macrotask: what was typed while the process was busy is read only then.
    setImmediate(() => hearing.appear(performance.now()))
    if (this.#terminal.isHeld) this.#appear()
    else this.#terminal.take()
  }

  /** The panel that is up, as it is filled in so far. */
  get panel(): Panel | undefined {
    return this.#panel
  }

  /** Show how many other questions wait. */
  waiting(count: number): void {
    this.#look = { ...this.#look, waiting: count }
    if (this.#panel && this.#terminal.isHeld) this.#guard(() => this.#draw())
  }

  /** Ring the terminal's bell. */
  ring(): void {
    this.#screen.ring()
  }

  /** Take the panel away, but keep the terminal for the next one. */
  clear(): void {
    this.#panel = undefined
    clearTimeout(this.#settling)
    this.#settling = undefined
    this.#screen.close()
  }

  /** Take the panel away and give the terminal back. Harmless when none is up. */
  hide(): void {
    this.clear()
    this.#terminal.release()
  }

  #appear(): void {
    if (!this.#panel) return
    this.#guard(() => {
      const shown = this.#view()
      this.#screen.open()
      this.#screen.draw(shown)
    })
  }

  #onKeys(keys: readonly Key[]): void {
    if (!this.#panel) return
    for (let at = 0; at < keys.length;) {
      const key = this.#isWriting ? runOfText(keys, at) : keys[at]!
      at += 'text' in key && key.name === 'text' ? [...key.text].length : 1
      if (key.name === 'interrupt') return this.#terminal.pause(this.#options.onInterrupt)
      if (key.name === 'suspend') return this.#terminal.pause(this.#options.onSuspend)
      if (key.name === 'redraw') this.#screen.refresh()
      else if (this.#hearing.isMeant(key, performance.now())) this.#panel = press(this.#panel!, key, this.#view().layout)
      else if (this.#hearing.replaces) this.#panel = { ...this.#panel, note: 'early' }
      // Keys after the one that ends a question were not meant for the next question.
      if (this.#panel!.form.submitted || this.#panel!.cancelled) return this.#events.finished(this.#panel!)
    }
    this.#draw()
  }

  /** Whether a character is text and nothing else; then many at once need one layout. */
  get #isWriting(): boolean {
    const { typing, over, form } = this.#panel!
    return typing && over === undefined && form.entries[form.page]!.words !== ''
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

  #view(): View {
    const { columns = 80, rows = 24 } = this.#options.output
    return view(this.#panel!, { columns: columns || 80, rows: rows || 24 }, this.#look)
  }

  /** A malformed question fails alone; it must not take the host with it. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.hide()
      this.#events.failed(error)
    }
  }
}

/** The characters from a place on, as one key; another key alone. */
function runOfText(keys: readonly Key[], at: number): Key {
  let text = ''
  for (let next = at, key = keys[next]; key?.name === 'text'; key = keys[++next]) text += (key as { text: string }).text
  return text === '' ? keys[at]! : { name: 'text', text }
}
