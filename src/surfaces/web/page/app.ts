// The page as a whole: a card for each open ask, a line for each that has ended, the presence switch, and the banner.
import { formatOrigin } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import type { AnswerBody, Card, Ended, Whereabouts } from '../wire.ts'
import { ApprovalView } from './approval.ts'
import { CardView } from './card.ts'
import type { Connection, ConnectionState } from './connection.ts'
import { h } from './dom.ts'
import type { Draft } from './draft.ts'
import { Earlier } from './earlier.ts'
import { type Gone, toldOf } from './folded.ts'
import { HushButton } from './hush.ts'
import { Model, type ModelView } from './model.ts'
import { Notifier } from './notify.ts'
import type { OpenCard } from './open-card.ts'
import { PresenceSwitch } from './presence.ts'
import { Sender } from './sender.ts'
import { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** The page. */
export class App implements ModelView {
  readonly model = new Model(this)
  readonly #texts: PageTexts
  readonly #lang: Lang
  readonly #cards = new Map<string, { readonly card: Card, readonly origin: string, readonly view: OpenCard }>()
  readonly #list: HTMLElement
  readonly #earlier: Earlier
  readonly #still = new Still(() => [...this.#list.children, ...this.#earlier.blocks])
  readonly #empty: HTMLElement
  readonly #banner: HTMLElement
  readonly #waiting: HTMLElement
  readonly #announcement: HTMLElement
  readonly #notifier: Notifier
  readonly #switch: PresenceSwitch
  readonly #hush: HushButton
  readonly #sender: Sender
  /** Whether the first snapshot is on show: a card that comes later is new to the person. */
  #isReady = false
  /** Whether the link is for one question: no other will appear. */
  #isForOneAsk = false
  #wasLost = false

  constructor(texts: PageTexts, lang: Lang, connection: Connection) {
    this.#texts = texts
    this.#lang = lang
    this.#notifier = new Notifier(texts, () => connection.restart())
    const told = {
      texts,
      changed: (whereabouts: Whereabouts) => this.model.setWhereabouts(whereabouts),
      failed: () => connection.restart(),
      announce: (text: string) => {
        this.#announcement.textContent = text
      },
    }
    this.#switch = new PresenceSwitch({ ...told, send: presence => connection.setPresence(presence) })
    this.#sender = new Sender({ ...told, connection, ended: ended => this.model.end(ended) })
    this.#hush = new HushButton({ ...told, lang, send: minutes => connection.hush(minutes) })
    this.#banner = h('p', { class: 'banner', role: 'status' }, texts.connecting)
    this.#empty = h('p', { class: 'empty', hidden: '' }, texts.empty)
    this.#list = h('div', { class: 'open' })
    this.#waiting = h('p', { class: 'waiting', role: 'status', hidden: '' })
    this.#earlier = new Earlier({ texts, lang, still: this.#still, next: line => this.#next(line) })
    this.#announcement = h('p', { class: 'unseen', role: 'status', 'aria-live': 'polite' })
    document.body.append(
      h('header', {}, h('h1', {}, texts.title), this.#notifier.element, this.#switch.element, this.#hush.element),
      h('main', {}, this.#banner, this.#empty, this.#list, this.#waiting, this.#earlier.element, this.#announcement))
    this.#showCount()
  }

  opened(card: Card): void {
    const origin = formatOrigin(card.origin)
    const options = { card, origin, texts: this.#texts, still: this.#still, send: (body: AnswerBody, said: Draft['answers']) => this.#sender.send(card.id, body, said) }
    const { approval } = card, view = approval ? new ApprovalView(options, approval[this.#lang]) : new CardView(options)
    this.#cards.set(card.id, { card, origin, view })
    this.#still.move(() => {
      if (!this.#earlier.reopen(card.id, view.element)) this.#list.append(view.element)
      view.fit()
      this.#empty.hidden = true
    })
    const isNew = this.#isReady
    const { newQuestion, newPermission, newPlan } = this.#texts
    const words = (approval ? approval[this.#lang].isPlan ? newPlan : newPermission : newQuestion)(origin)
    if (isNew) this.#announcement.textContent = words
    // Later: the title and the browser's permissions take longer than showing the card.
    setTimeout(() => {
      this.#showCount()
      if (isNew && !card.quiet && this.#cards.has(card.id)) this.#notifier.tell(card.id, words)
    })
  }

  ended(ended: Ended): void {
    const shown = this.#cards.has(ended.id)
    this.#fold(ended)
    if (!shown) return
    this.#announcement.textContent = toldOf(ended, this.#texts, this.#lang)
  }

  reminded(id: string, reminders: number): void {
    const { card, origin } = this.#cards.get(id)!
    const { stillOpen, permissionStillOpen, planStillOpen } = this.#texts
    const words = (card.approval ? card.approval[this.#lang].isPlan ? planStillOpen : permissionStillOpen : stillOpen)(origin)
    this.#announcement.textContent = words
    this.#notifier.remind(id, words, reminders)
  }

  late(id: string): void {
    this.#still.move(() => this.#cards.get(id)!.view.late())
  }

  waiting(count: number): void {
    this.#still.move(() => {
      this.#waiting.textContent = count > 0 ? this.#texts.waiting(count) : ''
      this.#waiting.hidden = count === 0
    })
  }

  presence(whereabouts: Whereabouts | undefined): void {
    this.#isForOneAsk = whereabouts === undefined
    this.#still.move(() => {
      this.#showCount()
      this.#switch.show(whereabouts?.presence)
      this.#hush.show(whereabouts)
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
      this.#hush.connection(state)
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

  #foldCard(view: OpenCard, ended: Ended | Gone): void {
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
    const follows = ({ element }: OpenCard) => (line.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    const next = views.find(follows) ?? views[0]
    return () => next ? next.focus() : line.querySelector('summary')!.focus({ preventScroll: true })
  }

  #showCount(): void {
    const { count } = this.model
    document.title = count > 0 ? `(${count}) ${this.#texts.title}` : this.#texts.title
    this.#empty.hidden = count > 0 || !this.#isReady || this.#isForOneAsk
  }
}
