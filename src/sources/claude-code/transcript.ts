// The transcript of a session, in which Claude Code writes each tool call and its result: one JSON object per line, added at the end.
import { type FileHandle, open } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from '../../protocol/zod.ts'

/** A call that waits for its person stands near the end: so much is read of what was there before, in bytes. */
const LOOK_BACK = 1024 * 1024

/** So much is read at once, in bytes. */
const CHUNK = 256 * 1024

/** A line that is longer is none of a call that is looked for; its rest is not kept. */
const LONGEST_LINE = 8 * 1024 * 1024

const useSchema = z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown().optional() })
const resultSchema = z.object({ type: z.literal('tool_result'), tool_use_id: z.string(), is_error: z.boolean().optional(), content: z.unknown().optional() })
// Lines of other kinds repeat what was said.
const lineSchema = z.object({
  type: z.enum(['assistant', 'user']),
  message: z.object({ content: z.array(z.unknown()) }),
  timestamp: z.string().optional().catch(undefined),
  toolUseResult: z.unknown().optional(),
  permissionDecision: z.object({ decision: z.string(), grantScope: z.string().optional() }).optional().catch(undefined),
  toolDenialKind: z.string().optional().catch(undefined),
  userFeedback: z.string().optional().catch(undefined),
})

/** What became of a tool call. */
export interface ToolResult {
  /** Whether it was done, or at least begun: a command that failed was. */
  readonly isAllowed: boolean
  /** Whether the person turned it down. */
  readonly isTurnedDown: boolean
  /** What the person said when they did. */
  readonly words?: string | undefined
  /** Whether the permission was for more than this one call. */
  readonly isWider: boolean
  /** What the tool gave back. */
  readonly value: unknown
  /** When, in milliseconds since the epoch; not a number where it does not say. */
  readonly at: number
}

/** How the text begins that the model reads where its person turned a call down; seen with 2.1.332. */
const TURNED_DOWN = 'The user doesn\'t want to proceed with this tool use.'

/** What stands before the person's words there. */
const WORDS = /To tell you how to proceed, the user said:\n([^]+)$/

/** One tool call as the transcript has it. */
interface Use {
  readonly id: string
  readonly input?: unknown
}

/** What is looked for. */
export interface Wanted {
  readonly path: string
  readonly tool: string
  readonly input: unknown
  /** When it asked its person, in milliseconds since the epoch: it had no result before. */
  readonly since: number
}

/** Follows a transcript for the result of one call. */
export class Transcript {
  readonly #wanted: Wanted
  /** Ids of calls that others follow. */
  readonly #taken: Set<string>
  readonly #uses = new Map<string, Use>()
  readonly #results = new Map<string, ToolResult>()
  #offset: number | undefined
  #rest: Buffer[] = []
  #use: string | undefined

  /** @param taken shared by all that are followed at the same time, so that two calls that are alike are not taken for one. */
  constructor(wanted: Wanted, taken: Set<string>) {
    this.#wanted = wanted
    this.#taken = taken
  }

  /**
   * Read what was added since.
   *
   * @returns the result of the call, once it is there.
   * @throws where the file cannot be read; it may be read again later.
   */
  async read(): Promise<ToolResult | undefined> {
    const file = await open(this.#wanted.path, 'r')
    try {
      await this.#readFrom(file)
    } finally {
      await file.close()
    }
    this.#use ??= this.#find()
    return this.#use === undefined ? undefined : this.#results.get(this.#use)
  }

  /** Whether the call was found. */
  get isFound(): boolean {
    return this.#use !== undefined
  }

  /** Let others have the call. */
  release(): void {
    if (this.#use !== undefined) this.#taken.delete(this.#use)
  }

  async #readFrom(file: FileHandle): Promise<void> {
    const stat = await file.stat()
    if (!stat.isFile()) return
    const isFirst = this.#offset === undefined
    this.#offset ??= Math.max(0, stat.size - LOOK_BACK)
    // The rest of a line that began earlier is no line.
    let isCut = isFirst && this.#offset > 0
    while (this.#offset < stat.size) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK, stat.size - this.#offset)), 0, undefined, this.#offset)
      if (bytesRead === 0) return
      this.#offset += bytesRead
      let at = 0
      for (let end = buffer.indexOf(10); end >= 0 && end < bytesRead; end = buffer.indexOf(10, at)) {
        if (!isCut) this.#take(Buffer.concat([...this.#rest, buffer.subarray(at, end)]))
        isCut = false
        this.#rest = []
        at = end + 1
      }
      if (!isCut) this.#rest.push(buffer.subarray(at, bytesRead))
      if (this.#rest.reduce((sum, { length }) => sum + length, 0) > LONGEST_LINE) this.#rest = []
    }
  }

  #take(line: Buffer): void {
    // Most lines are something else, and long.
    if (!line.includes('"tool_use"') && !line.includes('"tool_result"')) return
    const { data } = lineSchema.safeParse(parsed(line))
    for (const block of data?.message.content ?? []) {
      const use = useSchema.safeParse(block).data, result = resultSchema.safeParse(block).data
      if (use?.name === this.#wanted.tool) this.#uses.set(use.id, use)
      if (result && this.#uses.has(result.tool_use_id)) {
        this.#results.set(result.tool_use_id, resultOf(result, data!))
      }
    }
  }

  /** The call itself: the hook is not told its id. Calls of one message ask one after the other, so it is the first that waits. */
  #find(): string | undefined {
    const waiting = [...this.#uses.values()].filter(({ id }) => !this.#taken.has(id) && (this.#results.get(id)?.at ?? Infinity) >= this.#wanted.since)
    // Claude Code may add to the input before it asks.
    const use = waiting.find(({ input }) => isDeepStrictEqual(input, this.#wanted.input)) ?? waiting.find(({ input }) => isPartOf(input, this.#wanted.input))
    if (use) this.#taken.add(use.id)
    return use?.id
  }
}

function resultOf({ is_error: isError = false, content }: z.infer<typeof resultSchema>, line: z.infer<typeof lineSchema>): ToolResult {
  const { permissionDecision, toolDenialKind, userFeedback, toolUseResult, timestamp } = line, text = textOf(content)
  // Versions without these fields have the text alone.
  const isTurnedDown = permissionDecision?.decision === 'reject' || toolDenialKind !== undefined || isError && text.startsWith(TURNED_DOWN)
  return {
    isAllowed: !isTurnedDown && (!isError || permissionDecision?.decision === 'accept'),
    isTurnedDown,
    ...isTurnedDown && { words: userFeedback ?? WORDS.exec(text)?.[1] },
    isWider: (permissionDecision?.grantScope ?? 'once') !== 'once',
    value: toolUseResult,
    at: Date.parse(timestamp ?? ''),
  }
}

/** Whether everything in one object is the same in the other. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) return false
  return Object.entries(part).every(([key, value]) => isDeepStrictEqual(value, (whole as Record<string, unknown>)[key]))
}

function parsed(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString()) as unknown
  } catch {
    // A line of another kind.
    return undefined
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(block => (block as { text?: unknown } | null)?.text).filter(text => typeof text === 'string').join('\n')
}
