// The panel as a display: a question is filled in with keys.
import { answerApproval, approvalText } from '../../reply/approval.ts'
import { answerOf } from '../../reply/form.ts'
import { formatOrigin } from '../../reply/format.ts'
import type { Lang } from '../../reply/lang.ts'
import { originOf } from '../../reply/origin.ts'
import { newApprovalPanel } from './approval-panel.ts'
import { clipApproval } from './clip.ts'
import { type DriverOptions, PanelDriver } from './driver.ts'
import { takesPlace } from './hearing.ts'
import { draftNotice } from './notices.ts'
import { newPanel, wordsOf } from './panel-state.ts'
import { panelTexts } from './panel-texts.ts'
import type { Display, ShownQuestion } from './terminal-surface.ts'

/** What the panel needs. */
export interface PanelModeOptions extends DriverOptions {
  /** No question can be shown or answered here any longer: somebody else reads the terminal, or it is gone. */
  readonly onLost: (why: 'taken' | 'gone') => void
}

/** Shows each question as a panel. */
export class PanelMode implements Display {
  readonly #driver: PanelDriver
  readonly #lang: Lang
  #question: ShownQuestion | undefined
  /** When somebody else ended the last panel, perhaps while the person was typing; by the clock of `performance`. */
  #discardedAt = -Infinity

  constructor(options: PanelModeOptions) {
    const { output, lang, onLost } = options
    this.#lang = lang
    this.#driver = new PanelDriver(options, {
      finished: (panel) => {
        const question = this.#question
        if (panel.cancelled) question?.cancel()
        else question?.answer(panel.approval ? answerApproval(question.request, panel.approval.decided!, wordsOf(panel)) : answerOf(panel.form))
      },
      failed: error => this.#question?.fail(error),
      lost: (why, panel) => {
        if (why === 'taken') {
          const draft = panel && draftNotice(panel.form, lang)
          output.write(`${panelTexts[lang].taken}\n${draft === undefined ? '' : `${draft}\n`}`)
        }
        onLost(why)
      },
    })
  }

  show(question: ShownQuestion): void {
    this.#question = question
    const { request, late } = question, { questions } = request, approval = approvalText(request, this.#lang)
    const panel = approval ? newApprovalPanel(questions, clipApproval(approval, this.#lang)) : newPanel(questions)
    this.#driver.show(panel, formatOrigin(originOf(request)), takesPlace(performance.now() - this.#discardedAt), late)
  }

  finish(isLast: boolean): void {
    this.#discardedAt = -Infinity
    this.#takeAway(isLast)
  }

  draft(): string | undefined {
    const { panel } = this.#driver
    return panel && draftNotice(panel.form, this.#lang)
  }

  discard(isLast: boolean): void {
    this.#discardedAt = performance.now()
    this.#takeAway(isLast)
  }

  waiting(count: number): void {
    this.#driver.waiting(count)
  }

  late(): void {
    this.#driver.late()
  }

  remind(): void {
    this.#driver.ring()
  }

  close(): void {
    this.#driver.hide()
  }

  #takeAway(isLast: boolean): void {
    this.#question = undefined
    if (isLast) this.#driver.hide()
    // The terminal is kept for the next panel: keys pressed in between must not be echoed.
    else this.#driver.clear()
  }
}
