// Where a question comes from, in words that its person knows: agent, machine and project.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'

/** Where a question comes from. */
export interface Origin {
  /** The asking agent, or `dsh`. */
  readonly agent: string
  readonly machine: string
  readonly project: string
}

/** The part of the host's session that is read here when it is there. */
interface SessionLike {
  readonly id?: unknown
  readonly header?: { readonly cwd?: unknown, readonly agentPreset?: unknown }
}

/** Find out where a request comes from: its agent by its preset, else by its session; the project by its folder. */
export function originOf({ agent }: AskUserQuestionRequest): Origin {
  const { id, header } = Object(agent?.session) as SessionLike
  const { cwd, agentPreset } = Object(header) as NonNullable<SessionLike['header']>
  return {
    agent: [agentPreset, id].find(isName) ?? 'dsh',
    machine: hostname(),
    project: basename(isName(cwd) ? cwd : process.cwd()),
  }
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}
