// Fetches replies that were too long for a message, which ntfy turns into files. Whoever may write to a topic chooses the
// address, so only the server's own files are fetched, and nothing of ours goes along.
import { pause } from './backoff.ts'
import type { NtfyClient } from './client.ts'
import type { NtfyMessage } from './event.ts'

/** The largest reply, in bytes. */
const MAX_BYTES = 65_536

/** How many are fetched at once. */
const AT_ONCE = 2

/**
 * How long to wait before a file is fetched, in milliseconds. ntfy announces a file before it is done with the message that it
 * came in; until then it may break off in the middle of the file (seen with 2.27.0: 23 of 160 at once, none of 240 after 20 ms or more).
 */
const SETTLE_MS = 250

// What ntfy makes of a message's id and the kind of its file. Nothing in it could lead elsewhere: no user name, no query, no
// fragment, no dots between slashes, no percent sign.
const FILE = /^https?:\/\/[^/\\?#@\s]+(\/file\/[-\w]{1,64}(?:\.[A-Za-z0-9]{1,16})?)$/

type Attachment = NonNullable<NtfyMessage['attachment']>

/** A text file on the server. */
export interface TextFile {
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/**
 * The file of an attachment, if it may be fetched.
 *
 * @param server the server's origin.
 * @returns `undefined` when its address is not exactly one of the server's files, or when it does not say that it is a text
 *   of at most 64 KB. An address that the sender has named comes without type and size.
 */
export function textFileOf({ url, type = '', size = 0 }: Attachment, server: string): TextFile | undefined {
  const path = FILE.exec(url)?.[1]
  if (path === undefined || URL.parse(url)?.origin !== server || !/^text\/plain\b/i.test(type)) return undefined
  return Number.isInteger(size) && size > 0 && size <= MAX_BYTES ? { path, size } : undefined
}

/** Fetches text files, few at a time. */
export class TextFiles {
  readonly #client: NtfyClient
  readonly #closing: AbortSignal
  #running = 0
  readonly #waiting: (() => void)[] = []

  /** @param closing stops the fetching. */
  constructor(client: NtfyClient, closing: AbortSignal) {
    this.#client = client
    this.#closing = closing
  }

  /**
   * Fetch a file that has just been announced, in one attempt.
   *
   * @returns `undefined` when it is larger than it was said to be, not text or unavailable.
   */
  async fetch({ path, size }: TextFile): Promise<string | undefined> {
    if (this.#running >= AT_ONCE) await new Promise<void>(resolve => this.#waiting.push(resolve))
    else this.#running++
    try {
      await pause(SETTLE_MS, this.#closing)
      return await this.#client.file(path, size, this.#closing)
    } catch {
      // The sender is told; why it failed makes no difference to them.
      return undefined
    } finally {
      // The place goes to the next, if there is one.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
