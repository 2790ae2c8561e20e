// One question of a card: its text, its options, the field for one's own words, and what the words do to the choice.
import type { CardOption, CardQuestion } from '../wire.ts'
import { foreign, h, newId, nodesOf } from './dom.ts'
import type { DraftItem } from './draft.ts'
import type { PageTexts } from './texts.ts'

/** A question that can be filled in. */
export class QuestionView {
  readonly element: HTMLFieldSetElement
  readonly field: HTMLTextAreaElement
  readonly #inputs: readonly HTMLInputElement[]
  readonly #effect: HTMLElement
  readonly #question: CardQuestion
  readonly #texts: PageTexts

  /** @param onChange what is filled in has changed. */
  constructor(question: CardQuestion, texts: PageTexts, onChange: () => void) {
    this.#question = question
    this.#texts = texts
    const { header, options, multi } = question
    const group = newId(), effect = newId()
    const views = options.map(option => optionView(option, multi ? 'checkbox' : 'radio', group, texts))
    this.#inputs = views.map(({ input }) => input)
    this.#effect = h('p', { class: 'effect', id: effect, role: 'status' })
    this.field = h('textarea', { rows: '1', dir: 'auto', 'aria-describedby': effect, autocomplete: 'off', enterkeyhint: 'send' })
    const own = options.length > 0 ? texts.orOwnWords : texts.ownWords
    this.element = h('fieldset', { class: 'question' },
      h('legend', {},
        header === undefined ? undefined : foreign('header', header),
        foreign('text', question.question)),
      question.detail === undefined ? undefined : detailView(question, texts),
      multi && options.length > 0 ? h('p', { class: 'hint' }, texts.severalPossible) : undefined,
      ...views.map(({ element }) => element),
      h('label', { class: 'own' }, h('span', {}, own), this.field),
      this.#effect)
    this.element.addEventListener('input', () => {
      this.#update()
      onChange()
    })
  }

  /** What is filled in. */
  get item(): DraftItem {
    return { picks: this.#inputs.flatMap(({ checked }, at) => checked ? [at] : []), text: this.field.value }
  }

  /** Whether anything is filled in. */
  get isAnswered(): boolean {
    return this.item.picks.length > 0 || this.field.value.trim() !== ''
  }

  /** Fill it in, from a draft. */
  fill({ picks, text }: DraftItem): void {
    for (const [at, input] of this.#inputs.entries()) input.checked = picks.includes(at)
    this.field.value = text
    this.#update()
  }

  /** Focus the first of its controls. */
  focus(): void {
    (this.#inputs[0] ?? this.field).focus()
  }

  #update(): void {
    const { picks, text } = this.item
    const both = picks.length > 0 && text.trim() !== ''
    this.element.classList.toggle('replaced', both && !this.#question.multi)
    const effect = !both ? '' : this.#question.multi ? this.#texts.textJoins : this.#texts.textReplaces
    if (this.#effect.textContent !== effect) this.#effect.textContent = effect
    this.field.style.height = 'auto'
    this.field.style.height = `${this.field.scrollHeight + 2}px`
  }
}

function optionView({ label, description, preview }: CardOption, type: 'radio' | 'checkbox', group: string, texts: PageTexts) {
  const labelId = newId(), descriptionId = newId(), previewId = newId()
  const described = [...description === undefined ? [] : [descriptionId], ...preview === undefined ? [] : [previewId]]
  const input = h('input', {
    type, name: group, autocomplete: 'off', 'aria-labelledby': labelId,
    'aria-describedby': described.length > 0 ? described.join(' ') : undefined,
  })
  const element = h('div', { class: 'option' },
    h('label', {}, input, h('span', {},
      foreign('label', label, labelId),
      description === undefined ? undefined : foreign('description', description, descriptionId))),
    preview === undefined ? undefined : h('figure', { class: 'preview', id: previewId },
      h('figcaption', {}, texts.preview), h('pre', { dir: 'auto' }, preview)))
  return { element, input }
}

function detailView({ detail, long }: CardQuestion, texts: PageTexts): HTMLElement {
  const id = newId()
  const content = h('div', { class: 'detail', id }, ...nodesOf(detail!))
  if (!long) return content
  const button = h('button', { type: 'button', class: 'quiet', 'aria-controls': id, 'aria-expanded': 'false' }, texts.more)
  content.classList.add('folded')
  button.addEventListener('click', () => {
    const folded = content.classList.toggle('folded')
    button.setAttribute('aria-expanded', String(!folded))
    button.textContent = folded ? texts.more : texts.less
  })
  return h('div', {}, content, button)
}
