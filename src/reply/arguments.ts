// A tool call's arguments as Markdown, for the person who permits the call. A command and the change of a file stand by
// themselves, everything else beside them as JSON: no argument is left out. What is too long is cut in the middle, since danger
// may stand at either end. Nothing in an argument can break out of its code block. There are hardly any words, since both
// languages get this.

/** The longest that a description gets, in UTF-16 units. */
export const MAX_DETAIL = 20_000

/** The longest text of arguments that is parsed; a longer one is shown as it is. */
const MAX_PARSED = 1_000_000

/** So many values are written as JSON, and so deep. */
const MAX_VALUES = 20_000, MAX_DEPTH = 40

/** The longest folder, path or name above a block, and the most blocks for arguments of several lines. */
const MAX_HEADING = 400, MAX_OWN_BLOCKS = 8

/** The names that tools give these arguments; those of dsh first. */
const COMMAND = ['command', 'cmd'], FOLDER = ['workdir', 'cwd'], FILE = ['file_path', 'path', 'filePath']
const OLD = ['old_string', 'old_str'], NEW = ['new_string', 'new_str'], CONTENT = ['content', 'file_text']

/** One code block. */
export interface Block {
  /** A folder, a path or a name that is shown above it: one that passes {@link isHeading}. */
  readonly heading?: string | undefined
  readonly language: string
  readonly text: string
}

/**
 * Describe arguments.
 *
 * @param given JSON text, as a model writes it, or any other value.
 * @returns Markdown of at most {@link MAX_DETAIL}; `undefined` where there are none.
 * @throws what reading a value throws that is no text.
 */
export function argumentsText(given: unknown): string | undefined {
  return given === undefined || given === '' ? undefined : blocksText(blocksOf(given))
}

/**
 * Write code blocks one below the other.
 *
 * @returns Markdown of at most {@link MAX_DETAIL}.
 */
export function blocksText(blocks: readonly Block[]): string {
  // Fences are as long as what they enclose needs them, so how much fits is only known afterwards.
  for (let room = MAX_DETAIL; ;) {
    const text = written(blocks, room)
    if (text.length <= MAX_DETAIL) return text
    room = Math.max(Math.floor(room / 2), room - Math.max(text.length - MAX_DETAIL, 100))
  }
}

function blocksOf(given: unknown): Block[] {
  const copy = new Copy(), value = copy.of(typeof given === 'string' ? parsed(given) : given)
  // What would lose something is shown as the model wrote it.
  if (typeof given === 'string' && (value === undefined || copy.isCut)) return [{ language: '', text: given }]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [json(value)]
  const rest = new Map(Object.entries(value)), blocks = changeOf(rest) ?? commandOf(rest) ?? []
  for (const [key, text] of rest) {
    if (blocks.length > MAX_OWN_BLOCKS) break
    if (typeof text !== 'string' || !/[\n\r]/.test(text) || !isHeading(key)) continue
    blocks.push({ heading: key, language: '', text })
    rest.delete(key)
  }
  return blocks.length > 0 && rest.size === 0 ? blocks : [...blocks, json(Object.fromEntries(rest))]
}

const json = (value: unknown): Block => ({ language: 'json', text: JSON.stringify(value, null, 2) })

