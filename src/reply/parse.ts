// A typed reply -> the answer to one question. Nothing is guessed: what names no option is the person's own words.
import type { AskUserQuestionAnswerItem } from '../protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionOption } from '../protocol/request.ts'

/**
 * Read a reply. An exact label comes first, then a position (for a multi-select several, as `1,3`, `1 3` or `1、3`), then
 * a label that differs in case or in the space around it, if only one does; else the reply is the person's own words. It
 * is never taken for JSON, and to a question without options digits are words too.
 *
 * @param question the question that was asked.
 * @param reply the reply as it was typed, without the line end.
 * @returns the answer; with nothing selected and no words where the reply is blank.
 */
export function parseReply({ id, options: given, multiSelect }: AskUserQuestionItem, reply: string): AskUserQuestionAnswerItem {
  // The host does not check them: `null` is as good as none.
  const options = given ?? []
  const exact = options.find(({ label }) => label === reply)
  if (exact) return { id, selected: [exact.label] }
  const chosen = byPosition(options, reply, multiSelect === true) ?? byFold(options, reply)
  if (chosen) return { id, selected: [...new Set(chosen)] }
  return reply.trim() === '' ? { id, selected: [] } : { id, selected: [], custom: reply }
}

function byPosition(options: readonly AskUserQuestionOption[], reply: string, several: boolean): string[] | undefined {
  // Full-width digits and commas, as Chinese input methods type them, count as ASCII ones.
  const text = reply.replaceAll(/[０-９]/g, digit => String.fromCharCode(digit.charCodeAt(0) - 0xfee0)).trim()
  const positions = several ? text.split(/[\s,，、]+/).filter(part => part !== '') : [text]
  if (positions.length === 0) return undefined
  const labels: string[] = []
  for (const position of positions) {
    const option = /^[1-9]\d*$/.test(position) ? options[Number(position) - 1] : undefined
    if (option === undefined) return undefined
    labels.push(option.label)
  }
  return labels
}

function byFold(options: readonly AskUserQuestionOption[], reply: string): string[] | undefined {
  const fold = (text: string) => text.normalize('NFC').trim().toLowerCase()
  const wanted = fold(reply)
  const alike = new Set(options.map(({ label }) => label).filter(label => wanted !== '' && fold(label) === wanted))
  return alike.size === 1 ? [...alike] : undefined
}
