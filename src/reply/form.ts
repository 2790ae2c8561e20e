// Filling in a batch of questions, as a pure reducer: what is chosen, what is said, which page is open, and when it is
// sent. It knows no screen, so that a terminal and a web page fill in a batch by the same rules.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../protocol/answer.ts'
import type { AskUserQuestionItem } from '../protocol/request.ts'

/** What is filled in for one question. */
export interface FormEntry {
  /** Positions of the chosen options, ascending, counted from 0. */
  readonly chosen: readonly number[]
  /** The person's own words; they go with the choice. */
  readonly words: string
}

/** A batch that is being filled in. */
export interface Form {
  readonly questions: readonly AskUserQuestionItem[]
  /** One entry per question, in their order. */
  readonly entries: readonly FormEntry[]
  /** Position of the question that is open; the number of questions stands for the review. */
  readonly page: number
  /** Whether it is sent; nothing changes any more then. */
  readonly submitted: boolean
}

/**
 * What a person does. `select`, `toggle` and `type` are about the question that is open and do nothing on the review.
 *
 * - `select`: choose an option (by position, from 0); on a single-select question instead of the one before.
 * - `toggle`: select an option, or deselect it.
 * - `type`: these are the person's own words now, all of them. They change no choice.
 * - `next`, `back`, `go`, `review`: open another page.
 * - `submit`: send. Where a review is due and not open yet, it is opened instead.
 */
export type FormAction =
  | { readonly type: 'select' | 'toggle', readonly option: number }
  | { readonly type: 'type', readonly words: string }
  | { readonly type: 'next' | 'back' | 'review' | 'submit' }
  | { readonly type: 'go', readonly page: number }

/**
 * Start with nothing filled in.
 *
 * @param questions at least one.
 */
export function newForm(questions: readonly AskUserQuestionItem[]): Form {
  return { questions, entries: questions.map(() => ({ chosen: [], words: '' })), page: 0, submitted: false }
}

/** Do one thing. Gives the same object back where it changes nothing. */
export function reduceForm(form: Form, action: FormAction): Form {
  if (form.submitted) return form
  switch (action.type) {
    case 'select': return choose(form, action.option, true)
    case 'toggle': return choose(form, action.option, !form.entries[form.page]?.chosen.includes(action.option))
    case 'type': return type(form, action.words)
    case 'next': return open(form, form.page + 1)
    case 'back': return open(form, form.page - 1)
    case 'review': return open(form, form.questions.length)
    case 'go': return open(form, action.page)
    case 'submit': return submit(form)
  }
}

/**
 * Whether the answers are shown once more before they are sent: not for a lone single-select question or a lone one in
 * own words, unless both an option is chosen and words are there, so that the person sees that both are sent.
 */
export function hasReview(form: Form): boolean {
  const [first] = form.questions
  return form.questions.length > 1 || isMulti(first!) || hasWordsBesideChoice(form, 0)
}

/** Whether a question has an answer so far. */
export function isAnswered(form: Form, question: number): boolean {
  const { selected, custom } = itemOf(form, question)
  return selected.length > 0 || custom !== undefined
}

/** Whether an option of a single-select question is chosen and words are there too: they go with the choice. */
export function hasWordsBesideChoice(form: Form, question: number): boolean {
  const { selected, custom } = itemOf(form, question)
  return !isMulti(form.questions[question]!) && selected.length > 0 && custom !== undefined
}

/** The answer as it would be sent now; a question without an answer is skipped. */
export function answerOf(form: Form): AskUserQuestionAnswer {
  return { answers: form.questions.map((_, at) => itemOf(form, at)) }
}

function itemOf({ questions, entries }: Form, at: number): AskUserQuestionAnswerItem {
  const { id, options = [] } = questions[at]!
  const { chosen, words } = entries[at]!
  const selected = [...new Set(chosen.map(option => options[option]!.label))]
  return words.trim() === '' ? { id, selected } : { id, selected, custom: words }
}

function isMulti({ options, multiSelect }: AskUserQuestionItem): boolean {
  return multiSelect === true && options !== undefined && options.length > 0
}

function choose(form: Form, option: number, wanted: boolean): Form {
  const question = form.questions[form.page], entry = form.entries[form.page]
  if (!question?.options?.[option] || entry!.chosen.includes(option) === wanted) return form
  const others = isMulti(question) ? entry!.chosen.filter(other => other !== option) : []
  return fill(form, { chosen: wanted ? [...others, option].toSorted((a, b) => a - b) : others })
}

function type(form: Form, words: string): Form {
  const entry = form.entries[form.page]
  return !entry || words === entry.words ? form : fill(form, { words })
}

function fill(form: Form, change: Partial<FormEntry>): Form {
  return { ...form, entries: form.entries.map((entry, at) => at === form.page ? { ...entry, ...change } : entry) }
}

function open(form: Form, page: number): Form {
  const last = form.questions.length - (hasReview(form) ? 0 : 1)
  const wanted = Math.max(0, Math.min(page, last))
  return wanted === form.page ? form : { ...form, page: wanted }
}

function submit(form: Form): Form {
  const onReview = form.page === form.questions.length
  if (!onReview && hasReview(form)) return open(form, form.questions.length)
  return onReview || isAnswered(form, 0) ? { ...form, submitted: true } : form
}
