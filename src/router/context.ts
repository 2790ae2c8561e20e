// What a surface gets beside the request: the ask's id and a signal that exists only if somebody reads it. Most
// surfaces never do, and an AbortSignal for each of them would be most of the memory of an open ask.
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import type { AskContext } from '../protocol/surface.ts'
import { mark } from './copy.ts'
import type { Registration, World } from './world.ts'

/** An {@link AskContext} whose signal is made on first read, also when it should have aborted before. */
export class LazyContext implements AskContext {
  readonly id: string
  readonly #request: AskUserQuestionRequest
  readonly #entry: Registration
  readonly #world: World
  #controller: AbortController | undefined
  #reason: (() => unknown) | undefined

  constructor(id: string, request: AskUserQuestionRequest, entry: Registration, world: World) {
    this.id = id
    this.#request = request
    this.#entry = entry
    this.#world = world
  }

  get quiet(): boolean {
    return this.#world.isQuiet(this.#entry)
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#reason) this.#controller.abort(this.#reason())
    }
    return mark(this.#controller.signal, this.#request)
  }

  /**
   * Abort the signal, now or as soon as it is read. Only the first reason counts. Static, so that a surface cannot stop
   * itself by a stray call.
   *
   * @param reason makes the abort reason; called only when there is a signal to abort.
   */
  static stop(context: LazyContext, reason: () => unknown): void {
    if (context.#reason) return
    context.#reason = reason
    context.#controller?.abort(reason())
  }
}