/** `undefined` for what is no JSON, or too long. */
function parsed(text: string): unknown {
  if (text.length > MAX_PARSED) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A copy that is plain JSON, of a value that may be anything. */
class Copy {
  /** Whether it lacks something. */
  isCut = false
  #left = MAX_VALUES

  of(value: unknown, depth = 0): unknown {
    if (typeof value === 'bigint') return `${value}n`
    if (typeof value === 'function' || typeof value === 'symbol') return this.#cut(`(${typeof value})`)
    if (typeof value !== 'object' || value === null) return value
    if (depth === MAX_DEPTH) return this.#cut('…')
    if (!Array.isArray(value)) return Object.fromEntries(this.#some(Object.keys(value)).map(key => [key, this.of((value as Record<string, unknown>)[key], depth + 1)]))
    const { length } = value, copies = this.#some(value).map(one => this.of(one, depth + 1))
    if (copies.length < length) copies.push(`… +${length - copies.length}`)
    return copies
  }

  #some<T>(all: readonly T[]): T[] {
    // An array of holes may be longer than any memory.
    const some = all.slice(0, this.#left)
    this.#left -= some.length
    if (some.length < all.length) this.#cut('')
    return some
  }

  #cut(instead: string): string {
    this.isCut = true
    return instead
  }
}

/** Take the first of some arguments that is there and fits. */
function take<T>(rest: Map<string, unknown>, names: readonly string[], fits: (value: unknown) => value is T): T | undefined {
  const name = names.find(one => fits(rest.get(one)))
  if (name === undefined) return undefined
  const value = rest.get(name) as T
  rest.delete(name)
  return value
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isFilled = (value: unknown): value is string => isText(value) && value.trim() !== ''

/** Whether something can stand above a block as code without a way out of it; else it stays with the JSON. */
export const isHeading = (value: unknown): value is string => isText(value) && value.length <= MAX_HEADING && /^[^\s`](?:[^`\p{Cc}\p{Zl}\p{Zp}]*[^\s`])?$/u.test(value)

const LINE_END = /\r\n|\n|\r/

/** How a file changes: what goes, and what comes. */
function changeOf(rest: Map<string, unknown>): Block[] | undefined {
  const copy = new Map(rest), heading = take(copy, FILE, isHeading)
  const before = take(copy, OLD, isText), after = take(copy, NEW, isText) ?? (before === undefined ? take(copy, CONTENT, isText) : undefined)
  if (heading === undefined || !before && !after) return undefined
  rest.clear()
  for (const [key, value] of copy) rest.set(key, value)
  return [{ heading, language: 'diff', text: [...signed('-', before, after), ...signed('+', after, before)].join('\n') }]
}

/** @param other the other side of the change. */
function signed(sign: string, text: string | undefined, other: string | undefined): string[] {
  if (!text) return []
  const lines = text.split(LINE_END)
  // The end of the last line is no line of its own, unless that end is what changes.
  if (lines.at(-1) === '' && (!other || /[\r\n]$/.test(other))) lines.pop()
  return lines.map(line => sign + line)
}

/** A command, and where it runs. */
function commandOf(rest: Map<string, unknown>): Block[] | undefined {
  const command = take(rest, COMMAND, isFilled) ?? take(rest, COMMAND, isWords)?.map(quoted).join(' ')
  return command === undefined ? undefined : [{ heading: take(rest, FOLDER, isHeading), language: '', text: command }]
}

const isWords = (value: unknown): value is string[] => Array.isArray(value) && value.length > 0 && value.every(isText)

/** A word of a command as a shell would have it, so that it is seen where each begins and ends. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`
}

/** @param room for the texts of all blocks. */
function written(blocks: readonly Block[], room: number): string {
  const most = shareOf(blocks.map(({ text }) => text.length), room)
  return blocks.flatMap(({ heading, language, text }) => {
    const above = heading === undefined ? [] : [`\`${heading}\``]
    if (text.length <= most) return [...above, fenced(language, text)]
    const [head, tail, cut] = ends(text, most)
    // Outside of the blocks, where no argument can write the like of it.
    return [...above, fenced(language, head), `✂ ${cut} characters`, fenced(language, tail)]
  }).join('\n\n')
}

/** The most that each text gets, so that short ones are whole before a long one is cut less. */
function shareOf(lengths: readonly number[], room: number): number {
  let left = room, open = lengths.length
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length > left / open) break
    left -= length
    open--
  }
  return open === 0 ? room : Math.floor(left / open)
}

/** The beginning and the end of a text, of whole lines where they are not too long, and how much is between them. */
function ends(text: string, most: number): [head: string, tail: string, cut: number] {
  const half = Math.floor(most / 2), begin = text.slice(0, half), end = text.slice(text.length - half)
  const last = begin.lastIndexOf('\n'), first = end.indexOf('\n'), isLine = first >= 0 && first < half / 2
  const head = last > half / 2 ? begin.slice(0, last) : begin.replace(/[\uD800-\uDBFF]$/, '')
  const tail = isLine ? end.slice(first + 1) : end.replace(/^[\uDC00-\uDFFF]/, '')
  // What stands where no line begins must not look like the sign of a change.
  return [head, isLine ? tail : `…${tail}`, text.length - head.length - tail.length]
}

/** A code block that nothing in the text closes. */
export function fenced(language: string, text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
