// A command or a change of files that needs permission. Only the option that the person chose becomes a decision that permits, and
// only where Codex offers that decision.
import type { AskUserQuestionAnswer } from '../../protocol/answer.ts'
import { ALLOW, checkApproval, chosenId, REJECT } from '../../protocol/approval.ts'
import type { AskUserQuestionItem, AskUserQuestionOption } from '../../protocol/request.ts'
import { argumentsText, blocksText, isHeading, type Block } from '../../reply/arguments.ts'
import type { Asking, Ending } from './asking.ts'
import { type CommandApproval, type Decision, decisionSchema, type FileApproval, type FileChanges, type Item } from './protocol.ts'

const QUESTION_ID = 'approval'

/** The options that permit more. */
const SESSION = 'allow-session', RULE = 'allow-rule'

/** The longest beginning of a command that fits on a button. */
const LONGEST_RULE = 200

/** Codex' decisions for the options; its own dialog has no `decline`, and interrupts the turn instead. */
const FOR_FILES: readonly Decision[] = ['accept', 'acceptForSession', 'decline']

const choose = (id: string): AskUserQuestionAnswer => ({ answers: [{ id: QUESTION_ID, selected: [id] }] })

/**
 * The approval of a command.
 *
 * @returns `undefined` for what cannot be shown whole, or not be permitted just once: it is left to Codex.
 */
export function commandAsking({ kind, reason, command, cwd, networkApprovalContext, additionalPermissions, availableDecisions }: CommandApproval): Asking | undefined {
  if (kind !== 'command' || command === undefined) return undefined
  const more = Object.entries({ network: networkApprovalContext, permissions: additionalPermissions }).filter(([, value]) => value !== undefined && value !== null)
  const detail = argumentsText({ command, ...cwd !== undefined && { cwd }, ...Object.fromEntries(more) })
  const offered = availableDecisions?.flatMap(one => decisionSchema.safeParse(one).data ?? [])
  return approvalAsking('shell', reason, detail, offered ?? FOR_FILES)
}

/**
 * The approval of changes of files.
 *
 * @param changes of the item that the approval names.
 */
export function fileAsking({ reason }: FileApproval, changes: FileChanges): Asking | undefined {
  return approvalAsking('apply_patch', reason, blocksText(changes.map(blockOf)), FOR_FILES)
}

function approvalAsking(toolName: string, reason: string | undefined, detail: string | undefined, offered: readonly Decision[]): Asking | undefined {
  if (!offered.includes('accept')) return undefined
  const decisions = new Map<string, Decision>([[ALLOW, 'accept'], [REJECT, 'decline']])
  const options: AskUserQuestionOption[] = [{ id: ALLOW, label: 'Allow once' }, { id: REJECT, label: 'Reject' }]
  for (const decision of offered) {
    const option = widerOption(decision)
    if (!option || decisions.has(option.id)) continue
    options.push(option)
    decisions.set(option.id, decision)
  }
  const question: AskUserQuestionItem = {
    id: QUESTION_ID, question: `Allow ${toolName}?${reason === undefined ? '' : `\n${reason}`}`, options, ...detail !== undefined && { detail },
  }
  return {
    request: { kind: 'approval', questions: [question], approval: { toolName, ...reason !== undefined && { reason } } },
    send(given) {
      const { answer } = checkApproval([question], given), decision = decisions.get(chosenId(answer)!), { custom: words } = answer.answers[0]!
      // Codex' decision has no place for words: the person says them to the agent, which goes on with its turn.
      return decision && { result: { decision }, ...words !== undefined && { words } }
    },
    readItem: readItem,
    interrupted: choose(REJECT),
  }
}

function widerOption(decision: Decision): AskUserQuestionOption & { id: string } | undefined {
  if (decision === 'acceptForSession') {
    return { id: SESSION, label: 'Allow for this session', displayLabel: { en: 'Allow for this session', zh: '本次会话内都允许' } }
  }
  if (typeof decision === 'string') return undefined
  const rule = decision.acceptWithExecpolicyAmendment.execpolicy_amendment.join(' ')
  // What is not seen whole is not permitted.
  if (rule.length > LONGEST_RULE || !isHeading(rule)) return undefined
  const en = `Allow, and don't ask again for commands that start with \`${rule}\``
  return { id: RULE, label: en, displayLabel: { en, zh: `允许，以后对以 \`${rule}\` 开头的命令不再询问` } }
}

/**
 * What an item says of the approval before it. Codex does not say whether its own dialog permitted more than this once.
 */
function readItem({ status }: Item): Ending | undefined {
  if (status === 'declined') return choose(REJECT)
  // A command that failed was run.
  return status === 'completed' || status === 'failed' ? choose(ALLOW) : undefined
}

function blockOf({ path, kind, diff }: FileChanges[number]): Block {
  const target = kind.type === 'update' ? kind.move_path : undefined
  const sign = { add: '+', delete: '-', update: '' }[kind.type]
  const lines = diff.replace(/\n$/, '').split('\n').map(line => sign + line).join('\n')
  const heading = target === undefined ? path : `${path} → ${target}`
  // A name that could pretend to be something else stands in the block.
  return isHeading(heading) ? { heading, language: 'diff', text: lines } : { language: 'diff', text: `${JSON.stringify(heading)}\n${lines}` }
}
