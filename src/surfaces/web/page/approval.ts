// The card of an approval: a tool needs permission. It looks like no question, and only a press on the one button permits:
// nothing is preselected, Enter anywhere else does nothing, and neither a key that is held down nor a second tap counts.
import type { ApprovalChoice } from '../../../reply/approval.ts'
import type { Form } from '../../../reply/form.ts'
import type { CardApproval, RejectId } from '../wire.ts'
import { fitField, foreign, h, newId } from './dom.ts'
import { fillIn, keepDraft, openForm, type Typing } from './draft.ts'
import { fold, isLong } from './fold.ts'
import { type CardOptions, OpenCard } from './open-card.ts'
import { detailView } from './question.ts'

const REJECT: RejectId = 'reject'

/** A reason with more than this is shown folded. */
const LONG_REASON = 700, LONG_REASON_LINES = 12

/** The card of an approval. */
export class ApprovalView extends OpenCard {
  readonly #buttons: HTMLElement
  readonly #field: HTMLTextAreaElement
  readonly #note = h('p', { class: 'note', role: 'status' })
  /** Only its words are used: a choice is sent when it is made. */
  #form: Form

  /** @param approval in the page's language. */
  constructor(options: CardOptions, approval: CardApproval) {
    super(options, true)
    const { card, texts } = options, { kind, title, reason, choices } = approval, [question] = card.questions
    const kindId = newId(), titleId = newId()
    const why = reason === undefined ? undefined : h('p', { class: 'reason', id: newId() }, foreign('', reason))
    this.#form = openForm(card.id, card.questions)
    this.#field = h('textarea', { rows: '1', dir: 'auto', autocomplete: 'off' })
    this.#field.value = this.#words
    this.#field.addEventListener('input', () => {
      this.#form = fillIn(this.#form, 0, { type: 'type', words: this.#field.value })
      keepDraft(card.id, this.#form)
      this.error.textContent = ''
      this.fit()
    })
    this.#buttons = h('div', { class: 'choices' }, ...choices.map(choice => this.#button(choice, titleId)))
    this.element.prepend(h('p', { class: 'kind', id: kindId }, kind))
    this.element.append(
      h('h3', { id: titleId }, foreign('text', title)),
      ...why === undefined ? [] : [why, isLong(reason!, LONG_REASON, LONG_REASON_LINES) ? fold(why, texts) : ''],
      question!.detail === undefined ? '' : detailView(question!, texts),
      approval.cut || question!.cut ? h('p', { class: 'hint' }, texts.cut) : '',
      h('label', { class: 'own' }, h('span', {}, texts.withReject), this.#field),
      this.#note, this.error, this.#buttons)
    this.nameBy(kindId, titleId)
  }

  override get isBusy(): boolean {
    return this.hasFocus || this.#words.trim() !== ''
  }

  override get typing(): Typing | undefined {
    const field = this.#field
    return field === document.activeElement ? { question: 0, start: field.selectionStart, end: field.selectionEnd } : undefined
  }

  override fit(): void {
    fitField(this.#field)
  }

  protected override get doubt(): readonly [string, string] {
    const { decisionNotConfirmed, decisionNotArrived } = this.options.texts
    return [decisionNotConfirmed, decisionNotArrived]
  }

  protected override showSending(isSending: boolean): void {
    for (const button of this.#buttons.children) button.setAttribute('aria-disabled', String(isSending))
    this.#field.readOnly = isSending
    this.#note.textContent = isSending ? this.options.texts.sending : ''
  }

  get #words(): string {
    return this.#form.entries[0]!.words
  }

  #button(choice: ApprovalChoice, titleId: string): HTMLButtonElement {
    const button = h('button', { type: 'button', class: choice.id === REJECT ? 'reject' : 'allow', 'aria-describedby': titleId }, foreign('', choice.label))
    // A key that is held down was pressed for something else. The space bar acts when it is let go, in some browsers also where
    // it went down elsewhere.
    let isPressed = false
    button.addEventListener('keydown', event => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      if (event.repeat) event.preventDefault()
      else isPressed = true
    })
    button.addEventListener('keyup', event => {
      if (event.key === ' ' && !isPressed) event.preventDefault()
      isPressed = false
    })
    button.addEventListener('blur', () => {
      isPressed = false
    })
    // So was the second press of a double click.
    button.addEventListener('click', ({ detail }) => {
      if (detail <= 1) this.#choose(choice)
    })
    return button
  }

  #choose({ id }: ApprovalChoice): void {
    if (this.isSending) return
    const words = this.#words.trim() === '' ? {} : { custom: this.#words }
    // Neither sent, since nobody knows which of both is meant, nor dropped.
    if (id !== REJECT && words.custom !== undefined) this.tell(this.options.texts.wordsWithAllow)
    else void this.deliver({ option: id, ...words }, [{ selected: [id], ...words }])
  }
}
