// What Claude Code gives to its `PermissionRequest` hooks, checked. Seen with 2.1.332; whatever else is in it passes.
import { z } from '../../protocol/zod.ts'

const filled = z.string().min(1)

/** Schema of what the hook sends: its own standard input, read as JSON. */
export const callSchema = z.object({
  hook: z.looseObject({
    hook_event_name: z.literal('PermissionRequest'),
    session_id: filled,
    transcript_path: filled,
    cwd: filled,
    tool_name: filled,
    tool_input: z.record(z.string(), z.unknown()),
    permission_suggestions: z.array(z.unknown()).optional(),
    /** The subagent that asks, where one does. */
    agent_id: filled.optional(),
  }),
})

/** What one call of the hook is about. */
export type HookInput = z.infer<typeof callSchema>['hook']

/** What is asked, whoever asks it for Claude Code. */
export type ToolCall = Pick<HookInput, 'tool_name' | 'tool_input' | 'permission_suggestions'>

/** Schema of the input of `AskUserQuestion`: one to four questions in 2.1.332, told apart by their texts alone. */
export const questionsSchema = z.looseObject({
  questions: z.array(z.looseObject({
    question: z.string(),
    header: z.string().optional(),
    options: z.array(z.looseObject({
      label: z.string(),
      description: z.string().optional(),
      preview: z.string().optional(),
    })),
    multiSelect: z.boolean().optional(),
  })).min(1),
}).refine(({ questions }) => new Set(questions.map(({ question }) => question)).size === questions.length, { message: 'two questions have the same text' })

/** One question, as Claude Code has it. */
export type ClaudeQuestion = z.infer<typeof questionsSchema>['questions'][number]
