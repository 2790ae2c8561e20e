// What the hook prints for Claude Code, and whether Claude Code would take it: output of another shape costs the native dialog.
import { z } from '../../protocol/zod.ts'

const destination = z.enum(['session', 'localSettings', 'projectSettings', 'userSettings'])

/** Schema of the suggestions that are offered: of the permissions that Claude Code suggests beside a single one. */
export const suggestionSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('addRules'),
    rules: z.array(z.strictObject({ toolName: z.string().min(1), ruleContent: z.string().optional() })).min(1),
    behavior: z.literal('allow'),
    destination,
  }),
  z.strictObject({ type: z.literal('addDirectories'), directories: z.array(z.string().min(1)).min(1), destination }),
  z.strictObject({ type: z.literal('setMode'), mode: z.enum(['acceptEdits', 'auto']), destination }),
])

/** One wider permission. */
export type Suggestion = z.infer<typeof suggestionSchema>

/** Schema of a decision. */
export const decisionSchema = z.discriminatedUnion('behavior', [
  z.strictObject({
    behavior: z.literal('allow'),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
    updatedPermissions: z.array(suggestionSchema).length(1).optional(),
  }),
  z.strictObject({ behavior: z.literal('deny'), message: z.string().min(1) }),
])

/** What a person decided, as Claude Code takes it. */
export type Decision = z.infer<typeof decisionSchema>

/** Schema of what answers the questions: by their texts, with one label or words, or several labels. */
export const answeredSchema = z.looseObject({
  questions: z.array(z.unknown()).min(1),
  answers: z.record(z.string(), z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])),
  annotations: z.record(z.string(), z.strictObject({ notes: z.string().min(1) })).optional(),
})

/**
 * Wrap a decision for the hook.
 *
 * @returns `undefined` for one that Claude Code would refuse.
 */
export function hookOutput(decision: Decision): unknown {
  return decisionSchema.safeParse(decision).success ? { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } : undefined
}
