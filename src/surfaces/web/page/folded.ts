// An ask that has ended: one line says what was answered, where and when, and opens to show the rest; a draft that was not
// sent is there to copy.
import { formatOrigin } from '../../../reply/format.ts'
import type { Lang } from '../../../reply/lang.ts'
import type { Ended } from '../wire.ts'
import { foreign, h } from './dom.ts'
import { findDraft, forgetDraft, isSaid, wordsOf } from './draft.ts'
import type { PageTexts } from './texts.ts'

/** An ask of which nobody can say how it ended. */
export type Gone = Omit<Ended, 'kind' | 'version'> & { readonly kind: 'gone' }

/** The folded line of an ask that has ended. */
export function foldedView(ended: Ended | Gone, texts: PageTexts, lang: Lang): HTMLElement {
  const [first] = ended.questions
  const name = first === undefined ? '' : first.header ?? first.question
  const answer = ended.kind === 'answered' ? ended.questions.map(question => answerOf(question, texts)).join(' / ') : undefined
  return h('li', { class: 'ended' },
    h('details', {},
      h('summary', {},
        foreign('name', name),
        answer === undefined ? undefined : foreign('answer', answer),
        h('span', { class: 'meta' }, `${outcome(ended, texts)} · `, time(ended.endedAt, lang))),
      h('p', { class: 'who' }, foreign('', texts.askedBy(formatOrigin(ended.origin, lang)))),
      h('dl', {}, ...ended.questions.flatMap(question => [
        h('dt', {}, foreign('text', question.question)),
        h('dd', {}, foreign('text', answerOf(question, texts))),
      ]))),
    unsentDraft(ended, texts))
}

/** What was answered to one question. */
function answerOf({ selected = [], custom }: Ended['questions'][number], texts: PageTexts): string {
  return [...selected, ...custom === undefined ? [] : [custom]].join(texts.separator) || texts.nothing
}

/** How it ended, and where. */
export function outcome({ kind, by }: Pick<Ended | Gone, 'kind' | 'by'>, texts: PageTexts): string {
  const where = by === undefined ? texts.here : by === 'host' ? texts.inHost : texts.on(by)
  if (kind === 'answered') return texts.answered(where)
  if (kind === 'cancelled') return texts.cancelled(where)
  return texts[kind]
}

function time(at: number, lang: Lang): HTMLElement {
  const date = new Date(at)
  const today = date.toDateString() === new Date().toDateString()
  // British and American English write times differently.
  const format = new Intl.DateTimeFormat(navigator.languages.find(tag => tag.startsWith(lang)) ?? lang, { timeStyle: 'short', ...!today && { dateStyle: 'medium' } })
  return h('time', { datetime: date.toISOString() }, format.format(date))
}

function unsentDraft(ended: Ended | Gone, texts: PageTexts): HTMLElement | undefined {
  const draft = findDraft(ended.id)
  if (draft === undefined) return undefined
  if (ended.kind !== 'gone' && isSaid(draft, ended)) return void forgetDraft(ended.id)
  const field = h('textarea', { readonly: '', dir: 'auto', rows: '2', 'aria-label': texts.draft })
  field.value = wordsOf(draft, texts.separator)
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
