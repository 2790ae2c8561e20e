// The real cordis with the plugin mounted, and a way to dispatch a question as the host does.
import { Context } from '@deepseek-ai/cordis'
import * as plugin from '../../src/index.ts'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'

/** Rejects as the host's own last word does. */
export const noAnswerer = () => Promise.reject(Object.assign(new Error('no user-questions answerer accepted the request'), {
  name: 'UserQuestionError', code: 'NO_PROVIDER',
}))

/** A context with the router loaded. */
export async function boot(config?: unknown) {
  const ctx = new Context()
  const fiber = await ctx.plugin(plugin, config)
  return { ctx, fiber }
}

/** Dispatch a question on the waterfall, as the host does for a request without an agent. */
export function dispatch(ctx: Context, request: AskUserQuestionRequest, host: () => unknown = noAnswerer): Promise<AskUserQuestionAnswer> {
  // The event is the newer host's; the types of the host that the tests run on do not know it.
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<AskUserQuestionAnswer>
  return waterfall('user-questions/request', request, host)
}
