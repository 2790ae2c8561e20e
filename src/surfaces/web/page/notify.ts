// "Notify me": a notification when a question comes while the page is not looked at, where the browser can do it.
import { h } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** Notifications of this page. */
export class Notifier {
  readonly #texts: PageTexts
  /** Offered while there is a decision to make; tells what came of it. */
  readonly element: HTMLElement

  constructor(texts: PageTexts) {
    this.#texts = texts
    this.element = h('span', { class: 'notify' })
    if (!this.#can || Notification.permission !== 'default') return
    const button = h('button', { type: 'button', class: 'quiet' }, texts.notify)
    button.addEventListener('click', () => void this.#request())
    this.element.append(button)
  }

  /**
   * Tell of a question.
   *
   * @param id the ask's; several tabs tell of it once.
   * @param who who asks. What is asked is not told: it would stand on a locked screen.
   */
  tell(id: string, who: string | undefined): void {
    if (this.#can && Notification.permission === 'granted' && !document.hasFocus()) this.#show(id, this.#texts.newQuestion(who))
  }

  get #can(): boolean {
    return 'Notification' in window && window.isSecureContext
  }

  async #request(): Promise<void> {
    const permission = await Notification.requestPermission().catch(() => 'denied' as const)
    if (permission === 'default') return
    // Some browsers, on Android above all, have the permission and then show none.
    const shown = permission === 'granted' && this.#show('on', this.#texts.notifyOn)
    this.element.replaceChildren(h('span', { role: 'status' }, shown ? this.#texts.notifyOn : this.#texts.notifyFailed))
  }

  #show(tag: string, text: string): boolean {
    try {
      const notification = new Notification(text, { tag: `ask-web:${tag}`, icon: 'icon.svg' })
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
      })
      return true
    } catch { return false /* no such constructor here */ }
  }
}
