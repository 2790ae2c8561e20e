// The plugin Claude Code with the real router: what its hook gets back, what surfaces hear, and what is said to whoever runs it.
import { mkdtempSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as plugin from '../../../src/sources/claude-code/index.ts'
import { callSource, type Reply } from '../../../src/sources/local/client.ts'
import { isServed, serveSource } from '../../../src/sources/local/server.ts'
import { sourceStatuses } from '../../../src/sources/local/status.ts'
import { chooses } from '../../helpers/approval.ts'
import { BASH, COLOUR, FakeClaude, hookInput } from '../../helpers/claude-code.ts'
import { boot, logged, register } from '../../helpers/cordis.ts'
import { cancelled, FakeSurface } from '../../helpers/surface.ts'

const QUESTIONS = { questions: [COLOUR] }

let claude: FakeClaude, base: string, folder: string
const disposers: (() => unknown)[] = []

beforeEach(() => {
  claude = new FakeClaude()
  base = mkdtempSync(join(tmpdir(), 'desk-'))
  folder = join(base, 'state')
})

afterEach(async () => {
  for (const dispose of disposers.splice(0).reverse()) await dispose()
  claude.remove()
  rmSync(base, { recursive: true, force: true })
})

/** A desk with one surface. */
async function start() {
  const { ctx, fiber, logs } = await boot(), web = Object.assign(new FakeSurface('web'), { approvals: true })
  register(ctx, web)
  const source = await ctx.plugin(plugin, { folder })
  disposers.push(() => fiber.dispose(), () => source.dispose())
  await vi.waitFor(async () => expect(await isServed(join(folder, 'claude-code.sock'))).toBe(true))
  return { ctx, fiber, source, web, warnings: () => logged(logs, 'warn') }
}

const send = (body: unknown, signal?: AbortSignal) => callSource({ folder, name: 'claude-code', body, ...signal && { signal } })
const hook = (tool: string, input: Record<string, unknown>) => send({ hook: claude.input(tool, input) })
const asked = (web: FakeSurface, times = 1) => vi.waitFor(() => expect(web.asked).toBe(times))

const nothing: Reply = { output: null }
const decides = (decision: object): Reply => ({ output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } })

describe('a question of Claude Code', () => {
  it('is asked on a surface, which knows where it comes from, and its answer goes back', async () => {
    const { web, ctx } = await start(), reply = hook('AskUserQuestion', QUESTIONS)
    await asked(web)
    expect(web.context.origin).toEqual({ agent: 'Claude Code', machine: hostname(), project: 'shop', session: claude.id.slice(0, 8) })
    expect(ctx.get('askSurfaces')!.pending()[0]!.participants.map(({ name }) => name)).toEqual(['web', 'Claude Code'])
    await web.answer({ answers: [{ id: 'q1', selected: ['Blue'], custom: 'but light' }] })
    expect(await reply).toEqual(decides({
      behavior: 'allow', updatedInput: { ...QUESTIONS, answers: { 'Which colour?': 'Blue' }, annotations: { 'Which colour?': { notes: 'but light' } } },
    }))
  })

  it('that was answered in Claude Code is put away, with the answer', async () => {
    const { web } = await start(), id = claude.use('AskUserQuestion', QUESTIONS), reply = hook('AskUserQuestion', QUESTIONS)
    await asked(web)
    claude.answers(id, [COLOUR], { 'Which colour?': 'Red' })
    expect(await reply).toEqual(nothing)
    expect(web.settled).toHaveBeenCalledExactlyOnceWith(web.request, 'Claude Code', { answers: [{ id: 'q1', selected: ['Red'] }] })
  })

  it('that was declined in Claude Code is put away as declined', async () => {
    const { web } = await start(), id = claude.use('AskUserQuestion', QUESTIONS), reply = hook('AskUserQuestion', QUESTIONS)
    await asked(web)
    claude.refuses(id, 'The user wants to clarify these questions.')
    expect(await reply).toEqual(nothing)
    expect(web.settled).toHaveBeenCalledExactlyOnceWith(web.request, 'Claude Code', undefined)
  })

  it('that was declined on a surface is left to its dialog', async () => {
    const { web, warnings } = await start(), reply = hook('AskUserQuestion', QUESTIONS)
    await asked(web)
    await web.fail(cancelled())
    expect([await reply, warnings()]).toEqual([nothing, ''])
  })

  it('is withdrawn when its hook is gone', async () => {
    const { web, warnings, ctx } = await start(), controller = new AbortController()
    const reply = send({ hook: claude.input('AskUserQuestion', QUESTIONS) }, controller.signal)
    await asked(web)
    controller.abort()
    await expect(reply).rejects.toThrow()
    await vi.waitFor(() => expect(web.context.signal.aborted).toBe(true))
    expect([web.settled.mock.calls, ctx.get('askSurfaces')!.pending(), warnings()]).toEqual([[], [], ''])
  })

  it('waits for a surface that comes later', async () => {
    const { web, ctx } = await start()
    web.dispose = () => {}
    const later = Object.assign(new FakeSurface('later'), { approvals: true }), reply = hook('AskUserQuestion', QUESTIONS)
    await asked(web)
    register(ctx, later)
    await asked(later)
    await later.answer({ answers: [{ id: 'q1', selected: ['Red'] }] })
    expect(await reply).toEqual(decides({ behavior: 'allow', updatedInput: { ...QUESTIONS, answers: { 'Which colour?': 'Red' } } }))
  })
})

