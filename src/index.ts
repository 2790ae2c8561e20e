// The plugin: it makes dsh's `user-questions/request` waterfall a race, and provides the registry of surfaces.
import type { Context } from '@deepseek-ai/cordis'
import { Config } from './config.ts'
import type { Presence } from './protocol/policy.ts'
import type { AskOutcome, AskSurfaces, PendingAsk } from './protocol/surface.ts'
import { Door } from './router/door.ts'
import { AskSurfaceRegistry, seatOf } from './router/registry.ts'
import { routeAsk } from './router/route-ask.ts'
import { type Dispatch, Router } from './router/router.ts'
import { takeSeat } from './router/seat.ts'
import { APPROVALS, approvalListener } from './sources/host/approvals.ts'
import { expectQuestions } from './sources/host/arrival.ts'
import { QUESTIONS, waterfallListener } from './sources/host/listener.ts'
import { hostName, listenersBehind } from './sources/host/listeners.ts'
import { expectSomebody } from './sources/host/nobody.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The registry of ask surfaces, provided by dsh-ask-router. */
    askSurfaces: AskSurfaces
  }

  interface Events {
    /** A question is open. Dispatched once for each, after the surfaces that are due at once were asked, before the host is. */
    'ask-surfaces/asked'(ask: PendingAsk): void
    /** A question is settled. Follows its `ask-surfaces/asked`. */
    'ask-surfaces/settled'(ask: PendingAsk, outcome: AskOutcome): void
    /** The person is somewhere else now. The open asks have been reconsidered. */
    'ask-surfaces/presence'(presence: Presence): void
    /** It is quiet until then, in milliseconds since the epoch; `undefined` when that is over. */
    'ask-surfaces/hush'(until: number | undefined): void
  }
}

/** The plugin's name. */
export const name = 'ask-router'

export { Config }

/**
 * Provide `ctx.askSurfaces` and route every question through it.
 *
 * @param ctx a cordis context. `provide`, `on` and `effect` are all that it must have.
 * @param config see {@link Config}. Validated here, too, for hosts that do not.
 * @throws when a value is wrong; the message names the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const logger = ctx.logger?.(name)
  const router = new Router({
    debug: (...message) => logger?.debug(...message),
    warn(message, ...error) {
      logger?.warn(message)
      if (error[0]) logger?.debug(...error)
    },
    // `parallel` is read once: cordis makes an Error at each read of a context's property.
  }, Config.parse(config), ctx.parallel as Dispatch)
  const door = new Door(router, () => (listenersBehind(ctx, QUESTIONS) ?? [undefined]).map(hostName))
  const registry = new AskSurfaceRegistry(ctx, door)
  ctx.provide('askSurfaces', registry)
  registry[seatOf] = takeSeat(ctx, door, error => router.log.warn('a surface was not taken over', error))
  ctx.on('internal/update', function (updated) {
    // Not calling the listener's `next` is what keeps cordis from restarting the plugin (rule 20 of docs/routing.md).
    this.config = updated
    router.configure(Config.parse(updated))
  })
  ctx.effect(() => () => router.close(), 'open asks')
  expectSomebody(ctx, registry)
  // Registered last, so that no question comes before everything else is there; first in the chain (rule 5 of docs/routing.md).
  ctx.on(APPROVALS as never, approvalListener(ctx, router) as never, { prepend: true })
  const route = waterfallListener(ctx, router), arrived = expectQuestions(ctx)
  ctx.on(QUESTIONS as never, function (this: unknown, ...args: Parameters<typeof route>) {
    arrived()
    return route.apply(this, args)
  } as never, { prepend: true })
}

export type { AskUserQuestionAnswer, AskUserQuestionAnswerItem, CheckedAnswer } from './protocol/answer.ts'
export { askUserQuestionAnswerSchema, checkAnswer } from './protocol/answer.ts'
export type { UserQuestionError, UserQuestionErrorCode } from './protocol/errors.ts'
export { userQuestionError } from './protocol/errors.ts'
export type { Origin } from './protocol/origin.ts'
export type { ModePolicy, Presence, SurfacePolicy, SurfaceTiming } from './protocol/policy.ts'
export type {
  ApprovalSubject, AskAgent, AskUserQuestionIntent, AskUserQuestionItem, AskUserQuestionOption, AskUserQuestionRequest,
} from './protocol/request.ts'
export { askUserQuestionRequestSchema } from './protocol/request.ts'
export type {
  AskContext, AskDialog, AskOptions, AskOutcome, AskParticipant, AskResult, AskSurface, AskSurfaces, ParticipantState, PendingAsk, SurfaceStatus,
} from './protocol/surface.ts'
export { askSurfaceSchema, isHostName } from './protocol/surface.ts'
export { AskSurfaceRegistry, routeAsk }
