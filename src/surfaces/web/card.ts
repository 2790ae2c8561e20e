// A request -> what the page shows of it while it is open and after it has ended. Everything from the agent passes through
// `visible` here; the page then only ever makes text of it.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import { originOf } from '../../reply/origin.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { renderMarkdown } from './markdown.ts'
import type { Card, CardQuestion, Ended, EndKind, Origin } from './wire.ts'

/** A longer detail is shown folded, in characters. */
const LONG_DETAIL = 700
/** As is one with more lines. */
const LONG_LINES = 12

/**
 * The card of an open ask.
 *
 * @param id the ask's id.
 * @param request as it came: the host does not check it, so what is missing is left out.
 * @param quiet whether it is shown without a notification.
 */
export function cardOf(id: string, request: AskUserQuestionRequest, quiet: boolean): Card {
  return {
    id, origin: visibleOrigin(originOf(request)), askedAt: Date.now(), questions: request.questions.map(questionOf), quiet, reminders: 0,
  }
}

function visibleOrigin({ agent, machine, project, session }: Origin): Origin {
  return {
    agent: visibleLine(agent),
    machine: visibleLine(machine),
    project: visibleLine(project),
    ...session !== undefined && { session: visibleLine(session) },
  }
}

function questionOf({ header, question, detail, options, multiSelect }: AskUserQuestionItem): CardQuestion {
  const shownDetail = text(detail)
  return {
    question: visible(String(question)),
    ...text(header) !== undefined && { header: visibleLine(header!) },
    ...shownDetail !== undefined && { detail: renderMarkdown(visible(shownDetail)), long: isLong(shownDetail) },
    options: (options ?? []).map(option => {
      const description = text(option.description), preview = text((option as { preview?: unknown }).preview)
      return {
        label: visible(String(option.label)),
        ...description !== undefined && { description: visible(description) },
        ...preview !== undefined && { preview: visible(preview) },
      }
    }),
    multiSelect: multiSelect === true,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function isLong(detail: string): boolean {
  return detail.length > LONG_DETAIL || detail.split('\n').length > LONG_LINES
}

/** How an ask ended. */
export interface Ending {
  readonly kind: EndKind
  /** Who ended it, when it was not this page. */
  readonly by?: string | undefined
  readonly answer?: AskUserQuestionAnswer | undefined
}

/**
 * What stays of a card.
 *
 * @param card the card as it was open.
 * @param ending the answer in the order of the questions, as the router gives it.
 * @param version from which on it has ended.
 */
export function endedOf({ id, origin, askedAt, questions }: Card, { kind, by, answer }: Ending, version: number): Ended {
  return {
    id,
    version,
    origin,
    askedAt,
    endedAt: Date.now(),
    kind,
    ...by !== undefined && { by: visibleLine(by) },
    questions: questions.map(({ question, header }, at) => {
      const item = answer?.answers[at]
      return {
        question,
        ...header !== undefined && { header },
        ...item !== undefined && { selected: item.selected.map(visible) },
        ...item?.custom !== undefined && { custom: visible(item.custom) },
      }
    }),
  }
}
