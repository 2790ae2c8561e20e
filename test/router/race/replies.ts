// What participants say in a schedule, and what the rules make of it (rules 7, 9 and 10).
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import { choice } from '../../helpers/surface.ts'
import type { Reply } from './schedule.ts'

export const QUESTIONS = [choice('db', ['Postgres', 'SQLite']), choice('os', ['Linux', 'BSD', 'macOS'], { multiSelect: true })]

const SKIP: AskUserQuestionAnswer = { answers: [{ id: 'db', selected: [] }, { id: 'os', selected: [] }] }

/** A reply as it is given, and as the rules read it. */
export type Meaning =
  | { readonly is: 'answer', readonly given: unknown, readonly normal: AskUserQuestionAnswer }
  | { readonly is: 'blank', readonly given: unknown, readonly normal: AskUserQuestionAnswer }
  | { readonly is: 'bad', readonly given: unknown }
  | { readonly is: 'rejection', readonly code: string | undefined }

/**
 * What a reply means.
 *
 * @param tag who says it when, in words that nobody else says.
 */
export function meaningOf(reply: Reply, tag: string): Meaning {
  const answer = (given: object[], normal: AskUserQuestionAnswer['answers']): Meaning => (
    { is: 'answer', given: { answers: given }, normal: { answers: normal } }
  )
  const os = { id: 'os', selected: [], custom: tag }
  switch (reply) {
    case 'choice': return answer([{ id: 'db', selected: ['SQLite'] }, os], [{ id: 'db', selected: ['SQLite'] }, os])
    case 'words': return answer(
      [{ id: 'os', selected: [tag, 'BSD', 'BSD'] }, { id: 'db', selected: ['Postgres'], custom: ` ${tag} ` }],
      [{ id: 'db', selected: ['Postgres'], custom: ` ${tag} ` }, { id: 'os', selected: ['BSD'], custom: tag }],
    )
    case 'part': return answer([os], [{ id: 'db', selected: [] }, os])
    case 'unasked': return answer([{ id: 'x', selected: [tag] }, os], [{ id: 'db', selected: [] }, os])
    case 'skip': return { is: 'answer', given: SKIP, normal: SKIP }
    case 'nothing': return { is: 'blank', given: { answers: [] }, normal: SKIP }
    case 'blanks': return { is: 'blank', given: { answers: [{ id: 'db', selected: [' '] }, { id: 'os', selected: [], custom: '' }] }, normal: SKIP }
    case 'half': return { is: 'blank', given: { answers: [{ id: 'os', selected: [] }] }, normal: SKIP }
    case 'undefined': return { is: 'bad', given: undefined }
    case 'no list': return { is: 'bad', given: { answers: tag } }
    case 'no selection': return { is: 'bad', given: { answers: [{ id: 'db', custom: tag }] } }
    case 'two choices': return { is: 'bad', given: { answers: [{ id: 'db', selected: ['SQLite', 'Postgres'] }, os] } }
    case 'failure': return { is: 'rejection', code: undefined }
    case 'cancel': return { is: 'rejection', code: 'ASK_CANCELLED' }
    case 'time-out': return { is: 'rejection', code: 'ASK_TIMED_OUT' }
    case 'nobody': return { is: 'rejection', code: 'NO_PROVIDER' }
  }
}

/** The same answer as dsh gets it: there, words replace the choice of a single-select question, so the two are joined. */
export function forDsh({ answers: [db, ...rest] }: AskUserQuestionAnswer): AskUserQuestionAnswer {
  const { selected: [label], custom } = db!
  return label === undefined || custom === undefined ? { answers: [db!, ...rest] }
    : { answers: [{ id: 'db', selected: [], custom: `${label}: ${custom}` }, ...rest] }
}
