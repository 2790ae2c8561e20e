// What is filled in but not sent. It lives in the tab's session storage: it survives a reload and folding, and goes with
// the tab. Without storage it lives as long as the page.
import type { AskUserQuestionAnswerItem } from '../../../protocol/answer.ts'
import { answerOf, type Form, type FormAction, isAnswered, newForm, reduceForm } from '../../../reply/form.ts'
import type { AnswerBody, CardQuestion, Ended } from '../wire.ts'

/** What is filled in, and what that says: readable once the question itself is gone. */
export interface Draft {
  readonly entries: Form['entries']
  readonly answers: readonly Omit<AskUserQuestionAnswerItem, 'id'>[]
}

const PREFIX = `ask-web:${location.pathname}:draft:`
const kept = new Map<string, Draft>()

/** The form of an ask, filled in as its draft has it. */
export function openForm(id: string, questions: readonly CardQuestion[]): Form {
  // A card has no ids: an answer goes back by position.
  const form = newForm(questions.map(({ question, options, multiSelect }) => ({ id: '', question, options: [...options], multiSelect })))
  return { ...form, entries: findDraft(id)?.entries ?? form.entries }
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
export function bodyOf(form: Form): AnswerBody {
  return {
    answers: answerOf(form).answers.map(({ custom }, at) => ({ selected: form.entries[at]!.chosen, ...custom !== undefined && { custom } })),
  }
}

/** Keep what is filled in under its ask's id; a form that says nothing is forgotten. */
export function keepDraft(id: string, form: Form): void {
  if (unanswered(form).length === form.questions.length) return forgetDraft(id)
  const draft = { entries: form.entries, answers: answerOf(form).answers }
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
export function wordsOf({ answers }: Draft, separator: string): string {
  const each = answers.map(({ selected, custom }) => [...selected, ...custom === undefined ? [] : [custom]].join(separator))
  return each.filter(words => words !== '').join('\n')
}

/** Whether an ask ended with exactly what the draft says. */
export function isSaid({ answers }: Draft, { kind, questions }: Ended): boolean {
  return kind === 'answered' && answers.every(({ selected, custom }, at) => {
    const said = questions[at]
    return said?.custom === custom && JSON.stringify(said?.selected) === JSON.stringify(selected)
  })
}
