// dsh's `approval/request` waterfall as a source of approvals (rules 24 and 25 of docs/routing.md): a tool needs permission. An
// approval goes to the surfaces as one question with two options, and dsh gets the outcome for the one that was chosen.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { ALLOW, chosenId, REJECT } from '../../protocol/approval.ts'
import { hasCode, userQuestionError } from '../../protocol/errors.ts'
import type { AskAgent, AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import { Ask } from '../../router/ask.ts'
import type { Router } from '../../router/router.ts'
import { followListeners } from './listeners.ts'
import { detailOf } from './tool-call.ts'
import { type SignalsOfRequests, WaterfallHost } from './waterfall-host.ts'

/** The event. */
export const APPROVALS = 'approval/request'

/** How dsh takes a decision. Only `allowed-once` permits. */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

/** dsh's request for a permission. The object is the asker's own. */
export interface ApprovalRequest {
  readonly agent: AskAgent
  readonly toolName: string
  /** The tool call that needs permission, by which its arguments are found in the session. */
  readonly callId?: string
  readonly reason?: string
  /** The reason by language; newer versions of dsh have it. */
  readonly displayReason?: Readonly<Record<string, string>>
  signal?: AbortSignal
}

const QUESTION_ID = 'approval'

const OPTIONS = [{ id: ALLOW, label: 'Allow once' }, { id: REJECT, label: 'Reject' }] as const

/** The answer that chooses an option. */
const choose = (id: string): AskUserQuestionAnswer => ({ answers: [{ id: QUESTION_ID, selected: [id] }] })

/**
 * Make the listener for {@link APPROVALS}.
 *
 * @returns a function that routes a request. It resolves unless `next` rejects, to which what is malformed goes at once, as does
 *   what a surface makes of an approval that it was asked for.
 */
export function approvalListener(ctx: Context, router: Router) {
  const signals: SignalsOfRequests = new WeakMap(), listenersOf = followListeners(ctx, APPROVALS)
  const open = new Set<Ask>()
  return function (this: unknown, request: ApprovalRequest, next: () => Promise<ApprovalOutcome>): Promise<ApprovalOutcome> {
    if (router.closed || router.policies.settings.approvals === 'off') return next()
    let ask: Ask, host: WaterfallHost
    // What dsh decides where nobody does; a listener of its own may say that it was withdrawn.
    let undecided: ApprovalOutcome = 'unavailable'
    const read = (said: unknown) => {
      if (said === 'cancelled') undecided = said
      return readOutcome(said)
    }
    try {
      host = new WaterfallHost(request, next, { signals, listeners: listenersOf(request, this), read })
      ask = new Ask(asQuestion(request, router), host.turn, router, host)
    } catch (malformed) {
      router.log.warn('a malformed approval is left to the host', malformed)
      return next()
    }
    // Under a signal of ours: a surface hands on what it was asked for.
    const { agent, approval } = ask.request
    const isCopy = ask.depth > 0 && [...open].some(({ request: one }) => one.agent === agent && one.approval!.toolName === approval!.toolName)
    if (isCopy || ask.depth > 1) return next()
    open.add(ask)
    return router.open(ask).then(
      answer => chosenId(answer) === ALLOW ? 'allowed-once' : 'rejected',
      (error: unknown) => {
        if (hasCode(error, 'ASK_CANCELLED')) return 'rejected'
        // By what was done and not by the error: a surface that fails may say what it likes.
        return host.turn?.aborted || router.closed ? 'cancelled' : undecided
      },
    ).finally(() => open.delete(ask))
  }
}

/** What a listener of dsh decided, as an answer; whatever decides nothing is thrown. */
function readOutcome(said: unknown): AskUserQuestionAnswer {
  if (said === 'allowed-once') return choose(ALLOW)
  if (said === 'rejected') return choose(REJECT)
  // The end of the list.
  if (said === 'unavailable') throw userQuestionError('NO_PROVIDER', 'nobody is there to decide')
  // What a UI says that is withdrawn or goes: nobody decided.
  if (said === 'cancelled') throw userQuestionError('ASK_ABORTED', 'the approval was withdrawn')
  throw new TypeError('bad outcome: it must be allowed-once or rejected')
}

/**
 * Write an approval as a question.
 *
 * @throws TypeError when it is malformed, and what reading it throws.
 */
function asQuestion({ agent, toolName, callId, reason, displayReason, signal }: ApprovalRequest, router: Router): AskUserQuestionRequest {
  if (typeof toolName !== 'string' || toolName.trim() === '') throw new TypeError('bad approval: toolName must be a non-empty string')
  const detail = detailOf(agent, callId, error => router.log.warn('a tool call is unreadable', error))
  const reasons = Object.freeze(Object.fromEntries(Object.entries(displayReason ?? {}).filter(([, text]) => typeof text === 'string')))
  const own = typeof reason === 'string' ? { reason } : {}, why = own.reason?.trim() ? own.reason : reasons['en']
  const question: AskUserQuestionItem = {
    id: QUESTION_ID,
    question: `Allow ${toolName}?${why ? `\n${why}` : ''}`,
    options: OPTIONS.map(option => ({ ...option })),
    ...detail !== undefined && { detail },
  }
  return {
    kind: 'approval',
    questions: [question],
    agent,
    ...signal && { signal },
    // Frozen like the questions: what one surface does with it must not change what the others show.
    approval: Object.freeze({ toolName, ...own, ...displayReason && { displayReason: reasons } }),
  }
}
