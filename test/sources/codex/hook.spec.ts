// Codex' hook, where there is no app-server: what the socket says to it, and the program itself.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AskSurfaceRegistry } from '../../../src/router/registry.ts'
import { answerHook, type HookOptions } from '../../../src/sources/codex/hook-call.ts'
import { type LocalSource, serveSource } from '../../../src/sources/local/server.ts'
import { colour } from './stand-in.ts'
import { Page } from './support.ts'

const BLUE = '{"answers":{"colour":{"answers":["Blue"]}}}'

let registry: AskSurfaceRegistry, page: Page
const warn = vi.fn<(message: string) => void>()

beforeEach(() => {
  warn.mockReset()
  registry = new AskSurfaceRegistry()
  registry.presence = 'away'
  page = new Page()
  registry.register(page)
})

/** What 0.171.0 gives to its hook. */
function input(extra: object = {}) {
  return {
    session_id: '01a23afb-514a-7d93-921e-409347eee968', turn_id: 't', transcript_path: '/x.jsonl', cwd: '/home/me/shop', hook_event_name: 'PreToolUse',
    model: 'gpt-6.2-sol', permission_mode: 'default', tool_name: 'request_user_input', tool_input: { questions: [colour] }, tool_use_id: 'call_1', ...extra,
  }
}

const permission = (extra: object = {}) => input({ hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'rm -rf build' }, ...extra })

const call = (hook: unknown, options: Partial<HookOptions> = {}, signal = new AbortController().signal) => (
  answerHook({ hook }, signal, { askSurfaces: registry, holdMs: 60_000, warn, isWatched: () => false, ...options })
)

describe('a call of the hook', () => {
  it('gives the answer to the model as the reason why the tool did not run', async () => {
    const output = call(input()), shown = await page.nth(0)
    expect(shown.request.origin).toMatchObject({ agent: 'Codex', project: 'shop', session: '47eee968' })
    shown.answer('Blue')
    expect(await output).toEqual({
      output: {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse', permissionDecision: 'deny',
          permissionDecisionReason: `The user has answered already, and this is no error: ${BLUE}`,
        },
      },
    })
  })

  it.each([
    ['allow', { behavior: 'allow' }],
    ['reject', { behavior: 'deny', message: 'The user rejected it.' }],
    [{ selected: ['reject'], custom: 'Use make clean.' }, { behavior: 'deny', message: 'Use make clean.' }],
  ])('decides a permission by the option %j', async (item, decision) => {
    const output = call(permission()), shown = await page.nth(0)
    expect(shown.request).toMatchObject({ kind: 'approval', approval: { toolName: 'Bash' } })
    expect(shown.request.questions[0]).toMatchObject({ detail: '`/home/me/shop`\n\n```\nrm -rf build\n```', options: [{ id: 'allow' }, { id: 'reject' }] })
    shown.answer(item)
    expect(await output).toEqual({ output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } })
  })

  it.each([
    ['while the person is at home', input(), {}, 'home' as const],
    ['for a session of the app-server', input(), { isWatched: (id: string) => id.endsWith('eee968') }, 'away' as const],
    ['for another tool', input({ tool_name: 'Bash' }), {}, 'away' as const],
    ['for another event', input({ hook_event_name: 'PostToolUse' }), {}, 'away' as const],
    ['for a secret', input({ tool_input: { questions: [{ ...colour, is_secret: true }] } }), {}, 'away' as const],
  ])('says nothing at once %s', async (_, hook, options, presence) => {
    registry.presence = presence
    expect(await call(hook, options)).toEqual({ output: null })
    expect([page.shown, warn.mock.calls]).toEqual([[], []])
  })

  it.each([['no call', 7], ['no questions', input({ tool_input: { questions: 'x' } })], ['no session', input({ session_id: '' })]])('says nothing for %s, and one line', async (_, hook) => {
    expect(await call(hook)).toEqual({ output: null })
    expect([page.shown.length, warn.mock.calls.length]).toEqual([0, 1])
  })

  it('says nothing where nobody answers in time, and the question goes', async () => {
    expect(await call(input(), { holdMs: 30 })).toEqual({ output: null })
    expect((await page.nth(0)).context.signal.aborted).toBe(true)
  })

  it('says nothing where the person declines, or nobody can be asked', async () => {
    const output = call(input()), shown = await page.nth(0)
    shown.decline()
    expect(await output).toEqual({ output: null })
    expect(await call(input(), { askSurfaces: Object.assign(new AskSurfaceRegistry(), { presence: 'away' as const }) })).toEqual({ output: null })
    expect(warn).not.toHaveBeenCalled()
  })

  it('withdraws the question when the hook is gone', async () => {
    const gone = new AbortController(), output = call(input(), {}, gone.signal), shown = await page.nth(0)
    gone.abort()
    expect(await output).toEqual({ output: null })
    expect(shown.context.signal.aborted).toBe(true)
  })
})

describe('the hook\'s program', () => {
  const base = mkdtempSync(join(tmpdir(), 'hook-')), folder = join(base, 'state')
  let source: LocalSource | undefined

  afterEach(async () => {
    await source?.close()
    rmSync(base, { recursive: true, force: true })
  })

  const run = async (given: string) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../../src/sources/codex/hook.ts'), folder], { stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.on('error', () => {})
    child.stdin.end(given)
    const code = new Promise(resolve => child.on('exit', resolve))
    return [await text(child.stdout), await code]
  }

  it('prints what the desk says, and nothing where there is none', async () => {
    expect(await run(JSON.stringify(input()))).toEqual(['', 0])
    source = await serveSource({ folder, name: 'codex', warn, handle: async body => ({ output: (body as { hook: { tool_name: string } }).hook.tool_name === 'Bash' ? null : { a: 1 } }) })
    expect(await run(JSON.stringify(input()))).toEqual(['{"a":1}', 0])
    expect(await run(JSON.stringify(permission()))).toEqual(['', 0])
    expect(await run('no JSON')).toEqual(['', 0])
  })
})
