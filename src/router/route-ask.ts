// `routeAsk`: the routing without a registry or a host. What is decided is decided in ask.ts, race.ts and policies.ts.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskSurface } from '../protocol/surface.ts'
import { Ask } from './ask.ts'
import { noLog } from './log.ts'
import { Router } from './router.ts'

/**
 * Ask some surfaces by the rules of the router, with no host behind them and nothing configured: the person is at home, and
 * the only policies are those that surfaces carry.
 *
 * @param surfaces whom to ask, in this order.
 * @param request the questions; its `signal` aborts the ask.
 * @returns the first acceptable answer. Rejects with `NO_PROVIDER` when there is no surface, with a `TypeError` when
 *   one is malformed or given twice, and otherwise as an ask in the host does.
 */
export function routeAsk(surfaces: readonly AskSurface[], request: AskUserQuestionRequest): Promise<AskUserQuestionAnswer> {
  const router = new Router(noLog)
  try {
    for (const surface of surfaces) router.surfaces.add(surface)
    return router.open(new Ask(request, request.signal, router))
  } catch (error) {
    return Promise.reject(error)
  }
}
