// What is filled in but not sent. It lives in the tab's session storage: it survives a reload and folding, and goes with
// the tab. Without storage it lives as long as the page.
import type { AskUserQuestionAnswerItem } from '../../../protocol/answer.ts'
import { answerOf, type Form, type FormAction, isAnswered, newForm, reduceForm } from '../../../reply/form.ts'
import { visible } from '../../../reply/visible.ts'
import type { CardQuestion, Ended, FilledBody } from '../wire.ts'

/** What is filled in, and what that says: readable once the question itself is gone. */
export interface Draft {
  readonly entries: Form['entries']
  readonly answers: readonly Omit<AskUserQuestionAnswerItem, 'id'>[]
  /** The words as they were gone on with after the question was over. */
  readonly words?: string
}

/** Where somebody was typing: at which question, and what was selected in its text. */
export interface Typing {
  readonly question: number
  readonly start: number
  readonly end: number
}

const PREFIX = `ask-web:${location.pathname}:draft:`
const kept = new Map<string, Draft>()

/** The form of an ask, filled in as its draft has it. */
export function openForm(id: string, questions: readonly CardQuestion[]): Form {
  // A card has no ids: an answer goes back by position.
  const form = newForm(questions.map(({ question, options, multiSelect }) => ({ id: '', question, options: [...options], multiSelect })))
  const entries = findDraft(id)?.entries
  return { ...form, entries: entries?.length === questions.length ? entries : form.entries }
}

/** Do something at one question; the page shows all of them at once. */
export function fillIn(form: Form, question: number, action: FormAction): Form {
  return reduceForm(reduceForm(form, { type: 'go', page: question }), action)
}

/** The positions of the questions that have no answer yet. */
export function unanswered(form: Form): number[] {
  return Array.from(form.questions.keys()).filter(question => !isAnswered(form, question))
}

/** What is sent: options by their positions, since a card shows labels made visible and not the labels themselves. */
export function bodyOf(form: Form): FilledBody {
  return {
    answers: answerOf(form).answers.map(({ custom }, at) => ({ selected: form.entries[at]!.chosen, ...custom !== undefined && { custom } })),
  }
}

/** Keep what is filled in under its ask's id; a form that says nothing is forgotten. */
export function keepDraft(id: string, form: Form): void {
  if (unanswered(form).length === form.questions.length) return forgetDraft(id)
  keep(id, { entries: form.entries, answers: answerOf(form).answers })
}

/** Keep what is written on under a draft after its ask is over. */
export function keepWords(id: string, words: string): void {
  if (words === '') forgetDraft(id)
  else keep(id, { ...findDraft(id) ?? { entries: [], answers: [] }, words })
}

function keep(id: string, draft: Draft): void {
  kept.set(id, draft)
  try {
    sessionStorage.setItem(PREFIX + id, JSON.stringify(draft))
  } catch { /* no storage, or it is full: the draft is kept in memory */ }
}

/** The draft of an ask. */
export function findDraft(id: string): Draft | undefined {
  try {
    return kept.get(id) ?? JSON.parse(sessionStorage.getItem(PREFIX + id) ?? 'null') as Draft | null ?? undefined
  } catch { return undefined /* no storage */ }
}

/** Forget a draft. */
export function forgetDraft(id: string): void {
  kept.delete(id)
  try {
    sessionStorage.removeItem(PREFIX + id)
  } catch { /* no storage */ }
}

/** What a draft says, as text to copy. */
export function wordsOf({ answers, words }: Draft, separator: string): string {
  return words ?? answers.map(item => lineOf(item, separator)).filter(line => line !== '').join('\n')
}

/** Where in {@link wordsOf} the words of one question begin; at its end when there are none. */
export function startOf(draft: Draft, question: number, separator: string): number {
  const item = draft.answers[question]
  if (item?.custom === undefined) return wordsOf(draft, separator).length
  const before = draft.answers.slice(0, question).map(other => lineOf(other, separator)).filter(line => line !== '')
  return [...before, lineOf(item, separator)].join('\n').length - item.custom.length
}

function lineOf({ selected, custom }: Draft['answers'][number], separator: string): string {
  return [...selected, ...custom === undefined ? [] : [custom]].join(separator)
}

/** Whether an ask ended with exactly what was filled in. */
export function isSaid({ answers }: Pick<Draft, 'answers'>, { kind, questions }: Ended): boolean {
  return kind === 'answered' && answers.length === questions.length && answers.every(({ selected, custom }, at) => {
    const said = questions[at]!
    return said.custom === (custom === undefined ? undefined : visible(custom)) && JSON.stringify(said.selected) === JSON.stringify(selected)
  })
}
