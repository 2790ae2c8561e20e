// Turns a request into what the page shows of it, while it is open and after it has ended. Everything from the agent
// passes through `visible` here; the page only ever makes text of it.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import { originOf } from '../../reply/origin.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import { renderMarkdown } from './markdown.ts'
import type { Card, CardQuestion, Ended, EndKind, Origin } from './wire.ts'

/** A detail with more characters than this is shown folded. */
const LONG_DETAIL = 700
/** So is one with more lines than this. */
const LONG_LINES = 12

/**
 * The card of an open ask.
 *
 * @param request as it came: the host does not check it, so what is missing or of the wrong type is left out.
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
  /** Who ended it, unless the page did. */
  readonly by?: string | undefined
  readonly answer?: AskUserQuestionAnswer | undefined
}

/**
 * What is kept of a card once its ask has ended.
 *
 * @param ending its answer is in the order of the questions, as the router gives it.
 * @param version the version at which it ended.
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
