// The terminal as a surface: the queue of its open questions, of which the first is shown, and what ends each of them.
// A display draws the question and reads the answer: the panel (panel-mode.ts) or plain lines (line-mode.ts).
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { userQuestionError } from '../../protocol/errors.ts'
import type { AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext, AskSurface } from '../../protocol/surface.ts'
import { readQuestions } from '../../protocol/read-questions.ts'
import type { Lang } from '../../reply/lang.ts'
import { stopReasonOf } from '../../reply/stop-reason.ts'
import { clipQuestions } from './clip.ts'
import type { Foreground } from './foreground.ts'
import { Front } from './front.ts'
import { cancelNotice, goneNotice, sentNotice, settledNotice, stopNotice } from './notices.ts'
import type { Output } from './screen.ts'

/** The question on display, and what the person can do with it. Once it has ended, its methods do nothing. */
export interface ShownQuestion {
  /** With questions that can be shown. */
  readonly request: AskUserQuestionRequest
  /** Whether the agent had gone on before it was shown. */
  readonly late: boolean
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
   * The agent has gone on, and the question on display stays open.
   *
   * @param mayWrite whether the terminal can be written to now.
   */
  late(mayWrite: boolean): void
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
  /** The same with questions that can be shown. */
  readonly shown: AskUserQuestionRequest
  readonly context: AskContext
  readonly resolve: (answer: AskUserQuestionAnswer) => void
  readonly reject: (error: unknown) => void
  isShown: boolean
}

/** Answers questions on one terminal. */
export class TerminalSurface implements AskSurface {
  readonly name: string
  readonly personal = true
  readonly silent = true
  readonly approvals = true
  readonly #display: Display
  readonly #front: Front
  readonly #lang: Lang
  /** The first is on display or about to be; the others wait. */
  readonly #queue: Entry[] = []
  /** Answered here. Somebody else may still have been quicker; `settled` says so. */
  readonly #sent = new WeakMap<AskUserQuestionRequest, Entry>()

  /**
   * @param output where a line is printed about each question that has ended.
   * @param foreground while the process is in the background, nothing is shown or said.
   * @param reconsider called when `watched()` changes while a question is open.
   */
  constructor(name: string, lang: Lang, output: Output, display: Display, foreground: Foreground, reconsider: () => void) {
    this.name = name
    this.#display = display
    this.#front = new Front(foreground, output, () => {
      this.#showFirst()
      this.#rest()
      reconsider()
    })
    this.#lang = lang
  }

  claim(): boolean {
    return false
  }

  watched(): boolean {
    return this.#front.isHere
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    const { signal } = context
    return new Promise((resolve, reject) => {
      const shown = { ...request, questions: clipQuestions(readQuestions(request), this.#lang) }
      signal.addEventListener('abort', () => {
        // When somebody else settled it, `settled` knows who, and says that.
        if (stopReasonOf(signal) !== 'settled') this.#putAway(request, ({ shown: asked }) => stopNotice(asked, signal, this.#lang))
      }, { once: true })
      this.#queue.push({ request, shown, context, resolve, reject, isShown: false })
      this.#front.follow()
      if (this.#queue.length === 1) this.#showFirst()
      else if (this.#front.wasHere) this.#display.waiting(this.#queue.length - 1, true)
    })
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    const notice = ({ shown, context }: Entry) => settledNotice(shown, by, answer, context.late === true, this.#lang)
    const sent = this.#sent.get(request)
    if (sent) this.#front.say(notice(sent))
    else this.#putAway(request, notice)
  }

  remind(request: AskUserQuestionRequest, { quiet }: AskContext): void {
    const entry = this.#queue.find(one => one.request === request)
    if (entry && !quiet && this.#front.isHere) this.#display.remind(entry.isShown)
  }

  late(request: AskUserQuestionRequest): void {
    // One that waits says so once it is shown.
    if (this.#queue.some(one => one.request === request && one.isShown)) this.#display.late(this.#front.isHere)
  }

  /** The terminal cannot be used any longer: leave every question to the other surfaces. */
  lose(why: 'taken' | 'gone'): void {
    for (const { reject } of this.#queue.splice(0)) reject(userQuestionError('SURFACE_GONE', `the terminal is ${why}`))
    this.#rest()
  }

  /** Put every question away and give the terminal back. */
  close(): void {
    for (const { request } of this.#queue.slice()) this.#putAway(request, ({ shown: asked }) => goneNotice(asked, this.#lang))
    this.#display.close()
    this.#front.close()
  }

  #showFirst(): void {
    const [entry] = this.#queue
    if (!entry || entry.isShown || !this.#front.wasHere) return
    entry.isShown = true
    const { request, shown, context } = entry
    const question: ShownQuestion = {
      request: shown,
      late: context.late === true,
      answer: answer => this.#end(entry, () => {
        this.#sent.set(request, entry)
        entry.resolve(answer)
        this.#front.say(sentNotice(shown, answer, this.#lang))
      }),
      cancel: () => this.#end(entry, () => {
        entry.reject(userQuestionError('ASK_CANCELLED', 'the person cancelled the question'))
        this.#front.say(cancelNotice(shown, this.#lang))
      }),
      fail: error => this.#end(entry, () => entry.reject(error)),
    }
    try {
      this.#display.waiting(this.#queue.length - 1, false)
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
  #putAway(request: AskUserQuestionRequest, notice: (entry: Entry) => string): void {
    const at = this.#queue.findIndex(entry => entry.request === request)
    const [entry] = at < 0 ? [] : this.#queue.splice(at, 1)
    if (!entry) return
    entry.reject(userQuestionError('ASK_SETTLED', 'the terminal has put the question away'))
    if (!entry.isShown) {
      // The display may have been kept for it.
      if (this.#queue.length === 0) this.#display.finish(true)
      else if (this.#front.wasHere) this.#display.waiting(this.#queue.length - 1, false)
      return this.#rest()
    }
    const draft = this.#display.draft?.()
    this.#display.discard(this.#queue.length === 0)
    this.#front.say(notice(entry))
    if (draft !== undefined) this.#front.say(draft)
    this.#showFirstSoon()
  }

  /** When the router goes, all questions go in one tick; none of them may flash up. */
  #showFirstSoon(): void {
    queueMicrotask(() => {
      this.#showFirst()
      this.#rest()
    })
  }

  #rest(): void {
    if (this.#queue.length === 0) this.#front.rest()
  }
}
