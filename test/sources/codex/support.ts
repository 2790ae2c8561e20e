// A watch of a stand-in's home, with a surface whose person is the test.
import { afterEach, beforeEach, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import type { AskContext, AskSurface } from '../../../src/protocol/surface.ts'
import { AskSurfaceRegistry } from '../../../src/router/registry.ts'
import { Watch } from '../../../src/sources/codex/watch.ts'
import { cancelled } from '../../helpers/surface.ts'
import { StandIn } from './stand-in.ts'

/** One ask as the surface has it. */
export interface Shown {
  readonly request: AskUserQuestionRequest
  readonly context: AskContext
  readonly answer: (...items: (string | { selected: string[], custom?: string })[]) => void
  readonly decline: () => void
  /** Who settled it, with what. */
  settled?: { readonly by: string, readonly answer: AskUserQuestionAnswer | undefined }
}

/** A surface that shows everything. */
export class Page implements AskSurface {
  readonly name = 'page'
  readonly personal = true
  readonly approvals = true
  readonly shown: Shown[] = []

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    return new Promise((resolve, reject) => {
      this.shown.push({
        request, context,
        answer: (...items) => resolve({
          answers: request.questions.map(({ id }, at) => ({ id, ...typeof items[at] === 'string' ? { selected: [items[at]] } : items[at] ?? { selected: [] } })),
        }),
        decline: () => reject(cancelled()),
      })
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    this.shown.find(one => one.request === request)!.settled = { by, answer }
  }

  /** The ask that came as the one at this place, once it is there. */
  nth(at: number): Promise<Shown> {
    return vi.waitFor(() => {
      const one = this.shown[at]
      if (!one) throw new Error(`there are ${this.shown.length} asks`)
      return one
    }, WAIT)
  }
}

/** How long a test waits for what must happen, in milliseconds. */
export const WAIT = { timeout: 5000, interval: 5 }

/** A stand-in, a watch of its home and a page, new for each test. */
export function useCodex(isStarted = true) {
  const here = {} as { codex: StandIn, page: Page, registry: AskSurfaceRegistry, watch: Watch, readonly warn: typeof warn, readonly connected: () => Promise<void>, readonly restart: () => Watch }
  const warn = vi.fn<(message: string) => void>()
  const restart = () => new Watch({ home: here.codex.home, askSurfaces: here.registry, lang: 'en', warn, info: () => {} })
  Object.assign(here, { warn, restart, connected: () => vi.waitFor(() => { if (!here.watch.isConnected) throw new Error('not connected') }, WAIT) })
  beforeEach(async () => {
    warn.mockReset()
    here.codex = new StandIn()
    if (isStarted) await here.codex.start()
    here.registry = new AskSurfaceRegistry()
    here.page = new Page()
    here.registry.register(here.page)
    here.watch = restart()
    if (isStarted) await here.connected()
  })
  afterEach(async () => {
    here.watch.close()
    await here.codex.remove()
  })
  return here
}
