// What the model was told of a question that was answered in Codex itself. The app-server does not say it; the log of the session,
// which Codex writes as it goes, has it some 30 ms after the app-server says that the question is resolved.
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from '../../protocol/zod.ts'
import { readEnd } from '../local/plain-file.ts'

/** So much of the log's end is read, in bytes: a question's result stands at the end when it is looked for. */
const TAIL = 256 * 1024

/** How often it is looked at, in milliseconds. */
const EVERY_MS = 20

const entrySchema = z.looseObject({
  timestamp: z.string(),
  payload: z.looseObject({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
})

/**
 * Wait for the result of a tool call.
 *
 * @param path of the log.
 * @param since in milliseconds since the epoch: results from before are another call's, whose id was the same.
 * @param signal gives up.
 * @returns `undefined` where it did not come.
 */
export async function outputOf(path: string, callId: string, since: number, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    const output = await find(path, callId, since)
    if (output !== undefined) return output
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
  return undefined
}

async function find(path: string, callId: string, since: number): Promise<string | undefined> {
  for (const line of (await tailOf(path)).split('\n').toReversed()) {
    if (!line.includes(callId)) continue
    const entry = readEntry(line)
    if (entry?.payload.call_id === callId && Date.parse(entry.timestamp) >= since) return entry.payload.output
  }
  return undefined
}

function readEntry(line: string): z.infer<typeof entrySchema> | undefined {
  try {
    return entrySchema.safeParse(JSON.parse(line)).data
  } catch {
    // Half a line: the first one of the tail, or one that is being written.
    return undefined
  }
}

/** Empty where there is no such file. */
async function tailOf(path: string): Promise<string> {
  try {
    return await readEnd(path, TAIL)
  } catch {
    // It is looked at again.
    return ''
  }
}
