// An approval as the router makes it for its surfaces.
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem, AskUserQuestionRequest } from '../../src/protocol/request.ts'

/** A tool that needs permission. */
export function approval(extra: Partial<AskUserQuestionItem> = {}, toolName = 'bash'): AskUserQuestionRequest {
  const options = [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }]
  return {
    kind: 'approval',
    approval: { toolName, reason: 'It writes outside the project.', displayReason: { zh: '它会写到项目之外。' } },
    questions: [{ id: 'approval', question: `Allow ${toolName}?\nIt writes outside the project.`, detail: '```bash\nrm -rf build\n```', options, ...extra }],
  }
}

/** The answer to it, as the asker gets it. */
export function decided(id: 'allow' | 'reject', custom?: string): AskUserQuestionAnswer {
  return { answers: [{ id: 'approval', selected: [id], ...custom !== undefined && { custom } }] }
}
