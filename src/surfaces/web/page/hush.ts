// "Quiet for an hour": keeps every surface that can be silent from making a sound, and says until when.
import type { Lang } from '../../../reply/lang.ts'
import type { Whereabouts } from '../wire.ts'
import { timeOf } from './clock.ts'
import { Setting, type SettingOptions } from './setting.ts'

const MINUTES = 60

/** What the button needs. */
export interface HushOptions extends SettingOptions {
  readonly lang: Lang
  /** Tell the host for how many minutes, 0 for no longer; rejects when it may not have heard. */
  send(minutes: number): Promise<Whereabouts>
}

/** The button, and until when it holds. */
export class HushButton extends Setting<HushOptions> {
  #whereabouts: Whereabouts | undefined

  constructor(options: HushOptions) {
    super(options, 'hush', { class: 'quiet' })
  }

  /** Show what holds; `undefined` when this page may not know. */
  show(whereabouts: Whereabouts | undefined): void {
    const before = this.#whereabouts
    this.#whereabouts = whereabouts
    if (before && whereabouts && before.hushedUntil !== whereabouts.hushedUntil) {
      this.forgetError()
      this.options.announce(this.#words() || this.options.texts.loudAgain)
    }
    this.draw()
  }

  protected get isKnown(): boolean {
    return this.#whereabouts !== undefined
  }

  protected send(): Promise<Whereabouts> {
    return this.options.send(this.#whereabouts?.hushedUntil === undefined ? MINUTES : 0)
  }

  protected describe(): string {
    const { texts } = this.options
    this.button.textContent = this.#whereabouts?.hushedUntil === undefined ? texts.quiet : texts.endQuiet
    return this.isChanging ? texts.switching : this.#words()
  }

  #words(): string {
    const until = this.#whereabouts?.hushedUntil
    return until === undefined ? '' : this.options.texts.quietUntil(timeOf(until, this.options.lang))
  }
}
