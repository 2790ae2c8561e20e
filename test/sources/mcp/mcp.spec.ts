// Any agent that speaks MCP asks at the desk: the SDK's own client, the server as a process of its own, the real router.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Context, Message } from '@deepseek-ai/cordis'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { build } from 'esbuild'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as claudeCode from '../../../src/sources/claude-code/index.ts'
import { callSource } from '../../../src/sources/local/client.ts'
import * as plugin from '../../../src/sources/mcp/index.ts'
import { runMcpServer } from '../../../src/sources/mcp/server.ts'
import { boot, load, logged } from '../../helpers/cordis.ts'
import { cancelled, FakeSurface } from '../../helpers/surface.ts'

// Each server is a process, and machines are busy.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url))

const QUESTIONS = { questions: [{ id: 'db', question: 'Which database?', header: 'Database', options: [{ label: 'Postgres', description: 'big' }, { label: 'SQLite' }], multi_select: false }] }

class Surface extends FakeSurface {
  readonly approvals = true
}

let base: string, program: string, folder: string, ctx: Context, logs: readonly Message[], surface: Surface
/** A client whose server serves every test that ends neither: a server takes its time to start. */
let shared: Client
const clients: Client[] = []

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'mcp-'))
  folder = join(base, 'state')
  program = join(base, 'program.mjs')
  // Built, as it is in the package: of its many files it would start slowly.
  await build({
    entryPoints: [PROGRAM], outfile: program, bundle: true, platform: 'node', format: 'esm',
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url)' },
  })
  shared = await connected('some-agent')
})

afterAll(async () => {
  await shared.close()
  rmSync(base, { recursive: true, force: true })
})

beforeEach(() => {
  surface = new Surface('page')
})

afterEach(async () => {
  for (const one of clients.splice(0)) await one.close()
  await ctx?.fiber.dispose()
})

/** A desk with one surface, if any. */
async function desk(isThere = true): Promise<void> {
  ({ ctx, logs } = await boot())
  if (isThere) await load(ctx, surface)
  await ctx.plugin(plugin, { folder })
  await vi.waitFor(() => expect(readdirSync(folder)).toContain('mcp.sock'))
}

/** A client with a server of its own. */
async function client(name: string, title?: string, env?: Record<string, string>): Promise<Client> {
  const one = await connected(name, title, env)
  clients.push(one)
  return one
}

async function connected(name: string, title?: string, env?: Record<string, string>): Promise<Client> {
  const one = new Client({ name, version: '1', ...title !== undefined && { title } })
  await one.connect(new StdioClientTransport({ command: process.execPath, args: [program, folder], cwd: base, stderr: 'inherit', ...env && { env } }))
  return one
}

const textOf = (result: Awaited<ReturnType<Client['callTool']>>) => (result.content as { text: string }[])[0]!.text

/** Call a tool, and wait until the surface is asked. The result stands in an object, so that it is not waited for. */
async function begin(one: Client, name: string, input: Record<string, unknown>, options?: Parameters<Client['callTool']>[2]) {
  const before = surface.asked, result = one.callTool({ name, arguments: input }, undefined, options)
  result.catch(() => {})
  await vi.waitFor(() => expect(surface.asked).toBe(before + 1), { timeout: 15_000 })
  return { result }
}

describe('the tools', () => {
  it('are dsh\'s question and Claude Code\'s approval', async () => {
    const { tools } = await shared.listTools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([['ask_user_question', true], ['approve', true]])
  })
})

