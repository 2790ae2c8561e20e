// The copy of a request that surfaces get: one per ask, every field of the original on it, with a signal of its own.
import type { AskUserQuestionRequest } from '../protocol/request.ts'

// Stands on the signals of our copies and says to which questions they belong.
const belongsTo = Symbol('questions')

interface CopySignal extends AbortSignal {
  [belongsTo]?: unknown
}

/**
 * Copy a request for the surfaces.
 *
 * @param controller aborts the copy's signal.
 */
export function copyOf(request: AskUserQuestionRequest, controller: AbortController): AskUserQuestionRequest {
  const signal: CopySignal = controller.signal
  signal[belongsTo] = request.questions
  return { ...request, signal }
}

/**
 * Whether a request is one of our own copies, which a surface dispatched again (ROUTING rule 1): the very object, or
 * one made from it on the way through the host's service. One with other questions is a new ask.
 */
export function isOurCopy({ signal, questions }: AskUserQuestionRequest): boolean {
  const asked = (signal as CopySignal | undefined)?.[belongsTo]
  return asked !== undefined && asked === questions
}
