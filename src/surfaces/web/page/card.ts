// The card of open questions: one under another, and one button that sends them all.
import { answerOf, type Form, type FormAction } from '../../../reply/form.ts'
import { DeclineView } from './decline.ts'
import { fitField, h, newId } from './dom.ts'
import { bodyOf, fillIn, keepDraft, openForm, type Typing, unanswered } from './draft.ts'
import { type CardOptions, OpenCard } from './open-card.ts'
import { QuestionView } from './question.ts'

/** The card of questions. */
export class CardView extends OpenCard {
  readonly #questions: readonly QuestionView[]
  readonly #button: HTMLButtonElement
  readonly #note: HTMLElement
  readonly #decline: DeclineView
  #form: Form

  constructor(options: CardOptions) {
    super(options)
    const { card, texts } = options, noteId = newId()
    this.#questions = card.questions.map((question, at) => new QuestionView(question, texts, action => this.#fillIn(at, action)))
    this.#button = h('button', { type: 'submit', class: 'send', 'aria-describedby': noteId }, texts.send)
    this.#note = h('p', { class: 'note', id: noteId, role: 'status' })
    this.#decline = new DeclineView(texts, options.still, () => void this.deliver({ decline: true }, card.questions.map(() => ({ selected: [] }))))
    const form = h('form', { novalidate: '' },
      ...this.#questions.map(({ element }) => element), this.#note, this.error, this.#button, this.#decline.element)
    form.addEventListener('submit', event => {
      event.preventDefault()
      void this.#send()
    })
    form.addEventListener('keydown', event => this.#onKey(event))
    // What is being sent no longer changes.
    form.addEventListener('click', event => {
      if (this.isSending) event.preventDefault()
    }, { capture: true })
    this.element.append(form)
    this.#form = openForm(card.id, card.questions)
    for (const at of this.#questions.keys()) this.#show(at)
    this.#showSkipped()
  }

  override get typing(): Typing | undefined {
    const question = this.#questions.findIndex(({ field }) => field === document.activeElement)
    const field = this.#questions[question]?.field
    return field && { question, start: field.selectionStart, end: field.selectionEnd }
  }

  override get isBusy(): boolean {
    return this.hasFocus || unanswered(this.#form).length < this.#questions.length
  }

  override fit(): void {
    for (const { field } of this.#questions) fitField(field)
  }

  #fillIn(question: number, action: FormAction): void {
    if (!this.isSending) {
      this.#form = fillIn(this.#form, question, action)
      keepDraft(this.options.card.id, this.#form)
      this.error.textContent = ''
      this.#showSkipped()
    }
    this.#show(question)
  }

  #show(question: number): void {
    this.#questions[question]!.show(this.#form.entries[question]!, answerOf(this.#form).answers[question]!)
  }

  #showSkipped(): void {
    const missing = unanswered(this.#form).length
    const note = missing > 0 && missing < this.#questions.length ? this.options.texts.skipped(missing) : ''
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
    if (this.isSending) return
    if (unanswered(this.#form).length === this.#questions.length) return this.tell(this.options.texts.sayFirst)
    await this.deliver(bodyOf(this.#form), answerOf(this.#form).answers)
  }

  protected override showSending(isSending: boolean): void {
    const { sending, send } = this.options.texts
    if (!isSending) this.#decline.close()
    this.#button.setAttribute('aria-disabled', String(isSending))
    this.#button.textContent = isSending ? sending : send
    for (const { field } of this.#questions) field.readOnly = isSending
  }
}
