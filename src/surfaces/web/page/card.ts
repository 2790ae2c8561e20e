// The card of an open ask: who asks, its questions one under another, and one button that sends them all.
import type { Card } from '../wire.ts'
import { foreign, h, newId } from './dom.ts'
import { answeredIn, type Draft, draftOf, findDraft, keepDraft } from './draft.ts'
import { QuestionView } from './question.ts'
import type { PageTexts } from './texts.ts'

/** A card that has just come does nothing for so long: the tap was meant for what stood there before. */
const QUIET_MS = 300

/** What a card needs. */
export interface CardOptions {
  readonly card: Card
  /** Who asks and where, in the page's language. */
  readonly origin: string
  readonly texts: PageTexts
  /** Send what is filled in; resolves with what the person is to be told when it was not sent. */
  send(draft: Draft): Promise<string | undefined>
}

/** A card. */
export class CardView {
  readonly element: HTMLElement
  readonly #options: CardOptions
  readonly #questions: readonly QuestionView[]
  readonly #heading: HTMLElement
  readonly #button: HTMLButtonElement
  readonly #note: HTMLElement
  readonly #error: HTMLElement
  #sending = false

  constructor(options: CardOptions) {
    this.#options = options
    const { card, origin, texts } = options
    const headingId = newId(), noteId = newId()
    this.#questions = card.questions.map(question => new QuestionView(question, texts, () => this.#onChange()))
    this.#heading = h('h2', { id: headingId, tabindex: '-1' }, foreign('who', texts.askedBy(origin)))
    this.#button = h('button', { type: 'submit', class: 'send', 'aria-describedby': noteId }, texts.send)
    this.#note = h('p', { class: 'note', id: noteId, role: 'status' })
    this.#error = h('p', { class: 'error', role: 'alert' })
    const form = h('form', { novalidate: '' }, ...this.#questions.map(({ element }) => element), this.#note, this.#error, this.#button)
    form.addEventListener('submit', event => {
      event.preventDefault()
      void this.#send()
    })
    form.addEventListener('keydown', event => this.#onKey(event))
    // What is on its way is not changed any more.
    form.addEventListener('click', event => {
      if (this.#sending) event.preventDefault()
    }, { capture: true })
    this.element = h('article', { class: 'card', 'aria-labelledby': headingId }, this.#heading, form)
    const draft = findDraft(card.id)
    if (draft) for (const [at, question] of this.#questions.entries()) question.fill(draft.items[at]!)
    this.#showSkipped()
    this.element.inert = true
    setTimeout(() => {
      this.element.inert = false
    }, QUIET_MS)
  }

  /** Whether the focus is in this card. */
  get hasFocus(): boolean {
    return this.element.contains(document.activeElement)
  }

  /** Focus the card, not one of its controls. */
  focus(): void {
    this.#heading.focus({ preventScroll: true })
  }

  get #draft(): Draft {
    return draftOf(this.#options.card.questions, this.#questions.map(({ item }) => item))
  }

  #onChange(): void {
    keepDraft(this.#options.card.id, this.#draft)
    this.#error.textContent = ''
    this.#showSkipped()
  }

  #showSkipped(): void {
    const answered = this.#questions.filter(({ isAnswered }) => isAnswered).length
    const missing = this.#questions.length - answered
    const note = answered > 0 && missing > 0 ? this.#options.texts.skipped(missing) : ''
    if (this.#note.textContent !== note) this.#note.textContent = note
  }

  /** Enter sends, but never an unfinished batch, and never a word that an input method is still composing. */
  #onKey(event: KeyboardEvent): void {
    const { target } = event
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) return
    // 229 is what Safari sends for the Enter that ends a composition.
    if (event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (event.repeat) return
    const open = this.#questions.find(({ isAnswered }) => !isAnswered)
    if (open !== undefined && this.#questions.length > 1) open.focus()
    else void this.#send()
  }

  async #send(): Promise<void> {
    if (this.#sending) return
    const { texts } = this.#options
    const draft = this.#draft
    if (answeredIn(draft) === 0) {
      this.#error.textContent = texts.sayFirst
      this.#questions[0]!.focus()
      return
    }
    this.#setSending(true)
    this.#error.textContent = ''
    const problem = await this.#options.send(draft)
    if (problem === undefined) return
    this.#setSending(false)
    this.#error.textContent = problem
  }

  #setSending(sending: boolean): void {
    this.#sending = sending
    this.element.setAttribute('aria-busy', String(sending))
    this.#button.setAttribute('aria-disabled', String(sending))
    this.#button.textContent = sending ? this.#options.texts.sending : this.#options.texts.send
    for (const { field } of this.#questions) field.readOnly = sending
  }
}
