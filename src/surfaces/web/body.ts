// Reading what a browser sends: JSON, in UTF-8, of a bounded size.
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { AnswerBody, Refusal } from './wire.ts'

/** The largest body, in bytes. */
const MAX_BODY = 64 * 1024

/** A request that is refused. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: Refusal

  /** @param message one sentence for whoever wrote the request; never what was sent. */
  constructor(status: number, code: Refusal, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Schema of an answer. Whether it fits its questions is the board's business. */
export const answerSchema: z.ZodType<AnswerBody> = z.strictObject({
  answers: z.array(z.strictObject({
    selected: z.array(z.int().min(0)).max(1000),
    custom: z.string().exactOptional(),
  })).max(1000),
})

/** Schema of what opens a stream: a name that the browser made for itself. */
export const streamSchema = z.strictObject({ browser: z.string().regex(/^[\w-]{1,64}$/) })

/**
 * Read a body.
 *
 * @throws {@link RefusedError} 415 when it does not say that it is JSON, 413 when it is too large, 400 when it is not JSON,
 *   422 when the schema does not know it.
 */
export async function readBody<T>(request: IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  if (!/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(request.headers['content-type'] ?? '')) {
    throw new RefusedError(415, 'not-json', 'the content type must be application/json')
  }
  const tooLarge = new RefusedError(413, 'too-large', `the body must have at most ${MAX_BODY} bytes`)
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    // What still comes is read and dropped by node when the refusal has been sent, so that the sender gets to read it.
    if (size > MAX_BODY) throw tooLarge
    chunks.push(chunk)
  }
  const result = schema.safeParse(parse(Buffer.concat(chunks)))
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  throw new RefusedError(422, 'bad-body', `${path.join('.') || 'the body'}: ${message}`)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new RefusedError(400, 'not-json', 'the body is not JSON in UTF-8')
  }
}
