// An approval as the router makes it for its surfaces.
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionOption, AskUserQuestionRequest } from '../../src/protocol/request.ts'

/** What an approval offers. */
export const OPTIONS: readonly AskUserQuestionOption[] = [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }]

/** What permits more than this once, as a source may offer it. */
export const WIDER: readonly AskUserQuestionOption[] = [
  { id: 'allow-session', label: 'Allow for this session', displayLabel: { en: 'Allow for this session', zh: '在本次会话中一直允许' } }, { id: 'allow-always', label: 'Always allow `rm`' },
]

/** A tool that needs permission. */
export function approval(extra: Partial<AskUserQuestionItem> = {}, toolName = 'bash'): AskUserQuestionRequest {
  return {
    kind: 'approval',
    approval: { toolName, reason: 'It writes outside the project.', displayReason: { zh: '它会写到项目之外。' } },
    questions: [{ id: 'approval', question: `Allow ${toolName}?\nIt writes outside the project.`, detail: '```bash\nrm -rf build\n```', options: [...OPTIONS], ...extra }],
  }
}

/** The answer that chooses an option, as it is given and as the asker gets it. */
export function chooses(id: string, custom?: string): AskUserQuestionAnswer {
  return { answers: [{ id: 'approval', selected: [id], ...custom !== undefined && { custom } }] }
}
