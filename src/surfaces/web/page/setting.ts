// A setting of the host that is changed with a button on the page. It only ever shows what the host says: while a change is on
// its way or the host cannot be reached, it says so.
import type { Whereabouts } from '../wire.ts'
import type { ConnectionState } from './connection.ts'
import { type Child, h, newId } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** What every setting needs. */
export interface SettingOptions {
  readonly texts: PageTexts
  /** The host has confirmed what holds now. */
  changed(whereabouts: Whereabouts): void
  /** A change was not confirmed. */
  failed(): void
  /** Announce what holds now to those who do not see it. */
  announce(text: string): void
}

/** One setting. */
export abstract class Setting<Options extends SettingOptions> {
  /** Hidden until it is known what holds. */
  readonly element: HTMLElement
  protected readonly options: Options
  protected readonly button: HTMLButtonElement
  /** Whether a change is on its way. */
  protected isChanging = false
  readonly #line: HTMLElement
  readonly #error: HTMLElement
  #connection: ConnectionState = 'connecting'

  /**
   * @param attributes of the button.
   * @param children of the button.
   */
  constructor(options: Options, name: string, attributes: Readonly<Record<string, string>>, ...children: readonly Child[]) {
    const lineId = newId()
    this.options = options
    this.button = h('button', { type: 'button', ...attributes, 'aria-describedby': lineId }, ...children)
    this.#line = h('span', { class: 'holds', id: lineId })
    this.#error = h('p', { class: 'unchanged', role: 'alert' })
    this.element = h('div', { class: name, hidden: '' }, this.button, this.#line, this.#error)
    this.button.addEventListener('click', () => void this.#change())
  }

  /** Show whether the host can be reached. */
  connection(state: ConnectionState): void {
    this.#connection = state
    this.draw()
  }

  protected get isConnected(): boolean {
    return this.#connection === 'connected'
  }

  /** Whether it is known what holds. */
  protected abstract get isKnown(): boolean

  /** Tell the host to change it; rejects when the host may not have heard. */
  protected abstract send(): Promise<Whereabouts>

  /** Draw the button. @returns the line beside it. */
  protected abstract describe(): string

  /** It holds something else now: a change that failed earlier no longer matters. */
  protected forgetError(): void {
    this.#error.textContent = ''
  }

  protected draw(): void {
    this.element.hidden = !this.isKnown || this.#connection === 'denied' || this.#connection === 'settled'
    this.button.setAttribute('aria-disabled', String(!this.isConnected || this.isChanging))
    this.#line.textContent = this.describe()
  }

  async #change(): Promise<void> {
    if (!this.isConnected || this.isChanging) return
    this.forgetError()
    this.isChanging = true
    this.draw()
    try {
      this.options.changed(await this.send())
    } catch {
      this.#error.textContent = this.options.texts.presenceFailed
      this.options.failed()
    }
    this.isChanging = false
    this.draw()
  }
}