describe('ask_user_question', () => {
  it('asks with what the agent wrote, and says where it comes from', async () => {
    await desk()
    const { result } = await begin(await client('some-agent', 'Some Agent'), 'ask_user_question', QUESTIONS)
    expect(surface.request.questions).toEqual([
      { id: 'db', question: 'Which database?', header: 'Database', options: [{ label: 'Postgres', description: 'big' }, { label: 'SQLite' }], multiSelect: false },
    ])
    expect(surface.context.origin).toEqual({ agent: 'Some Agent', machine: hostname(), project: base.split('/').at(-1) })
    await surface.answer()
    expect(await result).toEqual({ content: [{ type: 'text', text: '{"answers":[{"id":"db","selected":["Postgres"]}]}' }] })
  })

  it.each([['claude-code', 'Claude Code'], ['codex-mcp-client', 'Codex'], ['constructor', 'constructor']])('calls the client %s "%s"', async (name, agent) => {
    await desk()
    const { result } = await begin(await client(name), 'ask_user_question', QUESTIONS)
    expect(surface.context.origin?.agent).toBe(agent)
    await surface.answer()
    await result
  })

  it('gives a choice with words as both, and words as words', async () => {
    await desk()
    const one = shared, { result } = await begin(one, 'ask_user_question', { questions: [...QUESTIONS.questions, { id: 'why', question: 'Why?' }] })
    await surface.answer({ answers: [{ id: 'db', selected: ['SQLite'], custom: 'for now' }, { id: 'why', selected: [], custom: '简单' }] })
    expect(JSON.parse(textOf(await result))).toEqual({ answers: [{ id: 'db', selected: ['SQLite'], custom: 'for now' }, { id: 'why', selected: [], custom: '简单' }] })
  })

  it('fails with a sentence when the person declines', async () => {
    await desk()
    const { result } = await begin(shared, 'ask_user_question', QUESTIONS)
    await surface.fail(cancelled())
    expect(await result).toEqual({ isError: true, content: [{ type: 'text', text: 'The user declined to answer.' }] })
  })

  it('fails with a sentence that names the field when it is malformed, and one line says so', async () => {
    await desk()
    const one = shared
    for (const input of [{}, { questions: [] }, { questions: [{ id: 'a' }] }, { questions: [{ id: 'a', question: 'b', options: ['c'] }] }]) {
      expect(await one.callTool({ name: 'ask_user_question', arguments: input })).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^The user was not asked: input\.questions/) as string }] })
    }
    expect(surface.asked).toBe(0)
    expect(logged(logs, 'warn').split('\n')).toHaveLength(4)
    await expect(one.callTool({ name: 'other', arguments: {} })).rejects.toThrow('there is no tool other')
  })

  it('fails with a sentence without a desk, and when the desk goes away meanwhile', async () => {
    const one = shared
    expect(await one.callTool({ name: 'ask_user_question', arguments: QUESTIONS })).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no desk is running') as string }] })
    await desk()
    const { result } = await begin(one, 'ask_user_question', QUESTIONS)
    await ctx.fiber.dispose()
    expect(await result).toMatchObject({ isError: true, content: [{ text: 'The user did not answer: the desk went away.' }] })
  })

  it('fails with a sentence where nobody can be asked', async () => {
    await desk(false)
    expect(await shared.callTool({ name: 'ask_user_question', arguments: QUESTIONS })).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cannot be asked') as string }] })
  })

  it('is withdrawn when the call is cancelled, and the next one is asked', async () => {
    await desk()
    const one = shared, cancel = new AbortController()
    await begin(one, 'ask_user_question', QUESTIONS, { signal: cancel.signal })
    cancel.abort()
    await vi.waitFor(() => expect(ctx.get('askSurfaces')!.pending()).toEqual([]))
    expect(surface.context.signal.aborted).toBe(true)
    const { result } = await begin(one, 'ask_user_question', QUESTIONS)
    await surface.answer()
    expect(textOf(await result)).toContain('Postgres')
  })

  it('is withdrawn when the client ends, or is killed with its server', async () => {
    await desk()
    const one = await client('some-agent')
    await begin(one, 'ask_user_question', QUESTIONS)
    await one.close()
    await vi.waitFor(() => expect(ctx.get('askSurfaces')!.pending()).toEqual([]))
    const two = await client('some-agent')
    await begin(two, 'ask_user_question', QUESTIONS)
    process.kill((two.transport as StdioClientTransport).pid!, 'SIGKILL')
    await vi.waitFor(() => expect(ctx.get('askSurfaces')!.pending()).toEqual([]))
  })

  it('keeps two calls of one agent apart', async () => {
    await desk()
    const one = await client('some-agent'), first = await begin(one, 'ask_user_question', QUESTIONS)
    const second = await begin(one, 'ask_user_question', { questions: [{ id: 'x', question: 'Second?' }] })
    await surface.answer({ answers: [{ id: 'x', selected: [], custom: 'two' }] })
    expect(textOf(await second.result)).toContain('two')
    expect(ctx.get('askSurfaces')!.pending().map(({ questions: [item] }) => item!.id)).toEqual(['db'])
    await one.close()
    await expect(first.result).rejects.toThrow('Connection closed')
  })
})

