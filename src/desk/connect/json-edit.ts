// Changes a JSON text in one place and leaves every other character as it is: somebody else's formatting, order and numbers are
// not ours to rewrite. The text must be valid JSON; a byte order mark is not part of it.

/** A value in a container. */
export interface Child {
  /** Its key, in an object. */
  readonly key?: string
  /** Where it begins, with its key. */
  readonly at: number
  /** Where the value itself begins. */
  readonly start: number
  /** Where it ends, exclusive. */
  readonly end: number
}

/** An object or an array in a text. */
export interface Container {
  readonly start: number
  readonly end: number
  readonly children: readonly Child[]
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g

/**
 * Find the values of the object or array that begins at an offset.
 *
 * @param start of the container, or of white space before it.
 */
export function readContainer(text: string, start: number): Container {
  const token = new RegExp(TOKEN)
  token.lastIndex = start
  const open = token.exec(text)!, isObject = open[0] === '{', children: Child[] = []
  let depth = 0, key: string | undefined, at = 0, begin = 0
  const add = (end: number) => {
    children.push({ ...key !== undefined && { key }, at: key === undefined ? begin : at, start: begin, end })
    key = undefined
  }
  for (;;) {
    const found = token.exec(text)!, [one] = found, { index } = found
    if (one === '}' || one === ']') {
      if (depth === 0) return { start: open.index, end: index + 1, children }
      depth--
      if (depth === 0) add(index + 1)
    } else if (one === '{' || one === '[') {
      if (depth === 0) begin = index
      depth++
    } else if (depth === 0 && one !== ',' && one !== ':') {
      if (isObject && key === undefined) {
        key = JSON.parse(one) as string
        at = index
      } else {
        begin = index
        add(index + one.length)
      }
    }
  }
}

/** The value of a key; of the last one where the key is there twice, since that one counts. */
export function childNamed({ children }: Container, key: string): Child | undefined {
  return children.findLast(child => child.key === key)
}

/**
 * Put a value at the end of a container, written as its neighbours are.
 *
 * @param key in an object.
 * @returns the new text.
 */
export function insert(text: string, { start, end, children }: Container, value: unknown, key?: string): string {
  const style = styleOf(text), last = children.at(-1), name = key === undefined ? '' : `${JSON.stringify(key)}:${style.space}`
  if (!last) {
    const outer = indentation(text, start), inner = outer + style.unit
    const inside = style.isOneLine ? name + JSON.stringify(value) : `${style.eol}${inner}${name}${written(value, style, inner)}${style.eol}${outer}`
    return text.slice(0, start + 1) + inside + text.slice(end - 1)
  }
  const [gap] = /\s*$/.exec(text.slice(start + 1, last.at))!, inner = gap.slice(gap.lastIndexOf('\n') + 1)
  const added = gap.includes('\n') ? style.eol + inner + name + written(value, style, inner) : (gap || style.space) + name + JSON.stringify(value)
  return `${text.slice(0, last.end)},${added}${text.slice(last.end)}`
}

/** Take a value out of its container. What `insert` put into a container with others is gone without a trace. */
export function remove(text: string, { start, end, children }: Container, child: Child): string {
  const at = children.indexOf(child), before = children[at - 1], after = children[at + 1]
  if (before) return text.slice(0, before.end) + text.slice(child.end)
  if (after) return text.slice(0, child.at) + text.slice(after.at)
  return text.slice(0, start + 1) + text.slice(end - 1)
}

/** How a text is written. */
interface Style {
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
  /** What stands after a colon or a comma. */
  readonly space: string
  readonly isOneLine: boolean
}

function styleOf(text: string): Style {
  const { start, children: [first] } = readContainer(text, 0), gap = first && text.slice(start + 1, first.at)
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: (gap?.includes('\n') && gap.slice(gap.lastIndexOf('\n') + 1)) || '  ',
    space: first?.key === undefined || /\s/.test(text[first.start - 1]!) ? ' ' : '',
    isOneLine: first !== undefined && !text.trim().includes('\n'),
  }
}

/** The white space at the beginning of the line in which an offset is. */
function indentation(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0]
}

function written(value: unknown, { unit, eol }: Style, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}
