// `claude -p` with our permission prompt tool, on the real Claude Code: its questions, permissions and plans at the desk.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Context } from '@deepseek-ai/cordis'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import * as plugin from '../../src/sources/mcp/index.ts'
import { boot, load } from '../helpers/cordis.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { programs } from '../../scripts/agents-get.ts'
import { AnthropicMock } from './helpers/anthropic-mock.ts'
import { ClaudeHome } from './helpers/claude.ts'

const PROGRAM = fileURLToPath(new URL('../sources/mcp/program.ts', import.meta.url))

class Surface extends FakeSurface {
  readonly approvals = true
}

describe('claude -p with --permission-prompt-tool', () => {
  const model = new AnthropicMock()
  let home: ClaudeHome, folder: string, ctx: Context, surface: Surface

  beforeAll(async () => {
    await model.listen()
    home = new ClaudeHome(model)
    folder = join(home.state, 'dsh-ask-router')
    writeFileSync(join(home.folder, 'mcp.json'), JSON.stringify({ mcpServers: { desk: { command: process.execPath, args: [PROGRAM, folder] } } }))
  })
  afterAll(() => model.close())

  beforeEach(async () => {
    ({ ctx } = await boot())
    surface = new Surface('page')
    await load(ctx, surface)
    await ctx.plugin(plugin, { folder })
    await vi.waitFor(() => expect(readdirSync(folder)).toContain('mcp.sock'))
    return () => ctx.fiber.dispose()
  })

  const server = () => ['--mcp-config', join(home.folder, 'mcp.json')]
  const tool = () => [...server(), '--permission-prompt-tool', 'mcp__desk__approve']

  /** Run a prompt, and answer what is asked. */
  async function run(prompt: string, ...answers: (() => AskUserQuestionAnswer)[]): Promise<string> {
    const done = home.print(prompt, ...tool())
    for (const [at, answer] of answers.entries()) {
      await vi.waitFor(() => expect(surface.asked).toBe(at + 1), { timeout: 60_000 })
      await surface.answer(answer())
    }
    return (await done).stdout.trim()
  }

  const choose = (id: string, custom?: string) => () => ({ answers: [{ id: surface.request.questions[0]!.id, selected: [id], ...custom !== undefined && { custom } }] })

  it('gives the model what the person answered', async () => {
    expect(await run('DO ask', choose('Blue'))).toBe('TOLD: Your questions have been answered: "Which colour?"="Blue". You can now continue with these answers in mind.')
    expect(surface.context.origin).toMatchObject({ agent: 'Claude Code', project: 'shop', session: expect.stringMatching(/^[\da-f]{8}$/) as string })
  })

  it('runs what was allowed', async () => {
    expect(await run('DO bash', choose('allow'))).toBe('TOLD: BASH_RAN')
    expect(existsSync(join(home.project, 'made_by_bash'))).toBe(true)
  })

  it('does not run what was rejected, and the model reads why', async () => {
    expect(await run('DO echo', choose('reject', 'Not on a Friday.'))).toBe('TOLD: [is_error] Not on a Friday.')
    expect(existsSync(join(home.project, 'made_by_echo'))).toBe(false)
  })

  it('denies without a desk, and says so to the model', async () => {
    await ctx.fiber.dispose()
    expect(await run('DO echo')).toMatch(/^TOLD: \[is_error\] The user cannot be asked: no desk is running\./)
    expect(existsSync(join(home.project, 'made_by_echo'))).toBe(false)
  })

  it('shows a plan, and the model goes on with what was approved', async () => {
    const done = home.print('DO plan', ...tool(), '--permission-mode', 'plan')
    await vi.waitFor(() => expect(surface.asked).toBe(1), { timeout: 40_000 })
    expect(surface.request.questions[0]).toMatchObject({ detail: '# The plan\n\n1. Do it\n', intent: { kind: 'plan-review', approve: 'Allow once' } })
    await surface.answer(choose('allow')())
    expect((await done).stdout).toMatch(/^TOLD: User has approved your plan\.[^]*# The plan/)
  })

  it('may ask by the tool of the agents, too', async () => {
    model.add('mcp', [{ name: 'mcp__desk__ask_user_question', input: { questions: [{ id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }] }] } }])
    const done = home.print('DO mcp', ...server(), '--allowedTools', 'mcp__desk__ask_user_question')
    await vi.waitFor(() => expect(surface.asked).toBe(1), { timeout: 40_000 })
    await surface.answer()
    expect((await done).stdout.trim()).toBe('TOLD: {"answers":[{"id":"db","selected":["Postgres"]}]}')
  })

  it('withdraws what it asked when it is ended', async () => {
    const done = home.run('timeout', ['--signal=INT', '25', programs.claude, '-p', 'DO ask', ...tool()])
    await vi.waitFor(() => expect(surface.asked).toBe(1), { timeout: 40_000 })
    await done
    await vi.waitFor(() => expect(ctx.get('askSurfaces')!.pending()).toEqual([]), { timeout: 5000 })
    expect(surface.settled).not.toHaveBeenCalled()
  })
})
