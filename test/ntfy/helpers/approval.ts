// An approval as the source of approvals makes it, and what a phone shows of it.
import type { AskUserQuestionAnswer, AskUserQuestionRequest } from '../../../src/index.ts'

/** What the tool is to do in most tests. */
export const DETAIL = '```sh\nrm -rf build\n```'

/** A request for permission. */
export function approval(toolName = 'bash', detail = DETAIL, reason = 'It writes outside the project.'): AskUserQuestionRequest {
  return {
    kind: 'approval',
    approval: { toolName, reason },
    questions: [{
      id: 'approval', question: `Allow ${toolName}?\n${reason}`, detail,
      options: [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }],
    }],
  }
}

/** What a phone answers. */
export const allowed: AskUserQuestionAnswer = { answers: [{ id: 'approval', selected: ['allow'] }] }
export const rejected = (custom?: string): AskUserQuestionAnswer => ({ answers: [{ id: 'approval', selected: ['reject'], ...custom !== undefined && { custom } }] })

/** The code by which a typed reply names it. */
export const codeIn = (message: string) => /“([qjz][2-9][a-z]) /.exec(message)![1]!

/** The buttons of a push: what each sends. */
export function buttonsIn({ actions = [] }: { readonly actions?: readonly { readonly label: string, readonly body: string }[] }) {
  const [reject, allow] = actions.map(({ body }) => body)
  return { reject: reject!, allow: allow! }
}