describe('approve', () => {
  const bash = { tool_name: 'Bash', input: { command: 'rm -rf build', description: 'clean' }, tool_use_id: 'toolu_1' }

  it('permits with the input as it was, for the button alone', async () => {
    await desk()
    const { result } = await begin(shared, 'approve', bash)
    expect(surface.request).toMatchObject({ kind: 'approval', approval: { toolName: 'Bash' }, questions: [{ detail: expect.stringContaining('rm -rf build') as string, options: [{ id: 'allow' }, { id: 'reject' }] }] })
    await surface.answer({ answers: [{ id: 'approval', selected: ['allow'] }] })
    expect(JSON.parse(textOf(await result))).toEqual({ behavior: 'allow', updatedInput: bash.input })
  })

  it('denies with the person\'s words', async () => {
    await desk()
    const { result } = await begin(shared, 'approve', bash)
    await surface.answer({ answers: [{ id: 'approval', selected: ['reject'], custom: 'not today' }] })
    expect(JSON.parse(textOf(await result))).toEqual({ behavior: 'deny', message: 'not today' })
  })

  it('answers a question of Claude Code\'s, and approves a plan', async () => {
    await desk()
    const one = shared, questions = [{ question: 'Which colour?', header: 'Colour', options: [{ label: 'Red', description: 'r' }, { label: 'Blue', description: 'b' }], multiSelect: false }]
    const asked = await begin(one, 'approve', { tool_name: 'AskUserQuestion', input: { questions } })
    await surface.answer({ answers: [{ id: surface.request.questions[0]!.id, selected: ['Blue'], custom: 'dark' }] })
    expect(JSON.parse(textOf(await asked.result))).toEqual({ behavior: 'allow', updatedInput: { questions, answers: { 'Which colour?': 'Blue' }, annotations: { 'Which colour?': { notes: 'dark' } } } })
    const planned = await begin(one, 'approve', { tool_name: 'ExitPlanMode', input: { plan: '# Do it' } })
    expect(surface.request.questions[0]).toMatchObject({ detail: '# Do it', intent: { kind: 'plan-review' } })
    await surface.answer({ answers: [{ id: surface.request.questions[0]!.id, selected: ['allow'] }] })
    expect(JSON.parse(textOf(await planned.result))).toEqual({ behavior: 'allow', updatedInput: { plan: '# Do it' } })
  })

  it('denies whatever else happens, and says why', async () => {
    const one = shared, denied = async (result: ReturnType<Client['callTool']>) => JSON.parse(textOf(await result)) as { behavior: string, message: string }
    expect(await denied(one.callTool({ name: 'approve', arguments: bash }))).toEqual({ behavior: 'deny', message: expect.stringContaining('no desk is running') as string })
    await desk()
    for (const input of [{}, { tool_name: '', input: {} }, { tool_name: 'Bash' }, { tool_name: 'AskUserQuestion', input: { questions: [] } }]) {
      expect(await denied(one.callTool({ name: 'approve', arguments: input }))).toEqual({ behavior: 'deny', message: expect.stringMatching(/^The user was not asked: /) as string })
    }
    const { result } = await begin(one, 'approve', bash)
    await surface.fail(cancelled())
    expect(await denied(result)).toEqual({ behavior: 'deny', message: 'The user declined to answer.' })
    const last = await begin(one, 'approve', bash)
    await ctx.fiber.dispose()
    expect(await denied(last.result)).toEqual({ behavior: 'deny', message: 'The user did not answer: the desk went away.' })
  })
})

describe('a headless run of Claude Code\'s whose hook is connected, too', () => {
  const input = { command: 'make', description: 'build' }
  const hook = (session_id: string, tool_input: object) => callSource({
    folder, name: 'claude-code', body: { hook: { hook_event_name: 'PermissionRequest', session_id, transcript_path: join(base, 'none.jsonl'), cwd: base, tool_name: 'Bash', tool_input } },
  })

  it('is asked once, by the tool; other calls, and other sessions, are asked by the hook', async () => {
    await desk()
    await ctx.plugin(claudeCode, { folder })
    await vi.waitFor(() => expect(readdirSync(folder)).toContain('claude-code.sock'))
    const one = await client('claude-code', 'Claude Code', { CLAUDE_CODE_SESSION_ID: '6aee8c51-973e' })
    const { result } = await begin(one, 'approve', { tool_name: 'Bash', input })
    expect(surface.context.origin).toMatchObject({ agent: 'Claude Code', session: '6aee8c51' })
    expect(await hook('6aee8c51-973e', input)).toEqual({ output: null })
    expect(surface.asked).toBe(1)
    void hook('6aee8c51-973e', { command: 'make all' }).catch(() => {})
    void hook('7777', input).catch(() => {})
    await vi.waitFor(() => expect(surface.asked).toBe(3))
    expect(ctx.get('askSurfaces')!.pending()).toHaveLength(3)
    void hook('7777', input).catch(() => {})
    await vi.waitFor(() => expect(surface.asked).toBe(4))
    await one.close()
    await expect(result).rejects.toThrow('Connection closed')
  })
})

it('a message that is too long ends the server with a sentence', async () => {
  const stdin = new PassThrough(), done = runMcpServer({ version: '0', folder, stdin, stdout: new PassThrough(), cwd: '/home/me/shop' })
  stdin.write('x'.repeat(11 * 1024 * 1024))
  await expect(done).rejects.toThrow(/^the connection has ended: .*maximum size/)
})

describe('a client that wants to know', () => {
  it('hears every ten seconds that its call still waits, and nothing after the answer', async () => {
    await desk()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
    const stdin = new PassThrough(), stdout = new PassThrough(), messages: { id?: number, method?: string, params?: Record<string, unknown> }[] = []
    stdout.on('data', chunk => messages.push(...String(chunk).trim().split('\n').map(line => JSON.parse(line) as object)))
    const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const done = runMcpServer({ version: '0', folder, stdin, stdout, cwd: '/home/me/shop' })
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } })
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/call', params: { name: 'ask_user_question', arguments: QUESTIONS, _meta: { progressToken: 'p' } } })
    await vi.waitFor(() => expect(surface.asked).toBe(1))
    await vi.advanceTimersByTimeAsync(25_000)
    const progress = () => messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params)
    expect(progress()).toEqual([{ progressToken: 'p', progress: 10, message: 'Waiting for the user, 10 s' }, { progressToken: 'p', progress: 20, message: 'Waiting for the user, 20 s' }])
    await surface.answer()
    await vi.waitFor(() => expect(messages.some(({ id }) => id === 2)).toBe(true))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(progress()).toHaveLength(2)
    stdin.end()
    await done
    vi.useRealTimers()
  })
})
