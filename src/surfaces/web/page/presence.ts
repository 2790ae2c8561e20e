// The switch that says where the person is.
import type { Presence, Whereabouts } from '../wire.ts'
import { h } from './dom.ts'
import { Setting, type SettingOptions } from './setting.ts'

/** What the switch needs. */
export interface PresenceOptions extends SettingOptions {
  /** Tell the host; rejects when the host may not have heard. */
  send(presence: Presence): Promise<Whereabouts>
}

/** The switch. */
export class PresenceSwitch extends Setting<PresenceOptions> {
  #presence: Presence | undefined
  /** What it was last switched to here. */
  #target: Presence | undefined

  constructor(options: PresenceOptions) {
    super(options, 'presence', { role: 'switch' }, h('span', {}, options.texts.away), h('span', { class: 'track' }))
  }

  /** Show where the person is; `undefined` when this page may not know. */
  show(presence: Presence | undefined): void {
    const isNews = this.#presence !== undefined && presence !== undefined && this.#presence !== presence
    this.#presence = presence
    if (isNews) {
      this.forgetError()
      // Whoever changes it here sees it.
      if (!this.isChanging || presence !== this.#target) this.options.announce(this.options.texts.presence[presence])
    }
    this.draw()
  }

  protected get isKnown(): boolean {
    return this.#presence !== undefined
  }

  protected send(): Promise<Whereabouts> {
    this.#target = this.#presence === 'away' ? 'home' : 'away'
    return this.options.send(this.#target)
  }

  protected describe(): string {
    const { texts } = this.options
    if (this.#presence === undefined) return ''
    this.button.setAttribute('aria-checked', String(this.#presence === 'away'))
    this.button.setAttribute('aria-busy', String(this.isChanging))
    return !this.isConnected ? texts.presenceUnknown : this.isChanging ? texts.switching : texts.presence[this.#presence]
  }
}
