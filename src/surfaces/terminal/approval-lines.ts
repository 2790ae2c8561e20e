// An approval in the line mode: how it is written, and what a typed line decides. Pure.
import { ALLOW, REJECT } from '../../protocol/approval.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import type { Lang } from '../../reply/lang.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { CHOOSES } from './approval-panel.ts'
import { approvalTexts } from './approval-texts.ts'
import type { Line } from './lines.ts'

/** Write an approval. What the tool is to do is marked on each line, so that nothing in it looks like something else. */
export function writeApproval({ kind, title, reason, detail, choices }: ApprovalText, lang: Lang): string {
  const lines = [`=== ${kind} ===`, visibleLine(title)]
  if (reason !== undefined) lines.push(indented(reason, '  '))
  if (detail !== undefined) lines.push(indented(detail.trimEnd(), '  | '))
  for (const [key, id] of Object.entries(CHOOSES)) {
    const choice = choices.find(one => one.id === id)
    if (choice) lines.push(`  ${key}  ${visibleLine(choice.label)}`)
  }
  return [...lines, approvalTexts[lang].howTo].join('\n')
}

/** What a line decides: an option, or nothing and why. */
export type Decision =
  | { readonly id: string, readonly words: string }
  | { readonly id?: undefined, readonly why: 'undecided' | 'tooEarly' | 'pasted' }

/**
 * Read a line. The one that permits is `a`, character for character, typed after the approval was there to be read.
 *
 * @param from when a line may have been begun, by the clock of `performance`.
 */
export function readApprovalLine({ text, isStray, since, isPasted }: Line, from: number): Decision {
  if (isStray || since < from) return { why: 'tooEarly' }
  if (text === 'a') return isPasted ? { why: 'pasted' } : { id: ALLOW, words: '' }
  const rejection = /^r(?:\s+([^]*))?$/.exec(text)
  return rejection ? { id: REJECT, words: rejection[1] ?? '' } : { why: 'undecided' }
}

function indented(text: string, by: string): string {
  return by + visible(text).replaceAll('\n', `\n${by}`)
}
