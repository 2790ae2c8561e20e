// Permissions and plans of Claude Code on our surfaces, and what is decided there.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { HookInput } from '../../../src/sources/claude-code/input.ts'
import { hookOutput } from '../../../src/sources/claude-code/output.ts'
import { permissionAsking } from '../../../src/sources/claude-code/permission.ts'
import { widerOutcomes } from '../../../src/sources/claude-code/suggestions.ts'
import { allows, answers } from '../../helpers/approval-answers.ts'
import { chooses } from '../../helpers/approval.ts'
import { BASH, hookInput } from '../../helpers/claude-code.ts'

const EDITS = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
const RULE = { type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }], behavior: 'allow', destination: 'localSettings' }
const FOLDER = { type: 'addDirectories', directories: ['/home/me/shop'], destination: 'session' }

const asking = (tool: string, input: Record<string, unknown>, more?: Partial<HookInput>) => permissionAsking(hookInput(tool, input, more))
const detailOf = (tool: string, input: Record<string, unknown>) => asking(tool, input).request.questions[0]!.detail

describe('a permission', () => {
  it('is an approval with the command, what the model says of it, and wider outcomes in words', () => {
    expect(asking('Bash', BASH, { permission_suggestions: [RULE, EDITS] }).request).toEqual({
      kind: 'approval',
      approval: { toolName: 'Bash', reason: 'make a file' },
      questions: [{
        id: 'approval', question: 'Allow Bash?\nmake a file', detail: '```\ntouch made_by_bash && echo BASH_RAN\n```',
        options: [
          { id: 'allow', label: 'Allow once' },
          { id: 'reject', label: 'Reject' },
          {
            id: 'allow-2', label: 'Allow, and do not ask about Bash(npm test:*) in this project any more',
            displayLabel: { en: 'Allow, and do not ask about Bash(npm test:*) in this project any more', zh: '允许，并且在此项目中不再询问 Bash(npm test:*)' },
          },
          {
            id: 'allow-session', label: 'Allow, and accept all edits of files until this session ends',
            displayLabel: { en: 'Allow, and accept all edits of files until this session ends', zh: '允许，并且在本次会话结束之前接受所有文件修改' },
          },
        ],
      }],
    })
  })

  it.each([
    ['the change of a file', 'Edit', { file_path: '/shop/a.ts', old_string: 'two', new_string: 'TWO' }, '`/shop/a.ts`\n\n```diff\n-two\n+TWO\n```'],
    ['what is written', 'Write', { file_path: '/shop/a.txt', content: 'hello\n' }, '`/shop/a.txt`\n\n```diff\n+hello\n```'],
    ['an address', 'WebFetch', { url: 'https://example.com/', prompt: 'What?' }, '```json\n{\n  "url": "https://example.com/",\n  "prompt": "What?"\n}\n```'],
    ['what another tool gets, its description too', 'mcp__k__do', { description: 'x', n: 1 }, '```json\n{\n  "description": "x",\n  "n": 1\n}\n```'],
    ['everything beside a command', 'Bash', { ...BASH, run_in_background: true }, '```\ntouch made_by_bash && echo BASH_RAN\n```\n\n```json\n{\n  "run_in_background": true\n}\n```'],
  ])('shows %s', (_, tool, input, detail) => {
    expect(detailOf(tool, input)).toBe(detail)
  })

  it('is given, denied with and without words, and given for more', () => {
    const { decide } = asking('Bash', BASH, { permission_suggestions: [FOLDER, EDITS, { type: 'unheard-of' }] })
    const deny = chooses('reject').answers[0]!
    expect(decide(chooses('allow'))).toEqual({ behavior: 'allow' })
    expect(decide(chooses('reject'))).toEqual({ behavior: 'deny', message: 'The user doesn\'t want to proceed with this tool use. The tool use was rejected.' })
    expect(decide({ answers: [{ ...deny, custom: 'Use make.\nPlease.' }] })).toEqual({ behavior: 'deny', message: 'Use make.\nPlease.' })
    expect(decide(chooses('allow-session'))).toEqual({ behavior: 'allow', updatedPermissions: [FOLDER] })
    expect(decide(chooses('allow-3'))).toEqual({ behavior: 'allow', updatedPermissions: [EDITS] })
    expect(() => decide(chooses('allow-4'))).toThrow('must be the id of exactly one option')
  })

  it('is given by exactly the option that gives it, whatever an answer looks like', () => {
    const { decide } = asking('Bash', BASH)
    fc.assert(fc.property(answers, (answer) => {
      let decision
      try {
        decision = decide(answer as AskUserQuestionAnswer)
      } catch {
        // No answer to an approval.
      }
      if (decision?.behavior === 'allow') expect(allows(answer)).toBe(true)
    }), { numRuns: 10_000 })
  })

  it('that was decided in Claude Code is read from the transcript', () => {
    const { read } = asking('Bash', BASH, { permission_suggestions: [RULE] }), plain = asking('Bash', BASH, { permission_suggestions: [RULE, EDITS] })
    const result = { isAllowed: true, isTurnedDown: false, isWider: false, at: 0, value: undefined }
    expect(read(result)).toEqual(chooses('allow'))
    expect(read({ ...result, isWider: true })).toEqual(chooses('allow-2'))
    expect(plain.read({ ...result, isWider: true })).toEqual(chooses('allow'))
    expect(read({ ...result, isAllowed: false, isTurnedDown: true, words: 'nope' })).toEqual({ answers: [{ id: 'approval', selected: ['reject'], custom: 'nope' }] })
    expect(read({ ...result, isAllowed: false })).toBeUndefined()
  })
})

