// One request of Codex' while it is open: asked on the surfaces, answered once or never, and put away when Codex' own dialog was
// first.
import { once } from 'node:events'
import { hasCode, userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { Origin } from '../../protocol/origin.ts'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { type Asking, CODEX, type Ending, type Sent } from './asking.ts'
import type { Item } from './protocol.ts'
import { outputOf } from './rollout.ts'

/** How long to find out what was chosen in Codex before it is put away without, in milliseconds. */
const FIND_OUT_MS = 800

/**
 * Esc in the dialog of an approval resolves it first and then interrupts its turn, some 100 ms later; nobody presses Esc so soon after
 * an answer. In milliseconds.
 */
const ESC_WITHIN_MS = 300

/** What one request needs. */
export interface PendingOptions {
  readonly askSurfaces: Pick<AskSurfaces, 'ask'>
  readonly asking: Asking
  readonly origin: Origin
  /** The turn it belongs to. */
  readonly turnId: string
  /** The item it belongs to, which is the id of the tool call too. */
  readonly itemId: string
  /** The log of the session, if there is one. */
  readonly log: string | undefined
  /** Whether only what says so ends it, because it does not hold the turn. */
  readonly isLoose: boolean
  /** Give Codex the answer. Called at most once. */
  readonly send: (sent: Sent) => void
  /** One line for whoever runs it, without what was asked. */
  readonly warn: (message: string) => void
}

/** One open request. */
export class Pending {
  readonly turnId: string
  readonly itemId: string
  readonly isLoose: boolean
  readonly #options: PendingOptions
  readonly #dialog = Promise.withResolvers<AskUserQuestionAnswer>()
  readonly #withdrawn = new AbortController()
  readonly #over = new AbortController()
  /** When it came, in milliseconds since the epoch. */
  readonly #since = Date.now()
  #resolvedAt = 0
  /**
   * `open`: an answer of a surface goes to Codex. `settling`: Codex has an answer of its own, which is looked for. `over`: nothing
   * happens any more.
   */
  #state: 'open' | 'settling' | 'over' = 'open'

  constructor(options: PendingOptions) {
    this.#options = options
    this.turnId = options.turnId
    this.itemId = options.itemId
    this.isLoose = options.isLoose
    // A request that cannot be asked has nobody who hears of its dialog.
    this.#dialog.promise.catch(() => {})
    void this.#ask()
  }

  async #ask(): Promise<void> {
    const { askSurfaces, asking, origin, send, warn } = this.#options
    try {
      const { answer } = await askSurfaces.ask(asking.request, {
        signal: this.#withdrawn.signal, origin, dialog: { name: CODEX, answer: this.#dialog.promise, isDecided: () => this.#state === 'settling' },
      })
      if (this.#state !== 'open') return
      this.#leave()
      const sent = asking.send(answer)
      if (sent) send(sent)
    } catch (error) {
      // Whoever declines leaves it to Codex' own dialog; so does everything else that is no answer.
      this.#leave()
      if (!hasCode(error, 'ASK_CANCELLED') && !hasCode(error, 'ASK_ABORTED')) {
        warn(`a request was left to ${CODEX}: ${error instanceof Error ? error.message : 'it could not be asked'}`)
      }
    }
  }

  /**
   * Codex says that it has its answer: find out which, and put it away.
   *
   * @returns once it is away.
   */
  async resolved(): Promise<void> {
    if (this.#state !== 'open') return
    this.#state = 'settling'
    this.#resolvedAt = performance.now()
    const { asking, log, itemId } = this.#options, { signal } = this.#over
    // Nothing will ever tell.
    if (!asking.readOutput && !asking.readItem) this.withdraw()
    if (signal.aborted) return
    const timer = setTimeout(() => this.withdraw(), FIND_OUT_MS).unref()
    signal.addEventListener('abort', () => clearTimeout(timer))
    if (asking.readOutput && log !== undefined) {
      const output = await outputOf(log, itemId, this.#since, signal)
      const ending = output === undefined ? undefined : asking.readOutput(output)
      if (ending !== undefined) this.#end(ending)
    }
    if (!signal.aborted) await once(signal, 'abort')
  }

  /** Something was said of an item of the thread. */
  heard(item: Item): void {
    const { asking, itemId } = this.#options
    // Only after the request is resolved does its item's state tell how.
    if (this.isLoose ? this.#state !== 'open' : this.#state !== 'settling' || item.id !== itemId) return
    const ending = asking.readItem?.(item)
    if (ending !== undefined) this.#end(ending)
  }

  /** Its turn is over, and so is the request. */
  turnEnded(isInterrupted: boolean): void {
    const { interrupted, readOutput } = this.#options.asking
    // Esc in the dialog of a question interrupts the turn first. What was answered before has its answer in the log.
    const isEsc = this.#state === 'open' || !readOutput && performance.now() - this.#resolvedAt < ESC_WITHIN_MS
    if (isInterrupted && isEsc && interrupted !== undefined) this.#end(interrupted)
    else if (this.#state === 'open') this.withdraw()
  }

  /** It has gone away, and nobody knows how. */
  withdraw(): void {
    if (this.#leave()) this.#withdrawn.abort(userQuestionError('ASK_ABORTED', `it is no longer open in ${CODEX}`))
  }

  #end(ending: Ending): void {
    if (!this.#leave()) return
    if (ending === 'declined') this.#dialog.reject(userQuestionError('ASK_CANCELLED', `the person declined in ${CODEX}`))
    else this.#dialog.resolve(ending)
  }

  /** @returns whether it was not over yet. */
  #leave(): boolean {
    if (this.#over.signal.aborted) return false
    this.#state = 'over'
    this.#over.abort()
    return true
  }
}
