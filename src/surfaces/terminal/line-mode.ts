// The line mode: one question at a time, printed as text, answered with a line. It works on a pipe as on a TTY.
import type { AskUserQuestionAnswer, AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import { formatAnswer, formatQuestion, howToAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { parseReply } from '../../reply/parse.ts'
import { visibleLine } from '../../reply/visible.ts'
import { endedBy, stoppedFor } from './endings.ts'
import type { LineSource } from './lines.ts'
import { cut } from './measure.ts'
import { BELL, type Output } from './screen.ts'
import { terminalTexts, type TerminalTexts } from './texts.ts'

/** A line that is complete so soon after its question appeared was not meant for it, in milliseconds. */
const TOO_EARLY_MS = 300

/** What the line mode needs. */
export interface LineModeOptions {
  readonly lines: LineSource
  readonly output: Output
  readonly lang: Lang
  /** Whether somebody types the lines, who may be in the middle of one when a question appears. */
  readonly typed: boolean
  /** There is no more input, or no output: the surface can answer nothing from now on. */
  readonly onEnd: () => void
}

/** An open question of this terminal. */
interface Open {
  readonly request: AskUserQuestionRequest
  readonly answers: AskUserQuestionAnswerItem[]
  readonly resolve: (answer: AskUserQuestionAnswer) => void
  readonly reject: (error: unknown) => void
  /** Whether it is on the screen. */
  shown?: boolean
  /** From when on a line may be meant for the question that was printed last, on the clock of `performance`. */
  from?: number
}

/** The terminal as a surface. */
export class LineMode implements AskSurface {
  readonly name: string
  readonly #options: LineModeOptions
  readonly #texts: TerminalTexts
  /** The first is on the screen, or about to be; the others wait. */
  readonly #queue: Open[] = []
  /** What was answered here, should somebody else have been quicker. */
  readonly #sent = new WeakSet<AskUserQuestionRequest>()

  constructor(name: string, options: LineModeOptions) {
    this.name = name
    this.#options = options
    this.#texts = terminalTexts[options.lang]
    options.output.on('error', this.#onGone)
  }

  readonly personal = true
  readonly silent = true

  claim(): boolean {
    return false
  }

  ask(request: AskUserQuestionRequest, { signal }: AskContext): Promise<AskUserQuestionAnswer> {
    return new Promise((resolve, reject) => {
      if (request.questions.length === 0) throw userQuestionError('BAD_ANSWER', 'there is no question to answer')
      this.#queue.push({ request, answers: [], resolve, reject })
      signal.addEventListener('abort', () => {
        const message = stoppedFor(signal, this.#options.lang)
        if (message !== undefined) this.#putAway(request, message)
      }, { once: true })
      if (this.#queue.length === 1) this.#show()
      else this.#print(this.#texts.waiting(this.#queue.length - 1))
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const message = endedBy(by, answer, this.#options.lang)
    if (this.#sent.has(request)) this.#print(message)
    else this.#putAway(request, message)
  }

  /**
   * On a terminal alone: whoever reads a pipe cannot be called, and every line there is something to read. The words are
   * for the question on the screen: those of another one, above its prompt, would be taken for what is answered there.
   */
  remind(request: AskUserQuestionRequest, { quiet }: AskContext): void {
    const { output, lines } = this.#options
    const open = this.#queue.find(one => one.request === request)
    if (!open || quiet || !output.isTTY) return
    output.write(BELL)
    if (!open.shown) return
    const [line] = String(request.questions[open.answers.length]!.question).split('\n')
    lines.aside(() => this.#print(cut(this.#texts.stillOpen(line!), output.columns || 80)))
  }

  /** Put everything away and stop reading. */
  close(): void {
    for (const { request } of this.#queue.slice()) this.#putAway(request, this.#texts.notHere)
    this.#options.lines.close()
    this.#options.output.off('error', this.#onGone)
  }

  #show(): void {
    const [open] = this.#queue
    if (open === undefined) return
    const { request: { questions, agent }, answers } = open
    if (answers.length === questions.length) return this.#finish(open)
    const session = agent?.session?.id
    this.#print('')
    if (!open.shown && session !== undefined) this.#print(this.#texts.asks(visibleLine(session)))
    open.shown = true
    delete open.from
    // Counted from the next macrotask: what was typed while the process was busy is only read then.
    setImmediate(() => open.from = performance.now() + TOO_EARLY_MS)
    this.#print(formatQuestion(questions[answers.length]!, this.#options.lang, { index: answers.length + 1, total: questions.length }))
    this.#read(open)
  }

  #read(open: Open): void {
    this.#options.lines.start({ line: (text, stray) => this.#onLine(open, text, stray), end: () => this.#onEnd() })
  }

  #onLine(open: Open, text: string, stray: boolean): void {
    const { request: { questions }, answers, from = Infinity } = open
    const question = questions[answers.length]!
    const tooEarly = stray || (this.#options.typed && performance.now() < from)
    const item = parseReply(question, text)
    if (tooEarly || (item.selected.length === 0 && item.custom === undefined)) {
      this.#print(`${tooEarly ? this.#texts.tooEarly : this.#texts.again} ${howToAnswer(question, this.#options.lang)}`)
      return this.#read(open)
    }
    answers.push(item)
    this.#options.lines.stop()
    this.#show()
  }

  #finish(open: Open): void {
    const answer = { answers: open.answers }
    this.#queue.shift()
    this.#sent.add(open.request)
    this.#print(this.#texts.sent(formatAnswer(answer, this.#options.lang)))
    open.resolve(answer)
    this.#show()
  }

  #putAway(request: AskUserQuestionRequest, message: string): void {
    const at = this.#queue.findIndex(open => open.request === request)
    if (at < 0) return
    const [open] = this.#queue.splice(at, 1)
    open!.reject(userQuestionError('ASK_SETTLED', 'the terminal has put the question away'))
    if (!open!.shown) return
    this.#options.lines.discard()
    this.#print(message)
    // Not at once: when the router goes, the next question goes in the same breath.
    queueMicrotask(() => {
      if (!this.#queue[0]?.shown) this.#show()
    })
  }

  #onEnd(): void {
    this.#print(this.#texts.inputEnded)
    this.#onGone()
  }

  /** Nothing can be read, or nothing can be shown, any more. */
  readonly #onGone = (): void => {
    for (const open of this.#queue.splice(0)) open.reject(userQuestionError('SURFACE_GONE', 'the terminal is gone'))
    this.#options.onEnd()
  }

  #print(text: string): void {
    this.#options.output.write(`${text}\n`)
  }
}
