// What a key does to a panel: it moves the focus, edits text, scrolls, or fills in the form. Pure. The layout (view.ts) says
// what is visible; nothing that the person cannot see is chosen or sent.
import { hasReview } from '../../reply/form.ts'
import { hasApproval, pressApproval, release } from './approval-panel.ts'
import type { Key } from './keys.ts'
import { goOnWriting, writeDigit, writeInText } from './own-words.ts'
import { act, focusOn, isDone, isFocusVisible, type Layout, onOwnWords, onReview, type Panel, questionOf, rowsOf, startTyping, wordsOf } from './panel-state.ts'

/**
 * Press a key, unless the panel is done.
 *
 * @param isAlone whether the key is no part of a text or a paste; a permission needs that.
 */
export function press(before: Panel, key: Key, layout: Layout, isAlone = false): Panel {
  if (isDone(before)) return before
  const panel: Panel = { ...before, note: undefined, digits: '', digitsFrom: undefined, offset: layout.offset }
  if (hasApproval(panel) && panel.approval.held !== undefined) return release(panel)
  if (panel.over === 'cancel') return { ...panel, over: undefined, cancelled: key.name === 'text' && /^y$/i.test(key.text) }
  if (key.name === 'pagedown') return scroll(panel, layout, Math.max(1, layout.height - 1))
  if (key.name === 'pageup') return scroll(panel, layout, Math.min(-1, 1 - layout.height))
  if (panel.over === 'keys') {
    if (key.name === 'down') return scroll(panel, layout, 1)
    if (key.name === 'up') return scroll(panel, layout, -1)
    return { ...panel, over: undefined, follow: true }
  }
  if (hasApproval(panel)) return pressApproval(panel, key, layout, isAlone)
  const written = goOnWriting(panel, before, key)
  if (written) return written
  if (key.name === 'unfold') return { ...panel, unfolded: !panel.unfolded, follow: panel.unfolded }
  if (key.name === 'tab') return act(panel, { type: 'next' })
  if (key.name === 'backtab') return act(panel, { type: 'back' })
  if (key.name === 'enter') return isFocusVisible(layout) ? enter(panel) : { ...panel, follow: true }
  if (key.name === 'text' && !panel.typing) return pressCharacter(panel, key, layout, before.digits)
  return panel.typing ? pressTyping(panel, key) : pressCommand(panel, key, layout)
}

function pressTyping(panel: Panel, key: Key): Panel {
  if (key.name === 'escape' || key.name === 'down') return { ...panel, typing: false, follow: true }
  if (key.name === 'up') return { ...panel, typing: false, focus: Math.max(0, panel.focus - 1), follow: true }
  return writeInText(panel, key)
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
  const isDigit = /^[0-9]$/.test(text)
  if (onOwnWords(panel)) return isDigit ? writeDigit(panel, text) : text === ' ' ? startTyping(panel) : pressTyping(startTyping(panel), key)
  if (isDigit) return jump(panel, digits, text)
  switch (text) {
    case 'j': return move(panel, layout, 1)
    case 'k': return move(panel, layout, -1)
    case 'o': return onReview(panel) ? panel : startTyping(panel)
    case ' ': return onReview(panel) ? panel : isFocusVisible(layout) ? choose(panel, 'toggle') : { ...panel, follow: true }
    default: return panel
  }
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

function scroll(panel: Panel, { offset, height, total }: Layout, by: number): Panel {
  const wanted = Math.max(0, Math.min(offset + by, total - height))
  return wanted === offset ? panel : { ...panel, offset: wanted, follow: false }
}
