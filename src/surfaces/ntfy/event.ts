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
  /** Whether it has a title, as some apps give to a reply or to what is shared. */
  readonly hasTitle: boolean
  /** Whether it has what no app gives to a reply: tags, buttons, or a sequence. */
  readonly isComposed: boolean
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

// ntfy's have twelve letters and digits. A notice is published under a name that contains one, and with it is 64 long at most.
const ID = /^[-\w]{1,57}$/

/** A time far off would spoil the estimate of the server's clock for good. */
const MAX_TIME = 1e11

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
  if (typeof event !== 'string' || typeof id !== 'string' || !ID.test(id) || !isTime(time)) return undefined
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
      hasTitle: title !== undefined,
      isComposed: [tags, actions, sequence].some(extra => extra !== undefined),
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

function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= MAX_TIME
}
