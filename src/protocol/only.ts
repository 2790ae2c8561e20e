// Objects of configuration: a key that is none is an error that names those there are.
import { z } from 'zod'

/**
 * Schema of an object of these keys.
 *
 * @returns refuses any other key, and says which there may be.
 */
export function only<T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, {
    error: issue => issue.code === 'unrecognized_keys'
      ? `unknown key ${issue.keys.join(', ')}; it may be ${Object.keys(shape).join(', ')}`
      : undefined,
  })
}
