// Reads what a browser sends: JSON in UTF-8, of limited size.
import type { IncomingMessage } from 'node:http'
import { presenceSchema } from '../../protocol/policy.ts'
import { strictObject, z } from '../../protocol/zod.ts'
import type { AnswerBody, HelloBody, HushBody, PresenceBody, Refusal } from './wire.ts'

/** The largest body, in bytes. */
const MAX_BODY = 64 * 1024

/** A request that is refused. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: Refusal

  /** @param message one sentence for the developer of a client; never repeats what was sent. */
  constructor(status: number, code: Refusal, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Schema of an answer. The board checks whether it fits the questions. */
export const answerSchema = z.strictObject({
  answers: z.array(z.strictObject({
    selected: z.array(z.int().min(0)).max(1000),
    custom: z.string().exactOptional(),
  })).max(1000).exactOptional(),
  decline: z.literal(true).exactOptional(),
  option: z.string().exactOptional(),
  custom: z.string().exactOptional(),
}).refine(({ answers, decline, option }) => [answers, decline, option].filter(one => one !== undefined).length === 1, 'must have one of answers, decline and option')
  .refine(({ option, custom }) => custom === undefined || option !== undefined, 'must have custom beside option only')
  // Not a union: its error would not name the wrong field.
  .transform(body => body as AnswerBody)

/** Schema of the body that opens a stream: a name that the browser made up for itself. */
export const streamSchema = z.strictObject({ browser: z.string().regex(/^[\w-]{1,64}$/) })

/** Schema of the body that asks for a proof. */
export const helloSchema: z.ZodType<HelloBody> = z.strictObject({
  nonce: z.string().regex(/^[\w-]{16,64}$/), ask: z.string().regex(/^[\w-]{1,64}$/).exactOptional(),
})

/** Schema of the body that changes the presence. */
export const presenceBodySchema: z.ZodType<PresenceBody> = strictObject({ presence: presenceSchema })

/** Schema of the body that hushes the surfaces: for a day at most. */
export const hushSchema: z.ZodType<HushBody> = z.strictObject({ minutes: z.int().min(0).max(24 * 60) })

/** Schema of a page's reply to a heartbeat. */
export const seenSchema = z.strictObject({})

/**
 * Read a body.
 *
 * @throws {@link RefusedError} 415 when it is not declared as JSON, 413 when it is too large, 400 when it is not JSON or has
 *   a key twice, 422 when it does not match the schema.
 */
export async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(request.headers['content-type'] ?? '')) {
    throw new RefusedError(415, 'not-json', 'the content type must be application/json')
  }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge()
  const body = await readAll(request)
  const result = schema.safeParse(parse(body))
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new RefusedError(422, 'bad-body', `${path.join('.') || 'the body'}: ${message}`)
}

/** Uses events: iterating over a request costs as much as the rest of handling an answer. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY) chunks.push(chunk)
      // The rest is read and dropped, so that the sender can read the refusal.
      else reject(tooLarge())
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => {
      if (!request.complete) reject(new Error('the request broke off'))
    })
  })
}

// A byte order mark is no JSON.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function tooLarge(): RefusedError {
  return new RefusedError(413, 'too-large', `the body must have at most ${MAX_BODY} bytes`)
}

function parse(body: Buffer): unknown {
  try {
    const text = decoder.decode(body), value: unknown = JSON.parse(text)
    if (keysIn(value) === keysWritten(text)) return value
  } catch {
    throw new RefusedError(400, 'not-json', 'the body is not JSON in UTF-8')
  }
  throw new RefusedError(400, 'not-json', 'the body has a key twice')
}

/** Of a key that stands twice `JSON.parse` takes the last, and others may take the first: nobody knows which is meant. */
function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((count: number, one) => count + keysIn(one), Array.isArray(value) ? 0 : Object.keys(value).length)
}

/** @param text JSON. */
function keysWritten(text: string): number {
  return Array.from(text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:?)/g)).filter(([, colon]) => colon === ':').length
}
