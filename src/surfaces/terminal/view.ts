// A panel as the lines of a screen: who asks, the bar of questions, as much of the page as there is room for, and a last
// line with the most useful keys. Pure.
import { hasReview, isAnswered } from '../../reply/form.ts'
import type { Lang } from '../../reply/lang.ts'
import { isWider } from '../../reply/verdict.ts'
import { approvalRule } from './approval-page.ts'
import { isEndVisible } from './approval-panel.ts'
import { type ApprovalTexts, approvalTexts } from './approval-texts.ts'
import { block, type Page } from './blocks.ts'
import { columns, cut } from './measure.ts'
import { pageOf } from './page.ts'
import { paint, type Row, rowColumns, type Span } from './paint.ts'
import { type Layout, type Note, type Panel, questionOf, rowsOf } from './panel-state.ts'
import { type PanelTexts, panelTexts } from './panel-texts.ts'
import { titleOf } from './review-page.ts'

/** A terminal's size in character cells. */
export interface Size {
  readonly columns: number
  readonly rows: number
}

/** What a panel's looks depend on, apart from its state and size. */
export interface Look {
  readonly lang: Lang
  /** Whether to use colours. */
  readonly colour: boolean
  /** Who asks, as one line of visible characters. */
  readonly origin: string
  /** How many other questions wait for this one. */
  readonly waiting: number
  /** Whether the agent has gone on without waiting any longer. */
  readonly late: boolean
}

/** What is drawn. */
export interface View {
  /** Narrower than the terminal, and fewer than its rows. */
  readonly lines: readonly string[]
  /** Where the caret is while the person is typing, counted from 0. */
  readonly caret: { readonly row: number, readonly column: number } | undefined
  /** Where things are, for the next key. */
  readonly layout: Layout
}

/** From this height on there is room for blank rows. */
const AIRY = 16

/** Lay a panel out. The terminal's last column and one row stay free. */
export function view(panel: Panel, size: Size, look: Look): View {
  const width = Math.max(1, size.columns - 1), room = Math.max(1, size.rows - 1), airy = size.rows >= AIRY
  const top: Row[] = [], { approval } = panel, texts = approval ? approvalTexts(approval.text, look.lang) : panelTexts[look.lang]
  if (room >= 6) top.push(...head(look, texts.asks, width, room >= 10))
  if (look.late && room >= 6) top.push(...block(panelTexts[look.lang].late, 0, width, 'warn').slice(0, room >= 10 ? 2 : 1))
  if (room >= 3 && approval) top.push(approvalRule(approval.text.kind, width))
  if (room >= 4 && !approval && (panel.form.questions.length > 1 || hasReview(panel.form))) top.push(bar(panel, look, width))
  if (airy && !approval) top.push([])
  const below = room >= 2 ? (airy ? 2 : 1) : 0
  const page = pageOf(panel, look.lang, width, airy)
  const height = Math.max(1, Math.min(page.rows.length, room - top.length - below))
  const offset = offsetOf(panel, page, height)
  const layout: Layout = { offset, height, total: page.rows.length, focus: page.focus }
  const rows = [...top, ...page.rows.slice(offset, offset + height)]
  if (airy) rows.push(approval ? [['='.repeat(width)]] : [])
  if (below > 0) rows.push(lastLine(panel, layout, page.isLong, look.lang, width))
  const caretRow = page.focus[0] - offset
  return {
    lines: rows.map(row => paint(row, width, look.colour)),
    caret: page.caret !== undefined && caretRow >= 0 && caretRow < height
      ? { row: top.length + caretRow, column: Math.min(page.caret, width) }
      : undefined,
    layout,
  }
}

/** The first visible row: the panel's own offset, or the nearest one that shows the focus. */
function offsetOf({ offset, follow }: Panel, { rows, focus: [start, end] }: Page, height: number): number {
  const wanted = Math.max(0, Math.min(offset, rows.length - height))
  if (!follow) return wanted
  if (start < wanted) return start
  return end > wanted + height ? Math.min(start, end - height) : wanted
}

/**
 * Who asks, and how many other questions wait.
 *
 * @param says puts who it is into words.
 * @param mayBreak whether that may take two rows.
 */
function head({ origin, waiting, lang }: Look, says: (who: string) => string, width: number, mayBreak: boolean): Row[] {
  // The origin alone is cut, so that the line always says that somebody asks.
  const asks = (room: number): Span => [says(cut(origin, room - columns(says('')))), 'bold']
  if (waiting === 0) return [[asks(width)]]
  const count = panelTexts[lang].waiting(waiting), room = width - columns(count) - 2
  if (mayBreak && columns(says(origin)) > room) return [[asks(width)], [[count, 'warn']]]
  return [[asks(room), ['  '], [count, 'warn']]]
}

/**
 * All questions in one row, a pointer at the open one. Without room for all names, the others are only marks; without room
 * for those, only the nearest are there.
 */
