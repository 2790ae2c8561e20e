// What a key does to a panel: it moves the focus, edits text, scrolls, or fills in the form. Pure. The layout (view.ts) says
// what is visible; nothing that the person cannot see is chosen or sent.
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { type Form, type FormAction, hasReview, newForm, reduceForm } from '../../reply/form.ts'
import { edit } from './editor.ts'
import type { Key } from './keys.ts'

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
  /** What covers the page: the list of keys, or "Cancel for everyone?". */
  readonly over: 'keys' | 'cancel' | undefined
  /** A remark that stays until the next key. */
  readonly note: 'nothing' | 'pasteTooLong' | undefined
  /** The digits typed so far of an option's number. */
  readonly digits: string
  /** Whether the person has cancelled the request. */
  readonly cancelled: boolean
}

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

/** A new panel, at the first question. */
export function newPanel(questions: readonly AskUserQuestionItem[]): Panel {
  return turnTo({
    form: newForm(questions), focus: 0, typing: false, caret: 0, offset: 0, follow: false,
    over: undefined, note: undefined, digits: '', cancelled: false,
  })
}

/** The question that is open, `undefined` on the review. */
export function questionOf({ form }: Panel): AskUserQuestionItem | undefined {
  return form.questions[form.page]
}

/** The number of rows that can have the focus. */
export function rowsOf(panel: Panel): number {
  return (questionOf(panel)?.options?.length ?? (onReview(panel) ? panel.form.questions.length : 0)) + 1
}

/** Press a key. The panel is done once `form.submitted` or `cancelled` is set. */
export function press(before: Panel, key: Key, layout: Layout): Panel {
  if (before.cancelled || before.form.submitted) return before
  const panel = { ...before, note: undefined, digits: '', offset: layout.offset }
  if (panel.over === 'cancel') return { ...panel, over: undefined, cancelled: key.name === 'text' && /^y$/i.test(key.text) }
  if (key.name === 'pagedown') return scroll(panel, layout, layout.height - 1)
  if (key.name === 'pageup') return scroll(panel, layout, 1 - layout.height)
  if (panel.over === 'keys') {
    if (key.name === 'down') return scroll(panel, layout, 1)
    if (key.name === 'up') return scroll(panel, layout, -1)
    return { ...panel, over: undefined, follow: true }
  }
  if (key.name === 'tab') return act(panel, { type: 'next' })
  if (key.name === 'backtab') return act(panel, { type: 'back' })
  if (key.name === 'enter') return isFocusVisible(layout) ? enter(panel) : { ...panel, follow: true }
  if (key.name === 'text' && !panel.typing) return pressCharacter(panel, key, layout, before.digits)
  return panel.typing ? pressTyping(panel, key) : pressCommand(panel, key, layout)
}

function pressTyping(panel: Panel, key: Key): Panel {
  if (key.name === 'escape' || key.name === 'down') return { ...panel, typing: false, follow: true }
  if (key.name === 'up') return { ...panel, typing: false, focus: Math.max(0, panel.focus - 1), follow: true }
  const edited = edit({ text: wordsOf(panel), caret: panel.caret }, key)
  if (!edited) return panel
  const typed = { ...panel, caret: edited.caret, follow: true, note: edited.isCut ? 'pasteTooLong' as const : undefined }
  return edited.text === wordsOf(panel) ? typed : act(typed, { type: 'type', words: edited.text })
}

function pressCommand(panel: Panel, key: Key, layout: Layout): Panel {
  switch (key.name) {
    case 'escape': return { ...panel, over: 'cancel' }
    case 'left': return act(panel, { type: 'back' })
    case 'right': return act(panel, { type: 'next' })
    case 'up': return move(panel, layout, -1)
    case 'down': return move(panel, layout, 1)
    case 'home': return focusOn(panel, 0)
    case 'end': return focusOn(panel, rowsOf(panel) - 1)
    case 'paste': return onReview(panel) ? panel : pressTyping(startTyping(panel), key)
    default: return panel
  }
}

