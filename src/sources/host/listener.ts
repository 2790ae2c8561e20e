// dsh's `user-questions/request` waterfall as a source of questions (rule 1 of docs/routing.md).
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import { isOurCopy } from '../../router/copy.ts'
import type { Router } from '../../router/router.ts'
import { WaterfallHost } from './waterfall-host.ts'

/**
 * Make the listener for `user-questions/request`.
 *
 * @returns a function that routes a request; a copy that the router made itself goes straight to `next`.
 */
export function waterfallListener(router: Router) {
  return (request: AskUserQuestionRequest, next: () => Promise<AskUserQuestionAnswer>): Promise<AskUserQuestionAnswer> => {
    if (router.closed || isOurCopy(request)) return next()
    const host = new WaterfallHost(request, next)
    return router.route(request, host.turn, host)
  }
}