describe('a permission', () => {
  it('is given on a surface', async () => {
    const { web } = await start(), reply = hook('Bash', BASH)
    await asked(web)
    await web.answer(chooses('allow'))
    expect(await reply).toEqual(decides({ behavior: 'allow' }))
  })

  it('that Claude Code gave itself is none of ours to give again', async () => {
    const { web } = await start(), id = claude.use('Bash', BASH), reply = hook('Bash', BASH)
    await asked(web)
    claude.result(id, 'BASH_RAN')
    expect(await reply).toEqual(nothing)
    expect(web.settled).toHaveBeenCalledExactlyOnceWith(web.request, 'Claude Code', chooses('allow'))
  })

  it('of one session is not that of another', async () => {
    const { web } = await start(), other = new FakeClaude(claude.base)
    const one = hook('Bash', BASH)
    await asked(web)
    const two = send({ hook: other.input('Bash', BASH) })
    await asked(web, 2)
    await web.answer(chooses('reject', 'not there'))
    expect(await two).toEqual(decides({ behavior: 'deny', message: 'not there' }))
    const id = claude.use('Bash', BASH)
    await new Promise(resolve => setTimeout(resolve, 50))
    claude.refuses(id, 'nor here')
    expect(await one).toEqual(nothing)
  })
})

describe('the plugin', () => {
  it('ends every call without a word when it is unloaded', async () => {
    const { web, source } = await start(), reply = hook('Bash', BASH)
    await asked(web)
    await source.dispose()
    await expect(reply).rejects.toMatchObject({ code: 'NO_REPLY' })
    await expect(hook('Bash', BASH)).rejects.toMatchObject({ code: 'NO_DESK' })
  })

  it('comes and goes with the router', async () => {
    const { fiber } = await start()
    await fiber.dispose()
    await vi.waitFor(async () => expect(await isServed(join(folder, 'claude-code.sock'))).toBe(false))
  })

  it('says once that another program serves its socket, and takes it over when that ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    disposers.push(() => vi.useRealTimers())
    const other = await serveSource({ folder, name: 'claude-code', warn: () => {}, handle: async () => undefined })
    const { ctx, warnings, web } = await start()
    const path = join(folder, 'claude-code.sock')
    await vi.waitFor(() => expect(sourceStatuses(ctx)).toEqual([{ name: 'Claude Code', state: 'wrong', note: { en: `${path} is served by another program`, zh: `${path} is served by another program` } }]))
    for (let i = 0; i < 3; i++) {
      await vi.advanceTimersByTimeAsync(10_000)
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(warnings()).toBe(`claude-code: ${path} is served by another program`)
    await other.close()
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(10_000)
      expect(sourceStatuses(ctx)).toEqual([{ name: 'Claude Code', state: 'waiting' }])
    })
    const reply = hook('Bash', BASH)
    await asked(web)
    expect(sourceStatuses(ctx)).toEqual([{ name: 'Claude Code', state: 'connected' }])
    await web.answer(chooses('reject', 'no'))
    expect(await reply).toEqual(decides({ behavior: 'deny', message: 'no' }))
  })

  it('refuses a wrong configuration by the field\'s name', () => {
    expect(() => plugin.apply({} as never, { folder: 'here' })).toThrow('folder')
    expect(() => plugin.apply({} as never, { path: '/x' })).toThrow('unknown key path; it may be folder')
  })
})

describe('what no hook sends', () => {
  const good = hookInput('Bash', BASH) as Record<string, unknown>, fields = Object.keys(good)
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(undefined, null, 0, '', true, [], {}, { hook: null }, { hook: [] }, { decision: 'allow' }, { hook: { ...good, hook_event_name: 'PreToolUse' } }),
    fc.anything(),
    fc.tuple(fc.constantFrom('session_id', 'transcript_path', 'cwd', 'hook_event_name', 'tool_name', 'tool_input'), fc.constantFrom<unknown>(null, 0, '', [], true)).map(([field, value]) => ({ hook: { ...good, [field]: value } })),
    fc.constantFrom(...fields.filter(field => !['prompt_id', 'permission_mode', 'effort'].includes(field))).map(field => ({ hook: Object.fromEntries(Object.entries(good).filter(([key]) => key !== field)) })),
    fc.anything().map(questions => ({ hook: hookInput('AskUserQuestion', { questions }) })),
    fc.anything().map(option => ({ hook: hookInput('AskUserQuestion', { questions: [{ ...COLOUR, options: [option, 3] }] }) })),
  ).map(value => JSON.stringify({ value })).map(text => (JSON.parse(text) as { value?: unknown }).value ?? null)

  it('is left to Claude Code with one line in the log each, and nobody is asked', async () => {
    const { web, ctx } = await start(), lines: string[] = []
    ctx.logger.exporter({ levels: { default: 3 }, export: message => void lines.push(message.args.map(String).join(' ')) })
    const bodies = fc.sample(wrong, 5000)
    for (let at = 0; at < bodies.length; at += 50) {
      const replies = await Promise.all(bodies.slice(at, at + 50).map(body => send(body)))
      expect(replies).toEqual(replies.map(() => nothing))
    }
    expect([web.asked, lines.length]).toEqual([0, 5000])
    expect(lines.every(line => line.startsWith('a call of the hook was left to Claude Code: ') && !line.includes('\n'))).toBe(true)
  }, 60_000)
})
