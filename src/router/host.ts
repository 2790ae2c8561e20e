// The waterfall listener and the host as a participant: the rest of `user-questions/request`, reached by `next()`, with
// a signal by which the question can be taken back from it (ROUTING rules 1, 4, 5 and 16).
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import type { AskUserQuestionRequest } from '../protocol/request.ts'
import { isOurCopy } from './copy.ts'
import type { Router } from './router.ts'
import type { HostSeat } from './world.ts'

/** The signal that was put on a request, and what was there before. */
interface Swap {
  readonly controller: AbortController
  readonly original: AbortSignal | undefined
  readonly existed: boolean
  /** Whether the ask that put it there is open. */
  open: boolean
}

// By request object: a second ask on the same object must find the turn's own signal, not the first ask's.
const swaps = new WeakMap<AskUserQuestionRequest, Swap>()

/** The rest of one waterfall. */
export class WaterfallSeat implements HostSeat {
  /** The signal that aborts with the turn. */
  readonly turn: AbortSignal | undefined
  readonly #request: AskUserQuestionRequest
  readonly #next: () => unknown
  #swap: Swap | undefined

  constructor(request: AskUserQuestionRequest, next: () => unknown) {
    this.#request = request
    this.#next = next
    const swap = swaps.get(request)
    this.turn = swap?.controller.signal === request.signal ? swap?.original : request.signal
  }

  ask(): unknown {
    const request = this.#request
    if (!swaps.get(request)?.open) {
      const swap = { controller: new AbortController(), original: this.turn, existed: 'signal' in request, open: true }
      try {
        request.signal = swap.controller.signal
        swaps.set(request, this.#swap = swap)
      } catch {
        // A frozen request keeps its signal: its host can only be ignored.
      }
    }
    return this.#next()
  }

  release(reason?: () => unknown): void {
    const request = this.#request, swap = this.#swap
    if (!swap) return
    swap.open = false
    // First, so that a UI that reads the signal again when it aborts finds it there.
    if (reason) swap.controller.abort(reason())
    // With an agent the host made the object for this dispatch alone: UIs that read it late must find our signal.
    if (!request.agent && request.signal === swap.controller.signal) {
      swaps.delete(request)
      if (swap.existed) Reflect.set(request, 'signal', swap.original)
      else Reflect.deleteProperty(request, 'signal')
    }
  }
}

/**
 * Make the listener for `user-questions/request`.
 *
 * @returns a function that routes a request; what is no business of this router goes straight to `next`.
 */
export function waterfallListener(router: Router) {
  return (request: AskUserQuestionRequest, next: () => Promise<AskUserQuestionAnswer>): Promise<AskUserQuestionAnswer> => {
    if (router.closed || isOurCopy(request)) return next()
    const seat = new WaterfallSeat(request, next)
    return router.route(request, seat.turn, seat)
  }
}
