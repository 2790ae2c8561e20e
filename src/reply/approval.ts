// An approval in the person's language, and the answer that chooses one of its options. Surfaces show it by these words and never
// by the labels of the request, which are English.
import type { AskUserQuestionAnswer } from '../protocol/answer.ts'
import { ALLOW, isApproval, REJECT } from '../protocol/approval.ts'
import type { ApprovalSubject, AskUserQuestionItem, AskUserQuestionRequest } from '../protocol/request.ts'
import type { Lang } from './lang.ts'

const texts = {
  en: { kind: 'Permission', title: (tool: string) => `Allow ${tool}?`, labels: { [ALLOW]: 'Allow once', [REJECT]: 'Reject' } },
  zh: { kind: '权限请求', title: (tool: string) => `允许使用 ${tool} 吗？`, labels: { [ALLOW]: '仅允许这一次', [REJECT]: '拒绝' } },
} satisfies Record<Lang, unknown>

/** One option of an approval. */
export interface ApprovalChoice {
  /** What it does: `reject` denies, every other one permits. */
  readonly id: string
  /** What the person sees. */
  readonly label: string
}

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
  /** "Allow bash?" */
  readonly title: string
  /** Why the asker thinks that it needs permission. */
  readonly reason?: string
  /** What the tool is to do, in Markdown. */
  readonly detail?: string
  /** The option that denies first. */
  readonly choices: readonly ApprovalChoice[]
}

/**
 * Write an approval in a language.
 *
 * @returns `undefined` for a request that is none.
 */
export function approvalText(request: ApprovalSource, lang: Lang): ApprovalText | undefined {
  const [question] = request.questions
  if (!isApproval(request) || !question) return undefined
  const { kind, title, labels } = texts[lang], { toolName, reason, displayReason } = request.approval ?? {}
  const name = said(toolName), why = said(displayReason?.[lang]) ?? said(reason) ?? said(displayReason?.['en']), detail = said(question.detail)
  const { options = [] } = question
  const choices = options.map(({ id = '', label }) => ({ id, label: (labels as Record<string, string>)[id] ?? label }))
  return {
    kind,
    title: name === undefined ? question.question : title(name),
    ...why !== undefined && { reason: why },
    ...detail !== undefined && { detail },
    choices: choices.toSorted((a, b) => Number(b.id === REJECT) - Number(a.id === REJECT)),
  }
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
