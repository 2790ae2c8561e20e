// `dsh-ask-router status`: asks the desk how it is.
import { type CallError, callSource } from '../sources/local/client.ts'
import { stateFolder } from '../sources/local/folder.ts'
import type { Lang } from '../reply/lang.ts'
import { EXIT, type ExitCode } from './exit.ts'
import type { DeskStatus } from './status.ts'
import { err, lang, out, texts } from './terminal.ts'

/** A desk answers at once; one that does not within this time hangs, in milliseconds. */
const ANSWER_MS = 5000

/** What may be given to `status`, for `parseArgs`. */
export const statusOptions = { json: { type: 'boolean' } } as const

/**
 * Ask the desk of a folder.
 *
 * @throws CallError, and a `TimeoutError`.
 */
export async function askStatus(folder: string, language: Lang): Promise<{ readonly status: DeskStatus, readonly text: string }> {
  const reply = await callSource({ folder, name: 'desk', body: { ask: 'status', lang: language }, signal: AbortSignal.timeout(ANSWER_MS) })
  if ('error' in reply) throw new Error(reply.error)
  // The socket is this user's own, so that what comes is a desk's.
  return reply.output as { status: DeskStatus, text: string }
}

/** Print the status for a person, or as JSON. */
export async function runStatus({ json }: { json?: boolean | undefined }): Promise<ExitCode> {
  try {
    const { status, text } = await askStatus(stateFolder(), lang)
    out(json ? JSON.stringify(status, null, 2) : text)
    return EXIT.done
  } catch (error) {
    err((error as Partial<CallError>).code === 'NO_DESK' ? texts.noDesk : texts.noReply)
    return EXIT.failed
  }
}
