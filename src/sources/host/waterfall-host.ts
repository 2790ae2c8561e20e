// dsh behind an ask: the rest of its `user-questions/request` waterfall, reached by `next()`, with a signal by which the
// question can be taken back from it (rules 4 and 16 of docs/routing.md), and the form in which dsh takes an answer (rule
// 7).
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { ParticipantState } from '../../protocol/surface.ts'
import type { HostParticipant } from '../../router/participant.ts'

/** A signal of ours that stands on a request, and what was there before. */
interface SwappedSignal {
  readonly controller: AbortController
  readonly original: AbortSignal | undefined
  readonly existed: boolean
  /** Whether the ask that put it there is open. */
  isOpen: boolean
}

/**
 * By request object: a second ask on the same object must find the turn's own signal, not the first ask's. Of one router: the
 * signal of another one in the same waterfall is the turn's for this one.
 */
export type SwappedSignals = WeakMap<AskUserQuestionRequest, SwappedSignal>

/** The rest of one waterfall. */
export class WaterfallHost implements HostParticipant {
  readonly name = 'host'
  readonly isHost = true
  state: ParticipantState = 'waiting'
  since: number | undefined
  /** The signal that aborts with the turn. */
  readonly turn: AbortSignal | undefined
  readonly #request: AskUserQuestionRequest
  readonly #isOfAgent: boolean
  readonly #next: () => unknown
  readonly #signals: SwappedSignals
  #swapped: SwappedSignal | undefined

  /**
   * @param request the waterfall's own request object.
   * @param next asks the rest of the waterfall; called once at most.
   * @param signals those that its router swapped.
   */
  constructor(request: AskUserQuestionRequest, next: () => unknown, signals: SwappedSignals = new WeakMap()) {
    const { signal, agent } = request, swapped = signals.get(request)
    this.#request = request
    this.#isOfAgent = !!agent
    this.#next = next
    this.#signals = signals
    this.turn = swapped?.controller.signal === signal ? swapped?.original : signal
  }

  show(): unknown {
    const request = this.#request
    if (!this.#signals.get(request)?.isOpen) {
      try {
        const swapped = { controller: new AbortController(), original: this.turn, existed: 'signal' in request, isOpen: true }
        request.signal = swapped.controller.signal
        this.#signals.set(request, this.#swapped = swapped)
      } catch {
        // A frozen request keeps its signal: the host cannot be told, so its answer is ignored.
      }
    }
    return this.#next()
  }

  retire(state: ParticipantState): void {
    this.state = state
  }

  /**
   * The ask is settled: put the request back as it was.
   *
   * @param reason makes the reason with which to take the question back from the host; absent when the host settled it.
   */
  release(reason?: () => unknown): void {
    const request = this.#request, swapped = this.#swapped
    if (!swapped) return
    swapped.isOpen = false
    // First, so that a UI that reads the signal again when it aborts finds it there.
    if (reason) swapped.controller.abort(reason())
    // With an agent the host made the object for this dispatch alone: UIs that read it late must find our signal.
    try {
      if (!this.#isOfAgent && request.signal === swapped.controller.signal) {
        this.#signals.delete(request)
        if (swapped.existed) request.signal = swapped.original!
        else delete request.signal
      }
    } catch {
      // One that was frozen meanwhile, or that throws, keeps our signal.
    }
  }

  /**
   * By dsh's contract `custom` replaces the choice of a single-select question, so a choice and words become
   * `<label>: <words>` there. Words that already begin with the label stay as they are.
   */
  answerFor(questions: readonly AskUserQuestionItem[], { answers }: AskUserQuestionAnswer): AskUserQuestionAnswer {
    return { answers: answers.map((item, at) => questions[at]!.multiSelect || !questions[at]!.options?.length ? item : joined(item)) }
  }
}

function joined(item: AskUserQuestionAnswerItem): AskUserQuestionAnswerItem {
  const { id, selected: [label], custom } = item
  if (label === undefined || custom === undefined) return item
  const text = custom.trimStart()
  // As words of their own: "Not now" does not begin with the label "No", nor "Node.js" with "Node".
  const hasLabel = text.startsWith(label) && /^([:,.;!?]?(\s|$)|[：，。；！？、])/.test(text.slice(label.length))
  return { id, selected: [], custom: hasLabel || !label.trim() ? custom : `${label}: ${custom}` }
}
