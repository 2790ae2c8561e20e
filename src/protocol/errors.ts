// The errors that leave this package: plain Errors that dsh restores to its own `UserQuestionError` by name and code,
// so that nothing of the host is imported at run time. A message may reach the model word for word.

/**
 * Codes of the errors made here.
 *
 * - `ASK_ABORTED`: the ask ended without an answer: the turn was aborted, or the router was unloaded. As the reason of a
 *   signal also: everybody failed.
 * - `ASK_CANCELLED`: a person declined the whole question; it ends for everybody.
 * - `ASK_SETTLED`: somebody else settled the ask. The reason of a signal, or of a surface that put the question away.
 * - `BAD_ANSWER`: an answer that does not fit its questions; the message names the field.
 * - `SURFACE_GONE`: the surface was taken out of the registry while it was asked.
 * - `SURFACE_TIMEOUT`: the surface had not answered within its configured `timeoutMs` when it failed or left.
 * - `NO_PROVIDER`: nobody is there to be asked.
 */
export type UserQuestionErrorCode =
  | 'ASK_ABORTED' | 'ASK_CANCELLED' | 'ASK_SETTLED' | 'BAD_ANSWER'
  | 'SURFACE_GONE' | 'SURFACE_TIMEOUT' | 'NO_PROVIDER'

/** An error that dsh recognises by `name` and `code`, whichever copy of whichever class made it. */
export interface UserQuestionError extends Error {
  name: 'UserQuestionError'
  code: string
}

/**
 * Make an error that dsh restores to its own class.
 *
 * A surface rejects with `userQuestionError('ASK_CANCELLED', ...)` to say that its person declines the question.
 *
 * @param code what happened; dsh passes unknown codes on too.
 * @param message one sentence, without secrets: it may reach the model word for word.
 * @param options `cause`, as for any Error.
 */
export function userQuestionError(code: UserQuestionErrorCode, message: string, options?: ErrorOptions): UserQuestionError {
  const error = new Error(message, options) as UserQuestionError
  error.name = 'UserQuestionError'
  error.code = code
  return error
}

/**
 * Make errors that are only ever the reason of a signal, in a tenth of the time: most of what an Error costs is its stack,
 * and theirs would tell nobody anything.
 */
export function withoutStack<T>(make: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Tell whether a rejection is a `UserQuestionError` of one code, by shape and not by class, as the host does.
 *
 * @param error anything that was thrown.
 * @param code the code to look for.
 */
export function hasCode(error: unknown, code: string): error is UserQuestionError {
  const shape = error as Partial<UserQuestionError> | null | undefined
  try {
    return shape?.name === 'UserQuestionError' && shape.code === code
  } catch {
    // A getter of what was thrown has thrown in turn, so it is not that error.
    return false
  }
}
