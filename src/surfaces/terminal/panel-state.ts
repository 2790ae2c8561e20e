// A panel's state, what can be read from it, and the changes that its keys have in common. Pure.
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import { type Form, type FormAction, newForm, reduceForm } from '../../reply/form.ts'

/** A panel: one request being answered. */
export interface Panel {
  readonly form: Form
  /** The row with the focus: the options, then the own words; on the review the questions, then "Submit". */
  readonly focus: number
  /** Whether the person is typing; the focus is on the own words then. */
  readonly typing: boolean
  /** Where in the words the next character goes, in UTF-16 units. */
  readonly caret: number
  /** The first visible row of the page; the view limits it to the page's length. */
  readonly offset: number
  /** Whether the page scrolls to keep the focus visible. */
  readonly follow: boolean
  /** What covers the page: the list of keys, "Cancel for everyone?", or what would permit more than an approval asks for. */
  readonly over: 'keys' | 'cancel' | 'wider' | undefined
  /** A remark that stays until the next key. */
  readonly note: Note | undefined
  /** The digits typed so far of an option's number. */
  readonly digits: string
  /** Where of the own words they were typed, on the row or in the text; see own-words.ts. */
  readonly digitsFrom: 'row' | 'text' | undefined
  /** Whether long texts are shown in full. */
  readonly unfolded: boolean
  /** Whether the person has cancelled the request. */
  readonly cancelled: boolean
  /** Set when it asks for a permission; see approval-panel.ts. */
  readonly approval?: {
    readonly text: ApprovalText
    /** The option that the last key chose; it stands once nothing has followed that key. */
    readonly held: string | undefined
    /** The option that was chosen. */
    readonly decided: string | undefined
    /** Which of those that permit more than this once is pointed at, from 0. */
    readonly pointed?: number
  }
}

/** Remarks on a key; the last ones are about approvals. */
export type Note = 'nothing' | 'early' | 'pasteTooLong' | ApprovalNote

type ApprovalNote = 'undecided' | 'alone' | 'unread' | 'words' | 'unpointed'

/** Where things are on the screen. */
export interface Layout {
  /** The first visible row of the page. */
  readonly offset: number
  /** How many rows of the page are visible. */
  readonly height: number
  /** How many rows the page has. */
  readonly total: number
  /** The rows with the focus, or with the caret while the person is typing: the first, and the one after the last. */
  readonly focus: readonly [start: number, end: number]
}

/** Whether the focus is visible. */
export function isFocusVisible({ focus: [start], offset, height }: Layout): boolean {
  return start >= offset && start < offset + height
}

/** A new panel, at the first question. */
export function newPanel(questions: readonly AskUserQuestionItem[]): Panel {
  return turnTo({
    form: newForm(questions), focus: 0, typing: false, caret: 0, offset: 0, follow: false,
    over: undefined, note: undefined, digits: '', digitsFrom: undefined, unfolded: false, cancelled: false,
  })
}

/** Whether it is answered or cancelled. */
export function isDone({ form, cancelled, approval }: Panel): boolean {
  return form.submitted || cancelled || approval?.decided !== undefined
}

/** The question that is open, `undefined` on the review. */
export function questionOf({ form }: Panel): AskUserQuestionItem | undefined {
  return form.questions[form.page]
}

/** The number of rows that can have the focus. */
export function rowsOf(panel: Panel): number {
  return (questionOf(panel)?.options?.length ?? (onReview(panel) ? panel.form.questions.length : 0)) + 1
}

/** Whether the review is open. */
export function onReview({ form }: Panel): boolean {
  return form.page === form.questions.length
}

/** Whether the own words have the focus. */
export function onOwnWords(panel: Panel): boolean {
  return !onReview(panel) && panel.focus === rowsOf(panel) - 1
}

/** The own words for the question that is open. */
export function wordsOf({ form }: Panel): string {
  return form.entries[form.page]!.words
}

/** Change the form. A page that opens starts at its top. */
export function act(panel: Panel, action: FormAction): Panel {
  const form = reduceForm(panel.form, action)
  const moved = form.page !== panel.form.page
  return moved ? turnTo({ ...panel, form }) : { ...panel, form }
}

/** Move the focus to a row, and bring that into view. */
export function focusOn(panel: Panel, focus: number): Panel {
  return { ...panel, focus, follow: true }
}

/** Go into the text of the own words. */
export function startTyping(panel: Panel): Panel {
  const caret = panel.typing ? panel.caret : wordsOf(panel).length
  return { ...panel, typing: true, focus: rowsOf(panel) - 1, caret }
}

function turnTo(panel: Panel): Panel {
  const { form } = panel, question = questionOf(panel), entry = form.entries[form.page]
  const page = { ...panel, offset: 0, follow: false, typing: false, unfolded: false }
  if (!question || !entry) return { ...page, focus: rowsOf(page) - 1 }
  if (!question.options?.length) return startTyping(page)
  return { ...page, focus: entry.chosen[0] ?? (entry.words.trim() === '' ? 0 : rowsOf(page) - 1) }
}
