// "Notify me": a notification for a new question or a reminder while nobody looks at the page, where the browser can show
// one. Many have the permission and show none; so one counts only once one was seen to be shown.
import { h } from './dom.ts'
import type { PageTexts } from './texts.ts'

/** In the browser's storage: one was shown here. */
const KEY = `ask-web:${location.pathname}:notifies`

/** Notifications of this page. */
export class Notifier {
  readonly #texts: PageTexts
  /** The last one for each ask. */
  readonly #shown = new Map<string, Notification>()
  /** Whether one was shown; `undefined` until one was tried. */
  #shows: boolean | undefined = isKnownToShow() || undefined
  readonly #changed: () => void
  /** Offers notifications until the person decides, and says what came of it. */
  readonly element: HTMLElement

  /** @param changed {@link Notifier.isOn} has changed. */
  constructor(texts: PageTexts, changed: () => void) {
    this.#texts = texts
    this.#changed = changed
    this.element = h('span', { class: 'notify' })
    if (!this.#can || Notification.permission === 'denied' || this.isOn) return
    const button = h('button', { type: 'button', class: 'quiet' }, texts.notify)
    button.addEventListener('click', () => void this.#request())
    this.element.append(button)
  }

  /**
   * Notify of a new question.
   *
   * @param id the ask's; makes one notification of those of several tabs.
   * @param text who asks and where, and whether for a permission. What is asked must not appear on a locked screen.
   */
  tell(id: string, text: string): void {
    this.#tell(id, id, text)
  }

  /**
   * Remind of an open question.
   *
   * @param reminders the number of this reminder; makes one notification of those of several tabs.
   */
  remind(id: string, text: string, reminders: number): void {
    this.forget(id)
    this.#tell(id, `${id}:${reminders}`, text)
  }

  /** Take back the notification of a question. */
  forget(id: string): void {
    this.#shown.get(id)?.close()
    this.#shown.delete(id)
  }

  /** Whether a new question is notified of while nobody looks. */
  get isOn(): boolean {
    return this.#shows === true && this.#mayTry
  }

  get #mayTry(): boolean {
    return this.#can && this.#shows !== false && Notification.permission === 'granted'
  }

  #tell(id: string, tag: string, text: string): void {
    if (!this.#mayTry || document.hasFocus()) return
    const notification = this.#show(tag, text)
    if (notification) this.#shown.set(id, notification)
  }

  get #can(): boolean {
    return 'Notification' in window && window.isSecureContext
  }

  async #request(): Promise<void> {
    const permission = await Notification.requestPermission().catch(() => 'denied' as const)
    if (permission === 'default') return
    const say = (shown: boolean) => this.element.replaceChildren(h('span', { role: 'status' }, shown ? this.#texts.notifyOn : this.#texts.notifyFailed))
    // Some browsers, above all on Android, give the permission and then show none.
    const notification = permission === 'granted' ? this.#show('on', this.#texts.notifyOn) : undefined
    if (notification === undefined) return say(false)
    notification.addEventListener('show', () => say(true))
    notification.addEventListener('error', () => say(false))
  }

  #show(tag: string, text: string): Notification | undefined {
    try {
      const notification = new Notification(text, { tag: `ask-web:${tag}`, icon: 'icon.svg' })
      notification.addEventListener('click', () => {
        window.focus()
        notification.close()
      })
      notification.addEventListener('show', () => this.#set(true))
      notification.addEventListener('error', () => this.#set(false))
      return notification
    } catch {
      this.#set(false)
      return undefined
    }
  }

  #set(shows: boolean): void {
    const wasOn = this.isOn
    this.#shows = shows
    try {
      if (shows) localStorage.setItem(KEY, 'yes')
      else localStorage.removeItem(KEY)
    } catch { /* no storage: known as long as the page lives */ }
    if (wasOn !== this.isOn) this.#changed()
  }
}

function isKnownToShow(): boolean {
  try {
    return localStorage.getItem(KEY) === 'yes'
  } catch { return false /* no storage */ }
}
