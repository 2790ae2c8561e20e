// The card of an approval: a tool needs permission. It looks like no question, and only a press on a button that says so permits:
// nothing is preselected, Enter anywhere else does nothing, neither a key that is held down nor a second tap counts, and nothing
// may be folded that is permitted.
import type { Form } from '../../../reply/form.ts'
import { type ApprovalChoice, isWider } from '../../../reply/verdict.ts'
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
  /** Above what was folded, so that reading goes on there. */
  readonly #unread = h('p', { class: 'unread', tabindex: '-1' })
  readonly #isPlan: boolean
  /** Only its words are used: a choice is sent when it is made. */
  #form: Form

  /** @param approval in the page's language. */
  constructor(options: CardOptions, approval: CardApproval) {
    super(options, true)
    const { card, texts } = options, { kind, title, reason, choices, isPlan = false } = approval, [question] = card.questions
    const kindId = newId(), titleId = newId(), widerId = newId(), wider = choices.filter(isWider)
    this.#isPlan = isPlan
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
    this.#buttons = h('div', { class: 'choices' },
      ...choices.filter(choice => !isWider(choice)).map(choice => this.#button(choice, titleId)),
      wider.length === 0 ? undefined : h('div', { class: 'wider', role: 'group', 'aria-labelledby': widerId },
        h('p', { id: widerId }, isPlan ? texts.widerPlan : texts.wider),
        ...wider.map(choice => this.#button(choice, titleId))))
    this.element.prepend(h('p', { class: 'kind', id: kindId }, kind))
    this.element.append(
      h('h3', { id: titleId }, foreign('text', title)),
      this.#unread,
      ...why === undefined ? [] : [why, isLong(reason!, LONG_REASON, LONG_REASON_LINES) ? fold(why, texts) : ''],
      // A plan is there to be read.
      question!.detail === undefined ? '' : detailView(isPlan ? { ...question!, long: false } : question!, texts),
      approval.cut || question!.cut ? h('p', { class: 'hint' }, texts.cut) : '',
      h('label', { class: 'own' }, h('span', {}, isPlan ? texts.withRejectedPlan : texts.withReject), this.#field),
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
    for (const button of this.#buttons.querySelectorAll('button')) button.setAttribute('aria-disabled', String(isSending))
    this.#field.readOnly = isSending
    this.#note.textContent = isSending ? this.options.texts.sending : ''
  }

  get #words(): string {
    return this.#form.entries[0]!.words
  }

  #button(choice: ApprovalChoice, titleId: string): HTMLButtonElement {
    const button = h('button', { type: 'button', class: choice.id === REJECT ? 'reject' : isWider(choice) ? 'more' : 'allow', 'aria-describedby': titleId }, foreign('', choice.label))
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
    const { wordsWithAllow, wordsWithApprove } = this.options.texts
    const words = this.#words.trim() === '' ? {} : { custom: this.#words }
    if (id !== REJECT && this.#unfold()) return
    this.#unread.textContent = ''
    // Neither sent, since nobody knows which of both is meant, nor dropped.
    if (id !== REJECT && words.custom !== undefined) this.tell(this.#isPlan ? wordsWithApprove : wordsWithAllow)
    else void this.deliver({ option: id, ...words }, [{ selected: [id], ...words }])
  }

  /**
   * Open what is folded, and go there.
   *
   * @returns whether anything was.
   */
  #unfold(): boolean {
    const folds = this.element.querySelectorAll<HTMLButtonElement>('.unfold[aria-expanded=false]')
    for (const button of folds) button.click()
    if (folds.length === 0) return false
    this.#unread.textContent = this.options.texts.unread
    // Off the button, too: the next Enter must not press it.
    this.#unread.focus()
    return true
  }
}
