// The registry has dsh 0.1.0-rc.8, whose service asks a single provider. This provider makes it do what dsh >= 0.1.2
// does: dispatch the question on the `user-questions/request` waterfall, and restore errors to the host's class.
import type { Context } from '@deepseek-ai/cordis'
import { scopeTarget } from '@deepseek-ai/dsh-scope'
import { type AskUserQuestionAnswer, type AskUserQuestionRequest, UserQuestionError } from '@deepseek-ai/dsh-user-questions'

export const name = 'user-questions-waterfall-bridge'
export const inject = ['userQuestions']

const EVENT = 'user-questions/request'

const noAnswerer = () => Promise.reject(new UserQuestionError('no user-questions answerer accepted the request', 'NO_PROVIDER'))

export const apply = (ctx: Context): void => {
  // The types of rc.8 do not know the event.
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<AskUserQuestionAnswer>
  const { userQuestions } = ctx
  // The newer service has no providers; a plugin that looks for them must find none.
  Object.defineProperty(userQuestions, 'registerProvider', { value: userQuestions.registerProvider, configurable: true })
  userQuestions.registerProvider({
    async ask(request) {
      const { agent } = request
      try {
        return await (agent === undefined
          ? waterfall(EVENT, request, noAnswerer)
          : waterfall(scopeTarget(agent, agent), EVENT, { ...request, agent }, noAnswerer))
      } catch (error) {
        throw restore(error, request)
      }
    },
  })
}

/** The error that the service rejects with: its own class for one that says so, whoever made it. */
function restore(error: unknown, { signal }: AskUserQuestionRequest): unknown {
  if (error instanceof UserQuestionError) return error
  const { name: kind, message, code } = Object(error) as Partial<UserQuestionError>
  if (kind === 'UserQuestionError' && typeof message === 'string' && typeof code === 'string') {
    return new UserQuestionError(message, code, { cause: error })
  }
  if (signal?.aborted) {
    return new UserQuestionError('ask_user_question was aborted before the user answered', 'ASK_ABORTED', { cause: error })
  }
  return error
}
