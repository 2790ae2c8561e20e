// What the terminal says in one line when a question ends that it did not answer; the same in the panel and the line mode.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { visibleLine } from '../../reply/visible.ts'
import { terminalTexts } from './texts.ts'

/** Somebody else ended it, by answering or, without an answer, by cancelling. */
export function endedBy(by: string, answer: AskUserQuestionAnswer | undefined, lang: Lang): string {
  const texts = terminalTexts[lang], where = visibleLine(by)
  return answer ? texts.answeredOn(where, formatAnswer(answer, lang)) : texts.cancelledOn(where)
}

/**
 * This surface should stop.
 *
 * @returns `undefined` when somebody else ended it: that is told by `settled`, which knows by whom.
 */
export function stoppedFor({ reason }: AbortSignal, lang: Lang): string | undefined {
  const { code } = reason as { code?: string }
  if (code === 'ASK_SETTLED') return undefined
  return code === 'ASK_ABORTED' ? terminalTexts[lang].cancelled : terminalTexts[lang].notHere
}
