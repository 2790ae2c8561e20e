// How Claude Code's own dialog ended: its hook is not told when the person was quicker there.
import { type FSWatcher, watch } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { Asking } from './asking.ts'
import type { HookInput } from './input.ts'
import { SessionStatus, sessionsFolder } from './session.ts'
import { Transcript } from './transcript.ts'

/** How it ended: the answer, or that the person turned it down, or that it is gone and nobody can tell. */
export type Ending = AskUserQuestionAnswer | 'declined' | 'gone'

/** The files are looked at this often, in milliseconds, where nothing says that they changed. */
const LOOK_EVERY_MS = 500

/** When the dialog is gone, what was chosen stands in the transcript within this time, in milliseconds; measured: 60 to 350. */
const RESULT_WITHIN_MS = 700

/** What a session says of itself while a dialog is open. */
const WAITING = 'waiting'

/**
 * Wait for the end of the dialog.
 *
 * @param taken see {@link Transcript}.
 * @param signal ends the waiting; it then never resolves.
 * @param decided is told whether the dialog is gone, while it is not known yet how it ended.
 */
export function nativeEnding(
  input: HookInput, asking: Asking, taken: Set<string>, signal: AbortSignal, decided: (isDecided: boolean) => void,
): Promise<Ending> {
  return new Promise((resolve) => {
    if (signal.aborted) return
    const path = transcriptOf(input)
    const transcript = new Transcript({ path, tool: input.tool_name, input: input.tool_input, since: Date.now() }, taken)
    // A subagent's dialog may have to wait behind others, so that the session's state is not its own.
    const session = input.agent_id === undefined ? new SessionStatus(input.transcript_path, input.session_id) : undefined
    let wasWaiting = false, goneSince: number | undefined, isLooking = false, isDue = false

    const look = async () => {
      const result = await transcript.read().catch(() => undefined)
      if (signal.aborted) return
      // After Esc, and a "No" without a word, Claude Code ends its hook: this line is only another sign of the same.
      if (result?.isTurnedDown && result.words === undefined) return end('gone')
      if (result) return end(asking.read(result) ?? 'gone')
      const status = await session?.read()
      if (signal.aborted || status === undefined) return
      wasWaiting ||= status === WAITING
      if (status === WAITING || !wasWaiting) goneSince = undefined
      else goneSince ??= performance.now()
      decided(goneSince !== undefined)
      if (goneSince === undefined) return
      const left = goneSince + RESULT_WITHIN_MS - performance.now()
      // A call that was turned down would have its result by now.
      if (left <= 0) end((transcript.isFound ? asking.runs : undefined) ?? 'gone')
      else setTimeout(lookSoon, left)
    }
    const lookSoon = () => {
      if (signal.aborted) return
      if (isLooking) return void (isDue = true)
      isLooking = true
      isDue = false
      void look().finally(() => {
        isLooking = false
        if (isDue) lookSoon()
      })
    }
    const watchers = [dirname(path), ...session ? [sessionsFolder(input.transcript_path)] : []].flatMap(folder => watched(folder, lookSoon))
    const timer = setInterval(lookSoon, LOOK_EVERY_MS)
    const stop = () => {
      clearInterval(timer)
      for (const watcher of watchers) watcher.close()
    }
    const end = (ending: Ending) => {
      signal.removeEventListener('abort', stop)
      stop()
      resolve(ending)
    }
    signal.addEventListener('abort', stop)
    lookSoon()
  })
}

/** A subagent has a transcript of its own, beside that of its session. */
export function transcriptOf({ transcript_path: path, agent_id: agent }: HookInput): string {
  return agent === undefined ? path : join(path.replace(/\.jsonl$/, ''), 'subagents', `agent-${agent}.jsonl`)
}

/** Watch a folder, where that is possible. */
function watched(folder: string, changed: () => void): FSWatcher[] {
  try {
    return [watch(folder, { persistent: false }, changed).on('error', () => {
      // The timer looks as well.
    })]
  } catch {
    // There is none, or the system's watchers are used up: the timer is enough.
    return []
  }
}
