// Parses what an ntfy server sends on a stream: one JSON object per line. Whoever knows the topic can publish anything, so
// nothing is taken on trust.

/** A message in a topic. */
export interface NtfyMessage {
  readonly id: string
  /** When the server received it, in seconds since the epoch, by the server's clock. */
  readonly time: number
  readonly topic: string
  /** The text. ntfy replaces an empty one with `triggered`. */
  readonly message: string
  /** Identifies the notification, so that it can be updated. All pushes of this plugin have one. */
  readonly sequence: string | undefined
  /** Whether it has text only, as replies typed by people do. */
  readonly isPlain: boolean
  /** The file that ntfy makes of a long text. */
  readonly attachment: { readonly url: string, readonly type: string | undefined, readonly size: number | undefined } | undefined
}

/**
 * One line of a stream: a message, the opening of the stream, or any other sign of life. Times are in seconds since the
 * epoch, by the server's clock.
 */
export type NtfyEvent =
  | { readonly kind: 'message', readonly message: NtfyMessage }
  | { readonly kind: 'open', readonly time: number }
  | { readonly kind: 'other', readonly time: number }

/**
 * Parse one line of a stream.
 *
 * @returns `undefined` when it is not an ntfy event.
 */
export function readEvent(line: string): NtfyEvent | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    // A line that was cut off, or a proxy's error page.
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
      isPlain: [title, tags, actions, sequence].every(extra => extra === undefined),
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
