// zod, and one addition: objects whose errors name the keys that they may have. Imported from here alone, so that a bundle
// imports it once.
import { z } from 'zod'

export { z }

/**
 * Make the schema of an object with just these keys. For another key, and for a value that is not an object, its error
 * lists them.
 */
export function strictObject<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => {
      const keys = Object.keys(shape).join(', ')
      return issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; it may be ${keys}` : `must be an object of ${keys}`
    },
  })
}
