// A stand-in for the timed questions of dsh 0.2. That version cannot be had from the registry, so this is written from the
// signatures in its sources; what dsh does with a late answer afterwards is not in it.
import type { Context } from '@deepseek-ai/cordis'
import { UserQuestionError } from '@deepseek-ai/dsh-user-questions'
import { vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskAgent, AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { dispatch, noAnswerer } from './cordis.ts'
import { codeOf } from './surface.ts'
import { type Watch, watch } from './time.ts'

/** How long dsh waits by default, in milliseconds. */
export const WINDOW = 120_000

/** What the agent is told when it goes on. */
export interface Pending {
  readonly pending: true
  readonly callId: string
}

/** What dsh says when the time is over. */
export function timedOut() {
  return new UserQuestionError('the question was not answered in time', 'ASK_TIMED_OUT')
}

/** dsh's service, as far as timed questions need it. */
export class TimedQuestions {
  /** The signal of the question that was asked last, and how its time ends. */
  signal!: AbortSignal
  endTime!: () => void
  /** What the waterfall has come to for it. */
  routed!: Watch<AskUserQuestionAnswer>
  /** The late answers that were taken, by call. */
  readonly replies = new Map<string, AskUserQuestionAnswer>()
  readonly #ctx: Context
  readonly #gone = new Set<AskAgent>()
  readonly #pending = new Map<string, AskUserQuestionRequest>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** Ask, and wait no longer than that. */
  async askTimed(request: AskUserQuestionRequest & { agent: AskAgent }, callId: string, timeoutMs = WINDOW, more: object = {}): Promise<AskUserQuestionAnswer | Pending> {
    const controller = new AbortController()
    this.signal = controller.signal
    this.endTime = () => controller.abort(timedOut())
    const timer = setTimeout(this.endTime, timeoutMs)
    request.signal?.addEventListener('abort', () => controller.abort(request.signal!.reason), { once: true })
    const routed = dispatch(this.#ctx, { ...request, signal: controller.signal, wait: { callId, timed: true }, ...more } as AskUserQuestionRequest, noAnswerer)
    this.routed = watch(routed)
    try {
      return await routed
    } catch (error) {
      if (codeOf(error) !== 'ASK_TIMED_OUT' && codeOf(controller.signal.reason) !== 'ASK_TIMED_OUT') throw error
      this.#pending.set(callId, request)
      return { pending: true, callId }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Take a late answer. */
  readonly answer = vi.fn<(agent: AskAgent, callId: string, answer: AskUserQuestionAnswer) => boolean>((agent, callId, { answers }) => {
    const request = this.#pending.get(callId)
    if (request?.agent !== agent) return false
    if (this.#gone.has(agent)) throw new UserQuestionError('the agent is gone', 'CALLER_NOT_LIVE')
    if (this.replies.has(callId)) throw new UserQuestionError('there is a reply already', 'REPLY_QUEUED')
    const asked = request.questions.map(({ id }) => id), given = answers.map(({ id }) => id)
    if (given.toSorted().join() !== asked.toSorted().join()) throw new UserQuestionError('each question must be answered once', 'BAD_ANSWER')
    this.replies.set(callId, { answers })
    return true
  })

  /** An agent is disposed. */
  dispose(agent: AskAgent): void {
    this.#gone.add(agent)
  }
}