function pressCharacter(panel: Panel, key: Key & { text: string }, layout: Layout, digits: string): Panel {
  const { text } = key
  if (text === '?') return { ...panel, over: 'keys', offset: 0, follow: false }
  if (onOwnWords(panel)) return text === ' ' ? startTyping(panel) : pressTyping(startTyping(panel), key)
  if (/^[0-9]$/.test(text)) return jump(panel, digits, text)
  switch (text) {
    case 'j': return move(panel, layout, 1)
    case 'k': return move(panel, layout, -1)
    case 'o': return onReview(panel) ? panel : startTyping(panel)
    case ' ': return onReview(panel) ? panel : isFocusVisible(layout) ? choose(panel, 'toggle') : { ...panel, follow: true }
    default: return panel
  }
}

/** Change the form. A page that opens starts at its top. */
function act(panel: Panel, action: FormAction): Panel {
  const form = reduceForm(panel.form, action)
  const moved = form.page !== panel.form.page
  return moved ? turnTo({ ...panel, form }) : { ...panel, form }
}

function turnTo(panel: Panel): Panel {
  const { form } = panel, question = questionOf(panel), entry = form.entries[form.page]
  const page = { ...panel, offset: 0, follow: false, typing: false }
  if (!question || !entry) return { ...page, focus: rowsOf(page) - 1 }
  if (!question.options?.length) return startTyping(page)
  return { ...page, focus: entry.chosen[0] ?? (entry.words.trim() === '' ? 0 : rowsOf(page) - 1) }
}

function startTyping(panel: Panel): Panel {
  const caret = panel.typing ? panel.caret : wordsOf(panel).length
  return { ...panel, typing: true, focus: rowsOf(panel) - 1, caret }
}

function enter(panel: Panel): Panel {
  const { form, focus } = panel
  if (onReview(panel)) return act(panel, focus < form.questions.length ? { type: 'go', page: focus } : { type: 'submit' })
  if (!onOwnWords(panel)) return advance(questionOf(panel)!.multiSelect ? panel : choose(panel, 'select'))
  if (wordsOf(panel).trim() !== '') return advance(act({ ...panel, typing: false }, { type: 'type', words: wordsOf(panel) }))
  if (!panel.typing) return startTyping(panel)
  if (questionOf(panel)!.options?.length) return { ...panel, typing: false }
  return form.questions.length > 1 ? advance(panel) : { ...panel, note: 'nothing' }
}

function choose(panel: Panel, type: 'select' | 'toggle'): Panel {
  return act(panel, { type, option: panel.focus })
}

/** Go on to the next question, or send. */
function advance(panel: Panel): Panel {
  return act(panel, { type: panel.form.questions.length > 1 && hasReview(panel.form) ? 'next' : 'submit' })
}

/** Move the focus by one row. If the rest of the focused row is not visible, scroll to it first. */
function move(panel: Panel, layout: Layout, by: 1 | -1): Panel {
  const [start, end] = layout.focus
  const beyond = by > 0 ? end - (layout.offset + layout.height) : layout.offset - start
  if (beyond > 0) return scroll(panel, layout, by * Math.min(beyond, Math.max(1, layout.height - 1)))
  const focus = panel.focus + by
  if (focus >= 0 && focus < rowsOf(panel)) return focusOn(panel, focus)
  return scroll(panel, layout, by)
}

function jump(panel: Panel, before: string, digit: string): Panel {
  // A digit continues the number if there are that many options; otherwise it starts a new one.
  const digits = [before + digit, digit].find(one => Number(one) > 0 && Number(one) < rowsOf(panel))
  return digits === undefined ? panel : { ...focusOn(panel, Number(digits) - 1), digits }
}

function focusOn(panel: Panel, focus: number): Panel {
  return { ...panel, focus, follow: true }
}

function scroll(panel: Panel, { offset, height, total }: Layout, by: number): Panel {
  const wanted = Math.max(0, Math.min(offset + by, total - height))
  return wanted === offset ? panel : { ...panel, offset: wanted, follow: false }
}

/** Whether the focus is visible. */
function isFocusVisible({ focus: [start], offset, height }: Layout): boolean {
  return start >= offset && start < offset + height
}

function onReview({ form }: Panel): boolean {
  return form.page === form.questions.length
}

function onOwnWords(panel: Panel): boolean {
  return !onReview(panel) && panel.focus === rowsOf(panel) - 1
}

function wordsOf({ form }: Panel): string {
  return form.entries[form.page]!.words
}
