// TEST ONLY. Gives a 0.1.0-rc.8 host, which has one provider slot for questions, the shape of >= 0.1.2:
// ctx.userQuestions.ask() dispatches 'user-questions/request', and a provider that anybody registers (the web UI
// does) becomes an ordinary listener of it.
import { scopeTarget } from '@deepseek-ai/dsh-scope'
import { UserQuestionError } from '@deepseek-ai/dsh-user-questions'

export const name = 'user-questions-bridge-rc8'
export const inject = ['userQuestions']

const EVENT = 'user-questions/request'
const noAnswerer = () =>
  Promise.reject(new UserQuestionError('no user-questions answerer accepted the request', 'NO_PROVIDER'))

export const apply = ctx => {
  const service = ctx.userQuestions[Symbol.for('cordis.original')] ?? ctx.userQuestions
  const dispatch = request =>
    request.agent === undefined
      ? ctx.waterfall(EVENT, request, noAnswerer)
      : ctx.waterfall(scopeTarget(request.agent, request.agent), EVENT, { ...request, agent: request.agent }, noAnswerer)
  const taken = service.provider // whoever registered before this bundle was loaded
  if (taken) ctx.on(EVENT, request => taken.ask(request))
  service.provider = { ask: dispatch }
  // and whoever comes after, as a listener of that plugin's own
  service.registerProvider = function (provider) {
    return this.ctx.on(EVENT, request => provider.ask(request))
  }
  return () => {
    delete service.registerProvider
    service.provider = taken
  }
}
