// One call of the hook, from what it sent to what it prints.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { hasCode, userQuestionError } from '../../protocol/errors.ts'
import type { AskSurfaces } from '../../protocol/surface.ts'
import type { Reply } from '../local/client.ts'
import type { Asking } from './asking.ts'
import { type Ending, nativeEnding } from './ending.ts'
import { callSchema, type HookInput, type ToolCall } from './input.ts'
import { hookOutput } from './output.ts'
import { permissionAsking } from './permission.ts'
import { isAskedByTool } from './prompt-tool.ts'
import { questionAsking } from './question.ts'

/** Claude Code, as people know it: the agent, and its own dialog. */
export const CLAUDE_CODE = 'Claude Code'

/** The tool by which Claude Code asks its person something. */
const QUESTION_TOOL = 'AskUserQuestion'

/** A session's id in this many characters tells it from the others of one project. */
const ID_LENGTH = 8

/** What a call needs. */
export interface CallOptions {
  readonly askSurfaces: Pick<AskSurfaces, 'ask' | 'pending'>
  /** One line for whoever runs it, without what was asked. */
  readonly warn: (message: string) => void
  /** Ids of the tool calls that were asked; see `Transcript`. */
  readonly taken: Set<string>
}

/**
 * Ask what a hook is about.
 *
 * @param body what the hook sent.
 * @param signal aborts when the hook is gone: the person pressed Esc, turned the permission down, or ended the session.
 * @returns what the hook prints; `null` where Claude Code's own dialog decides.
 */
export async function answerCall(body: unknown, signal: AbortSignal, options: CallOptions): Promise<Reply> {
  const leave = (why: string) => options.warn(`a call of the hook was left to ${CLAUDE_CODE}: ${why}`)
  const read = readCall(body)
  if (typeof read === 'string') {
    leave(read)
    return { output: null }
  }
  const [input, asking] = read, session = shortSession(input.session_id), ended = new AbortController()
  if (isAskedByTool(options.askSurfaces.pending(), CLAUDE_CODE, session, asking.request)) return { output: null }
  const withdrawn = AbortSignal.any([signal, ended.signal])
  let isDecided = false
  try {
    const ending = nativeEnding(input, asking, options.taken, withdrawn, is => void (isDecided = is))
    const { answer, by } = await options.askSurfaces.ask(asking.request, {
      signal: withdrawn,
      origin: { agent: CLAUDE_CODE, machine: hostname(), project: basename(input.cwd) || input.cwd, session },
      dialog: { name: CLAUDE_CODE, answer: answerIn(ending, ended), isDecided: () => isDecided },
    })
    if (by === CLAUDE_CODE) return { output: null }
    const decision = asking.decide(answer), output = decision && hookOutput(decision)
    if (output === undefined) leave('its answer is none that it would take')
    return { output: output ?? null }
  } catch (error) {
    // A person who declines leaves it to Claude Code's own dialog; so does everything else that is no answer.
    if (!hasCode(error, 'ASK_CANCELLED') && !hasCode(error, 'ASK_ABORTED')) leave(error instanceof Error ? error.message : 'it could not be asked')
    return { output: null }
  } finally {
    ended.abort()
  }
}

/** A session's id as people see it. */
export function shortSession(id: string): string {
  return id.slice(0, ID_LENGTH)
}

/**
 * What a tool call of Claude Code's asks its person.
 *
 * @throws a zod error where the input is none of its tool.
 */
export function askingOf(call: ToolCall): Asking {
  return call.tool_name === QUESTION_TOOL ? questionAsking(call) : permissionAsking(call)
}

/** @returns the call, or what is wrong with it. */
function readCall(body: unknown): readonly [HookInput, Asking] | string {
  try {
    const { hook } = callSchema.parse(body)
    return [hook, askingOf(hook)]
  } catch (error) {
    const [issue] = (error as { issues?: readonly { path: PropertyKey[], message: string }[] }).issues ?? []
    return issue ? `${issue.path.join('.') || 'message'}: ${issue.message}` : 'it is unreadable'
  }
}

/** What the person says in Claude Code's own dialog. Where it goes without that, the ask is withdrawn. */
async function answerIn(whole: Promise<Ending>, ended: AbortController): Promise<AskUserQuestionAnswer> {
  const ending = await whole
  if (ending === 'declined') throw userQuestionError('ASK_CANCELLED', `the person declined in ${CLAUDE_CODE}`)
  if (ending !== 'gone') return ending
  ended.abort()
  return new Promise(() => {})
}
