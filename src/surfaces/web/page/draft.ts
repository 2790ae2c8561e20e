// What is filled in but not sent. It lives in the tab's session storage: it survives a reload and folding, and goes with
// the tab. Where there is no storage it lives as long as the page.
import type { AnswerBody, CardQuestion, Ended } from '../wire.ts'

/** What is filled in for one question. */
export interface DraftItem {
  /** Positions of the chosen options. */
  readonly picks: readonly number[]
  readonly text: string
}

/** What is filled in, and what it would say: readable after the question itself is gone. */
export interface Draft {
  readonly items: readonly DraftItem[]
  readonly says: readonly { readonly selected: readonly string[], readonly custom?: string }[]
}

const PREFIX = `ask-web:${location.pathname}:draft:`
const kept = new Map<string, Draft>()

/** The draft of what is filled in. */
export function draftOf(questions: readonly CardQuestion[], items: readonly DraftItem[]): Draft {
  return {
    items,
    says: questions.map(({ options, multi }, at) => {
      const { picks, text } = items[at]!
      const custom = text.trim() === '' ? {} : { custom: text }
      // By dsh's contract words replace the choice on a single-select question.
      const selected = !multi && text.trim() !== '' ? [] : picks.map(position => options[position]!.label)
      return { selected, ...custom }
    }),
  }
}

/** The answer that a draft sends. */
export function bodyOf({ items }: Draft): AnswerBody {
  return { answers: items.map(({ picks, text }) => ({ selected: picks, ...text.trim() !== '' && { custom: text } })) }
}

/** For how many questions it says something. */
export function answeredIn({ says }: Draft): number {
  return says.filter(({ selected, custom }) => selected.length > 0 || custom !== undefined).length
}

/** Keep a draft under its ask's id; one that says nothing is forgotten. */
export function keepDraft(id: string, draft: Draft): void {
  if (answeredIn(draft) === 0) return forgetDraft(id)
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
export function wordsOf({ says }: Draft, separator: string): string {
  const each = says.map(({ selected, custom }) => [...selected, ...custom === undefined ? [] : [custom]].join(separator))
  return each.filter(words => words !== '').join('\n')
}

/** Whether an ask ended with just what the draft says. */
export function isSaid({ says }: Draft, { kind, questions }: Ended): boolean {
  return kind === 'answered' && says.every(({ selected, custom }, at) => {
    const said = questions[at]
    return said?.custom === custom && JSON.stringify(said?.selected) === JSON.stringify(selected)
  })
}
