// What a surface gets beside the request: the ask's id and a signal that exists only if somebody reads it. Most surfaces
// never do, and an AbortSignal for each of them would be most of the memory of an open ask.
import type { Origin } from '../protocol/origin.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskContext } from '../protocol/surface.ts'
import { mark } from './copy.ts'
import type { Policies } from './policies.ts'
import type { Registration } from './registrations.ts'

/** What a context says of its ask. */
interface AskOfContext {
  readonly id: string
  readonly depth: number
  readonly late: boolean
  readonly request: AskUserQuestionRequest
}

/** An {@link AskContext} whose signal is made when it is first read, already aborted if it is too late. */
export class LazyContext implements AskContext {
  readonly id: string
  readonly #ask: AskOfContext
  readonly #registration: Registration
  readonly #policies: Policies
  #controller: AbortController | undefined
  #reason: (() => unknown) | undefined

  constructor(ask: AskOfContext, registration: Registration, policies: Policies) {
    this.id = ask.id
    this.#ask = ask
    this.#registration = registration
    this.#policies = policies
  }

  get late(): boolean {
    return this.#ask.late
  }

  get origin(): Origin | undefined {
    return this.#ask.request.origin
  }

  get quiet(): boolean {
    return this.#policies.isQuiet(this.#registration)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      mark(this.#controller.signal, this.#ask.depth)
      if (this.#reason) this.#controller.abort(this.#reason())
    }
    return this.#controller.signal
  }

  /**
   * Abort the signal, now or as soon as it is read. Only the first reason counts. Static, so that a surface cannot stop
   * itself by a stray call.
   *
   * @param context absent for a surface that was never asked.
   * @param reason makes the abort reason; called only when there is a signal to abort.
   */
  static stop(context: LazyContext | undefined, reason: () => unknown): void {
    if (!context || context.#reason) return
    context.#reason = reason
    context.#controller?.abort(reason())
  }
}
