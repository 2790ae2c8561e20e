// Waiting for something that can be seen, with a deadline and a message that says what was seen instead.
import { setTimeout as sleep } from 'node:timers/promises'

/** Generous: it only costs time when a test fails, and the machine may be busy. */
export const DEADLINE_MS = 30_000
const POLL_MS = 20

/**
 * Polls until `look` returns something other than undefined or false, and resolves with that.
 * @param what - finishes the sentence "waited in vain for ..."
 * @param context - what a reader of the failure needs, most of all the host's output
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  context: () => string = () => '',
): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > deadline) throw new Error(`waited ${DEADLINE_MS} ms in vain for ${what}\n${context()}`)
    await sleep(POLL_MS)
  }
}
