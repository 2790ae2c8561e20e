// Which answers this tab has sent: "answered on this page" is true here alone, wherever else the same line stands. Kept in the
// tab's session storage, so that it is still true after a reload.
import type { Ended } from '../wire.ts'
import { type Draft, isSaid } from './draft.ts'

const KEY = `ask-web:${location.pathname}:sent`

/** As many as stay readable. */
const KEPT = 50

type Sent = Pick<Draft, 'answers'>

let sent: ReadonlyMap<string, Sent> = read()

/** Take note of an answer before it is sent: how it ended may be told before the host has responded. */
export function noteSent(id: string, { answers }: Sent): void {
  keep([...Array.from(sent).filter(([other]) => other !== id).slice(1 - KEPT), [id, { answers }]])
}

/** An answer that was noted was not taken. */
export function forgetSent(id: string): void {
  keep(Array.from(sent).filter(([other]) => other !== id))
}

/** Whether an ask was answered by this tab. The answer is compared: the one that was sent may have come too late. */
export function isOwn(ended: Ended): boolean {
  const own = sent.get(ended.id)
  return own !== undefined && ended.by === undefined && isSaid(own, ended)
}

function keep(all: readonly (readonly [string, Sent])[]): void {
  sent = new Map(all)
  try {
    sessionStorage.setItem(KEY, JSON.stringify(all))
  } catch { /* no storage, or it is full: remembered as long as the page lives */ }
}

function read(): Map<string, Sent> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? '[]') as [string, Sent][])
  } catch { return new Map() /* no storage */ }
}
