// One call of an MCP tool, from what the server sent to what the tool says.
import { hostname } from 'node:os'
import { basename } from 'node:path'
import { hasCode } from '../../protocol/errors.ts'
import type { Origin } from '../../protocol/origin.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { z } from '../../protocol/zod.ts'
import { askingOf, CLAUDE_CODE, shortSession } from '../claude-code/call.ts'
import { type Decision, decisionSchema } from '../claude-code/output.ts'
import type { Reply } from '../local/client.ts'
import { APPROVE, ASK } from './tools.ts'

const filled = z.string().min(1)

const fromSchema = z.object({
  /** The MCP client, by the name it gave itself. */
  client: z.object({ name: filled.max(200) }).optional(),
  /** Where the server runs: most clients start it in the project's folder. */
  cwd: z.string(),
  /** The id of the client's session, where it says so. */
  session: filled.max(200).optional(),
})

/** Schema of what the server sends. */
const bodySchema = z.discriminatedUnion('tool', [
  fromSchema.extend({
    tool: z.literal(ASK),
    input: z.object({
      questions: z.array(z.object({
        id: z.string(),
        question: z.string(),
        header: z.string().optional(),
        options: z.array(z.object({ label: z.string(), description: z.string().optional() })).optional(),
        multi_select: z.boolean().optional(),
      })).min(1),
    }),
  }),
  fromSchema.extend({
    tool: z.literal(APPROVE),
    input: z.object({ tool_name: filled, input: z.record(z.string(), z.unknown()) }),
  }),
])

type Body = z.infer<typeof bodySchema>

/** What a call needs. */
export interface CallOptions {
  readonly askSurfaces: Pick<AskSurfaces, 'ask'>
  /** One line for whoever runs it, without what was asked. */
  readonly warn: (message: string) => void
}

/**
 * Ask what a tool is called for.
 *
 * @param body what the server sent.
 * @param signal aborts when the call was cancelled, or the client is gone.
 * @returns what the tool says, or a sentence why nobody answered; `undefined` where this desk ends meanwhile.
 */
export async function answerCall(body: unknown, signal: AbortSignal, { askSurfaces, warn }: CallOptions): Promise<Reply | undefined> {
  try {
    const read = bodySchema.parse(body), options = { signal, origin: originOf(read) }
    if (read.tool === ASK) {
      // A choice with words beside it stays both.
      const { answer } = await askSurfaces.ask({ questions: read.input.questions.map(itemOf) }, options)
      return { output: answer }
    }
    const asking = askingOf({ tool_name: read.input.tool_name, tool_input: read.input.input }), { answer } = await askSurfaces.ask(asking.request, options)
    const decision = asking.decide(answer)
    return decision ? { output: resultOf(decision, read.input.input) } : { error: 'The answer cannot be given to Claude Code.' }
  } catch (error) {
    if (hasCode(error, 'ASK_ABORTED')) return undefined
    if (hasCode(error, 'ASK_CANCELLED')) return { error: 'The user declined to answer.' }
    if (hasCode(error, 'NO_PROVIDER')) return { error: 'The user cannot be asked: nothing at the desk takes this question.' }
    const why = error instanceof z.ZodError ? issueOf(error) : error instanceof Error ? error.message : 'it could not be asked'
    warn(`a call was not asked: ${why}`)
    return { error: `The user was not asked: ${why}` }
  }
}

/** What `--permission-prompt-tool` takes: permission comes with the input, also where nobody changed it. */
function resultOf(decision: Decision, input: Record<string, unknown>): unknown {
  const checked = decisionSchema.parse(decision)
  return checked.behavior === 'allow' ? { ...checked, updatedInput: checked.updatedInput ?? input } : checked
}

function itemOf({ id, question, header, options, multi_select: multiSelect }: Extract<Body, { tool: typeof ASK }>['input']['questions'][number]): AskUserQuestionItem {
  return {
    id,
    question,
    ...header !== undefined && { header },
    ...options && { options: options.map(({ label, description }) => ({ label, ...description !== undefined && { description } })) },
    ...multiSelect !== undefined && { multiSelect },
  }
}

/** Names that clients give themselves in the protocol, and those that their people know. */
const AGENTS: Readonly<Record<string, string>> = { 'claude-code': CLAUDE_CODE, 'codex-mcp-client': 'Codex' }

function originOf({ client, cwd, session }: Body): Origin {
  const name = client?.name ?? 'MCP', agent = (Object.hasOwn(AGENTS, name) && AGENTS[name]) || name
  return { agent, machine: hostname(), project: basename(cwd) || cwd, ...session !== undefined && { session: shortSession(session) } }
}

function issueOf({ issues: [issue] }: z.ZodError): string {
  return `${issue!.path.join('.') || 'message'}: ${issue!.message}`
}
