// dsh's `user-questions/request` waterfall as a source of questions (rule 1 of docs/routing.md).
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { hasCode } from '../../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import { Ask } from '../../router/ask.ts'
import type { Router } from '../../router/router.ts'
import { lateAnswer } from './late.ts'
import { followListeners } from './listeners.ts'
import { type SignalsOfRequests, WaterfallHost } from './waterfall-host.ts'

/** The event. */
export const QUESTIONS = 'user-questions/request'

/**
 * Make the listener for {@link QUESTIONS}.
 *
 * @returns a function that routes a request. What no answer could be checked against goes straight to `next`, as does a copy
 *   that the router made, and what surfaces make of copies again and again.
 */
export function waterfallListener(ctx: Context, router: Router) {
  const signals: SignalsOfRequests = new WeakMap(), listenersOf = followListeners(ctx, QUESTIONS)
  return function (this: unknown, request: AskUserQuestionRequest, next: () => Promise<AskUserQuestionAnswer>): Promise<AskUserQuestionAnswer> {
    if (router.closed) return next()
    let ask: Ask
    try {
      const host = new WaterfallHost(request, next, {
        signals,
        listeners: listenersOf(request, this),
        // With an agent the host makes an object for each dispatch.
        isOwn: !!request.agent,
        late: lateAnswer(ctx, request),
      })
      ask = new Ask(request, host.turn, router, host)
    } catch (malformed) {
      router.log.warn('a malformed question is left to the host', malformed)
      // That nobody is there would tell its asker nothing.
      return Promise.resolve(next()).catch((error: unknown) => { throw hasCode(error, 'NO_PROVIDER') ? malformed : error })
    }
    return ask.depth > 1 ? next() : router.open(ask)
  }
}
