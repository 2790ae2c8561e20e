// TEST ONLY. A second UI of dsh beside its web UI, a stand-in for a bridge to a messenger: it holds every question and every
// approval, never calls `next()`, and decides what the test tells it to.
import { isTested, obey, report } from './ipc.js'

export const name = 'messenger'

export const apply = ctx => {
  if (!isTested) return
  const open = new Map() // by id: how to end what is held
  let count = 0

  /** @param withdrawn ends it when its signal aborts, as the event wants that. */
  const hold = (kind, withdrawn) => ({ agent, signal }) => new Promise((resolve, reject) => {
    const id = `${kind}-${++count}`
    open.set(id, resolve)
    signal?.addEventListener('abort', () => {
      report({ type: 'withdrawn', id, code: signal.reason?.code ?? JSON.stringify(signal.reason) })
      withdrawn(resolve, reject, signal.reason)
    })
    report({ type: 'held', id, kind, sessionId: agent?.session?.id })
  })

  obey(ctx, { decide: ({ id, outcome }) => open.get(id)?.(outcome) })
  ctx.on('user-questions/request', hold('question', (_resolve, reject, reason) => reject(reason)))
  ctx.on('approval/request', hold('approval', resolve => resolve('cancelled')))
}
