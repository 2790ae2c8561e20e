// zod, and two additions: objects whose errors name the keys that they may have, and values of several kinds. Imported from here
// alone, so that a bundle imports it once.
import { z } from 'zod'

export { z }

/**
 * Make the schema of an object with just these keys. For another key, and for a value that is not an object, its error
 * lists them.
 *
 * @param problem said instead of a value that is not an object.
 */
export function strictObject<T extends z.ZodRawShape>(shape: T, problem?: string) {
  return z.strictObject(shape, {
    error: (issue) => {
      const keys = Object.keys(shape).join(', ')
      return issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; it may be ${keys}` : problem ?? `must be an object of ${keys}`
    },
  })
}

/**
 * Make the schema of an optional value that may be of several kinds. Unlike that of a union, its error names the wrong value.
 *
 * @param pick the schema for a value; `undefined` when the value passes as it is.
 */
export function eitherOf<T>(pick: (given: unknown) => z.ZodType<T> | undefined) {
  return z.unknown().transform((given, context): T | undefined => {
    const { data, error } = pick(given)?.safeParse(given) ?? { data: given as T }
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
    return data
  }).optional()
}
