// The panel as a surface: one question at a time on a terminal, the others in a queue, and a line about each that went.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import { formatAnswer } from '../../reply/format.ts'
import { answerOf } from '../../reply/form.ts'
import { type DriverOptions, PanelDriver } from './driver.ts'
import { endedBy, stoppedFor } from './endings.ts'
import { newPanel, type Panel } from './panel.ts'
import { type PanelTexts, panelTexts } from './panel-texts.ts'

/** What the panel needs. */
export interface PanelModeOptions extends DriverOptions {
  /** The surface can answer nothing from now on. */
  readonly onEnd: () => void
}

/** An open question of this terminal. */
interface Open {
  readonly request: AskUserQuestionRequest
  readonly panel: Panel
  readonly resolve: (answer: AskUserQuestionAnswer) => void
  readonly reject: (error: unknown) => void
  shown?: boolean
}

/** The terminal as a surface. */
export class PanelMode implements AskSurface {
  readonly name: string
  readonly #options: PanelModeOptions
  readonly #texts: PanelTexts
  readonly #driver: PanelDriver
  /** The first is on the screen, or about to be; the others wait. */
  readonly #queue: Open[] = []
  /** Whether the panel that was up last was ended by somebody else, perhaps under the person's fingers. */
  #swapped = false
  /** What was answered here, should somebody else have been quicker. */
  readonly #sent = new WeakSet<AskUserQuestionRequest>()

  constructor(name: string, options: PanelModeOptions) {
    this.name = name
    this.#options = options
    this.#texts = panelTexts[options.lang]
    this.#driver = new PanelDriver(options, {
      finished: panel => this.#finish(panel),
      failed: error => this.#queue[0]?.shown && this.#next(({ reject }) => reject(error)),
      lost: why => this.#lose(why),
    })
  }

  readonly personal = true
  readonly silent = true

  claim(): boolean {
    return false
  }

  ask(request: AskUserQuestionRequest, { signal }: AskContext): Promise<AskUserQuestionAnswer> {
    return new Promise((resolve, reject) => {
      if (request.questions.length === 0) throw userQuestionError('BAD_ANSWER', 'there is no question to answer')
      this.#queue.push({ request, panel: newPanel(request.questions), resolve, reject })
      signal.addEventListener('abort', () => {
        const message = stoppedFor(signal, this.#options.lang)
        if (message !== undefined) this.#putAway(request, message)
      }, { once: true })
      if (this.#queue.length === 1) this.#show()
      else this.#driver.waiting(this.#queue.length - 1)
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const message = endedBy(by, answer, this.#options.lang)
    if (this.#sent.has(request)) this.#print(message)
    else this.#putAway(request, message)
  }

  remind(request: AskUserQuestionRequest, { quiet }: AskContext): void {
    if (!quiet && this.#queue.some(open => open.request === request)) this.#driver.ring()
  }

  /** Put everything away and give the terminal back. */
  close(): void {
    for (const { request } of this.#queue.slice()) this.#putAway(request, this.#texts.notHere)
  }

  #show(): void {
    const [open] = this.#queue
    if (!open) return this.#driver.hide()
    if (open.shown) return
    open.shown = true
    this.#driver.waiting(this.#queue.length - 1)
    this.#driver.show(open.panel, open.request.agent?.session?.id, this.#swapped)
  }

  /**
   * The question on the screen is over here: end it, then show the next one.
   *
   * @param elsewhere whether somebody else ended it.
   */
  #next(end: (open: Open) => void, elsewhere = false): void {
    this.#swapped = elsewhere
    const open = this.#queue.shift()!
    // Keys that come between two panels must not be echoed.
    if (this.#queue.length > 0) this.#driver.clear()
    else this.#driver.hide()
    end(open)
    // Not at once: when the router goes, the next question goes in the same breath.
    queueMicrotask(() => this.#show())
  }

  #finish(panel: Panel): void {
    this.#next(({ request, resolve, reject }) => {
      if (panel.cancelled) {
        reject(userQuestionError('ASK_CANCELLED', 'the person cancelled the question'))
        this.#print(this.#texts.cancelled)
      } else {
        const answer = answerOf(panel.form)
        this.#sent.add(request)
        resolve(answer)
        this.#print(this.#texts.sent(formatAnswer(answer, this.#options.lang)))
      }
    })
  }

  #putAway(request: AskUserQuestionRequest, message: string): void {
    const at = this.#queue.findIndex(open => open.request === request)
    if (at < 0) return
    const end = ({ reject }: Open) => reject(userQuestionError('ASK_SETTLED', 'the terminal has put the question away'))
    if (this.#queue[at]!.shown) {
      this.#next((open) => {
        this.#print(message)
        end(open)
      }, true)
    } else {
      end(this.#queue.splice(at, 1)[0]!)
      this.#driver.waiting(this.#queue.length - 1)
    }
  }

  #lose(why: 'taken' | 'gone'): void {
    if (why === 'taken') this.#print(this.#texts.taken)
    for (const { reject } of this.#queue.splice(0)) reject(userQuestionError('SURFACE_GONE', `the terminal is ${why}`))
    this.#options.onEnd()
  }

  #print(text: string): void {
    this.#options.output.write(`${text}\n`)
  }
}
