// An approval as the source of approvals makes it, and what a phone shows of it.
import type { AskUserQuestionRequest } from '../../../src/index.ts'
import { chooses, OPTIONS } from '../../helpers/approval.ts'

/** What the tool is to do in most tests. */
export const DETAIL = '```sh\nrm -rf build\n```'

/** A request for permission. */
export function approval(toolName = 'bash', detail = DETAIL, reason = 'It writes outside the project.'): AskUserQuestionRequest {
  return {
    kind: 'approval',
    approval: { toolName, reason },
    questions: [{
      id: 'approval', question: `Allow ${toolName}?\n${reason}`, detail,
      options: [...OPTIONS],
    }],
  }
}

/** What a phone answers. */
export const allowed = chooses('allow')
export const rejected = (custom?: string) => chooses('reject', custom)

/** The code by which a typed reply names it. */
export const codeIn = (message: string) => /“([qjz][2-9][a-z]) /.exec(message)![1]!

/** The buttons of a push: what each sends. */
export function buttonsIn({ actions = [] }: { readonly actions?: readonly { readonly label: string, readonly body: string }[] }) {
  const [reject, allow] = actions.map(({ body }) => body)
  return { reject: reject!, allow: allow! }
}
