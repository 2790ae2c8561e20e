// The page as a whole: the cards of the open asks, those that have ended, where the person is, how the connection stands.
import { formatOrigin } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import type { AnswerBody, Card, Ended, Presence } from '../wire.ts'
import { CardView } from './card.ts'
import { type Connection, type ConnectionState, StatusError } from './connection.ts'
import { h } from './dom.ts'
import { foldedView, type Gone, outcome } from './folded.ts'
import { Model, type ModelView } from './model.ts'
import { Notifier } from './notify.ts'
import { PresenceSwitch } from './presence.ts'
import type { PageTexts } from './texts.ts'

const KEPT = 50
/** When a card folds, what stood below comes up: a tap that was on its way there does nothing for so long. */
const QUIET_MS = 300

/** The page. */
export class App implements ModelView {
  readonly model = new Model(this)
  readonly #texts: PageTexts
  readonly #lang: Lang
  readonly #connection: Connection
  readonly #cards = new Map<string, { readonly card: Card, readonly origin: string, readonly view: CardView }>()
  readonly #list: HTMLElement
  readonly #history: HTMLElement
  readonly #historySection: HTMLElement
  readonly #empty: HTMLElement
  readonly #banner: HTMLElement
  readonly #news: HTMLElement
  readonly #notifier: Notifier
  readonly #presence: PresenceSwitch
  /** The lines in the history: one whose ask comes back is not over. */
  readonly #lines = new Map<string, HTMLElement>()
  /** Whether what there is has been shown once: what comes then is new. */
  #settledIn = false
  #isForOne = false
  #lost = false
  #quietUntil = 0

  constructor(texts: PageTexts, lang: Lang, connection: Connection) {
    this.#texts = texts
    this.#lang = lang
    this.#connection = connection
    this.#notifier = new Notifier(texts)
    this.#presence = new PresenceSwitch({
      texts,
      send: presence => connection.setPresence(presence),
      changed: whereabouts => this.model.place(whereabouts),
      failed: () => connection.restart(),
      tell: text => {
        this.#news.textContent = text
      },
    })
    this.#banner = h('p', { class: 'banner', role: 'status' }, texts.connecting)
    this.#empty = h('p', { class: 'empty', hidden: '' }, texts.empty)
    this.#list = h('div', { class: 'open' })
    this.#history = h('ul')
    this.#historySection = h('section', { class: 'history', hidden: '', 'aria-labelledby': 'history' },
      h('h2', { id: 'history' }, texts.history), this.#history)
    this.#news = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
    document.body.append(
      h('header', {}, h('h1', {}, texts.title), this.#notifier.element, this.#presence.element),
      h('main', {}, this.#banner, this.#empty, this.#list, this.#historySection, this.#news))
    this.#list.addEventListener('click', event => {
      if (event.timeStamp >= this.#quietUntil || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
    }, { capture: true })
    this.#count()
  }

  opened(card: Card): void {
    this.#lines.get(card.id)?.remove()
    this.#lines.delete(card.id)
    const origin = formatOrigin(card.origin, this.#lang)
    const view = new CardView({ card, origin, texts: this.#texts, send: body => this.#send(card.id, body) })
    this.#cards.set(card.id, { card, origin, view })
    this.#list.append(view.element)
    this.#empty.hidden = true
    const isNew = this.#settledIn
    if (isNew) this.#news.textContent = this.#texts.newQuestion(origin)
    // Afterwards: a title and a look at the browser's permissions take longer than showing the card.
    setTimeout(() => {
      this.#count()
      if (isNew && !card.quiet && this.#cards.has(card.id)) this.#notifier.tell(card.id, origin)
    })
  }

  ended(ended: Ended): void {
    const shown = this.#cards.has(ended.id)
    this.#fold(ended)
    if (!shown) return
    this.#news.textContent = outcome(ended, this.#texts)
  }

  reminded(id: string, reminders: number): void {
    const { origin } = this.#cards.get(id)!
    this.#news.textContent = this.#texts.stillOpen(origin)
    this.#notifier.remind(id, origin, reminders)
  }

  placed(presence: Presence | undefined): void {
    // Who may not know has a link for one question: no other will appear here.
    this.#isForOne = presence === undefined
    this.#count()
    this.#presence.show(presence)
  }

  /** Whether the person is told of what comes though they do not look. */
  get notifies(): boolean {
    return this.#notifier.isOn
  }

  gone(id: string): void {
    const { card } = this.#cards.get(id)!
    this.#fold({ ...card, endedAt: Date.now(), kind: 'gone' })
  }

  /** Everything that there was to show at first is shown. */
  settleIn(): void {
    this.#settledIn = true
    this.#count()
  }

  /** Say how the connection stands. */
  show(state: ConnectionState): void {
    const texts = this.#texts
    const lost = state !== 'connected' && state !== 'connecting'
    const words = state === 'connected' ? this.#lost ? texts.back : '' : texts[state]
    if (this.#banner.textContent !== words && !(state === 'connected' && this.#banner.textContent === texts.back)) this.#banner.textContent = words
    this.#banner.classList.toggle('lost', lost)
    this.#lost = lost
    this.#presence.connection(state)
  }

  #fold(ended: Ended | Gone): void {
    const shown = this.#cards.get(ended.id)
    const hadFocus = shown?.view.hasFocus === true
    const line = foldedView(ended, this.#texts, this.#lang)
    this.#lines.get(ended.id)?.remove()
    this.#lines.delete(ended.id)
    this.#history.prepend(line)
    this.#lines.set(ended.id, line)
    if (this.#lines.size > KEPT) {
      const [oldest] = this.#lines.keys()
      this.#lines.get(oldest!)!.remove()
      this.#lines.delete(oldest!)
    }
    if (shown) {
      shown.view.element.remove()
      this.#cards.delete(ended.id)
      this.#notifier.forget(ended.id)
      this.#quietUntil = performance.now() + QUIET_MS
    }
    this.#count()
    if (!hadFocus) return
    // After an answer the next question is what the keyboard wants; else the line that tells what became of this one.
    const [next] = this.#cards.values()
    if (next !== undefined && ended.kind === 'answered' && ended.by === undefined) next.view.focus()
    else line.querySelector('summary')!.focus({ preventScroll: true })
  }

  /** Resolves with what the person is to be told when it was not sent. */
  async #send(id: string, body: AnswerBody): Promise<string | undefined> {
    const texts = this.#texts
    try {
      const { accepted, ended } = await this.#connection.answer(id, body)
      this.model.end(ended)
      if (!accepted) this.#news.textContent = texts.answeredAlready
      return undefined
    } catch (error) {
      const status = error instanceof StatusError ? error.status : 0
      // Settled, or not known any more: the connection brings what there is to say.
      if (status === 404 || status === 410) this.#connection.restart()
      if (status === 410) return texts.answeredAlready
      if (status === 401 || status === 403) return texts.denied
      if (status === 413) return texts.tooLong
      return status === 422 || status === 400 ? texts.refused : texts.notConfirmed
    }
  }

  #count(): void {
    const { count } = this.model
    document.title = count > 0 ? `(${count}) ${this.#texts.title}` : this.#texts.title
    this.#empty.hidden = count > 0 || !this.#settledIn || this.#isForOne
    this.#historySection.hidden = this.#history.children.length === 0
  }
}
