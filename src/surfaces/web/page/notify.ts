// "Notify me": a notification for a new question or a reminder while nobody looks at the page, where the browser can show
// one.
import { h } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** Notifications of this page. */
export class Notifier {
  readonly #texts: PageTexts
  /** The last one for each ask. */
  readonly #shown = new Map<string, Notification>()
  /** Whether the browser has the permission and still cannot show any. */
  #broken = false
  /** Offers notifications until the person decides, and says what came of it. */
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
   * Notify of a new question.
   *
   * @param id the ask's; makes one notification of those of several tabs.
   * @param origin who asks and where. The question itself must not appear on a locked screen.
   */
  tell(id: string, origin: string): void {
    this.#tell(id, id, this.#texts.newQuestion(origin))
  }

  /**
   * Remind of an open question.
   *
   * @param reminders the number of this reminder; makes one notification of those of several tabs.
   */
  remind(id: string, origin: string, reminders: number): void {
    this.forget(id)
    this.#tell(id, `${id}:${reminders}`, this.#texts.stillOpen(origin))
  }

  /** Take back the notification of a question. */
  forget(id: string): void {
    this.#shown.get(id)?.close()
    this.#shown.delete(id)
  }

  /** Whether a new question is notified of while nobody looks. */
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
    // Some browsers, above all on Android, give the permission and then show none.
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
