// What is read of the messages of Codex' app-server, checked. Seen with 0.171.0; `codex app-server generate-ts --experimental` has
// all of it. Whatever else is in a message passes.
import { z } from '../../protocol/zod.ts'

const filled = z.string().min(1)

const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform(value => value ?? undefined)

/** An id of JSON-RPC. */
export const idSchema = z.union([z.string(), z.number()])

/** The id of a request. */
export type RequestId = z.infer<typeof idSchema>

/** Schema of any message: a reply has no method, a notification has no id. */
export const messageSchema = z.looseObject({ id: maybe(idSchema), method: maybe(filled), params: z.unknown().optional(), result: z.unknown().optional(), error: z.unknown().optional() })

const statusSchema = z.looseObject({ type: z.string() })

/** Schema of a thread: a session, as people know it. */
export const threadSchema = z.looseObject({
  id: filled,
  cwd: filled,
  name: maybe(z.string()),
  /** The log of the session, which Codex writes as it goes. */
  path: maybe(z.string()),
  status: statusSchema,
})

/** Schema of what carries a thread: the replies of `thread/read` and `thread/resume`, the notification `thread/started`. */
export const withThreadSchema = z.looseObject({ thread: threadSchema })

/** Schema of the reply of `thread/loaded/list`. */
export const loadedSchema = z.looseObject({ data: z.array(filled) })

const changesSchema = z.array(z.looseObject({
  path: filled,
  kind: z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('add') }),
    z.looseObject({ type: z.literal('delete') }),
    z.looseObject({ type: z.literal('update'), move_path: maybe(z.string()) }),
  ]),
  /** Of a new or a deleted file its content, else a diff. */
  diff: z.string(),
}))

/** What happens to files. */
export type FileChanges = z.infer<typeof changesSchema>

const asyncQuestionsSchema = z.array(z.looseObject({ title: filled, options: maybe(z.array(filled)) })).min(1)

/** Questions that do not hold the turn. */
export type AsyncQuestions = z.infer<typeof asyncQuestionsSchema>

/** Schema of an item: one thing that happens in a turn. What does not fit is left out. */
export const itemSchema = z.looseObject({
  type: filled,
  id: filled,
  status: maybe(z.string()).catch(undefined),
  changes: maybe(changesSchema).catch(undefined),
  delivery: maybe(z.string()).catch(undefined),
  questions: maybe(asyncQuestionsSchema).catch(undefined),
  content: maybe(z.array(z.looseObject({ type: z.string(), text: maybe(z.string()) }))).catch(undefined),
})

/** One thing that happens in a turn. */
export type Item = z.infer<typeof itemSchema>

/** Schema of the reply of `thread/items/list`. */
export const itemsSchema = z.looseObject({ data: z.array(z.looseObject({ item: itemSchema })) })

const place = { threadId: filled, turnId: filled }

/** The notifications that are heard, each with the schema of its parameters. */
export const notifications = {
  'thread/started': withThreadSchema,
  'thread/status/changed': z.looseObject({ threadId: filled, status: statusSchema }),
  'thread/name/updated': z.looseObject({ threadId: filled, threadName: maybe(z.string()) }),
  'thread/closed': z.looseObject({ threadId: filled }),
  'turn/completed': z.looseObject({ threadId: filled, turn: z.looseObject({ id: filled, status: z.string() }) }),
  'item/started': z.looseObject({ ...place, item: itemSchema }),
  'item/completed': z.looseObject({ ...place, item: itemSchema }),
  'serverRequest/resolved': z.looseObject({ threadId: filled, requestId: idSchema }),
} satisfies Record<string, z.ZodType>

/** What a heard notification carries. */
export type Heard<N extends keyof typeof notifications> = z.infer<(typeof notifications)[N]>

const request = { ...place, itemId: filled }

/** Schema of a question: the request `item/tool/requestUserInput`. */
export const questionSchema = z.looseObject({
  ...request,
  questions: z.array(z.looseObject({
    id: filled,
    header: maybe(z.string()),
    question: z.string(),
    /** Whether it is asked so that nobody sees the answer. */
    isSecret: maybe(z.boolean()),
    options: maybe(z.array(z.looseObject({ label: filled, description: maybe(z.string()) }))),
    // Codex takes one answer for each id.
  })).min(1).refine(all => new Set(all.map(({ id }) => id)).size === all.length, 'each needs an id of its own'),
})

/** The parameters of a question. */
export type QuestionParams = z.infer<typeof questionSchema>

const amendmentSchema = z.strictObject({ acceptWithExecpolicyAmendment: z.strictObject({ execpolicy_amendment: z.array(filled).min(1) }) })

/** Schema of a decision that is offered here. */
export const decisionSchema = z.union([z.enum(['accept', 'acceptForSession', 'decline']), amendmentSchema])

/** What a person decides. */
export type Decision = z.infer<typeof decisionSchema>

/** Schema of the request `item/commandExecution/requestApproval`. */
export const commandApprovalSchema = z.looseObject({
  ...request,
  /** `command`, or what has no command to show: input for one that runs, a command of the person's own. */
  kind: z.string().default('command'),
  reason: maybe(z.string()),
  command: maybe(filled),
  cwd: maybe(filled),
  networkApprovalContext: z.unknown().optional(),
  additionalPermissions: z.unknown().optional(),
  /** What a client may offer; those that are not known here are left to Codex. */
  availableDecisions: maybe(z.array(z.unknown())),
})

/** Its parameters. */
export type CommandApproval = z.infer<typeof commandApprovalSchema>

/** Schema of the request `item/fileChange/requestApproval`. It names the item, which has the changes. */
export const fileApprovalSchema = z.looseObject({ ...request, reason: maybe(z.string()), grantRoot: maybe(z.string()) })

/** Its parameters. */
export type FileApproval = z.infer<typeof fileApprovalSchema>
