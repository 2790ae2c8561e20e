// The line mode as a display: a question is printed as text and answered with a line, on a pipe as on a TTY.
import type { AskUserQuestionAnswerItem } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { answerApproval, type ApprovalText, approvalText } from '../../reply/approval.ts'
import { formatMixed, formatOrigin, formatQuestion, howToAnswer } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { originOf } from '../../reply/origin.ts'
import { parseReply } from '../../reply/parse.ts'
import { approvalTexts } from './approval-texts.ts'
import { clipApproval } from './clip.ts'
import { TOO_EARLY_MS } from './hearing.ts'
import { readApprovalLine, writeApproval } from './approval-lines.ts'
import type { Line, LineSource } from './lines.ts'
import { cut } from './measure.ts'
import { panelTexts } from './panel-texts.ts'
import { BELL, type Output } from './screen.ts'
import type { Display, ShownQuestion } from './terminal-surface.ts'
import { terminalTexts, type TerminalTexts } from './texts.ts'

/** What the line mode needs. */
export interface LineModeOptions {
  readonly lines: LineSource
  readonly output: Output
  readonly lang: Lang
  /** Whether a person types the lines, and may be in the middle of one when a question appears. */
  readonly typed: boolean
  /** The input or the output has ended: no question can be answered here any longer. */
  readonly onLost: (why: 'gone' | 'taken') => void
}

/** The request on display, and how far it is answered. */
interface Dialogue {
  readonly question: ShownQuestion
  /** Set when it asks for a permission. */
  readonly approval: ApprovalText | undefined
  /** Whether the agent has gone on. */
  isLate: boolean
  readonly answers: AskUserQuestionAnswerItem[]
  /** From when a line may be meant for the question printed last, by the clock of `performance`. */
  from: number
}

/** Prints each question and reads lines. */
export class LineMode implements Display {
  readonly #options: LineModeOptions
  readonly #texts: TerminalTexts
  #dialogue: Dialogue | undefined

  constructor(options: LineModeOptions) {
    this.#options = options
    this.#texts = terminalTexts[options.lang]
    options.output.on('error', this.#onError)
  }

  show(question: ShownQuestion): void {
    const { request, late } = question, { lang } = this.#options
    const text = approvalText(request, lang), approval = text && clipApproval(text, lang)
    const { asks } = approval ? approvalTexts(approval, lang) : this.#texts
    this.#print('')
    this.#print(asks(formatOrigin(originOf(request))))
    this.#dialogue = { question, approval, isLate: late, answers: [], from: Infinity }
    this.#printQuestion(this.#dialogue)
  }

  finish(): void {
    this.#dialogue = undefined
  }

  discard(): void {
    this.#dialogue = undefined
    this.#options.lines.discard()
  }

  waiting(count: number, isMore: boolean): void {
    if (isMore) this.#print(this.#texts.waiting(count))
  }

  late(mayWrite: boolean): void {
    if (!this.#dialogue) return
    this.#dialogue.isLate = true
    // In the background, it is printed with the question once the terminal is back.
    if (mayWrite) this.#options.lines.aside(() => this.#print(this.#texts.late), true)
  }

  /**
   * Only on a terminal: nobody hears a bell on a pipe, and every line there is something to read. The words are only for
   * the question on display: above its prompt, another question's words would seem to be what is answered there.
   */
  remind(isShown: boolean): void {
    const { output, lines } = this.#options
    if (!output.isTTY) return
    output.write(BELL)
    if (!isShown || !this.#dialogue) return
    const [line] = (this.#dialogue.approval?.title ?? questionOf(this.#dialogue)!.question).split('\n')
    lines.aside(() => this.#print(cut(this.#texts.stillOpen(line!), output.columns || 80)), false)
  }

  close(): void {
    this.#options.lines.close()
    this.#options.output.off('error', this.#onError)
  }

  #printQuestion(dialogue: Dialogue): void {
    this.#listenSoon(dialogue)
    this.#print(this.#wording(dialogue))
    this.#read(dialogue)
  }

  #listenSoon(dialogue: Dialogue): void {
    dialogue.from = Infinity
    // Counted from the next macrotask: what was typed while the process was busy is read only then.
    setImmediate(() => dialogue.from = performance.now() + TOO_EARLY_MS)
  }

  #wording(dialogue: Dialogue): string {
    const { question: { request: { questions } }, approval, answers } = dialogue, { lang } = this.#options
    const late = dialogue.isLate ? `${this.#texts.late}\n` : ''
    if (approval) return late + writeApproval(approval, lang)
    return late + formatQuestion(questionOf(dialogue)!, lang, { index: answers.length + 1, total: questions.length })
  }

  #read(dialogue: Dialogue): void {
    // Lines come from streams and timers, where nobody catches anything.
    const guard = (work: () => void) => {
      try {
        work()
      } catch (error) {
        dialogue.question.fail(error)
      }
    }
    this.#options.lines.start({
      line: line => guard(() => dialogue.approval ? this.#onApprovalLine(dialogue, dialogue.approval, line) : this.#onLine(dialogue, line)),
      cut: count => this.#print(this.#texts.pasteCut(count)),
      returned: () => guard(() => {
        // What was typed meanwhile was not meant for it; of a question the person reads what is there before sending it.
        if (dialogue.approval) this.#listenSoon(dialogue)
        this.#print(`\n${this.#wording(dialogue)}`)
      }),
      end: why => this.#onEnd(why),
    })
  }

  #onApprovalLine(dialogue: Dialogue, approval: ApprovalText, line: Line): void {
    const { question } = dialogue, { lines, lang } = this.#options
    const read = readApprovalLine(line, approval, dialogue.from)
    if (read.id !== undefined) {
      lines.stop()
      return question.answer(answerApproval(question.request, read.id, read.words))
    }
    // What was not meant for it may go on.
    dialogue.from = Math.max(dialogue.from, performance.now() + TOO_EARLY_MS)
    const { howTo, [read.why]: why } = approvalTexts(approval, lang)
    this.#print(`${why} ${howTo}`)
    this.#read(dialogue)
  }

  #onLine(dialogue: Dialogue, { text, isStray }: Line): void {
    const { answers, from } = dialogue
    const question = questionOf(dialogue)!
    const tooEarly = isStray || (this.#options.typed && performance.now() < from)
    const item = parseReply(question, text)
    if (tooEarly || 'mixed' in item || (item.selected.length === 0 && item.custom === undefined)) {
      const { lang } = this.#options
      this.#print('mixed' in item && !tooEarly
        ? formatMixed(item, lang)
        : `${tooEarly ? this.#texts.tooEarly : this.#texts.again} ${howToAnswer(question, lang)}`)
      return this.#read(dialogue)
    }
    answers.push(item)
    this.#options.lines.stop()
    if (!questionOf(dialogue)) return dialogue.question.answer({ answers })
    this.#print('')
    this.#printQuestion(dialogue)
  }

  #onEnd(why: 'gone' | 'taken'): void {
    this.#print(why === 'gone' ? this.#texts.inputEnded : panelTexts[this.#options.lang].taken)
    this.#options.onLost(why)
  }

  readonly #onError = (): void => this.#options.onLost('gone')

  #print(text: string): void {
    this.#options.output.write(`${text}\n`)
  }
}

/** The question to be answered next; `undefined` after the last one. */
function questionOf({ question, answers }: Dialogue): AskUserQuestionItem | undefined {
  return question.request.questions[answers.length]
}
