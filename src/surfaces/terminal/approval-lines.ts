// An approval in the line mode: how it is written, and what a typed line decides. What permits more than this once is not offered: a
// line has no room to say what it means. Pure.
import { ALLOW, REJECT } from '../../protocol/approval.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import type { Lang } from '../../reply/lang.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { CHOOSES } from './approval-panel.ts'
import { approvalTexts } from './approval-texts.ts'
import type { Line } from './lines.ts'

/** Write an approval. What the tool is to do is marked on each line, so that nothing in it looks like something else. */
export function writeApproval(approval: ApprovalText, lang: Lang): string {
  const { kind, title, reason, detail, choices } = approval
  const lines = [`=== ${kind} ===`, visibleLine(title)]
  if (reason !== undefined) lines.push(indented(reason, '  '))
  if (detail !== undefined) lines.push(indented(detail.trimEnd(), '  | '))
  for (const [key, id] of Object.entries(CHOOSES)) {
    const choice = choices.find(one => one.id === id)
    if (choice) lines.push(`  ${key}  ${visibleLine(choice.label)}`)
  }
  return [...lines, approvalTexts(approval, lang).howTo].join('\n')
}

/** What a line decides: an option, or nothing and why. */
export type Decision =
  | { readonly id: string, readonly words: string }
  | { readonly id?: undefined, readonly why: 'undecided' | 'tooEarly' | 'pasted' }

/**
 * Read a line. The one that permits is `a`, character for character, typed after the approval was there to be read.
 *
 * @param choices what the approval offers.
 * @param from when a line may have been begun, by the clock of `performance`.
 */
export function readApprovalLine({ text, isStray, since, isPasted }: Line, { choices }: ApprovalText, from: number): Decision {
  if (isStray || since < from) return { why: 'tooEarly' }
  if (text === 'a' && choices.some(({ id }) => id === ALLOW)) return isPasted ? { why: 'pasted' } : { id: ALLOW, words: '' }
  const rejection = /^r(?:\s+([^]*))?$/.exec(text)
  return rejection ? { id: REJECT, words: rejection[1] ?? '' } : { why: 'undecided' }
}

function indented(text: string, by: string): string {
  return by + visible(text).replaceAll('\n', `\n${by}`)
}
