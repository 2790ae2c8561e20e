// Reads where a request comes from. The facts are dsh's: an agent has a session, a session has a header with the agent's
// preset and its folder, and in some versions of dsh a title.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { Origin } from '../protocol/origin.ts'
import type { AskAgent } from '../protocol/request.ts'

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
 * @param ask a request, or an open ask. Nothing of its agent has to be there; without an agent it comes from this process.
 */
export function originOf({ agent, origin }: { readonly agent?: AskAgent | undefined, readonly origin?: Origin | undefined }): Origin {
  if (origin) return origin
  const { id, title, header } = Object(agent?.session) as SessionLike
  const { cwd, agentPreset } = Object(header) as NonNullable<SessionLike['header']>
  const session = textOf(title) ?? textOf(id)?.replace(/^session-/, '').slice(0, ID_LENGTH)
  return {
    agent: textOf(agentPreset) ?? 'dsh',
    machine: hostname(),
    project: basename(textOf(cwd) ?? process.cwd()),
    ...session !== undefined && { session },
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() ? value : undefined
}
