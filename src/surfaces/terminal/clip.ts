// Texts of a question too long for a terminal are cut before they are shown, with a sentence where they were cut. Labels stay
// whole: they are what is answered.
import type { AskUserQuestionItem, AskUserQuestionOption } from '../../protocol/request.ts'
import type { ApprovalText } from '../../reply/approval.ts'
import type { Lang } from '../../reply/lang.ts'
import { MAX_LINES, MAX_TEXT } from './limits.ts'
import { terminalTexts } from './texts.ts'

/** Cut what is too long. */
export function clipQuestions(questions: readonly AskUserQuestionItem[], lang: Lang): AskUserQuestionItem[] {
  return questions.map(question => ({
    ...clipped(question, ['question', 'detail', 'header'], lang),
    ...question.options && { options: question.options.map(option => clipped(option, ['description', 'preview'] as (keyof AskUserQuestionOption)[], lang)) },
  }))
}

/** Likewise, what an approval says beside its question. */
export function clipApproval(approval: ApprovalText, lang: Lang): ApprovalText {
  return clipped(approval, ['title', 'reason'], lang)
}

/** The same with some of its texts cut; a preview may be anything. */
function clipped<T extends object>(item: T, names: readonly (keyof T)[], lang: Lang): T {
  const cut = names.flatMap((name) => {
    const text: unknown = item[name]
    return typeof text === 'string' && endOf(text) < text.length ? [[name, cutText(text, lang)]] : []
  })
  return cut.length === 0 ? item : { ...item, ...Object.fromEntries(cut) }
}

function cutText(text: string, lang: Lang): string {
  // Not within a character.
  const end = endOf(text), at = /[\uD800-\uDBFF]/.test(text[end - 1]!) ? end - 1 : end
  return `${text.slice(0, at)}\n${terminalTexts[lang].cut(text.length - at)}`
}

function endOf(text: string): number {
  let at = -1
  for (let line = 0; line < MAX_LINES; line++) {
    at = text.indexOf('\n', at + 1)
    if (at < 0 || at > MAX_TEXT) return Math.min(text.length, MAX_TEXT)
  }
  return at
}
