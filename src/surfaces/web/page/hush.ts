// "Quiet for an hour": keeps every surface that can be silent from making a sound, and says until when. As the switch does, it
// only shows what the host says.
import type { Lang } from '../../../reply/lang.ts'
import type { Whereabouts } from '../wire.ts'
import { timeOf } from './clock.ts'
import type { ConnectionState } from './connection.ts'
import { h, newId } from './dom.ts'
import type { PageTexts } from './texts.ts'

const MINUTES = 60

/** What the button needs. */
export interface HushOptions {
  readonly texts: PageTexts
  readonly lang: Lang
  /** Tell the host for how many minutes, 0 for no longer; rejects when it may not have heard. */
  send(minutes: number): Promise<Whereabouts>
  /** The host has confirmed what holds now. */
  changed(whereabouts: Whereabouts): void
  /** A change was not confirmed. */
  failed(): void
  /** Announce what holds now to those who do not see it. */
  announce(text: string): void
}

/** The button, and until when it holds. */
export class HushButton {
  /** Hidden until it is known what holds. */
  readonly element: HTMLElement
  readonly #options: HushOptions
  readonly #button: HTMLButtonElement
  readonly #until: HTMLElement
  readonly #error: HTMLElement
  #whereabouts: Whereabouts | undefined
  #isBusy = false
  #connection: ConnectionState = 'connecting'

  constructor(options: HushOptions) {
    this.#options = options
    const untilId = newId()
    this.#button = h('button', { type: 'button', class: 'quiet', 'aria-describedby': untilId })
    this.#until = h('span', { class: 'holds', id: untilId })
    this.#error = h('p', { class: 'unchanged', role: 'alert' })
    this.element = h('div', { class: 'hush', hidden: '' }, this.#button, this.#until, this.#error)
    this.#button.addEventListener('click', () => void this.#change())
  }

  /** Show what holds; `undefined` when this page may not know. */
  show(whereabouts: Whereabouts | undefined): void {
    const before = this.#whereabouts
    this.#whereabouts = whereabouts
    if (before && whereabouts && before.hushedUntil !== whereabouts.hushedUntil) {
      this.#error.textContent = ''
      this.#options.announce(this.#words() || this.#options.texts.loudAgain)
    }
    this.#draw()
  }

  /** Show whether the host can be reached. */
  connection(state: ConnectionState): void {
    this.#connection = state
    this.#draw()
  }

  async #change(): Promise<void> {
    if (this.#connection !== 'connected' || this.#isBusy) return
    this.#error.textContent = ''
    this.#isBusy = true
    this.#draw()
    try {
      this.#options.changed(await this.#options.send(this.#whereabouts?.hushedUntil === undefined ? MINUTES : 0))
    } catch {
      this.#error.textContent = this.#options.texts.presenceFailed
      this.#options.failed()
    }
    this.#isBusy = false
    this.#draw()
  }

  #words(): string {
    const until = this.#whereabouts?.hushedUntil
    return until === undefined ? '' : this.#options.texts.quietUntil(timeOf(until, this.#options.lang))
  }

  #draw(): void {
    const isConnected = this.#connection === 'connected'
    this.element.hidden = this.#whereabouts === undefined || this.#connection === 'denied' || this.#connection === 'settled'
    const { texts } = this.#options
    this.#button.textContent = this.#whereabouts?.hushedUntil === undefined ? texts.quiet : texts.endQuiet
    this.#button.setAttribute('aria-disabled', String(!isConnected || this.#isBusy))
    this.#until.textContent = this.#isBusy ? texts.switching : this.#words()
  }
}
