// The page as a whole: a card for each open ask, a line for each that has ended, the presence switch, and the banner.
import { formatOrigin } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import type { AnswerBody, Card, Ended, Presence } from '../wire.ts'
import { CardView } from './card.ts'
import { BlockedError, type Connection, type ConnectionState, StatusError } from './connection.ts'
import { h } from './dom.ts'
import type { Draft } from './draft.ts'
import { Earlier } from './earlier.ts'
import { type Gone, outcome } from './folded.ts'
import { Model, type ModelView } from './model.ts'
import { Notifier } from './notify.ts'
import { forgetSent, noteSent } from './own.ts'
import { PresenceSwitch } from './presence.ts'
import { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** The page. */
export class App implements ModelView {
  readonly model = new Model(this)
  readonly #texts: PageTexts
  readonly #lang: Lang
  readonly #connection: Connection
  readonly #cards = new Map<string, { readonly card: Card, readonly origin: string, readonly view: CardView }>()
  readonly #list: HTMLElement
  readonly #earlier: Earlier
  readonly #still = new Still(() => [...this.#list.children, ...this.#earlier.blocks])
  readonly #empty: HTMLElement
  readonly #banner: HTMLElement
  readonly #waiting: HTMLElement
  readonly #announcement: HTMLElement
  readonly #notifier: Notifier
  readonly #switch: PresenceSwitch
  /** Whether the first snapshot is on show: a card that comes later is new to the person. */
  #isReady = false
  /** Whether the link is for one question: no other will appear. */
  #isForOneAsk = false
  #wasLost = false

  constructor(texts: PageTexts, lang: Lang, connection: Connection) {
    this.#texts = texts
    this.#lang = lang
    this.#connection = connection
    this.#notifier = new Notifier(texts, () => connection.restart())
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
    this.#earlier = new Earlier({ texts, lang, still: this.#still, next: line => this.#next(line) })
    this.#announcement = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
    document.body.append(
      h('header', {}, h('h1', {}, texts.title), this.#notifier.element, this.#switch.element),
      h('main', {}, this.#banner, this.#empty, this.#list, this.#waiting, this.#earlier.element, this.#announcement))
    this.#showCount()
  }

  opened(card: Card): void {
    const origin = formatOrigin(card.origin, this.#lang)
    const view = new CardView({
      card, origin, texts: this.#texts, still: this.#still, send: (body, said) => this.#send(card.id, body, said),
    })
    this.#cards.set(card.id, { card, origin, view })
    this.#still.move(() => {
      if (!this.#earlier.reopen(card.id, view.element)) this.#list.append(view.element)
      this.#empty.hidden = true
    })
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
    this.#still.move(() => {
      this.#waiting.textContent = count > 0 ? this.#texts.waiting(count) : ''
      this.#waiting.hidden = count === 0
    })
  }

  presence(presence: Presence | undefined): void {
    this.#isForOneAsk = presence === undefined
    this.#still.move(() => {
      this.#showCount()
      this.#switch.show(presence)
    })
  }

  /** Whether the person hears of new questions without looking at the page. */
  get notifies(): boolean {
    return this.#notifier.isOn
  }

  gone(id: string): void {
    const { card } = this.#cards.get(id)!
    this.#fold({ ...card, endedAt: Date.now(), kind: 'gone' })
  }

  /** A snapshot is on show: the host has told what it knows. */
  ready(): void {
    this.#isReady = true
    this.#showCount()
    for (const { view } of this.#cards.values()) view.isStillOpen()
  }

  /** Show the state of the connection. */
  show(state: ConnectionState): void {
    const texts = this.#texts
    const lost = state !== 'connected' && state !== 'connecting'
    const words = state === 'connected' ? this.#wasLost ? texts.connectedAgain : '' : texts[state]
    this.#still.move(() => {
      if (this.#banner.textContent !== words && !(state === 'connected' && this.#banner.textContent === texts.connectedAgain)) this.#banner.textContent = words
      this.#banner.classList.toggle('lost', lost)
      this.#switch.connection(state)
    })
    this.#wasLost = lost
  }

  #fold(ended: Ended | Gone): void {
    const view = this.#cards.get(ended.id)?.view
    this.#cards.delete(ended.id)
    this.#notifier.forget(ended.id)
    if (view === undefined) this.#earlier.add(ended)
    else this.#foldCard(view, ended)
    this.#showCount()
  }

  #foldCard(view: CardView, ended: Ended | Gone): void {
    const { hasFocus, isInSight, isBusy, typing } = view
    this.#still.move(() => {
      // Nobody looks for it where the card was.
      if (document.visibilityState === 'hidden') {
        view.element.remove()
        return void this.#earlier.add(ended)
      }
      const line = this.#earlier.replace(view.element, ended, typing, isBusy)
      // Where a tall card was, the line may be off the screen.
      if (isInSight) line.element.scrollIntoView({ block: 'nearest' })
      if (!hasFocus) return
      // After an answer given here the keyboard goes on to the next question, else to the line that says how this one ended.
      if (line.isLost) line.focus()
      else this.#next(line.element)()
    })
  }

  #next(line: HTMLElement): () => void {
    const views = Array.from(this.#cards.values(), ({ view }) => view)
    const follows = ({ element }: CardView) => (line.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    const next = views.find(follows) ?? views[0]
    return () => next ? next.focus() : line.querySelector('summary')!.focus({ preventScroll: true })
  }

  /** Resolves with what to tell the person when it was not sent. */
  async #send(id: string, body: AnswerBody, said: Draft['answers']): Promise<string | undefined> {
    const texts = this.#texts
    noteSent(id, { answers: said })
    try {
      const { accepted, ended } = await this.#connection.answer(id, body)
      if (!accepted) forgetSent(id)
      this.model.end(ended)
      if (!accepted) this.#announcement.textContent = texts.answeredAlready
      return undefined
    } catch (error) {
      const status = error instanceof StatusError ? error.status : 0
      // Without a response it may have arrived.
      if (status !== 0 || error instanceof BlockedError) forgetSent(id)
      // No response, settled or no longer known: the next snapshot says what happened.
      if (status === 0 || status === 404 || status === 410) this.#connection.restart()
      return error instanceof BlockedError ? texts.blocked : problemOf(status, texts)
    }
  }

  #showCount(): void {
    const { count } = this.model
    document.title = count > 0 ? `(${count}) ${this.#texts.title}` : this.#texts.title
    this.#empty.hidden = count > 0 || !this.#isReady || this.#isForOneAsk
  }
}

/** What to tell the person whose answer was refused with this status; 0 is no response. */
function problemOf(status: number, texts: PageTexts): string {
  switch (status) {
    case 410: return texts.answeredAlready
    case 401: case 403: return texts.denied
    case 413: return texts.tooLong
    case 400: case 422: return texts.refused
    default: return texts.notConfirmed
  }
}
