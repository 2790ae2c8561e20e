// What participants say in a schedule, and what the rules make of it (rules 7, 9 and 10; of approvals 24 and 25).
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import { choice } from '../../helpers/surface.ts'
import { type Kind, type Reply } from './schedule.ts'

export const QUESTIONS = [choice('db', ['Postgres', 'SQLite']), choice('os', ['Linux', 'BSD', 'macOS'], { multiSelect: true })]

/** The options of an approval: exactly one of these two, by its id. */
const ALLOW = 'allow', REJECT = 'reject'

const SKIP: AskUserQuestionAnswer = { answers: [{ id: 'db', selected: [] }, { id: 'os', selected: [] }] }

/** A reply as it is given, and as the rules read it. */
export type Meaning =
  | { readonly is: 'answer', readonly given: unknown, readonly normal: AskUserQuestionAnswer }
  | { readonly is: 'blank', readonly given: unknown, readonly normal: AskUserQuestionAnswer }
  | { readonly is: 'bad', readonly given: unknown }
  | { readonly is: 'rejection', readonly code: string | undefined }
  /** An outcome of an approval that decides nothing. */
  | { readonly is: 'outcome', readonly given: string, readonly code: string }

/**
 * What a reply means.
 *
 * @param tag who says it when, in words that nobody else says.
 */
function meaningOf(reply: Reply, tag: string): Meaning {
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
    default: throw new Error(`"${reply}" is said of approvals alone`)
  }
}

/** What a surface gives for an approval; `undefined` where it rejects. */
function approvalItem(reply: Reply, tag: string): object | undefined {
  switch (reply) {
    case 'allow': return { selected: ['allow'] }
    case 'allow by label': return { selected: ['Allow once'] }
    case 'reject': return { selected: ['reject'] }
    case 'reject with words': return { selected: [REJECT], custom: tag }
    case 'both': return { selected: ['reject', 'allow'] }
    case 'allow twice': return { selected: [ALLOW, ALLOW] }
    case 'allow with words': return { selected: ['allow'], custom: tag }
    case 'typed allow': return { selected: [], custom: 'allow' }
    case 'trimmed allow': return { selected: [` ${ALLOW} `] }
    case 'allow in capitals': return { selected: ['ALLOW'] }
    case 'neither': return { selected: [] }
    default: return undefined
  }
}

/** What a participant of an approval says: surfaces answer the question, dsh's own UIs say an outcome. */
function approvalMeaning(reply: Reply, tag: string, isHost: boolean): Meaning {
  const item = approvalItem(reply, tag), given: unknown = item && { answers: [{ id: 'approval', ...item }] }
  const means = (id: string, custom?: string): Meaning => ({
    is: 'answer', given: isHost ? reply : given, normal: { answers: [{ id: 'approval', selected: [id], ...custom !== undefined && { custom } }] },
  })
  switch (reply) {
    case 'failure': case 'cancel': case 'time-out': case 'nobody': return meaningOf(reply, tag)
    case 'undefined': return { is: 'bad', given: undefined }
    case 'allowed-once': return isHost ? means(ALLOW) : { is: 'bad', given: reply }
    case 'rejected': return isHost ? means(REJECT) : { is: 'bad', given: reply }
    case 'unavailable': return isHost ? { is: 'outcome', given: reply, code: 'NO_PROVIDER' } : { is: 'bad', given: reply }
    case 'cancelled': return isHost ? { is: 'outcome', given: reply, code: 'ASK_ABORTED' } : { is: 'bad', given: reply }
    case 'allow': return isHost ? { is: 'bad', given } : means(ALLOW)
    case 'reject': return isHost ? { is: 'bad', given } : means(REJECT)
    case 'reject with words': return isHost ? { is: 'bad', given } : means(REJECT, tag)
    default: return { is: 'bad', given }
  }
}

/** Whether a reply is the one choice that permits, from whom. */
export function permits(reply: Reply, isHost: boolean): boolean {
  return isHost ? reply === 'allowed-once' : reply === 'allow'
}

/** What a reply means to an ask of some kind. */
export function meaningIn(kind: Kind, reply: Reply, tag: string, isHost: boolean): Meaning {
  return kind === 'approval' ? approvalMeaning(reply, tag, isHost) : meaningOf(reply, tag)
}

/** The same answer as dsh gets it: there, words replace the choice of a single-select question, so the two are joined. */
export function forDsh({ answers: [db, ...rest] }: AskUserQuestionAnswer): AskUserQuestionAnswer {
  const { selected: [label], custom } = db!
  return label === undefined || custom === undefined ? { answers: [db!, ...rest] }
    : { answers: [{ id: 'db', selected: [], custom: `${label}: ${custom}` }, ...rest] }
}