function bar(panel: Panel, { lang }: Look, width: number): Row {
  const { form } = panel, total = form.questions.length
  const place: Span = [`${Math.min(form.page + 1, total)}/${total}`, 'dim']
  const left = width - rowColumns([place]) - 3
  const tab = (index: number, named: boolean): Row => {
    const open = index === form.page
    const name = cut(index === total ? panelTexts[lang].review : titleOf(form, index), Math.max(3, Math.min(16, left - 6)))
    const tick: Span = index === total ? [''] : isAnswered(form, index) ? ['[x]', 'good'] : ['[ ]']
    const shown: Row = named || open || index === total ? [[index === total ? '' : ' '], [name, open ? 'inverse' : undefined], [' ']] : []
    return [[open ? '>' : named ? ' ' : '', 'accent'], tick, ...shown]
  }
  const tabsOf = (named: boolean) => Array.from({ length: total + 1 }, (_, index) => tab(index, named))
  const full = tabsOf(true)
  if (rowColumns(full.flat()) <= left) return [place, [' '], ...full.flat()]
  const tabs = tabsOf(false)
  let from = form.page, to = form.page + 1, used = rowColumns(tabs[from]!)
  for (let grown = true; grown;) {
    grown = false
    for (const next of [to, from - 1]) {
      const more = tabs[next] ? rowColumns(tabs[next]) : Infinity
      if (used + more > left) continue
      used += more
      if (next === to) to++
      else from--
      grown = true
    }
  }
  return [place, [from > 0 ? ' <' : ' '], ...tabs.slice(from, to).flat(), [to <= total ? '>' : '']]
}

function lastLine(panel: Panel, layout: Layout, isLong: boolean, lang: Lang, width: number): Row {
  const texts = panelTexts[lang], forApproval = approvalTexts(panel.approval?.text ?? {}, lang)
  if (panel.over === 'cancel') return [['  '], [panel.approval ? forApproval.cancel : texts.cancelQuestion, 'warn']]
  // What is said of keys on a question is said of approvals in other words.
  if (panel.note) return [['  '], [panel.approval ? forApproval.note[panel.note] : texts[panel.note as QuestionNote], 'warn']]
  const parts: string[] = []
  let used = 0
  const words = panel.approval ? { ...texts.hint, ...forApproval.hint } : { ...forApproval.hint, ...texts.hint }
  for (const name of panel.approval && panel.over !== 'keys' ? approvalHints(panel.approval, panel, layout) : hints(panel, layout, isLong)) {
    const hint = words[name]
    used += columns(hint) + 2
    if (used <= width) parts.push(hint)
  }
  return [[`  ${parts.join('  ')}`, 'dim']]
}

type Hint = keyof PanelTexts['hint']
type QuestionNote = Note & keyof PanelTexts

/** What can be done with an approval: rejecting comes first, and allowing once the end of it is in view. */
function approvalHints({ text: { choices }, pointed }: NonNullable<Panel['approval']>, { over, typing }: Panel, layout: Layout): (Hint | keyof ApprovalTexts['hint'])[] {
  const isEnd = isEndVisible(layout), more: Hint[] = isEnd ? [] : ['more'], less: Hint[] = layout.offset > 0 ? ['less'] : []
  if (over === 'wider') return [...more, 'point', ...pointed === undefined ? [] : ['allowPointed' as const], 'close', ...less]
  if (typing) return [...more, 'sendWords', 'leave', ...less]
  const permits = isEnd ? ['allow' as const, ...choices.some(isWider) ? ['wider' as const] : []] : []
  return [...more, 'reject', ...permits, 'withWords', 'cancel', 'keys', ...less]
}

/** What can be done now, most useful first. */
function hints(panel: Panel, { offset, height, total }: Layout, isLong: boolean): Hint[] {
  const fold: Hint[] = isLong ? [panel.unfolded ? 'fold' : 'unfold'] : []
  const more: Hint[] = [...offset + height < total ? ['more'] as const : [], ...fold], less: Hint[] = offset > 0 ? ['less'] : []
  if (panel.over === 'keys') return [...more, 'close', ...less]
  const { form } = panel, question = questionOf(panel)
  const alone = !hasReview(form), goOn = alone ? 'send' : 'next'
  const rest: Hint[] = [...alone ? [] : ['questions'] as const, 'keys', 'cancel', ...less]
  if (!question) return [...more, panel.focus < form.questions.length ? 'edit' : 'submit', ...rest]
  if (panel.typing) return [...more, goOn, 'leave', ...less]
  const { words, chosen } = form.entries[form.page]!, blank = words.trim() === '', isChosen = chosen.includes(panel.focus)
  if (panel.focus === rowsOf(panel) - 1) return [...more, blank ? 'write' : goOn, ...rest]
  if (question.multiSelect) return [...more, isChosen ? 'takeBack' : 'toggle', goOn, ...rest]
  // With words there, choosing leads to the review.
  return [...more, alone && blank ? 'send' : 'pick', ...isChosen ? ['takeBack'] as const : [], ...rest]
}
