// A reply that ntfy has turned into a file, because it was too long for a message.
import { pause, backoffDelay } from './backoff.ts'
import type { NtfyClient } from './client.ts'
import type { NtfyMessage } from './event.ts'

/** The largest reply, in bytes. */
const MAX_BYTES = 65_536

/** The server tells of a file a moment before it hands it out. */
const ATTEMPTS = 5, BACKOFF = { firstMs: 250, longestMs: 2000 }

/**
 * Fetch the text of an attachment.
 *
 * @returns `undefined` when it cannot be taken: on another server, too large, no text, or not to be had.
 */
export async function fetchAttachmentText({ url, size = 0 }: NonNullable<NtfyMessage['attachment']>, client: NtfyClient, signal: AbortSignal): Promise<string | undefined> {
  if (size > MAX_BYTES) return undefined
  for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
    try {
      return await client.text(url, MAX_BYTES, signal)
    } catch {
      // Why it cannot be had makes no difference to its sender, who is told in the end.
      if (attempt < ATTEMPTS) await pause(backoffDelay(attempt, BACKOFF), signal)
    }
  }
  return undefined
}
