// Fetches replies that were too long for a message, which ntfy turns into files.
import { backoffDelay, pause } from './backoff.ts'
import type { NtfyClient } from './client.ts'
import type { NtfyMessage } from './event.ts'

/** The largest reply, in bytes. */
const MAX_BYTES = 65_536

/** The server announces a file shortly before it serves it, so the first attempts may fail. */
const ATTEMPTS = 5, BACKOFF = { firstMs: 250, longestMs: 2000 }

/**
 * Fetch the text of an attachment.
 *
 * @returns `undefined` when it is on another server, too large, not text or unavailable.
 */
export async function fetchAttachmentText({ url, size = 0 }: NonNullable<NtfyMessage['attachment']>, client: NtfyClient, signal: AbortSignal): Promise<string | undefined> {
  if (size > MAX_BYTES) return undefined
  for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
    try {
      return await client.text(url, MAX_BYTES, signal)
    } catch {
      // The sender is told in the end; why it failed makes no difference to them.
      if (attempt < ATTEMPTS) await pause(backoffDelay(attempt, BACKOFF), signal)
    }
  }
  return undefined
}
