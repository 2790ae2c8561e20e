// One call of Codex' hook, from what it sent to what it prints. While the hook runs Codex shows no dialog, so it holds a question back
// only while its person is away, and only for a while.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { checkApproval, chosenId, REJECT, ALLOW } from '../../protocol/approval.ts'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { hasCode, userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { z } from '../../protocol/zod.ts'
import { argumentsText } from '../../reply/arguments.ts'
import type { Reply } from '../local/client.ts'
import { CODEX } from './asking.ts'
import { questionSchema } from './protocol.ts'
import { questionAsking, questionResult } from './question.ts'

/** The tool by which Codex asks its person something. */
const QUESTION_TOOL = 'request_user_input'

/** A session's id ends in so many characters that tell it from others; it begins with the time. */
const ID_LENGTH = 8

const REJECTED = 'The user rejected it.'

const filled = z.string().min(1)

const callSchema = z.object({
  hook: z.looseObject({
    hook_event_name: z.string(),
    session_id: filled,
    cwd: filled,
    tool_name: filled,
    tool_input: z.record(z.string(), z.unknown()),
  }),
})

const inputSchema = z.looseObject({ questions: questionSchema.shape.questions })

type HookInput = z.infer<typeof callSchema>['hook']

/** What a call needs. */
export interface HookOptions {
  readonly askSurfaces: Pick<AskSurfaces, 'ask' | 'presence'>
  /** How long to hold back, in milliseconds. */
  readonly holdMs: number
  /** One line for whoever runs it, without what was asked. */
  readonly warn: (message: string) => void
  /** Whether the session's requests come by the app-server. */
  readonly isWatched: (sessionId: string) => boolean
}

/** What a call asks, and what the hook prints for an answer. */
interface Held {
  readonly request: AskUserQuestionRequest
  output(answer: AskUserQuestionAnswer): object
}

/**
 * Ask what a hook is about.
 *
 * @param body what the hook sent.
 * @param signal aborts when the hook is gone.
 * @returns what the hook prints; `null` where Codex goes on by itself.
 */
export async function answerHook(body: unknown, signal: AbortSignal, { askSurfaces, holdMs, warn, isWatched }: HookOptions): Promise<Reply> {
  const nothing: Reply = { output: null }, { data, error } = callSchema.safeParse(body)
  const leave = (why: string) => warn(`a call of the hook was left to ${CODEX}: ${why}`)
  if (error) {
    leave(error.issues[0]!.path.join('.') || 'it is no call')
    return nothing
  }
  const { hook } = data, held = heldBy(hook)
  if (held === 'malformed') leave('tool_input')
  if (typeof held !== 'object' || askSurfaces.presence !== 'away' || isWatched(hook.session_id)) return nothing
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(userQuestionError('ASK_ABORTED', `${CODEX} asks by itself now`)), holdMs)
  try {
    const { answer } = await askSurfaces.ask(held.request, {
      signal: AbortSignal.any([signal, over.signal]),
      origin: { agent: CODEX, machine: hostname(), project: basename(hook.cwd) || hook.cwd, session: hook.session_id.slice(-ID_LENGTH) },
    })
    return { output: held.output(answer) }
  } catch (thrown) {
    // Nobody decided: Codex goes on by itself.
    if (!['ASK_CANCELLED', 'ASK_ABORTED', 'NO_PROVIDER'].some(code => hasCode(thrown, code))) leave(thrown instanceof Error ? thrown.message : 'it could not be asked')
    return nothing
  } finally {
    clearTimeout(timer)
  }
}

/** @returns `undefined` for what is no question and no permission, or a secret. */
function heldBy(hook: HookInput): Held | 'malformed' | undefined {
  if (hook.hook_event_name === 'PermissionRequest') return permission(hook)
  if (hook.hook_event_name !== 'PreToolUse' || hook.tool_name !== QUESTION_TOOL) return undefined
  const { data } = inputSchema.safeParse(hook.tool_input)
  if (!data) return 'malformed'
  if (data.questions.some(({ isSecret, is_secret: also }) => isSecret || also === true)) return undefined
  return {
    request: questionAsking(data).request,
    // A hook cannot answer: the reason of its denial is what the model reads.
    output: answer => ({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse', permissionDecision: 'deny',
        permissionDecisionReason: `The user has answered already, and this is no error: ${JSON.stringify(questionResult(answer))}`,
      },
    }),
  }
}

function permission({ tool_name: toolName, tool_input: input, cwd }: HookInput): Held {
  const detail = argumentsText('command' in input ? { cwd, ...input } : input)
  const question: AskUserQuestionItem = {
    id: 'approval', question: `Allow ${toolName}?`, ...detail !== undefined && { detail },
    options: [{ id: ALLOW, label: 'Allow once' }, { id: REJECT, label: 'Reject' }],
  }
  return {
    request: { kind: 'approval', questions: [question], approval: { toolName } },
    output(given) {
      const { answer } = checkApproval([question], given)
      const decision = chosenId(answer) === ALLOW ? { behavior: 'allow' } : { behavior: 'deny', message: answer.answers[0]!.custom ?? REJECTED }
      return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
    },
  }
}
