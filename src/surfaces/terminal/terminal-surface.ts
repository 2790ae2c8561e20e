// The terminal as a surface: the queue of its open questions, of which the first is shown, and what ends each of them.
// A display draws the question and reads the answer: the panel (panel-mode.ts) or plain lines (line-mode.ts).
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import type { Lang } from '../../reply/lang.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { cancelNotice, goneNotice, type Questions, sentNotice, settledNotice, stopNotice } from './notices.ts'
import type { Output } from './screen.ts'

/** The question on display, and what the person can do with it. Once it has ended, its methods do nothing. */
export interface ShownQuestion {
  readonly request: AskUserQuestionRequest
  answer(answer: AskUserQuestionAnswer): void
  /** Cancel it for everybody. */
  cancel(): void
  /** It cannot be shown; others may still answer it. */
  fail(error: unknown): void
}

/** Shows one question at a time. */
export interface Display {
  show(question: ShownQuestion): void
  /**
   * Take the question away: it ended here.
   *
   * @param isLast whether no other question waits.
   */
  finish(isLast: boolean): void
  /** What was typed for the question, as a line that stays; asked before it is discarded, when that would lose it. */
  draft?(): string | undefined
  /** Take the question away with everything typed for it: it ended elsewhere. */
  discard(isLast: boolean): void
  /**
   * The number of waiting questions has changed.
   *
   * @param isMore whether a question has joined them.
   */
  waiting(count: number, isMore: boolean): void
  /**
   * Draw attention to a question.
   *
   * @param isShown whether it is the one on display; otherwise it waits.
   */
  remind(isShown: boolean): void
  /** Give the terminal back for good. */
  close(): void
}

interface Entry {
  readonly request: AskUserQuestionRequest
  readonly resolve: (answer: AskUserQuestionAnswer) => void
  readonly reject: (error: unknown) => void
  isShown: boolean
}

/** Answers questions on one terminal. */
export class TerminalSurface implements AskSurface {
  readonly name: string
  readonly personal = true
  readonly silent = true
  readonly #display: Display
  readonly #output: Output
  readonly #lang: Lang
  /** The first is on display or about to be; the others wait. */
  readonly #queue: Entry[] = []
  /** Answered here. Somebody else may still have been quicker; `settled` says so. */
  readonly #sent = new WeakMap<AskUserQuestionRequest, Questions>()

  /** @param output where a line is printed about each question that has ended. */
  constructor(name: string, lang: Lang, output: Output, display: Display) {
    this.name = name
    this.#display = display
    this.#output = output
    this.#lang = lang
  }

  claim(): boolean {
    return false
  }

  ask(request: AskUserQuestionRequest, { signal }: AskContext): Promise<AskUserQuestionAnswer> {
    return new Promise((resolve, reject) => {
      if (request.questions.length === 0) throw userQuestionError('BAD_ANSWER', 'there is no question to answer')
      this.#queue.push({ request, resolve, reject, isShown: false })
      signal.addEventListener('abort', () => {
        // When somebody else settled it, `settled` knows who, and says that.
        if (stopReasonOf(signal) !== 'settled') this.#putAway(request, questions => stopNotice(questions, signal, this.#lang))
      }, { once: true })
      if (this.#queue.length === 1) this.#showFirst()
      else this.#display.waiting(this.#queue.length - 1, true)
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const notice = (questions: Questions) => settledNotice(questions, by, answer, this.#lang)
    const sent = this.#sent.get(request)
    if (sent) this.#print(notice(sent))
    else this.#putAway(request, notice)
  }

  remind(request: AskUserQuestionRequest, { quiet }: AskContext): void {
    const entry = this.#queue.find(one => one.request === request)
    if (entry && !quiet) this.#display.remind(entry.isShown)
  }

  /** The terminal cannot be used any longer: leave every question to the other surfaces. */
  lose(why: 'taken' | 'gone'): void {
    for (const { reject } of this.#queue.splice(0)) reject(userQuestionError('SURFACE_GONE', `the terminal is ${why}`))
  }

  /** Put every question away and give the terminal back. */
  close(): void {
    for (const { request } of this.#queue.slice()) this.#putAway(request, questions => goneNotice(questions, this.#lang))
    this.#display.close()
  }

  #showFirst(): void {
    const [entry] = this.#queue
    if (!entry || entry.isShown) return
    entry.isShown = true
    const { request } = entry, { questions } = request
    const question: ShownQuestion = {
      request,
      answer: answer => this.#end(entry, () => {
        this.#sent.set(request, questions)
        entry.resolve(answer)
        this.#print(sentNotice(questions, answer, this.#lang))
      }),
      cancel: () => this.#end(entry, () => {
        entry.reject(userQuestionError('ASK_CANCELLED', 'the person cancelled the question'))
        this.#print(cancelNotice(questions, this.#lang))
      }),
      fail: error => this.#end(entry, () => entry.reject(error)),
    }
    this.#display.waiting(this.#queue.length - 1, false)
    try {
      this.#display.show(question)
    } catch (error) {
      // A malformed question fails alone; it must not take the host with it.
      question.fail(error)
    }
  }

  #end(entry: Entry, settle: () => void): void {
    if (this.#queue[0] !== entry) return
    this.#queue.shift()
    this.#display.finish(this.#queue.length === 0)
    settle()
    this.#showFirstSoon()
  }

  /** @param notice what is said of it, if it was on display. */
  #putAway(request: AskUserQuestionRequest, notice: (questions: Questions) => string): void {
    const at = this.#queue.findIndex(entry => entry.request === request)
    const [entry] = at < 0 ? [] : this.#queue.splice(at, 1)
    if (!entry) return
    entry.reject(userQuestionError('ASK_SETTLED', 'the terminal has put the question away'))
    if (!entry.isShown) return this.#display.waiting(this.#queue.length - 1, false)
    const draft = this.#display.draft?.()
    this.#display.discard(this.#queue.length === 0)
    this.#print(notice(request.questions))
    if (draft !== undefined) this.#print(draft)
    this.#showFirstSoon()
  }

  /** When the router goes, all questions go in one tick; none of them may flash up. */
  #showFirstSoon(): void {
    queueMicrotask(() => this.#showFirst())
  }

  #print(text: string): void {
    this.#output.write(`${text}\n`)
  }
}
