// Turns a request into what the page shows of it, while it is open and after it has ended. Everything from the agent
// passes through `visible` here; the page only ever makes text of it.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { chosenId } from '../../protocol/approval.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../protocol/request.ts'
import type { AskContext } from '../../protocol/surface.ts'
import { approvalText, isWider } from '../../reply/approval.ts'
import type { Lang } from '../../reply/lang.ts'
import { originOf } from '../../reply/origin.ts'
import type { Place } from '../../reply/format.ts'
import { visible, visibleLine } from '../../reply/visible.ts'
import type { Card, CardApproval, CardQuestion, Ended, EndedApproval, EndKind, Origin } from './wire.ts'

/** A detail with more characters than this is shown folded. */
const LONG_DETAIL = 700
/** So is one with more lines than this. */
const LONG_LINES = 12

/** How many characters of each text the page shows, and how many options of a question. */
const MOST = { header: 500, question: 10_000, detail: 50_000, options: 200, label: 10_000, description: 10_000, preview: 20_000 } as const

/**
 * The card of an open ask.
 *
 * @param request where it comes from is read of it.
 * @param questions the request's, checked.
 */
export function cardOf({ id, quiet, late }: AskContext, request: AskUserQuestionRequest, questions: AskUserQuestionItem[]): Card {
  // A page picks its own language.
  const [en, zh] = (['en', 'zh'] as const).map(lang => approvalOf({ ...request, questions }, lang))
  return {
    id,
    origin: visibleOrigin(originOf(request)),
    askedAt: Date.now(),
    questions: questions.map(questionOf),
    quiet,
    reminders: 0,
    ...en && zh && { approval: { en, zh } },
    ...late === true && { late },
  }
}

function approvalOf(request: AskUserQuestionRequest, lang: Lang): CardApproval | undefined {
  const text = approvalText(request, lang)
  if (text === undefined) return undefined
  const { shown, isCut } = shortener()
  const title = shown(text.title, MOST.question, visibleLine) ?? '', reason = shown(text.reason, MOST.question)
  // What permits more than this once is offered only with every word of what it means.
  const choices = text.choices.slice(0, MOST.options).map(({ id, label }) => ({ id, label: visibleLine(label) }))
    .filter(choice => !isWider(choice) || choice.label.length <= MOST.label)
  return { kind: text.kind, title, ...reason !== undefined && { reason }, choices, ...text.isPlan && { isPlan: true }, ...isCut() && { cut: true } }
}

/** Cuts the texts of one thing to what the page shows, and knows whether that took anything. */
function shortener() {
  let isCut = false
  return {
    /** What is shown of a text; `undefined` for one that says nothing, or is none. */
    shown(text: unknown, most: number, show: typeof visible = visible): string | undefined {
      if (typeof text !== 'string' || text.trim() === '') return undefined
      // Making it visible can make it longer.
      const whole = show(text.slice(0, most))
      isCut ||= text.length > most || whole.length > most
      return whole.slice(0, most)
    },
    isCut: () => isCut,
  }
}

function visibleOrigin({ agent, machine, project, session }: Origin): Origin {
  const line = (text: string) => visibleLine(text.slice(0, MOST.header))
  return { agent: line(agent), machine: line(machine), project: line(project), ...session !== undefined && { session: line(session) } }
}

function questionOf({ header, question, detail, options = [], multiSelect }: AskUserQuestionItem): CardQuestion {
  const { shown, isCut } = shortener()
  const title = shown(header, MOST.header, visibleLine)
  const source = shown(detail, MOST.detail)
  return {
    question: shown(question, MOST.question) ?? '',
    ...title !== undefined && { header: title },
    ...source !== undefined && { detail: source, long: isLong(source) },
    options: options.slice(0, MOST.options).map(option => {
      const description = shown(option.description, MOST.description), preview = shown((option as { preview?: unknown }).preview, MOST.preview)
      return { label: shown(option.label, MOST.label) ?? '', ...description !== undefined && { description }, ...preview !== undefined && { preview } }
    }),
    multiSelect: multiSelect === true,
    ...(isCut() || options.length > MOST.options) && { cut: true },
  }
}

function isLong(detail: string): boolean {
  return detail.length > LONG_DETAIL || detail.split('\n').length > LONG_LINES
}

/** How an ask ended. */
export interface Ending {
  readonly kind: EndKind
  /** Where it was ended, unless it was on the page. */
  readonly place?: Place | undefined
  readonly answer?: AskUserQuestionAnswer | undefined
}

/**
 * What is kept of a card once its ask has ended.
 *
 * @param ending its answer is in the order of the questions, as the router gives it.
 * @param version the version at which it ended.
 */
export function endedOf({ id, origin, askedAt, questions, approval }: Card, { kind, place, answer }: Ending, version: number): Ended {
  const choice = approval && answer && chosenId(answer)
  const inShort = ({ kind: word, title, choices, isPlan }: CardApproval): EndedApproval => {
    const chosen = choices.find(one => one.id === choice)
    return { kind: word, title, ...chosen && { choice: chosen }, ...isPlan && { isPlan } }
  }
  return {
    id,
    version,
    origin,
    askedAt,
    endedAt: Date.now(),
    kind,
    ...place,
    ...approval && { approval: { en: inShort(approval.en), zh: inShort(approval.zh) } },
    questions: questions.map(({ question, header }, at) => {
      const item = answer?.answers[at]
      return {
        question,
        ...header !== undefined && { header },
        ...item !== undefined && { selected: approval ? [choice ?? ''] : item.selected.map(visible) },
        ...item?.custom !== undefined && { custom: visible(item.custom) },
      }
    }),
  }
}
