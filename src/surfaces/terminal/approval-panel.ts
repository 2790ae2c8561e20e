// What a key does to the panel of an approval. Pure. Nothing is chosen at the start, and no key but `a` permits: alone, with all
// of it read, and with no words that it would lose. What permits more than this once stands in a list that `w` opens likewise; there
// one is pointed at first, and then Enter permits it, alone and with all of its words in view. Everything else scrolls, edits the
// words of a rejection, or says what it is for.
import { ALLOW, REJECT } from '../../protocol/approval.ts'
import { type ApprovalChoice, type ApprovalText, isWider } from '../../reply/approval.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { edit } from './editor.ts'
import type { Key } from './keys.ts'
import { act, isFocusVisible, type Layout, newPanel, type Panel, startTyping, wordsOf } from './panel-state.ts'

/** The keys that choose. */
export const CHOOSES: Readonly<Record<string, string>> = { r: REJECT, a: ALLOW }

/** The key that shows what permits more than this once. */
export const WIDER = 'w'

/** A panel with an approval. */
export type ApprovalPanel = Panel & { readonly approval: NonNullable<Panel['approval']> }

/** A new panel, with nothing chosen. */
export function newApprovalPanel(questions: readonly AskUserQuestionItem[], text: ApprovalText): ApprovalPanel {
  return { ...newPanel(questions), typing: false, approval: { text, held: undefined, decided: undefined } }
}

/** What permits more than this once. */
export function widerOf({ approval: { text } }: ApprovalPanel): readonly ApprovalChoice[] {
  return text.choices.filter(isWider)
}

/** Whether a panel shows an approval. */
export function hasApproval(panel: Panel): panel is ApprovalPanel {
  return panel.approval !== undefined
}

/**
 * Press a key that neither scrolls by a page nor is about what covers the page.
 *
 * @param panel as it was before, with the remark on the last key gone.
 * @param isAlone whether the key is no part of a text or a paste, as far as that can be told when it comes.
 */
export function pressApproval(panel: ApprovalPanel, key: Key, layout: Layout, isAlone: boolean): Panel {
  if (panel.over === 'wider') return pressInWider(panel, key, layout, isAlone)
  return panel.typing ? pressInWords(panel, key, layout) : pressCommand(panel, key, layout, isAlone)
}

/** The choice that a key made stands: nothing has followed it. */
export function decide(panel: ApprovalPanel): Panel {
  return { ...panel, approval: { ...panel.approval, held: undefined, decided: panel.approval.held } }
}

/** The choice that a key made does not stand: something has followed it, so it was a letter of that. */
export function release(panel: ApprovalPanel): Panel {
  return { ...hold(panel, undefined), note: 'alone' }
}

function pressInWords(panel: ApprovalPanel, key: Key, layout: Layout): Panel {
  if (key.name === 'escape') return { ...panel, typing: false, follow: true }
  if (key.name === 'enter') {
    if (!isFocusVisible(layout)) return { ...panel, follow: true }
    if (wordsOf(panel).trim() === '') return { ...panel, note: 'nothing' }
    return decide(hold(panel, REJECT))
  }
  const edited = edit({ text: wordsOf(panel), caret: panel.caret }, key)
  if (!edited) return panel
  return act({ ...panel, caret: edited.caret, follow: true, note: edited.isCut ? 'pasteTooLong' : undefined }, { type: 'type', words: edited.text })
}

function pressInWider(panel: ApprovalPanel, key: Key, layout: Layout, isAlone: boolean): Panel {
  if (key.name === 'down' || (key.name === 'text' && key.text === WIDER)) return point(panel, layout, 1)
  if (key.name === 'up') return point(panel, layout, -1)
  const { pointed } = panel.approval
  if (key.name !== 'enter') return { ...panel, over: undefined, follow: true, note: key.name === 'escape' ? undefined : 'undecided' }
  if (pointed === undefined) return { ...panel, note: 'unpointed' }
  if (!isAlone) return { ...panel, note: 'alone' }
  return isPointedVisible(layout) ? hold(panel, widerOf(panel)[pointed]!.id) : { ...panel, note: 'unread' }
}

/** Whether all words of what is pointed at are in view, or at least their end, where they are too many. */
function isPointedVisible({ focus: [start, end], offset, height }: Layout): boolean {
  return end <= offset + height && (start >= offset || end - start > height)
}

/** Point at the next one. Where its end is not in view yet, that comes first. */
function point(panel: ApprovalPanel, layout: Layout, by: 1 | -1): Panel {
  const { pointed } = panel.approval, { length } = widerOf(panel), [, end] = layout.focus
  if (by > 0 && pointed !== undefined && end > layout.offset + layout.height) return scrollTo(panel, layout, layout.offset + 1)
  const next = pointed === undefined ? by > 0 ? 0 : length - 1 : (pointed + by + length) % length
  return { ...panel, follow: true, approval: { ...panel.approval, pointed: next } }
}

function pressCommand(panel: ApprovalPanel, key: Key, layout: Layout, isAlone: boolean): Panel {
  switch (key.name) {
    case 'escape': return { ...panel, over: 'cancel' }
    case 'tab': return { ...startTyping(panel), follow: true }
    case 'up': return scrollTo(panel, layout, layout.offset - 1)
    case 'down': return scrollTo(panel, layout, layout.offset + 1)
    case 'home': return scrollTo(panel, layout, 0)
    case 'end': return scrollTo(panel, layout, layout.total)
    case 'text': return pressCharacter(panel, key.text, layout, isAlone)
    default: return { ...panel, note: 'undecided' }
  }
}

function pressCharacter(panel: ApprovalPanel, text: string, layout: Layout, isAlone: boolean): Panel {
  if (text === '?') return { ...panel, over: 'keys', offset: 0, follow: false }
  if (text === 'j') return scrollTo(panel, layout, layout.offset + 1)
  if (text === 'k') return scrollTo(panel, layout, layout.offset - 1)
  const id = Object.hasOwn(CHOOSES, text) ? CHOOSES[text] : undefined
  const isOffered = text === WIDER ? widerOf(panel).length > 0 : panel.approval.text.choices.some(choice => choice.id === id)
  if (!isOffered) return { ...panel, note: 'undecided' }
  if (!isAlone) return { ...panel, note: 'alone' }
  if (id === REJECT) return hold(panel, id)
  if (!isEndVisible(layout)) return { ...panel, note: 'unread' }
  if (wordsOf(panel).trim() !== '') return { ...panel, note: 'words' }
  const { pointed: _, ...approval } = panel.approval
  return text === WIDER ? { ...panel, over: 'wider', offset: 0, follow: false, approval } : hold(panel, id)
}

/** Whether the person can see the end of the page, where the choices are. */
export function isEndVisible({ offset, height, total }: Layout): boolean {
  return offset + height >= total
}

function hold(panel: ApprovalPanel, held: string | undefined): ApprovalPanel {
  return { ...panel, approval: { ...panel.approval, held } }
}

function scrollTo(panel: Panel, { height, total }: Layout, offset: number): Panel {
  return { ...panel, offset: Math.max(0, Math.min(offset, total - height)), follow: false }
}
