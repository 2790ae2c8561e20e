// What an ntfy server sends down a stream, one JSON object a line, read with distrust: whoever knows a topic can have
// anything said there.

/** A message in a topic. */
export interface NtfyMessage {
  readonly id: string
  /** When the server took it, in seconds since the epoch, by the server's clock. */
  readonly time: number
  readonly topic: string
  /** The text; ntfy turns an empty one into `triggered`. */
  readonly message: string
  /** What replaces a notification; our own pushes all have it. */
  readonly sequence: string | undefined
  /** Whether it is nothing but text, as people send it. */
  readonly bare: boolean
  /** A long text arrives as a file. */
  readonly attachment: { readonly url: string, readonly type: string | undefined, readonly size: number | undefined } | undefined
}

/**
 * One line of a stream: a message, or that the stream has opened, or anything else that shows that it is alive. Times are by
 * the server's clock, in seconds since the epoch.
 */
export type NtfyEvent =
  | { readonly kind: 'message', readonly message: NtfyMessage }
  | { readonly kind: 'open', readonly time: number }
  | { readonly kind: 'other', readonly time: number }

/**
 * Read one line of a stream.
 *
 * @returns `undefined` when it is no event of ntfy's.
 */
export function readEvent(line: string): NtfyEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // A line that was cut off, or a page of somebody who stands in front of the server.
    return undefined
  }
  const { event, id, time, topic, message, title, tags, actions, sequence_id: sequence, attachment } = Object(value) as Record<string, unknown>
  if (typeof event !== 'string' || typeof id !== 'string' || typeof time !== 'number') return undefined
  if (event === 'open') return { kind: 'open', time }
  if (event !== 'message' || typeof topic !== 'string') return { kind: 'other', time }
  return {
    kind: 'message',
    message: {
      id,
      time,
      topic,
      message: typeof message === 'string' ? message : '',
      sequence: typeof sequence === 'string' ? sequence : undefined,
      bare: [title, tags, actions, sequence].every(extra => extra === undefined),
      attachment: readAttachment(attachment),
    },
  }
}

function readAttachment(value: unknown): NtfyMessage['attachment'] {
  if (value === undefined) return undefined
  const { url, type, size } = Object(value) as Record<string, unknown>
  return {
    url: typeof url === 'string' ? url : '',
    type: typeof type === 'string' ? type : undefined,
    size: typeof size === 'number' ? size : undefined,
  }
}
