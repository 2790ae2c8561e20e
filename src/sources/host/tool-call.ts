// What a tool is to do, for the person who permits it: the arguments of a tool call, found in the session of its agent.
import type { AskAgent } from '../../protocol/request.ts'

/**
 * Describe a tool call.
 *
 * @param callId of the call; without one nothing is known of it.
 * @param unreadable is told what reading the session threw.
 * @returns Markdown; `undefined` where the session does not have the call.
 */
export function detailOf(agent: AskAgent, callId: string | undefined, unreadable: (error: unknown) => void): string | undefined {
  void agent, callId, unreadable
  return undefined
}
