// How we learn that Claude Code's own dialog ended: from its transcript, and from what it says of the session.
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, truncateSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nativeEnding } from '../../../src/sources/claude-code/ending.ts'
import type { HookInput } from '../../../src/sources/claude-code/input.ts'
import { permissionAsking } from '../../../src/sources/claude-code/permission.ts'
import { questionAsking } from '../../../src/sources/claude-code/question.ts'
import { chooses } from '../../helpers/approval.ts'
import { BASH, COLOUR, FakeClaude } from '../../helpers/claude-code.ts'
import { watch } from '../../helpers/time.ts'

const QUESTIONS = { questions: [COLOUR] }, RED = { answers: [{ id: 'q1', selected: ['Red'] }] }

let claude: FakeClaude, controller: AbortController
const taken = new Set<string>(), decided: boolean[] = []

beforeEach(() => {
  decided.length = 0
  claude = new FakeClaude()
  controller = new AbortController()
})

afterEach(() => {
  controller.abort()
  claude.remove()
})

function follow(input: HookInput) {
  const asking = input.tool_name === 'AskUserQuestion' ? questionAsking(input) : permissionAsking(input)
  return nativeEnding(input, asking, taken, controller.signal, is => void decided.push(is))
}

const question = (more: Partial<HookInput> = {}) => follow(claude.input('AskUserQuestion', QUESTIONS, more))
const bash = (input: Record<string, unknown> = BASH, more: Partial<HookInput> = {}) => follow(claude.input('Bash', input, more))

/** Long enough for a file to be looked at again. */
const sleep = (ms = 600) => new Promise(resolve => setTimeout(resolve, ms))

describe('the end of the native dialog', () => {
  it('is learnt with what was chosen', async () => {
    const id = claude.use('AskUserQuestion', QUESTIONS), ending = question()
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    expect(await ending).toEqual(RED)
  })

  it('is learnt of a call that is written only later, line by line, in pieces', async () => {
    const ending = question()
    claude.write('{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"AskUserQ')
    await sleep()
    claude.write(`uestion","input":${JSON.stringify(QUESTIONS)}}]}}\n{"type":"user","mess`)
    await sleep()
    claude.write(`age":{"content":[{"type":"tool_result","tool_use_id":"a"}]},"toolUseResult":{"answers":{"Which colour?":"Red"}}}\n`)
    expect(await ending).toEqual(RED)
  })

  it('is that of its own call: not of one before, of another tool, or of another session', async () => {
    const before = claude.use('AskUserQuestion', QUESTIONS)
    claude.answers(before, [COLOUR], { 'Which colour?': 'Blue' })
    await sleep(5)
    claude.write('no JSON, "tool_use"\n{"type":"user","message":{"content":"tool_result \\"tool_use\\""}}\n')
    const other = new FakeClaude(claude.base), id = claude.use('AskUserQuestion', QUESTIONS), ending = question(), watched = watch(ending)
    const bashes = claude.use('Bash', BASH), theirs = other.use('AskUserQuestion', QUESTIONS)
    claude.result(bashes, 'BASH_RAN')
    other.answers(theirs, [COLOUR], { 'Which colour?': 'Blue' })
    await sleep()
    expect(watched.state).toBe('open')
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    expect(await ending).toEqual(RED)
  })

  it('of two calls that are alike is each one\'s own, in their order', async () => {
    const first = claude.use('Bash', BASH), second = claude.use('Bash', BASH), one = bash()
    await sleep()
    const two = bash()
    await sleep()
    claude.refuses(second, 'not again')
    expect(await two).toEqual(chooses('reject', 'not again'))
    claude.result(first, 'BASH_RAN')
    expect(await one).toEqual(chooses('allow'))
  })

  it('may be there before its hook is', async () => {
    const id = claude.use('AskUserQuestion', QUESTIONS)
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    await sleep(50)
    expect(await question()).toEqual(RED)
    // The next one that is the same has none yet.
    const watched = watch(question())
    await sleep()
    expect(watched.state).toBe('open')
  })

  it('is not that of a call that was just like it, where its own is not written yet', async () => {
    const before = claude.use('Bash', BASH)
    claude.result(before, 'BASH_RAN')
    await sleep(50)
    const ending = bash()
    await sleep(300)
    const own = claude.use('Bash', BASH)
    await sleep(800)
    claude.refuses(own, 'not again')
    expect(await ending).toEqual(chooses('reject', 'not again'))
  })

  it('is found in a transcript that has grown by more than anybody writes', async () => {
    const ending = question()
    await sleep(50)
    truncateSync(claude.transcript, 20 * 1024 ** 3)
    claude.write('\n')
    const id = claude.use('AskUserQuestion', QUESTIONS)
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    expect(await ending).toEqual(RED)
  })

  it('is found by what the model gave, where Claude Code adds to it', async () => {
    const id = claude.use('ExitPlanMode', {}), ending = follow(claude.input('ExitPlanMode', { plan: '# The plan' }))
    claude.result(id, 'User has approved your plan.')
    expect(await ending).toEqual(chooses('allow'))
  })

  it('is declined after "Chat about this"', async () => {
    const id = claude.use('AskUserQuestion', QUESTIONS), ending = question()
    claude.refuses(id, 'The user wants to clarify these questions.')
    expect(await ending).toBe('declined')
  })

  it.each([
    ['No with words', (id: string) => claude.refuses(id, 'nope'), chooses('reject', 'nope')],
    ['Esc', (id: string) => claude.escapes(id), 'gone'],
    ['a yes for a command that failed', (id: string) => claude.result(id, 'Exit code 1', { permissionDecision: { decision: 'accept', source: 'user_temporary', grantScope: 'once' } }, true), chooses('allow')],
    ['an error of which nobody knows', (id: string) => claude.result(id, 'Exit code 1', {}, true), 'gone'],
    ['a result whose fields are of another kind', (id: string) => claude.result(id, [{ type: 'text', text: 'x' }, null], { permissionDecision: 3, toolDenialKind: {}, userFeedback: [] }), chooses('allow')],
  ])('of a permission is read: %s', async (_, end, expected) => {
    const id = claude.use('Bash', BASH), ending = bash()
    end(id)
    expect(await ending).toEqual(expected)
  })

  it('of a subagent\'s call stands in its own transcript', async () => {
    const agent = new FakeClaude(claude.base), ending = bash(BASH, { agent_id: 'a98f2c5f673792912' })
    const id = agent.use('Bash', BASH), path = join(claude.transcript.replace(/\.jsonl$/, ''), 'subagents', 'agent-a98f2c5f673792912.jsonl')
    agent.result(id, 'BASH_RAN')
    // Its session does not tell of it: other dialogs may be open.
    claude.status('waiting')
    await sleep()
    claude.status('busy')
    await sleep(1500)
    const watched = watch(ending)
    mkdirSync(dirname(path), { recursive: true })
    await sleep()
    expect(watched.state).toBe('open')
    const call = agent.use('Bash', BASH)
    renameSync(agent.transcript, path)
    await sleep()
    appendFileSync(path, `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"${call}","content":"BASH_RAN"}]}}\n`)
    expect(await ending).toEqual(chooses('allow'))
  })
})

