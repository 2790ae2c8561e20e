// Objects of configuration: a key that is none, or no object at all, is an error that names the keys there are.
import { z } from 'zod'

/**
 * Schema of an object of these keys.
 *
 * @returns refuses any other key, and anything else than an object, and says which keys there may be.
 */
export function only<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) => {
      const keys = Object.keys(shape).join(', ')
      return issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; it may be ${keys}` : `must be an object of ${keys}`
    },
  })
}
