// "Notify me": a notification when a question comes, or waits still, while the page is not looked at, where the browser
// can do it.
import { h } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** Notifications of this page. */
export class Notifier {
  readonly #texts: PageTexts
  /** The last one of each ask. */
  readonly #shown = new Map<string, Notification>()
  /** Whether the browser has none for pages after all. */
  #broken = false
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
   * @param origin who asks and where. What is asked is not told: it would stand on a locked screen.
   */
  tell(id: string, origin: string): void {
    this.#tell(id, id, this.#texts.newQuestion(origin))
  }

  /**
   * Tell of a question once more.
   *
   * @param reminders how often by now; several tabs tell of each once.
   */
  remind(id: string, origin: string, reminders: number): void {
    this.forget(id)
    this.#tell(id, `${id}:${reminders}`, this.#texts.stillOpen(origin))
  }

  /** Take back what was told of a question. */
  forget(id: string): void {
    this.#shown.get(id)?.close()
    this.#shown.delete(id)
  }

  /** Whether a question that comes now is told of, though nobody looks. */
  get isOn(): boolean {
    return this.#can && !this.#broken && Notification.permission === 'granted'
  }

  #tell(id: string, tag: string, text: string): void {
    if (!this.isOn || document.hasFocus()) return
    const notification = this.#show(tag, text)
    if (notification) this.#shown.set(id, notification)
  }

  get #can(): boolean {
    return 'Notification' in window && window.isSecureContext
  }

  async #request(): Promise<void> {
    const permission = await Notification.requestPermission().catch(() => 'denied' as const)
    if (permission === 'default') return
    // Some browsers, on Android above all, have the permission and then show none.
    const shown = permission === 'granted' && this.#show('on', this.#texts.notifyOn) !== undefined
    this.element.replaceChildren(h('span', { role: 'status' }, shown ? this.#texts.notifyOn : this.#texts.notifyFailed))
  }

  #show(tag: string, text: string): Notification | undefined {
    try {
      const notification = new Notification(text, { tag: `ask-web:${tag}`, icon: 'icon.svg' })
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
      })
      return notification
    } catch {
      this.#broken = true
      return undefined
    }
  }
}