describe('a session that waits no longer', () => {
  it('has given its permission, where the call has no result yet', async () => {
    claude.status('waiting')
    claude.use('Bash', BASH)
    const ending = bash()
    await sleep()
    claude.status('busy')
    expect(await ending).toEqual(chooses('allow'))
  })

  it('has answered its question, with what the transcript says a moment later', async () => {
    claude.status('waiting')
    const id = claude.use('AskUserQuestion', QUESTIONS), ending = question()
    await sleep()
    claude.status('busy')
    await sleep(300)
    // Until then it is known that the person has decided, and not what.
    expect(decided.at(-1)).toBe(true)
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    expect(await ending).toEqual(RED)
  })

  it.each([
    ['of a question whose answer nobody can read', () => question()],
    ['of a call that the transcript does not have', () => bash({ command: 'another' })],
  ])('has no dialog any more %s', async (_, start) => {
    claude.status('waiting')
    const ending = start()
    await sleep()
    claude.status('idle')
    expect(await ending).toBe('gone')
  })

  it('may never have waited, or wait again', async () => {
    claude.status('busy')
    claude.use('Bash', BASH)
    const watched = watch(bash())
    await sleep(1400)
    claude.status('waiting')
    await sleep()
    claude.status('busy')
    await sleep(200)
    claude.status('waiting')
    await sleep(1400)
    expect(watched.state).toBe('open')
  })
})

describe('without its files', () => {
  it('but with pipes in their place, nothing waits for these, and nothing else is kept waiting', async () => {
    const pipes = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => join(claude.folder, `${name}.jsonl`))
    execFileSync('mkfifo', pipes)
    const watched = pipes.map(path => watch(question({ transcript_path: path })))
    await sleep()
    expect((await stat(claude.folder)).isDirectory()).toBe(true)
    expect(watched.map(({ state }) => state)).toEqual(pipes.map(() => 'open'))
  })

  it('nothing is learnt, and nothing fails', async () => {
    const watched = watch(question({ transcript_path: '/nowhere/projects/x/y.jsonl' })), folder = watch(question({ transcript_path: claude.folder }))
    await sleep(1100)
    expect([watched.state, folder.state]).toEqual(['open', 'open'])
  })

  it('and after the end of the ask, nothing is watched', async () => {
    controller.abort()
    const watched = watch(question())
    await sleep(50)
    expect([watched.state, process.getActiveResourcesInfo().filter(name => name === 'FSEventWrap')]).toEqual(['open', []])
  })
})
