// An approval in the person's language, and the answer that chooses one of its options. Surfaces show it by these words and never
// by the labels of the request, which are English.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import { ALLOW, chosenId, isApproval, REJECT } from '../protocol/approval.ts'
import type { ApprovalSubject, AskUserQuestionItem, AskUserQuestionOption, AskUserQuestionRequest } from '../protocol/request.ts'
import type { Lang } from './lang.ts'
import { type ApprovalChoice, isWider, verdict } from './verdict.ts'

export { type ApprovalChoice, isWider } from './verdict.ts'

const texts = {
  en: {
    kind: 'Permission', title: (tool: string) => `Allow ${tool}?`, labels: { [ALLOW]: 'Allow once', [REJECT]: 'Reject' },
    plan: { kind: 'Plan', title: 'Approve this plan?', labels: { [ALLOW]: 'Approve', [REJECT]: 'Reject' } },
  },
  zh: {
    kind: '权限请求', title: (tool: string) => `允许使用 ${tool} 吗？`, labels: { [ALLOW]: '仅允许这一次', [REJECT]: '拒绝' },
    plan: { kind: '计划', title: '批准这个计划吗？', labels: { [ALLOW]: '批准', [REJECT]: '拒绝' } },
  },
} satisfies Record<Lang, unknown>

/** What is read of an approval: a request, or the picture of an open one. */
export interface ApprovalSource {
  readonly kind?: 'approval'
  readonly approval?: ApprovalSubject
  readonly questions: readonly AskUserQuestionItem[]
}

/** What a person reads of an approval. None of it is made harmless for a screen yet. */
export interface ApprovalText {
  /** The word that tells it from a question. */
  readonly kind: string
  /** "Allow bash?", or "Approve this plan?" */
  readonly title: string
  /** Why the asker thinks that it needs permission. */
  readonly reason?: string
  /** What the tool is to do, or the plan, in Markdown. */
  readonly detail?: string
  /** The option that denies first, then the one that permits this once, then those that permit more. */
  readonly choices: readonly ApprovalChoice[]
  /** Whether it is about a plan. */
  readonly isPlan?: true
}

/**
 * Write an approval in a language.
 *
 * @returns `undefined` for a request that is none.
 */
export function approvalText(request: ApprovalSource, lang: Lang): ApprovalText | undefined {
  const [question] = request.questions
  if (!isApproval(request) || !question) return undefined
  const { plan, ...ofTool } = texts[lang], { toolName, reason, displayReason } = request.approval ?? {}
  const name = said(toolName), why = said(displayReason?.[lang]) ?? said(reason) ?? said(displayReason?.['en']), detail = said(question.detail)
  const { options = [], intent } = question, isPlan = intent?.kind === 'plan-review'
  const { kind, labels } = isPlan ? plan : ofTool
  const labelled = ({ id, label, displayLabel }: AskUserQuestionOption) => (
    id === ALLOW || id === REJECT ? labels[id] : said(displayLabel?.[lang]) ?? said(label)
  )
  // What has no name cannot be chosen, and what says nothing is not offered.
  const choices = options.flatMap((option) => {
    const { id } = option, label = labelled(option)
    return id === undefined || label === undefined ? [] : { id, label }
  })
  return {
    kind,
    title: isPlan ? plan.title : name === undefined ? question.question : ofTool.title(name),
    ...why !== undefined && { reason: why },
    ...detail !== undefined && { detail },
    choices: choices.toSorted((a, b) => rankOf(a) - rankOf(b)),
    ...isPlan && { isPlan },
  }
}

function rankOf(choice: ApprovalChoice): number {
  return choice.id === REJECT ? 0 : isWider(choice) ? 2 : 1
}

/**
 * Say what was decided about an approval. None of it is made harmless for a screen.
 *
 * @param answer absent where a person has put the approval away, which denies it.
 */
export function decisionText({ choices, isPlan }: Pick<ApprovalText, 'choices' | 'isPlan'>, answer: AskUserQuestionAnswer | undefined, lang: Lang): string {
  const id = (answer && chosenId(answer)) ?? REJECT, words = answer?.answers[0]?.custom
  return verdict(choices.find(choice => choice.id === id) ?? { id, label: id }, words, isPlan === true, lang)
}

/** A text that says something. Nobody has checked what an approval is about. */
function said(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

/**
 * The answer that chooses an option of an approval.
 *
 * @param id of the option.
 * @param words beside {@link REJECT}: why, or what to do instead. Ignored when blank.
 */
export function answerApproval({ questions }: AskUserQuestionRequest, id: string, words = ''): AskUserQuestionAnswer {
  return { answers: [{ id: questions[0]!.id, selected: [id], ...words.trim() && { custom: words } }] }
}
