// One question of a card: its text, its options, and the field for one's own words.
import type { AskUserQuestionAnswerItem } from '../../../protocol/answer.ts'
import type { FormAction, FormEntry } from '../../../reply/form.ts'
import type { CardOption, CardQuestion } from '../wire.ts'
import { fitField, foreign, foreignMarks, h, newId, nodesOf } from './dom.ts'
import { fold, isLong } from './fold.ts'
import { renderMarkdown } from './markdown.ts'
import type { PageTexts } from './texts.ts'

/** Descriptions and previews with more than this are shown folded. */
const LONG_DESCRIPTION = 300, LONG_DESCRIPTION_LINES = 6, LONG_PREVIEW = 1200, LONG_PREVIEW_LINES = 14

/** A question that can be filled in. */
export class QuestionView {
  readonly element: HTMLFieldSetElement
  readonly field: HTMLTextAreaElement
  readonly #inputs: readonly HTMLInputElement[]
  readonly #both: HTMLElement
  readonly #texts: PageTexts
  readonly #act: (action: FormAction) => void
  #chosen: readonly number[] = []

  /** @param act takes what the person does; {@link QuestionView.show} then shows what came of it. */
  constructor(question: CardQuestion, texts: PageTexts, act: (action: FormAction) => void) {
    this.#texts = texts
    this.#act = act
    const { header, options, multiSelect } = question
    const group = newId(), both = newId()
    const views = options.map(option => optionView(option, multiSelect ? 'checkbox' : 'radio', group, texts))
    this.#inputs = views.map(({ input }) => input)
    for (const [option, { element, input }] of views.entries()) {
      input.addEventListener('input', () => {
        // Taking a radio button back makes an input event of its own.
        if (input.checked !== this.#chosen.includes(option)) this.#toggle(option)
      })
      if (!multiSelect) this.#letTakeBack(option, element, input)
    }
    this.#both = h('p', { class: 'both', id: both, role: 'status' })
    this.field = h('textarea', { rows: '1', dir: 'auto', 'aria-describedby': both, autocomplete: 'off', enterkeyhint: 'send' })
    const own = options.length > 0 ? texts.orOwnWords : texts.ownWords
    this.element = h('fieldset', { class: 'question' },
      h('legend', {},
        header === undefined ? undefined : foreign('header', header),
        foreignMarks('text', question.question, true)),
      question.detail === undefined ? undefined : detailView(question, texts),
      question.cut ? h('p', { class: 'hint' }, texts.cut) : undefined,
      multiSelect && options.length > 0 ? h('p', { class: 'hint' }, texts.severalPossible) : undefined,
      ...views.map(({ element }) => element),
      h('label', { class: 'own' }, h('span', {}, own), this.field),
      this.#both)
    this.field.addEventListener('input', () => act({ type: 'type', words: this.field.value }))
  }

  /**
   * Show what is filled in.
   *
   * @param item what that says.
   */
  show({ chosen, words }: FormEntry, { selected, custom }: AskUserQuestionAnswerItem): void {
    this.#chosen = chosen
    for (const [option, input] of this.#inputs.entries()) input.checked = chosen.includes(option)
    // Set only when it differs: setting moves the caret.
    if (this.field.value !== words) this.field.value = words
    fitField(this.field)
    const both = selected.length > 0 && custom !== undefined ? this.#texts.wordsWithChoice : ''
    if (this.#both.textContent !== both) this.#both.textContent = both
  }

  /** Focus the first of its controls. */
  focus(): void {
    (this.#inputs[0] ?? this.field).focus()
  }

  #toggle(option: number): void {
    this.#act({ type: 'toggle', option })
  }

  /** Browsers have no way to clear a radio button; here the person clears it the way they chose it. */
  #letTakeBack(option: number, element: HTMLElement, input: HTMLInputElement): void {
    const isChosen = () => this.#chosen.includes(option)
    // The second click of a double click must not take back what the first one chose.
    element.addEventListener('click', event => {
      if (event.detail > 1) event.preventDefault()
    }, { capture: true })
    // With the mouse, a finger or a screen reader.
    input.addEventListener('click', event => {
      if (!event.defaultPrevented && isChosen()) this.#toggle(option)
    })
    // Space makes no click on a radio button that is already chosen.
    input.addEventListener('keyup', event => {
      if (event.key !== ' ' || !isChosen()) return
      event.preventDefault()
      this.#toggle(option)
    })
  }
}

function optionView({ label, description, preview }: CardOption, type: 'radio' | 'checkbox', group: string, texts: PageTexts) {
  const labelId = newId(), descriptionId = newId(), previewId = newId()
  const described = [...description === undefined ? [] : [descriptionId], ...preview === undefined ? [] : [previewId]]
  const input = h('input', {
    type, name: group, autocomplete: 'off', 'aria-labelledby': labelId,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  })
  const shownDescription = description === undefined ? undefined : foreignMarks('description', description, false, descriptionId)
  const shownPreview = preview === undefined ? undefined : h('pre', { dir: 'auto', id: newId() }, preview)
  // A preview that opened and closed with its option would move the others, from under the pointer too.
  const element = h('div', { class: 'option' },
    h('label', {}, input, h('span', {}, foreign('label', label, labelId), shownDescription)),
    shownDescription && isLong(description!, LONG_DESCRIPTION, LONG_DESCRIPTION_LINES) ? fold(shownDescription, texts, labelId) : undefined,
    shownPreview && h('figure', { class: 'preview', id: previewId },
      h('figcaption', {}, texts.preview), shownPreview,
      isLong(preview!, LONG_PREVIEW, LONG_PREVIEW_LINES) ? fold(shownPreview, texts, labelId) : undefined))
  return { element, input }
}

/** What belongs to a question, folded when it is long. */
export function detailView({ detail, long }: CardQuestion, texts: PageTexts): HTMLElement {
  const content = h('div', { class: 'detail', id: newId() }, ...nodesOf(renderMarkdown(detail!)))
  return long ? h('div', {}, content, fold(content, texts)) : content
}
