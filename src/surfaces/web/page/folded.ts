// An ask that has ended: one line says what was answered, where and when, and opens to show the rest; a draft that was not
// sent is there to copy, and as long as the line stands where the card was, to write on.
import { formatOrigin, formatPlace } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import { verdict } from '../../../reply/verdict.ts'
import type { Ended } from '../wire.ts'
import { timeOf } from './clock.ts'
import { foreign, foreignMarks, h } from './dom.ts'
import { type Draft, findDraft, forgetDraft, isSaid, keepWords, startOf, type Typing, wordsOf } from './draft.ts'
import { plainText } from './markdown.ts'
import { isOwn } from './own.ts'
import type { PageTexts } from './texts.ts'

/** An ask of which nobody can say how it ended. */
export type Gone = Omit<Ended, 'kind' | 'version'> & { readonly kind: 'gone' }

/** The folded line of an ask that has ended. */
export class FoldedView {
  readonly element: HTMLElement
  /** Whether somebody else ended it, or nobody knows who. */
  readonly isLost: boolean
  readonly #ended: Ended | Gone
  readonly #texts: PageTexts
  readonly #summary: HTMLElement
  #acknowledge: HTMLElement | undefined

  constructor(ended: Ended | Gone, texts: PageTexts, lang: Lang) {
    this.#ended = ended
    this.#texts = texts
    this.isLost = !isOwnAnswer(ended)
    const [first] = ended.questions
    const approval = ended.approval?.[lang]
    const name = approval ? `${approval.kind}${texts.colon}${approval.title}` : first === undefined ? '' : first.header ?? plainText(first.question)
    const answers = ended.questions.map(question => verdictOf(ended, lang) ?? answerOf(question, texts))
    const answer = ended.kind === 'answered' ? answers.join(' / ') : undefined
    this.#summary = h('summary', {},
      foreign('name', name),
      answer === undefined ? undefined : foreign('answer', answer),
      h('span', { class: 'meta' }, `${outcome(ended, texts, lang)} · `, h('time', { datetime: new Date(ended.endedAt).toISOString() }, timeOf(ended.endedAt, lang))))
    this.element = h('div', { class: 'ended' },
      h('details', {},
        this.#summary,
        h('p', { class: 'who' }, foreign('', texts.askedBy(formatOrigin(ended.origin)))),
        h('dl', {}, ...ended.questions.flatMap((question, at) => [
          h('dt', {}, approval ? foreign('text', approval.title) : foreignMarks('text', question.question, true)),
          h('dd', {}, foreign('text', answers[at]!)),
        ]))))
    this.#showDraft(false)
  }

  /**
   * Stand where the card was, until it is acknowledged or left.
   *
   * @param typing where the person was typing in the card: they go on in the kept draft.
   */
  stay(typing: Typing | undefined, acknowledge: () => void): void {
    this.element.classList.add('here')
    if (!this.isLost) return
    this.#showDraft(true, typing)
    this.#acknowledge = h('button', { type: 'button', class: 'quiet' }, this.#texts.acknowledge)
    this.#acknowledge.addEventListener('click', acknowledge)
    this.element.append(this.#acknowledge)
  }

  /** Be one of the earlier ones. */
  leave(): void {
    this.element.classList.remove('here')
    this.#acknowledge?.remove()
    this.#showDraft(false)
  }

  /** Focus where typing goes on, else the line. */
  focus(): void {
    (this.element.querySelector<HTMLElement>('.going-on') ?? this.#summary).focus({ preventScroll: true })
  }

  #showDraft(goesOn: boolean, typing?: Typing): void {
    const { id } = this.#ended
    this.element.querySelector('.lost')?.remove()
    const draft = findDraft(id)
    if (draft !== undefined && this.#ended.kind !== 'gone' && (isSaid(draft, this.#ended) || this.#ended.approval && isOwn(this.#ended))) return forgetDraft(id)
    if (draft === undefined && typing === undefined) return
    const field = draftField(id, draft, this.#texts, goesOn)
    if (typing) {
      field.classList.add('going-on')
      const start = draft === undefined ? 0 : startOf(draft, typing.question, this.#texts.separator)
      field.setSelectionRange(start + typing.start, start + typing.end)
    }
    this.element.append(draftView(field, this.#texts))
    if (this.#acknowledge?.isConnected) this.element.append(this.#acknowledge)
  }
}

/** What was answered to one question. */
function answerOf({ selected = [], custom }: Ended['questions'][number], texts: PageTexts): string {
  return [...selected, ...custom === undefined ? [] : [custom]].join(texts.separator) || texts.nothing
}

/** What was decided about an approval; `undefined` where nobody did. */
function verdictOf({ approval, questions }: Ended | Gone, lang: Lang): string | undefined {
  const { choice, isPlan } = approval?.[lang] ?? {}
  return choice && verdict(choice, questions[0]?.custom, isPlan === true, lang)
}

/** How it ended, for those who hear it rather than see the line. */
export function toldOf(ended: Ended, texts: PageTexts, lang: Lang): string {
  const decided = verdictOf(ended, lang), ending = outcome(ended, texts, lang)
  return decided === undefined ? ending : `${decided}${texts.separator}${ending}`
}

/** How it ended, and where. */
function outcome(ended: Ended | Gone, texts: PageTexts, lang: Lang): string {
  const { kind, by, questions } = ended
  const where = by !== undefined ? formatPlace({ ...ended, by }, lang) : isOwnAnswer(ended) ? texts.here : texts.onOtherPage
  if (kind === 'cancelled') return texts.cancelled(where)
  if (kind !== 'answered') return texts[kind]
  if (ended.approval) return texts.decided(where)
  return questions.every(({ selected = [], custom }) => selected.length === 0 && custom === undefined) ? texts.declined(where) : texts.answered(where)
}

function isOwnAnswer(ended: Ended | Gone): boolean {
  return ended.kind === 'answered' && isOwn(ended as Ended)
}

/** @param goesOn whether it can still be written on. */
function draftField(id: string, draft: Draft | undefined, texts: PageTexts, goesOn: boolean): HTMLTextAreaElement {
  const field = h('textarea', { readonly: goesOn ? undefined : '', dir: 'auto', rows: '2', 'aria-label': texts.draft })
  field.value = draft === undefined ? '' : wordsOf(draft, texts.separator)
  field.addEventListener('input', () => keepWords(id, field.value))
  return field
}

function draftView(field: HTMLTextAreaElement, texts: PageTexts): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet' }, texts.copy)
  const told = h('span', { role: 'status' })
  button.addEventListener('click', async () => {
    told.textContent = await copy(field) ? texts.copied : texts.copyByHand
  })
  return h('div', { class: 'lost' }, h('p', {}, texts.draft), field, h('p', {}, button, ' ', told))
}

/** Copy a field's text; where the browser does not let pages copy, it stays selected. */
async function copy(field: HTMLTextAreaElement): Promise<boolean> {
  field.select()
  try {
    await navigator.clipboard.writeText(field.value)
    return true
  } catch {
    // Without permission or https, only the old way works.
    return document.execCommand('copy')
  }
}
