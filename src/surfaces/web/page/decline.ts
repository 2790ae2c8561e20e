// "Not now": lets the agent go on without an answer. It ends the question for everybody, so it asks once.
import { h, newId } from './dom.ts'
import type { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** The button, and what it asks. */
export class DeclineView {
  readonly element: HTMLElement
  readonly #button: HTMLButtonElement
  readonly #confirmation: HTMLElement
  readonly #back: HTMLButtonElement
  readonly #still: Still

  /** @param decline the person has said so twice. */
  constructor(texts: PageTexts, still: Still, decline: () => void) {
    this.#still = still
    const questionId = newId()
    const button = (text: string, press: () => void) => {
      const element = h('button', { type: 'button', class: 'quiet' }, text)
      element.addEventListener('click', press)
      return element
    }
    this.#button = button(texts.notNow, () => this.#ask(true))
    this.#back = button(texts.back, () => this.close())
    this.#confirmation = h('div', { class: 'confirmation', role: 'group', 'aria-labelledby': questionId, hidden: '' },
      h('p', { id: questionId }, texts.goOnWithout), this.#back, button(texts.goOn, decline))
    this.element = h('div', { class: 'decline' }, this.#button, this.#confirmation)
    this.element.addEventListener('keydown', event => {
      if (event.key === 'Escape' && !event.isComposing) this.close()
    })
  }

  /** Ask no more. */
  close(): void {
    if (!this.#confirmation.hidden) this.#ask(false)
  }

  #ask(asks: boolean): void {
    const hadFocus = this.element.contains(document.activeElement)
    this.#button.hidden = asks
    this.#confirmation.hidden = !asks
    // A double tap, or Enter that is held down, must not confirm.
    this.#still.hold(asks ? this.#confirmation : this.#button)
    if (asks || hadFocus) (asks ? this.#back : this.#button).focus({ preventScroll: true })
    if (asks) this.#confirmation.scrollIntoView({ block: 'nearest' })
  }
}
