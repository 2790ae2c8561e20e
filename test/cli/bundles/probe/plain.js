// TEST ONLY. A surface as other people's UIs register it: it looks for the router once, after something else, and registers for
// life. It does as the test tells it.
import { isTested, obey, report } from './ipc.js'

export const name = 'ask-plain'

export const apply = ctx => {
  if (!isTested) return
  const open = new Map() // by ask: how to settle what is returned
  const surface = {
    name: 'plain',
    claim: () => false,
    ask: (request, { id }) => {
      report({ type: 'asked', surface: 'plain', ask: id, sessionId: request.agent?.session?.id, questions: request.questions })
      return new Promise(resolve => open.set(id, resolve))
    },
  }
  obey(ctx, { answer: ({ surface: label, ask, answer }) => label === 'plain' && open.get(ask)?.(answer) })
  ctx.get('loader')?.await().then(() => ctx.get('askSurfaces')?.register(surface), () => {})
}
