// What a tool is to do, for the person who permits it: the arguments of a tool call, found in the session of its agent.
import type { AskAgent } from '../../protocol/request.ts'
import { argumentsText } from '../../reply/arguments.ts'

/** So many events are looked at, from the newest. */
const MAX_EVENTS = 100_000

/** What is read of a session: its log, which newer versions of dsh give by a method. */
interface Log {
  readonly events?: unknown
  snapshotEvents?(): unknown
}

/** What is read of an event. */
interface SessionEvent {
  readonly type: string
  readonly data: { readonly callId?: unknown, readonly arguments?: unknown }
}

/**
 * Describe a tool call.
 *
 * @param callId of the call; without one nothing is known of it.
 * @param unreadable is told what reading the session threw.
 * @returns Markdown of bounded length; `undefined` where the session does not have the call in its open turn.
 */
export function detailOf(agent: AskAgent, callId: string | undefined, unreadable: (error: unknown) => void): string | undefined {
  if (typeof callId !== 'string') return undefined
  try {
    const call = callIn(eventsOf(agent.session as Log), callId)
    return call && argumentsText(call.data.arguments)
  } catch (error) {
    unreadable(error)
    return undefined
  }
}

function eventsOf(session: Log): readonly SessionEvent[] {
  const { events } = session
  const all = Array.isArray(events) ? events : session.snapshotEvents?.()
  return Array.isArray(all) ? all as SessionEvent[] : []
}

function callIn(events: readonly SessionEvent[], callId: string): SessionEvent | undefined {
  for (let at = events.length - 1, last = events.length - MAX_EVENTS; at >= 0 && at >= last; at--) {
    const event = events[at]!
    if (event.type === 'tool/call' && event.data.callId === callId) return event
    // Models use an id again in later turns; another call's arguments would be worse than none.
    if (event.type === 'turn/start') return undefined
  }
  return undefined
}
