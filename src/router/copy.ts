// The copy of a request that surfaces get, and how it is recognised when a surface dispatches it again.
import type { AskUserQuestionRequest } from '../protocol/request.ts'

// On every signal that a surface gets from us: the questions that it belongs to.
const questionsOf = Symbol('questions')

interface OurSignal extends AbortSignal {
  [questionsOf]?: unknown
}

/** Mark a signal for a surface as ours. */
export function mark(signal: AbortSignal, { questions }: AskUserQuestionRequest): AbortSignal {
  (signal as OurSignal)[questionsOf] = questions
  return signal
}

/** Copy a request for the surfaces: every field of the original is on it, with a signal of its own. */
export function copyOf(request: AskUserQuestionRequest, signal: AbortSignal): AskUserQuestionRequest {
  return { ...request, signal: mark(signal, request) }
}

/**
 * Whether a request is one of our own copies (rule 1 of docs/routing.md): the very object, or one made from it, here or on the way
 * through the host's service, under `request.signal` or `context.signal`. One with other questions is a new ask.
 */
export function isOurCopy({ signal, questions }: AskUserQuestionRequest): boolean {
  return questions !== undefined && (signal as OurSignal | undefined)?.[questionsOf] === questions
}
