// What an ask rejects with when everybody failed (rule 10 of docs/routing.md).
import { userQuestionError } from '../protocol/errors.ts'

/**
 * Make one error of everything that went wrong. Nobody's error object is changed.
 *
 * @param failures the failures, in the order in which they happened.
 * @param nobody the host's own word that nobody is there, when it said so.
 * @returns the one failure as it is; of several a new error that reads as the first and has all of them as its cause.
 */
export function failureOf(failures: readonly unknown[], nobody: unknown): unknown {
  if (failures.length === 0) return nobody ?? userQuestionError('NO_PROVIDER', 'no ask surface is registered')
  const [first] = failures
  if (failures.length === 1) return first
  let seen = {}
  try {
    const { name = 'Error', message = String(first), code } = Object(first) as Partial<Error & { code: unknown }>
    seen = { name, message, code }
  } catch {
    // A thrown value can be unreadable, or not convertible to text.
  }
  return Object.assign(new Error('failed', { cause: new AggregateError(failures) }), seen)
}
