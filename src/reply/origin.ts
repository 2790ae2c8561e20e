// Reads where a request comes from. The facts are dsh's: an agent has a session, a session has a header with the agent's
// preset and its folder, and in some versions of dsh a title.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Origin } from '../protocol/origin.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'

/** What is read of the host's session when it is there. */
interface SessionLike {
  readonly id?: unknown
  readonly title?: unknown
  readonly header?: { readonly cwd?: unknown, readonly agentPreset?: unknown }
}

/** A session's id in this many characters tells it from the others of one project. */
const ID_LENGTH = 8

/**
 * Find out where a request comes from.
 *
 * @param request nothing of its agent has to be there; without an agent it comes from this process.
 */
export function originOf({ agent }: AskUserQuestionRequest): Origin {
  const { id, title, header } = Object(agent?.session) as SessionLike
  const { cwd, agentPreset } = Object(header) as NonNullable<SessionLike['header']>
  const session = [title, shortId(id)].find(isText)
  return {
    agent: isText(agentPreset) ? agentPreset : 'dsh',
    machine: hostname(),
    project: basename(isText(cwd) ? cwd : process.cwd()),
    ...session !== undefined && { session },
  }
}

function shortId(id: unknown): string | undefined {
  return isText(id) ? id.replace(/^session-/, '').slice(0, ID_LENGTH) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
