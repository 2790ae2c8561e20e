// Shows one panel on a terminal and turns keys into its next state. It wants the terminal only while a panel is up; whether
// it has it then is the business of takeover.ts.
import type { Lang } from '../../reply/lang.ts'
import { decide, hasApproval, release } from './approval-panel.ts'
import { Alone, Hearing, TOO_EARLY_MS } from './hearing.ts'
import type { Key } from './keys.ts'
import { press } from './panel.ts'
import { isDone, type Panel } from './panel-state.ts'
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
  readonly #alone = new Alone()
  #settling: NodeJS.Timeout | undefined
  /** Until a choice stands: first some time, then whatever was pressed meanwhile and is not read yet. */
  #holding: NodeJS.Timeout | undefined
  #standing: NodeJS.Immediate | undefined

  constructor(options: DriverOptions, events: DriverEvents) {
    const { output, others, lang, colour, pushes } = options
    this.#options = options
    this.#events = events
    this.#screen = new Screen(output, others, pushes)
    this.#look = { lang, colour, origin: '', waiting: 0, late: false }
    const onTerminal: TakeoverEvents = {
      taken: () => this.#appear(),
      leaving: (isQuiet) => {
        this.#release()
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
   * @param late whether the agent has gone on.
   */
  show(panel: Panel, origin: string, replaces: boolean, late: boolean): void {
    this.#panel = panel
    this.#look = { ...this.#look, origin, late }
    this.#listenSoon(replaces)
    if (this.#terminal.isHeld) this.#appear()
    else this.#terminal.take()
  }

  /** The panel that is up, as it is filled in so far. */
  get panel(): Panel | undefined {
    return this.#panel
  }

  /** Show how many other questions wait. */
  waiting(count: number): void {
    this.#change({ waiting: count })
  }

  /** Show that the agent has gone on. */
  late(): void {
    this.#change({ late: true })
  }

  #change(look: Partial<Look>): void {
    this.#look = { ...this.#look, ...look }
    if (this.#panel && this.#terminal.isHeld) this.#guard(() => this.#draw())
  }

  /** Ring the terminal's bell. */
  ring(): void {
    this.#screen.ring()
  }

  /** Take the panel away, but keep the terminal for the next one. */
  clear(): void {
    this.#stopHolding()
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

  #listenSoon(replaces: boolean): void {
    const hearing = this.#hearing = new Hearing(replaces)
    // Counted from the next macrotask: what was typed while the process was busy is read only then.
    setImmediate(() => hearing.appear(performance.now()))
  }

  #appear(): void {
    if (!this.#panel) return
    // Each time, since what is pressed while something else is on the screen must not permit anything.
    if (this.#panel.approval) this.#listenSoon(this.#hearing.replaces)
    this.#guard(() => {
      const shown = this.#view()
      this.#screen.open()
      this.#screen.draw(shown)
    })
  }

  #onKeys(keys: readonly Key[]): void {
    const now = performance.now(), isAlone = this.#alone.came(keys, now)
    if (!this.#panel) return
    this.#stopHolding()
    for (let at = 0; at < keys.length;) {
      const key = this.#isWriting ? runOfText(keys, at) : keys[at]!
      at += 'text' in key && key.name === 'text' ? [...key.text].length : 1
      if (key.name === 'interrupt') return this.#terminal.pause(this.#options.onInterrupt)
      if (key.name === 'suspend') return this.#terminal.pause(this.#options.onSuspend)
      if (key.name === 'redraw') this.#screen.refresh()
      else if (this.#hearing.isMeant(key, now)) this.#panel = press(this.#panel!, key, this.#view().layout, isAlone)
      else if (this.#hearing.replaces) this.#panel = { ...this.#panel, note: 'early' }
      // Keys after the one that ends a question were not meant for the next question.
      if (isDone(this.#panel!)) return this.#events.finished(this.#panel!)
    }
    if (this.#panel.approval?.held !== undefined) this.#hold()
    this.#draw()
  }

  #hold(): void {
    this.#holding = setTimeout(() => {
      this.#standing = setImmediate(() => this.#guard(() => {
        const panel = this.#panel
        if (!panel || !hasApproval(panel)) return
        this.#panel = decide(panel)
        this.#events.finished(this.#panel)
      }))
    }, TOO_EARLY_MS)
  }

  #stopHolding(): void {
    clearTimeout(this.#holding)
    clearImmediate(this.#standing)
  }

  /** The person cannot see it any longer: a choice that does not stand yet never will. */
  #release(): void {
    this.#stopHolding()
    if (this.#panel && hasApproval(this.#panel) && this.#panel.approval.held !== undefined) this.#panel = release(this.#panel)
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
