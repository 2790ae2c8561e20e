// What a question is: the shapes of dsh's own request types, and a schema for requests that come from outside. The types
// are those of @deepseek-ai/dsh-user-questions; type tests check that they are assignable to each other.
import type { Origin } from './origin.ts'
import { z } from './zod.ts'

/** One choice that is offered to the person. */
export interface AskUserQuestionOption {
  /** What the person sees. The answer repeats it, character for character. */
  label: string
  /** What choosing it means. */
  description?: string
  /** A name that does not depend on a language; in an approval it says what the option does. */
  id?: string
  /** The label by language, where the asker has it: `{ en: '…', zh: '…' }`. In an approval surfaces may show it in its place. */
  displayLabel?: Readonly<Record<string, string>>
}

/** How a surface that knows the kind may present the question. It never changes what an answer looks like. */
export interface AskUserQuestionIntent {
  /** `detail` is a plan to review. */
  kind: 'plan-review'
  /** The label of the option that approves the plan. */
  approve: string
}

/** One question of a request. */
export interface AskUserQuestionItem {
  /** Chosen by the asker and repeated in the answer. Not necessarily unique within a request. */
  id: string
  /** The question itself. */
  question: string
  /** Longer text that belongs to the question, often Markdown. */
  detail?: string
  /** A short heading. */
  header?: string
  /** The choices; without them (or with an empty list) the answer is free text. */
  options?: AskUserQuestionOption[]
  /** Whether several options may be chosen. Default: one. */
  multiSelect?: boolean
  /** A hint for presentation. */
  intent?: AskUserQuestionIntent
}

/** What an approval is about. */
export interface ApprovalSubject {
  /** The tool that needs permission. */
  readonly toolName: string
  /** Why the asker thinks that it needs one, in the asker's words. */
  readonly reason?: string
  /** The same by language, where the host has it: `{ en: '…', zh: '…' }`. */
  readonly displayReason?: Readonly<Record<string, string>>
}

/** What surfaces may rely on in the agent that asks. The host's own agent has much more. */
export interface AskAgent {
  /** Where the agent works. Surfaces claim by `session.id`. */
  readonly session: { readonly id: string }
}

/**
 * A request for a person's answer.
 *
 * @typeParam A the agent's type; pass the host's `Agent` where more of it is needed.
 */
export interface AskUserQuestionRequest<A extends AskAgent = AskAgent> {
  /** The questions to show, in order. */
  questions: AskUserQuestionItem[]
  /** The agent that asks, absent when a plugin asks for itself. */
  agent?: A
  /** Aborts when the question should be put away. */
  signal?: AbortSignal
  /**
   * `approval` where a tool needs permission; absent where the agent asks its person something. Its one question has the options
   * `allow` and `reject`, by `id`, and maybe others that permit more. Only surfaces with `approvals` get one.
   */
  kind?: 'approval'
  /** What the approval is about. The same stands in its question, in English. */
  approval?: ApprovalSubject
  /** Where it comes from, where its source says so; else the agent tells. */
  origin?: Origin
}

const text = z.string(), optionalText = text.optional()

/**
 * Schema of a request. It checks the questions, and what an approval is about. Unknown keys pass, as they do in the host; so do the
 * agent and the signal, which are live objects.
 */
export const askUserQuestionRequestSchema = z.looseObject({
  questions: z.array(z.looseObject({
    id: text,
    question: text,
    detail: optionalText,
    header: optionalText,
    options: z.array(z.looseObject({ label: text, description: optionalText })).optional(),
    multiSelect: z.boolean().optional(),
    intent: z.looseObject({ kind: z.literal('plan-review'), approve: text }).optional(),
  })),
  approval: z.looseObject({ toolName: text, reason: optionalText, displayReason: z.record(text, text).optional() }).optional(),
})
