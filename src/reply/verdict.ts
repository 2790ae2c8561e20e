// What was decided about an approval, in a few words, and which of its outcomes permit more than this once. The page has this in the
// browser, so nothing is imported here but types and texts.
import type { ALLOW, REJECT } from '../protocol/approval.ts'
import type { Lang } from './lang.ts'

const ALLOWS: typeof ALLOW = 'allow', REJECTS: typeof REJECT = 'reject'

const texts = {
  en: {
    allowed: 'Allowed once', allowedAs: (label: string) => `Allowed: ${label}`,
    approved: 'Approved', approvedAs: (label: string) => `Approved: ${label}`,
    rejected: 'Rejected', rejectedWith: (words: string) => `Rejected: ${words}`,
  },
  zh: {
    allowed: '已允许一次', allowedAs: (label: string) => `已允许：${label}`,
    approved: '已批准', approvedAs: (label: string) => `已批准：${label}`,
    rejected: '已拒绝', rejectedWith: (words: string) => `已拒绝：${words}`,
  },
} satisfies Record<Lang, unknown>

/** One option of an approval. */
export interface ApprovalChoice {
  /** What it does: `reject` denies, every other one permits. */
  readonly id: string
  /** What the person sees. */
  readonly label: string
}

/** Whether an option permits more than this once. */
export function isWider({ id }: Pick<ApprovalChoice, 'id'>): boolean {
  return id !== REJECTS && id !== ALLOWS
}

/**
 * Say what was decided. None of it is made harmless for a screen.
 *
 * @param choice the option that was chosen.
 * @param words beside a rejection.
 * @param isPlan whether it was about a plan.
 */
export function verdict({ id, label }: ApprovalChoice, words: string | undefined, isPlan: boolean, lang: Lang): string {
  const { allowed, allowedAs, approved, approvedAs, rejected, rejectedWith } = texts[lang]
  if (id === REJECTS) return words?.trim() ? rejectedWith(words.trim()) : rejected
  if (id === ALLOWS) return isPlan ? approved : allowed
  return (isPlan ? approvedAs : allowedAs)(label)
}
