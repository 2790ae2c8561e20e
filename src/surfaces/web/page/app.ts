// The page as a whole: a card for each open ask, a line for each that has ended, the presence switch, and the banner.
import { formatOrigin } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import type { AnswerBody, Card, Ended, Presence } from '../wire.ts'
import { CardView } from './card.ts'
import { BlockedError, type Connection, type ConnectionState, StatusError } from './connection.ts'
import { h } from './dom.ts'
import { foldedView, type Gone, outcome } from './folded.ts'
import { Model, type ModelView } from './model.ts'
import { Notifier } from './notify.ts'
import { PresenceSwitch } from './presence.ts'
import type { PageTexts } from './texts.ts'

const KEPT = 50
/** After a card folds, what was below it moves up: for this long a tap may have been meant for the card. */
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
  readonly #waiting: HTMLElement
  readonly #announcement: HTMLElement
  readonly #notifier: Notifier
  readonly #switch: PresenceSwitch
  /** The lines in the history, by ask; an ask that comes back loses its line. */
  readonly #lines = new Map<string, HTMLElement>()
  /** Whether the first snapshot is on show: a card that comes later is new to the person. */
  #isReady = false
  /** Whether the link is for one question: no other will appear. */
  #isForOneAsk = false
  #wasLost = false
  #quietUntil = 0

  constructor(texts: PageTexts, lang: Lang, connection: Connection) {
    this.#texts = texts
    this.#lang = lang
    this.#connection = connection
    this.#notifier = new Notifier(texts)
    this.#switch = new PresenceSwitch({
      texts,
      send: presence => connection.setPresence(presence),
      changed: whereabouts => this.model.setWhereabouts(whereabouts),
      failed: () => connection.restart(),
      announce: text => {
        this.#announcement.textContent = text
      },
    })
    this.#banner = h('p', { class: 'banner', role: 'status' }, texts.connecting)
    this.#empty = h('p', { class: 'empty', hidden: '' }, texts.empty)
    this.#list = h('div', { class: 'open' })
    this.#waiting = h('p', { class: 'waiting', role: 'status', hidden: '' })
    this.#history = h('ul')
    this.#historySection = h('section', { class: 'history', hidden: '', 'aria-labelledby': 'history' },
      h('h2', { id: 'history' }, texts.history), this.#history)
    this.#announcement = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
    document.body.append(
      h('header', {}, h('h1', {}, texts.title), this.#notifier.element, this.#switch.element),
      h('main', {}, this.#banner, this.#empty, this.#list, this.#waiting, this.#historySection, this.#announcement))
    this.#list.addEventListener('click', event => {
      if (event.timeStamp >= this.#quietUntil || event.detail === 0) return
      event.preventDefault()
      event.stopPropagation()
    }, { capture: true })
    this.#showCount()
  }

  opened(card: Card): void {
    this.#lines.get(card.id)?.remove()
    this.#lines.delete(card.id)
    const origin = formatOrigin(card.origin, this.#lang)
    const view = new CardView({ card, origin, texts: this.#texts, send: body => this.#send(card.id, body) })
    this.#cards.set(card.id, { card, origin, view })
    this.#list.append(view.element)
    this.#empty.hidden = true
    const isNew = this.#isReady
    if (isNew) this.#announcement.textContent = this.#texts.newQuestion(origin)
    // Later: the title and the browser's permissions take longer than showing the card.
    setTimeout(() => {
      this.#showCount()
      if (isNew && !card.quiet && this.#cards.has(card.id)) this.#notifier.tell(card.id, origin)
    })
  }

  ended(ended: Ended): void {
    const shown = this.#cards.has(ended.id)
    this.#fold(ended)
    if (!shown) return
    this.#announcement.textContent = outcome(ended, this.#texts)
  }

  reminded(id: string, reminders: number): void {
    const { origin } = this.#cards.get(id)!
    this.#announcement.textContent = this.#texts.stillOpen(origin)
    this.#notifier.remind(id, origin, reminders)
  }

  waiting(count: number): void {
    this.#waiting.textContent = count > 0 ? this.#texts.waiting(count) : ''
    this.#waiting.hidden = count === 0
  }

  presence(presence: Presence | undefined): void {
    this.#isForOneAsk = presence === undefined
    this.#showCount()
    this.#switch.show(presence)
  }

  /** Whether the person hears of new questions without looking at the page. */
  get notifies(): boolean {
    return this.#notifier.isOn
  }

  gone(id: string): void {
    const { card } = this.#cards.get(id)!
    this.#fold({ ...card, endedAt: Date.now(), kind: 'gone' })
  }

  /** The first snapshot is on show. */
  ready(): void {
    this.#isReady = true
    this.#showCount()
  }

  /** Show the state of the connection. */
  show(state: ConnectionState): void {
    const texts = this.#texts
    const lost = state !== 'connected' && state !== 'connecting'
    const words = state === 'connected' ? this.#wasLost ? texts.back : '' : texts[state]
    if (this.#banner.textContent !== words && !(state === 'connected' && this.#banner.textContent === texts.back)) this.#banner.textContent = words
    this.#banner.classList.toggle('lost', lost)
    this.#wasLost = lost
    this.#switch.connection(state)
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
    this.#showCount()
    if (!hadFocus) return
    // After an answer given here the keyboard goes on to the next question, else to the line that says how this one ended.
    const [next] = this.#cards.values()
    if (next !== undefined && ended.kind === 'answered' && ended.by === undefined) next.view.focus()
    else line.querySelector('summary')!.focus({ preventScroll: true })
  }

  /** Resolves with what to tell the person when it was not sent. */
  async #send(id: string, body: AnswerBody): Promise<string | undefined> {
    const texts = this.#texts
    try {
      const { accepted, ended } = await this.#connection.answer(id, body)
      this.model.end(ended)
      if (!accepted) this.#announcement.textContent = texts.answeredAlready
      return undefined
    } catch (error) {
      if (error instanceof BlockedError) return texts.blocked
      const status = error instanceof StatusError ? error.status : 0
      // Settled or no longer known: the next snapshot says what happened.
      if (status === 404 || status === 410) this.#connection.restart()
      if (status === 410) return texts.answeredAlready
      if (status === 401 || status === 403) return texts.denied
      if (status === 413) return texts.tooLong
      return status === 422 || status === 400 ? texts.refused : texts.notConfirmed
    }
  }

  #showCount(): void {
    const { count } = this.model
    document.title = count > 0 ? `(${count}) ${this.#texts.title}` : this.#texts.title
    this.#empty.hidden = count > 0 || !this.#isReady || this.#isForOneAsk
    this.#historySection.hidden = this.#history.children.length === 0
  }
}
