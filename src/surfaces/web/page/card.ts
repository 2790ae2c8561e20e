// The card of an open ask: who asks, its questions one under another, and one button that sends them all.
import { answerOf, type Form, type FormAction } from '../../../reply/form.ts'
import type { AnswerBody, Card } from '../wire.ts'
import { DeclineView } from './decline.ts'
import { foreign, h, newId } from './dom.ts'
import { bodyOf, type Draft, fillIn, keepDraft, openForm, type Typing, unanswered } from './draft.ts'
import { QuestionView } from './question.ts'
import type { Still } from './still.ts'
import type { PageTexts } from './texts.ts'

/** What a card needs. */
export interface CardOptions {
  readonly card: Card
  /** Who asks and where, in the page's language. */
  readonly origin: string
  readonly texts: PageTexts
  readonly still: Still
  /**
   * Send; resolves with what to tell the person when it was not sent.
   *
   * @param said what the body says, as it will be shown.
   */
  send(body: AnswerBody, said: Draft['answers']): Promise<string | undefined>
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
  readonly #decline: DeclineView
  #form: Form
  #sending = false

  constructor(options: CardOptions) {
    this.#options = options
    const { card, origin, texts } = options
    const headingId = newId(), noteId = newId()
    this.#questions = card.questions.map((question, at) => new QuestionView(question, texts, action => this.#fillIn(at, action)))
    this.#heading = h('h2', { id: headingId, tabindex: '-1' }, foreign('who', texts.askedBy(origin)))
    this.#button = h('button', { type: 'submit', class: 'send', 'aria-describedby': noteId }, texts.send)
    this.#note = h('p', { class: 'note', id: noteId, role: 'status' })
    this.#error = h('p', { class: 'error', role: 'alert' })
    this.#decline = new DeclineView(texts, options.still, () => void this.#deliver({ decline: true }, card.questions.map(() => ({ selected: [] }))))
    const form = h('form', { novalidate: '' },
      ...this.#questions.map(({ element }) => element), this.#note, this.#error, this.#button, this.#decline.element)
    form.addEventListener('submit', event => {
      event.preventDefault()
      void this.#send()
    })
    form.addEventListener('keydown', event => this.#onKey(event))
    // What is being sent no longer changes.
    form.addEventListener('click', event => {
      if (this.#sending) event.preventDefault()
    }, { capture: true })
    this.element = h('article', { class: 'card', 'aria-labelledby': headingId }, this.#heading, form)
    this.#form = openForm(card.id, card.questions)
    for (const at of this.#questions.keys()) this.#show(at)
    this.#showSkipped()
  }

  /** Whether the focus is in this card. */
  get hasFocus(): boolean {
    return this.element.contains(document.activeElement)
  }

  /** Where the person is typing in this card, if they are. */
  get typing(): Typing | undefined {
    const question = this.#questions.findIndex(({ field }) => field === document.activeElement)
    const field = this.#questions[question]?.field
    return field && { question, start: field.selectionStart, end: field.selectionEnd }
  }

  /** Whether the person is doing something in this card, or was. */
  get isBusy(): boolean {
    return this.hasFocus || unanswered(this.#form).length < this.#questions.length
  }

  /** Whether some of the card is on the screen. */
  get isInSight(): boolean {
    const { top, bottom } = this.element.getBoundingClientRect()
    return top < innerHeight && bottom > 0
  }

  /** The host has said that this ask is open: an answer whose arrival was in doubt has not arrived. */
  isStillOpen(): void {
    const { notConfirmed, notArrived } = this.#options.texts
    if (this.#error.textContent === notConfirmed) this.#error.textContent = notArrived
  }

  /** Focus the card rather than one of its controls. */
  focus(): void {
    this.#heading.focus({ preventScroll: true })
  }

  #fillIn(question: number, action: FormAction): void {
    if (!this.#sending) {
      this.#form = fillIn(this.#form, question, action)
      keepDraft(this.#options.card.id, this.#form)
      this.#error.textContent = ''
      this.#showSkipped()
    }
    this.#show(question)
  }

  #show(question: number): void {
    this.#questions[question]!.show(this.#form.entries[question]!, answerOf(this.#form).answers[question]!)
  }

  #showSkipped(): void {
    const missing = unanswered(this.#form).length
    const note = missing > 0 && missing < this.#questions.length ? this.#options.texts.skipped(missing) : ''
    if (this.#note.textContent !== note) this.#note.textContent = note
  }

  /** Enter sends, but never an incomplete batch or a word that an input method is still composing. */
  #onKey(event: KeyboardEvent): void {
    const { target } = event
    if (event.key !== 'Enter' || event.shiftKey || event.altKey || target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement) return
    // Safari sends 229 for the Enter that ends a composition.
    if (event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    if (event.repeat) return
    const [open] = unanswered(this.#form)
    if (open !== undefined && this.#questions.length > 1) this.#questions[open]!.focus()
    else void this.#send()
  }

  async #send(): Promise<void> {
    if (this.#sending) return
    const { texts } = this.#options
    if (unanswered(this.#form).length === this.#questions.length) return this.#tell(texts.sayFirst)
    await this.#deliver(bodyOf(this.#form), answerOf(this.#form).answers)
  }

  async #deliver(body: AnswerBody, said: Draft['answers']): Promise<void> {
    if (this.#sending) return
    this.#setSending(true)
    this.#error.textContent = ''
    const problem = await this.#options.send(body, said)
    if (problem === undefined) return
    this.#decline.close()
    this.#setSending(false)
    this.#tell(problem)
  }

  /** Say what went wrong, on the screen: of a tall card only a part is. */
  #tell(problem: string): void {
    this.#error.textContent = problem
    this.#error.scrollIntoView({ block: 'nearest' })
  }

  #setSending(sending: boolean): void {
    this.#sending = sending
    this.element.setAttribute('aria-busy', String(sending))
    this.#button.setAttribute('aria-disabled', String(sending))
    this.#button.textContent = sending ? this.#options.texts.sending : this.#options.texts.send
    for (const { field } of this.#questions) field.readOnly = sending
  }
}
