// A tool that needs permission, and a plan that needs approval: both are approvals. Only the person's own choice of an option
// becomes a decision that allows.
import { ALLOW, checkApproval, chosenId, REJECT } from '../../protocol/approval.ts'
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import type { AskUserQuestionItem } from '../../protocol/request.ts'
import { argumentsText } from '../../reply/arguments.ts'
import type { Asking } from './asking.ts'
import type { ToolCall } from './input.ts'
import { widerOutcomes } from './suggestions.ts'

const QUESTION_ID = 'approval'

/** The tool by which a plan is handed in. */
const PLAN = 'ExitPlanMode'

/** What the model reads where a person rejects without words; it begins as what Claude Code says for a "No" of its own. */
const REJECTED = 'The user doesn\'t want to proceed with this tool use. The tool use was rejected.'

const OPTIONS = [{ id: ALLOW, label: 'Allow once' }, { id: REJECT, label: 'Reject' }] as const

const choose = (id: string, custom?: string): AskUserQuestionAnswer => ({ answers: [{ id: QUESTION_ID, selected: [id], ...custom !== undefined && { custom } }] })

/** The approval of one call. */
export function permissionAsking({ tool_name: toolName, tool_input, permission_suggestions = [] }: ToolCall): Asking {
  const isPlan = toolName === PLAN, wider = widerOutcomes(isPlan ? [] : permission_suggestions)
  const { reason, detail } = isPlan ? { reason: undefined, detail: planOf(tool_input) } : describe(tool_input)
  const question: AskUserQuestionItem = {
    id: QUESTION_ID,
    question: isPlan ? 'Approve the plan?' : `Allow ${toolName}?${reason === undefined ? '' : `\n${reason}`}`,
    options: [...OPTIONS, ...[...wider].map(([id, { option }]) => ({ id, ...option }))],
    ...detail !== undefined && { detail },
    ...isPlan && { intent: { kind: 'plan-review', approve: OPTIONS[0].label } },
  }
  return {
    request: { kind: 'approval', questions: [question], approval: { toolName, ...reason !== undefined && { reason } } },
    decide(given) {
      const { answer } = checkApproval([question], given), id = chosenId(answer)!, chosen = wider.get(id)
      if (id === REJECT) return { behavior: 'deny', message: answer.answers[0]!.custom ?? REJECTED }
      // Without the input a plan would stay in its dialog.
      if (id === ALLOW) return { behavior: 'allow', ...isPlan && { updatedInput: tool_input } }
      return chosen && { behavior: 'allow', updatedPermissions: [chosen.suggestion] }
    },
    read({ isAllowed, isTurnedDown, isWider, words }) {
      if (isTurnedDown) return choose(REJECT, words)
      if (!isAllowed) return undefined
      // It does not say which of several.
      const [id = ALLOW, ...others] = isWider ? wider.keys() : []
      return choose(others.length > 0 ? ALLOW : id)
    },
    ...!isPlan && { runs: choose(ALLOW) },
  }
}

/** What a tool is to do, with what the model says of it apart. */
function describe(input: Readonly<Record<string, unknown>>): { reason?: string | undefined, detail?: string | undefined } {
  const { description, ...rest } = input
  const isSaid = typeof description === 'string' && description.trim() !== '' && typeof rest['command'] === 'string'
  const detail = argumentsText(isSaid ? rest : input)
  return { reason: isSaid ? description : undefined, detail }
}

function planOf(input: Readonly<Record<string, unknown>>): string | undefined {
  const { plan } = input
  // Claude Code adds it from the plan's file.
  return typeof plan === 'string' && plan.trim() ? plan : undefined
}
