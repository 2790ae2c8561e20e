// A stand-in for dsh's web UI: a listener that holds the question, never calls `next()`, reads `request.signal` a
// little late, and takes its card away when that aborts.
import type { Context } from '@deepseek-ai/cordis'
import type { Step } from '../../examples/demo/model.ts'
import { type AskUserQuestionAnswer, type AskUserQuestionRequest, userQuestionError } from '../../src/index.ts'
import { macrotask, plugin, startBare, withAgent } from './support.ts'

/** A question in the browser. */
export interface Card {
  readonly request: AskUserQuestionRequest
  /** `open` until somebody answers it here or it is taken away. */
  state: 'open' | 'answered' | 'taken away'
  /** How often it was taken away. */
  aborts: number
  answer(answer: AskUserQuestionAnswer): void
  fail(error: unknown): void
  /** Settles when the card is taken away. */
  readonly gone: Promise<void>
}

/** When the web UI reads the signal of a request. */
export const LATE = {
  'after a microtask': () => Promise.resolve(),
  'after a macrotask': macrotask,
} as const

/** The stand-in. */
export class WebUi {
  readonly name: string
  readonly cards: Card[] = []
  readonly #late: () => Promise<void>
  readonly #waiting: ((card: Card) => void)[] = []
  /** Runs in the very moment in which a question comes. */
  onCard: (() => void) | undefined

  constructor(late: () => Promise<void> = LATE['after a macrotask'], name = 'web-ui') {
    this.#late = late
    this.name = name
  }

  /** Mount it as a cordis plugin. */
  readonly apply = (ctx: Context): void => {
    // The types of the host that the tests run on do not know the event.
    ctx.on('user-questions/request' as never, this.#hold.bind(this) as never)
  }

  /** The next card, once its signal was read. */
  next(): Promise<Card> {
    return new Promise(resolve => this.#waiting.push(resolve))
  }

  async #hold(request: AskUserQuestionRequest): Promise<AskUserQuestionAnswer> {
    const result = Promise.withResolvers<AskUserQuestionAnswer>()
    const gone = Promise.withResolvers<void>()
    const card: Card = {
      request,
      state: 'open',
      aborts: 0,
      gone: gone.promise,
      answer(answer) {
        card.state = 'answered'
        result.resolve(answer)
      },
      fail: result.reject,
    }
    this.cards.push(card)
    this.onCard?.()
    await this.#late()
    const { signal } = request
    const takeAway = () => {
      card.aborts++
      if (card.state === 'open') card.state = 'taken away'
      gone.resolve()
      result.reject(userQuestionError('ASK_ABORTED', 'the browser was told that the question is gone'))
    }
    if (signal?.aborted) takeAway()
    else signal?.addEventListener('abort', takeAway)
    for (const notice of this.#waiting.splice(0)) notice(card)
    return result.promise
  }
}

/** The host with the router, one agent, and a web UI that is registered before or after the router. */
export async function startWithWeb(script: readonly Step[], { order = 'before', read = 'after a macrotask', config }: {
  order?: 'before' | 'after'
  read?: keyof typeof LATE
  config?: unknown
} = {}) {
  const { ctx, adapter } = await startBare(script)
  const web = new WebUi(LATE[read])
  if (order === 'before') await ctx.plugin(web)
  const router = await ctx.plugin(plugin, config)
  if (order === 'after') await ctx.plugin(web)
  return { ctx, adapter, router, web, surfaces: ctx.get('askSurfaces')!, ...await withAgent(ctx, adapter) }
}
