// The transcript of a session, in which Claude Code writes each tool call and its result: one JSON object per line, added at the end.
import { isDeepStrictEqual } from 'node:util'
import { z } from '../../protocol/zod.ts'
import { openPlain, type PlainFile } from '../local/plain-file.ts'

/** A call that waits for its person stands near the end: so much is read of what was there before, in bytes. */
const LOOK_BACK = 1024 * 1024

/** So much is read at once, in bytes. */
const CHUNK = 256 * 1024

/** No session writes more than this between two looks, in bytes: of a file that grew by more, the end is read again. */
const MOST_NEWS = 64 * 1024 * 1024

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

/** A hook is here within this time after its dialog, in milliseconds. */
const HOOK_STARTS_MS = 5000

/** A hook may be here before the line of its own call is; after this time, in milliseconds, the line is there. */
const WRITTEN_WITHIN_MS = 700

/** So many ids of calls are remembered. */
const MOST_TAKEN = 10_000

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
  /** Ids of calls that others follow, or followed: each asks once. */
  readonly #taken: Set<string>
  readonly #uses = new Map<string, Use>()
  readonly #results = new Map<string, ToolResult>()
  #offset: number | undefined
  #rest: Buffer[] = []
  #use: string | undefined

  /** @param taken shared by all that are followed, so that two calls that are alike are not taken for one. */
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
    const plain = await openPlain(this.#wanted.path)
    try {
      await this.#readFrom(plain)
    } finally {
      await plain.file.close()
    }
    this.#use ??= this.#find()
    return this.#use === undefined ? undefined : this.#results.get(this.#use)
  }

  /** Whether the call was found. */
  get isFound(): boolean {
    return this.#use !== undefined
  }

  async #readFrom({ file, size }: PlainFile): Promise<void> {
    const isFresh = this.#offset === undefined || size - this.#offset > MOST_NEWS
    if (isFresh) [this.#offset, this.#rest] = [Math.max(0, size - LOOK_BACK), []]
    let offset = this.#offset!
    // The rest of a line that began earlier is no line.
    let isCut = isFresh && offset > 0
    while (offset < size) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(CHUNK, size - offset)), 0, undefined, offset)
      if (bytesRead === 0) return
      this.#offset = offset += bytesRead
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
    const others = [...this.#uses.values()].filter(({ id }) => !this.#taken.has(id))
    const since = (at: number) => others.filter(({ id }) => (this.#results.get(id)?.at ?? Infinity) >= at)
    const isSame = ({ input }: Use) => isDeepStrictEqual(input, this.#wanted.input)
    // Claude Code may add to the input before it asks.
    const isLike = ({ input }: Use) => isPartOf(input, this.#wanted.input)
    // A quick person may have decided before the hook was here. A call of before may be just like this one.
    const isWritten = Date.now() - this.#wanted.since >= WRITTEN_WITHIN_MS
    const waiting = since(this.#wanted.since), decided = isWritten ? since(this.#wanted.since - HOOK_STARTS_MS) : []
    const use = waiting.find(isSame) ?? waiting.find(isLike) ?? decided.findLast(isSame) ?? decided.findLast(isLike)
    if (use) this.#taken.add(use.id)
    if (this.#taken.size > MOST_TAKEN) this.#taken.delete(this.#taken.values().next().value!)
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