describe('a plan', () => {
  const input = { plan: '# The plan\n1. do it\n', planFilePath: '/home/me/.claude/plans/x.md' }, plan = asking('ExitPlanMode', input, { permission_suggestions: [EDITS] })

  it('is an approval with the plan to review', () => {
    expect(plan.request.questions).toEqual([{
      id: 'approval', question: 'Approve the plan?', detail: '# The plan\n1. do it\n', intent: { kind: 'plan-review', approve: 'Allow once' },
      options: [{ id: 'allow', label: 'Allow once' }, { id: 'reject', label: 'Reject' }],
    }])
    expect(detailOf('ExitPlanMode', {})).toBeUndefined()
  })

  it('is approved with its own input, without which its dialog would stay', () => {
    expect(plan.decide(chooses('allow'))).toEqual({ behavior: 'allow', updatedInput: input })
    expect(plan.decide({ answers: [{ id: 'approval', selected: ['reject'], custom: 'Smaller steps.' }] })).toEqual({ behavior: 'deny', message: 'Smaller steps.' })
    expect(plan.runs).toBeUndefined()
  })
})

describe('what Claude Code suggests', () => {
  it('is offered only where every word of it is known', () => {
    const strange: unknown[] = [
      null, 3, 'setMode', {}, { ...EDITS, mode: 'bypassPermissions' }, { ...EDITS, destination: 'cliArg' }, { ...RULE, behavior: 'deny' },
      { ...RULE, rules: [] }, { ...RULE, also: 1 }, { ...RULE, type: 'removeRules' }, { ...RULE, rules: [{ toolName: 'Bash', ruleContent: 'x'.repeat(300) }] },
    ]
    expect([...widerOutcomes(strange)]).toEqual([])
    expect([...widerOutcomes([EDITS, EDITS]).keys()]).toEqual(['allow-session'])
  })

  it.each([
    [{ ...RULE, destination: 'userSettings' }, 'Allow, and do not ask about Bash(npm test:*) in any project any more'],
    [{ ...RULE, rules: [{ toolName: 'WebSearch' }], destination: 'projectSettings' }, 'Allow, and do not ask about anything that WebSearch does in this project any more, whoever works on it'],
    [FOLDER, 'Allow, and open /home/me/shop to Claude Code until this session ends'],
    [{ ...EDITS, mode: 'auto' }, 'Allow, and let Claude Code decide for itself what to ask about until this session ends'],
  ])('is said in plain words', (suggestion, words) => {
    expect([...widerOutcomes([suggestion]).values()].map(({ option: { label } }) => label)).toEqual([words])
  })
})

describe('output', () => {
  it('that Claude Code would refuse is none', () => {
    expect(hookOutput({ behavior: 'deny', message: '' })).toBeUndefined()
    expect(hookOutput({ behavior: 'allow' })).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } })
  })
})
