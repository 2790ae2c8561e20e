// The switch that says where the person is. It only ever shows what the host says: while a change is on its way or the
// host cannot be reached, it says so.
import type { Presence, Whereabouts } from '../wire.ts'
import type { ConnectionState } from './connection.ts'
import { h, newId } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** What the switch needs. */
export interface PresenceOptions {
  readonly texts: PageTexts
  /** Tell the host; rejects when the host may not have heard. */
  send(presence: Presence): Promise<Whereabouts>
  /** The host has confirmed where the person is now. */
  changed(whereabouts: Whereabouts): void
  /** A change was not confirmed. */
  failed(): void
  /** Announce a change from elsewhere to those who do not see it. */
  announce(text: string): void
}

/** The switch. */
export class PresenceSwitch {
  /** Hidden until it is known where the person is. */
  readonly element: HTMLElement
  readonly #options: PresenceOptions
  readonly #button: HTMLButtonElement
  readonly #effect: HTMLElement
  readonly #error: HTMLElement
  #presence: Presence | undefined
  #target: Presence | undefined
  #connection: ConnectionState = 'connecting'

  constructor(options: PresenceOptions) {
    this.#options = options
    const effectId = newId()
    this.#button = h('button', { type: 'button', role: 'switch', 'aria-describedby': effectId },
      h('span', {}, options.texts.away), h('span', { class: 'track' }))
    this.#effect = h('span', { class: 'holds', id: effectId })
    this.#error = h('p', { class: 'unchanged', role: 'alert' })
    this.element = h('div', { class: 'presence', hidden: '' }, this.#button, this.#effect, this.#error)
    this.#button.addEventListener('click', () => void this.#change())
  }

  /** Show where the person is; `undefined` when this page may not know. */
  show(presence: Presence | undefined): void {
    const isNews = this.#presence !== undefined && presence !== undefined && this.#presence !== presence
    this.#presence = presence
    if (isNews) {
      // A change that failed earlier no longer matters.
      this.#error.textContent = ''
      if (presence !== this.#target) this.#options.announce(this.#options.texts.presence[presence])
    }
    this.#draw()
  }

  /** Show whether the host can be reached. */
  connection(state: ConnectionState): void {
    this.#connection = state
    this.#draw()
  }

  async #change(): Promise<void> {
    if (this.#connection !== 'connected' || this.#target !== undefined) return
    const target = this.#presence === 'away' ? 'home' : 'away'
    this.#error.textContent = ''
    this.#target = target
    this.#draw()
    try {
      this.#options.changed(await this.#options.send(target))
    } catch {
      this.#error.textContent = this.#options.texts.presenceFailed
      this.#options.failed()
    }
    this.#target = undefined
    this.#draw()
  }

  #draw(): void {
    const isConnected = this.#connection === 'connected'
    this.element.hidden = this.#presence === undefined || this.#connection === 'denied' || this.#connection === 'settled'
    if (this.#presence === undefined) return
    const { texts } = this.#options
    this.#button.setAttribute('aria-checked', String(this.#presence === 'away'))
    this.#button.setAttribute('aria-disabled', String(!isConnected || this.#target !== undefined))
    this.#button.setAttribute('aria-busy', String(this.#target !== undefined))
    this.#effect.textContent = !isConnected ? texts.presenceUnknown
      : this.#target !== undefined ? texts.switching : texts.presence[this.#presence]
  }
}
