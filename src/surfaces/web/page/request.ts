// One request to the host, and what came back: from the host, from something in front of it, or from nobody.
import type { HostHeader, StreamLine } from '../wire.ts'

/** Every response of the host has it. */
const HOST: HostHeader = 'ask-host'

/** A response of the host with an error status. */
export class StatusError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`status ${status}`)
    this.status = status
  }
}

/** Something in front of the host refused a request, and the person has to log in there. */
export class BlockedError extends Error {}

/**
 * Make a request.
 *
 * @throws BlockedError when something in front of the host answers and wants a login; another error when there is no response.
 */
export async function send(path: string, signal: AbortSignal, headers: Record<string, string>, body?: unknown): Promise<Response> {
  const response = await fetch(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...body !== undefined && { 'content-type': 'application/json' } },
    ...body !== undefined && { body: JSON.stringify(body) },
    signal,
    cache: 'no-store',
    // For whatever stands in front of the host; the host itself has no cookies.
    credentials: 'same-origin',
    redirect: 'manual',
  })
  if (response.headers.has(HOST)) return response
  const isPage = response.status < 500 && response.headers.get('content-type')?.startsWith('text/html')
  if (response.type === 'opaqueredirect' || [401, 403, 407].includes(response.status) || isPage) throw new BlockedError('not the host')
  throw new Error('not the host')
}

/** Read a stream of JSON lines to its end. */
export async function readLines(stream: ReadableStream<Uint8Array>, onLine: (line: StreamLine) => void): Promise<void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) onLine(JSON.parse(line) as StreamLine)
  }
}
