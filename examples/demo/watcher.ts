// A second surface for the demo: it shows every question and never answers, so that you can see a question come to all
// surfaces at once and be put away on all of them.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurface } from '../../src/index.ts'
import { visibleLine } from '../../src/reply/visible.ts'

export const name = 'demo-watcher'

const say = (words: string) => console.log(`          watcher | ${words}`)

const surface: AskSurface = {
  name: 'watcher',
  personal: true,
  claim: () => false,
  ask({ questions, signal }) {
    say(`shows: ${questions.map(({ question }) => visibleLine(question)).join(' + ')}`)
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => {
        say('puts it away: aborted')
        reject(signal.reason)
      })
    })
  },
  settled: (_request, by) => say(`puts it away: answered on the ${by}`),
}

// Nested, so that the surface comes and goes with the router.
export const apply = (ctx: Context): void => {
  ctx.inject(['askSurfaces'], (inner) => {
    inner.askSurfaces.register(surface)
  })
}
