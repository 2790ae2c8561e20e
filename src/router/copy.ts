// The copy of a request that surfaces get, and how a request that a surface made of it is recognised. All of them have the same
// one, and it is frozen, so that no surface changes what the others show or what an answer is checked against.
import { approvalProblem, isApproval } from '../protocol/approval.ts'
import type { AskUserQuestionOption, AskUserQuestionRequest } from '../protocol/request.ts'

const Given = function (object: object) {
  return object
} as unknown as new (object: object) => object

// A private field that is put on objects which are not of this class: nobody sees or copies it, and it costs a tenth of what
// an entry in a WeakMap does.
class Mark extends Given {
  readonly #depth: number

  constructor(object: object, depth: number) {
    super(object)
    this.#depth = depth
  }

  /** The depth of the ask whose surfaces got an object, -1 for one that is not from us. */
  static of(object: unknown): number {
    return typeof object === 'object' && object && #depth in object ? object.#depth : -1
  }
}

/** Mark an object, once, as one that the surfaces of an ask get from us. */
export function mark(object: object, depth: number): object {
  return new Mark(object, depth)
}

/**
 * How deep a request lies in others: 0 for a new one, 1 for one that a surface makes of what it was asked with, under a signal
 * of its own or with other questions. `Infinity` for one of our own copies (rule 1 of docs/routing.md): the very object, or one
 * made from it, here or on the way through the host's service, under `request.signal` or `context.signal`.
 */
export function depthOf({ signal, questions }: AskUserQuestionRequest): number {
  let deepest = Mark.of(signal), isCopy = deepest >= 0
  for (const one of questions ?? []) {
    // Malformed, and maybe the first of a thousand million holes.
    if (!one) return 0
    const depth = Mark.of(one)
    isCopy &&= depth >= 0
    deepest = Math.max(deepest, depth)
  }
  return isCopy ? Infinity : deepest + 1
}

/**
 * Copy a request for the surfaces of an ask: every field of the original is on it, with another signal. The questions, their
 * options and their intent are copied and frozen too. What else they have is not looked at, so it may be anything.
 *
 * @param depth of the ask.
 * @throws TypeError when no answer could be checked against the questions, and what reading them throws.
 */
export function copyOf(request: AskUserQuestionRequest, signal: AbortSignal, depth: number): AskUserQuestionRequest {
  const questions = copyOfEach(request.questions ?? [], 'id', (copy) => {
    const { options, intent } = copy
    if (options) copy.options = copyOfEach(options, 'label', freezeDisplayLabel)
    if (Object(intent) === intent) copy.intent = Object.freeze({ ...intent! })
    mark(copy, depth)
  })
  const copy = Object.freeze({ ...request, questions, signal })
  const problem = isApproval(copy) && approvalProblem(questions)
  if (problem) throw new TypeError(`bad approval: ${problem}`)
  mark(signal, depth)
  return copy
}

/** By which surfaces say what an option of an approval permits. */
function freezeDisplayLabel(copy: AskUserQuestionOption): void {
  const { displayLabel } = copy
  if (Object(displayLabel) === displayLabel) copy.displayLabel = Object.freeze({ ...displayLabel! })
}

function copyOfEach<T extends object>(all: Iterable<T>, key: string & keyof T, more?: (copy: T) => void): T[] {
  const copies: T[] = []
  for (const one of all) {
    const copy = { ...one }
    if (typeof copy[key] !== 'string') throw new TypeError(`bad question: ${key} must be a string`)
    more?.(copy)
    copies.push(Object.freeze(copy))
  }
  // Frozen lists stay what dsh's types say, which know no read-only ones.
  return Object.freeze(copies) as T[]
}
