// dsh behind an ask: the rest of its `user-questions/request` waterfall, reached by `next()`, with a signal by which the
// question can be taken back from it (rules 4 and 16 of docs/routing.md), and the form in which dsh takes an answer (rule
// 7).
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import type { ParticipantState } from '../../protocol/surface.ts'
import { hostName } from './listeners.ts'
import type { Host, HostParticipant, Participant } from '../../router/participant.ts'

/** The request of a waterfall, of whichever event; all that is read and written of it is its signal. */
export interface SignalledRequest {
  signal?: AbortSignal | undefined
}

/** The signals of ours that stand on a request one after the other, and what was there before. */
interface SwappedSignals {
  readonly original: AbortSignal | undefined
  readonly existed: boolean
  /** Their controllers by signal. */
  readonly ours: Map<AbortSignal | undefined, AbortController>
  /** Whether the ask that put them there is open. */
  isOpen: boolean
}

/**
 * By request object: a second ask on the same object must find the turn's own signal, not the first ask's. Of one router: the
 * signal of another one in the same waterfall is the turn's for this one.
 */
export type SignalsOfRequests = WeakMap<SignalledRequest, SwappedSignals>

/** So many listeners are asked at most where nobody says how many there are. */
const MAX_LISTENERS = 100

/** What a waterfall says of itself. */
export interface WaterfallOptions {
  /** The swapped signals of its router. */
  readonly signals?: SignalsOfRequests
  /** The names of the listeners behind ours, in the order in which they are asked; absent where cordis does not say. */
  readonly listeners?: readonly (string | undefined)[] | undefined
  /** Whether the request object was made for this dispatch alone, so that nobody needs it as it was. */
  readonly isOwn?: boolean
  /** What a listener's word means: an answer, or an error that is thrown. */
  readonly read?: (said: unknown) => unknown
  /** See {@link Host.late}. */
  readonly late?: Host['late']
}

/** One listener in the rest of a waterfall. */
class Listener implements HostParticipant {
  readonly isHost = true
  state: ParticipantState = 'waiting'
  since: number | undefined
  isNobody = false
  /** Its signal on the request; absent where none could be put there. */
  controller: AbortController | undefined
  readonly #host: WaterfallHost
  readonly #at: number

  constructor(host: WaterfallHost, at: number) {
    this.#host = host
    this.#at = at
  }

  get name(): string {
    return this.#host.nameAt(this.#at)
  }

  show(): unknown {
    return this.#host.ask(this)
  }

  retire(state: ParticipantState): void {
    if (this.state === 'asked' || this.state === 'waiting') this.state = state
  }
}

/**
 * The rest of one waterfall. Each call of cordis' `next()` takes the next listener off the list of this dispatch, whoever calls:
 * called again while one holds the question, it asks the one behind it.
 */
export class WaterfallHost implements Host {
  /** The signal that aborts with the turn. */
  readonly turn: AbortSignal | undefined
  readonly late: Host['late']
  readonly #request: SignalledRequest
  readonly #next: () => unknown
  readonly #signals: SignalsOfRequests
  readonly #options: WaterfallOptions
  readonly #asked: Listener[] = []
  readonly #first = new Listener(this, 0)
  #swapped: SwappedSignals | undefined

  /**
   * @param request the waterfall's own request object.
   * @param next asks the next listener.
   */
  constructor(request: SignalledRequest, next: () => unknown, options: WaterfallOptions = {}) {
    const { signals = new WeakMap(), late } = options, { signal } = request, swapped = signals.get(request)
    this.#request = request
    this.#next = next
    this.#options = options
    this.#signals = signals
    this.late = late
    this.turn = swapped?.ours.has(signal) ? swapped.original : signal
  }

  get participants(): readonly HostParticipant[] {
    return this.#asked[0] ? this.#asked.filter(one => !one.isNobody) : [this.#first]
  }

  get isAsked(): boolean {
    return this.#asked.length > 0
  }

  get hasMore(): boolean {
    const { length } = this.#asked, { listeners } = this.#options
    // Past the end of the list there is the host's own last word, which is what an ask ends with when nobody listens.
    return listeners ? length < Math.max(1, listeners.length) : length < MAX_LISTENERS && !this.#asked.some(one => one.isNobody)
  }

  next(): HostParticipant {
    const one = this.#asked[0] ? new Listener(this, this.#asked.length) : this.#first
    this.#asked.push(one)
    return one
  }

  /** The name of the listener that was asked as the nth, from 0. */
  nameAt(at: number): string {
    const { listeners } = this.#options
    // Each listener that delegates takes the next one off the list, too. Only where the last call found somebody none did.
    const isCertain = at === 0 || this.#asked.length === listeners?.length && !this.#asked.at(-1)!.isNobody
    return hostName(isCertain ? listeners?.[at] : undefined)
  }

  /** Ask a listener, under a signal of its own. */
  ask(one: Listener): unknown {
    one.controller = this.#swap()
    // Once what it does at once is done: whoever reads the signal later may be another one, and gets one that aborts however
    // the ask ends.
    if (this.#asked[1]) queueMicrotask(() => process.nextTick(() => this.#swapped?.isOpen && this.#swap()))
    const said = this.#next(), { read } = this.#options
    return read ? Promise.resolve(said).then(read) : said
  }

  /** Put a new signal on the request, unless another ask has put its own there. */
  #swap(): AbortController | undefined {
    const request = this.#request, controller = new AbortController(), { signal } = controller
    if (!this.#swapped && this.#signals.get(request)?.isOpen) return undefined
    try {
      const existed = 'signal' in request
      request.signal = signal
      this.#swapped ??= { original: this.turn, existed, ours: new Map(), isOpen: true }
      this.#swapped.ours.set(signal, controller)
      this.#signals.set(request, this.#swapped)
      return controller
    } catch {
      // A frozen request keeps its signal: the host cannot be told, so its answer is ignored.
      return undefined
    }
  }

  release(by: Participant | undefined, reason: () => unknown): void {
    const request = this.#request, swapped = this.#swapped
    if (!swapped?.isOpen) return
    swapped.isOpen = false
    // First, so that a UI that reads the signal again when it aborts finds it there.
    for (const controller of swapped.ours.values()) if (controller !== (by as Listener | undefined)?.controller) controller.abort(reason())
    // Where the host made the object for this dispatch alone, UIs that read it late must find our signal.
    try {
      const standing = swapped.ours.get(request.signal)
      if (!standing) return
      if (!this.#options.isOwn) {
        this.#signals.delete(request)
        if (swapped.existed) request.signal = swapped.original
        else delete request.signal
      } else if (this.#asked[1] && !standing.signal.aborted) {
        // The winner's own, since it answered at once. Whoever reads it only now has lost.
        this.#swap()?.abort(reason())
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
