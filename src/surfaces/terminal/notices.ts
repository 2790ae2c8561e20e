// The one line that the terminal prints when a question ends without being answered here.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { formatAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { visibleLine } from '../../reply/visible.ts'
import { terminalTexts } from './texts.ts'

/** Somebody else ended the question: with an answer, or without one by cancelling. */
export function settledNotice(by: string, answer: AskUserQuestionAnswer | undefined, lang: Lang): string {
  const texts = terminalTexts[lang], where = visibleLine(by)
  return answer ? texts.answeredOn(where, formatAnswer(answer, lang)) : texts.cancelledOn(where)
}

/**
 * The surface was told to stop.
 *
 * @param signal aborted.
 * @returns `undefined` when somebody else settled the question: `settled` knows who, and prints that.
 */
export function stopNotice(signal: AbortSignal, lang: Lang): string | undefined {
  const reason = stopReasonOf(signal)
  if (reason === 'settled') return undefined
  return reason === 'aborted' ? terminalTexts[lang].cancelled : terminalTexts[lang].notHere
}
