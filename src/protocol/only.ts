// Configuration objects whose errors name the keys that they may have.
import { z } from 'zod'

/**
 * Make the schema of an object with just these keys. For another key, and for a value that is not an object, its error
 * lists them.
 */
export function only<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => {
      const keys = Object.keys(shape).join(', ')
      return issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; it may be ${keys}` : `must be an object of ${keys}`
    },
  })
}
