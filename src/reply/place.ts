// Where an ask was settled, in the same words on every surface: on a surface, in a UI of the host, or in the asker's own dialog.
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import { hostPlugin, isHostName } from '../protocol/surface.ts'
import { formatPlace, type Place } from './format.ts'
import type { Lang } from './lang.ts'
import { visibleLine } from './visible.ts'

/**
 * Find out where somebody was who settled an ask. The dialog of the program that asks has the name of that program.
 *
 * @param by as `settled` is told, or the name of a participant.
 * @returns names that are harmless for a screen.
 */
export function placeOf(by: string, { origin }: Pick<AskUserQuestionRequest, 'origin'>): Place {
  const plugin = isHostName(by) ? visibleLine(hostPlugin(by)) : ''
  if (isHostName(by)) return { by: 'host', ...plugin !== '' && { plugin } }
  return { by: visibleLine(by), ...by === origin?.agent && { isAsker: true } }
}

/** The same in words, such as "on terminal", "in dsh (web)" and "in Claude Code". */
export function whereOf(by: string, request: Pick<AskUserQuestionRequest, 'origin'>, lang: Lang): string {
  return formatPlace(placeOf(by, request), lang)
}
