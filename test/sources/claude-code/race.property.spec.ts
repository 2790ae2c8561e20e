// Claude Code's own dialog against a surface, in any order, through the real socket and the real router: one outcome, none invented,
// everything put away. Claude Code is a stand-in that writes what the real one wrote.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import { userQuestionError } from '../../../src/protocol/errors.ts'
import type { AskContext, AskUserQuestionRequest } from '../../../src/index.ts'
import * as plugin from '../../../src/sources/claude-code/index.ts'
import { callSource } from '../../../src/sources/local/client.ts'
import { isServed } from '../../../src/sources/local/server.ts'
import { chooses } from '../../helpers/approval.ts'
import { COLOUR, FakeClaude } from '../../helpers/claude-code.ts'
import { boot, register } from '../../helpers/cordis.ts'
import { SOURCE_RUNS } from '../../helpers/properties.ts'

/** So many sessions of Claude Code run at the same time. */
const AT_ONCE = 30

const RUNS = Math.ceil(SOURCE_RUNS / AT_ONCE)

const QUESTIONS = { questions: [COLOUR] }, PLAN = { plan: '# The plan' }

const colours = ['Red', 'Blue'], question = (label: string): AskUserQuestionAnswer => ({ answers: [{ id: 'q1', selected: [label] }] })

const delay = fc.nat({ max: 60 })

/** What happens in one session, each at its time. */
const schedule = fc.record({
  tool: fc.constantFrom('AskUserQuestion', 'Bash', 'ExitPlanMode'),
  /** On the surface. */
  surface: fc.option(fc.record({ at: delay, does: fc.constantFrom('first', 'second', 'words', 'cancels', 'fails'), twice: fc.boolean() }), { nil: undefined }),
  /** In Claude Code. What takes long has no result before the end of the test. */
  native: fc.option(fc.record({ at: delay, does: fc.constantFrom('first', 'second', 'refuses', 'escapes', 'takes long') }), { nil: undefined }),
  /** The hook's connection is dropped. */
  drop: fc.option(delay, { nil: undefined, freq: 5 }),
  /** The call is in the transcript only after its hook runs. */
  late: fc.boolean(),
  says: fc.boolean(),
})

type Schedule = typeof schedule extends fc.Arbitrary<infer T> ? T : never

/** What the surface answers. */
function surfaceAnswer({ tool, surface }: Schedule): AskUserQuestionAnswer | undefined {
  const does = surface?.does
  if (does === undefined || does === 'cancels' || does === 'fails') return undefined
  if (tool === 'AskUserQuestion') return does === 'words' ? { answers: [{ id: 'q1', selected: [], custom: 'mine' }] } : question(colours[does === 'first' ? 0 : 1]!)
  return does === 'first' ? chooses('allow') : chooses('reject', does === 'words' ? 'mine' : undefined)
}

/** What Claude Code gets for that. */
function decisionFor({ tool }: Schedule, answer: AskUserQuestionAnswer): object {
  const { selected: [first], custom } = answer.answers[0]!
  if (tool === 'AskUserQuestion') return { behavior: 'allow', updatedInput: { ...QUESTIONS, answers: { 'Which colour?': first ?? custom } } }
  if (first === 'reject') return { behavior: 'deny', message: custom ?? expect.stringContaining('doesn\'t want to proceed') as string }
  return { behavior: 'allow', ...tool === 'ExitPlanMode' && { updatedInput: PLAN } }
}

const sleep = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

let base: string, folder: string, ctx: Awaited<ReturnType<typeof boot>>['ctx']
const logs: unknown[] = [], disposers: (() => unknown)[] = []

/** The sessions that run, by what their asks say of them. */
const sessions = new Map<string, Session>()

/** One session, from the call of a tool to its end. */
class Session {
  readonly claude: FakeClaude
  readonly #schedule: Schedule
  readonly #dropped = new AbortController()
  /** What Claude Code's own person chose, before the hook said anything. */
  native: AskUserQuestionAnswer | 'declined' | undefined
  /** What was heard of the end by the surface. */
  readonly settled: (AskUserQuestionAnswer | 'declined' | undefined)[] = []
  isEscaped = false
  asked = 0
  /** Whether the surface has said what it has to say. */
  hasSpoken = false
  signal: AbortSignal | undefined
  reply: unknown

  constructor(of: Schedule) {
    this.#schedule = of
    this.claude = new FakeClaude(join(base, String(sessions.size)))
    sessions.set(this.claude.id.slice(0, 8), this)
  }

  get #input(): Record<string, unknown> {
    const { tool } = this.#schedule
    return tool === 'AskUserQuestion' ? QUESTIONS : tool === 'Bash' ? { command: 'true' } : PLAN
  }

  /** The surface is asked. */
  ask(context: AskContext): Promise<AskUserQuestionAnswer> {
    const { surface } = this.#schedule
    this.asked++
    this.signal = context.signal
    return new Promise((resolve, reject) => {
      if (!surface) return
      setTimeout(() => {
        const answer = surfaceAnswer(this.#schedule)
        this.hasSpoken = true
        if (answer) resolve(answer)
        else reject(surface.does === 'cancels' ? userQuestionError('ASK_CANCELLED', 'not now') : new Error('broken'))
        // oxlint-disable-next-line promise/no-multiple-resolved -- A surface that says two things.
        if (surface.twice) resolve(question('Red'))
      }, surface.at)
    })
  }

  async run(): Promise<void> {
    const { tool, native, drop, late, says } = this.#schedule, { claude } = this
    if (says) claude.status('waiting')
    let id = late ? undefined : claude.use(tool, tool === 'ExitPlanMode' ? {} : this.#input)
    const call = callSource({ folder, name: 'claude-code', body: { hook: claude.input(tool, this.#input) }, signal: this.#dropped.signal })
    const replied = call.then(reply => void (this.reply = reply), () => void (this.reply = 'dropped'))
    id ??= claude.use(tool, tool === 'ExitPlanMode' ? {} : this.#input)
    const steps: Promise<void>[] = []
    if (native) steps.push(sleep(native.at).then(() => this.#decide(id, native.does)))
    if (drop !== undefined) steps.push(sleep(drop).then(() => this.#dropped.abort()))
    await Promise.all(steps)
    await sleep(80)
    // Whoever still waits decides now.
    this.#decide(id, 'first')
    // What takes long ends some time, too.
    if (native?.does === 'takes long') void Promise.race([replied, sleep(2000)]).then(() => claude.result(id, 'done'))
    await replied
  }

  /** The person does something in the native dialog, where it is still there. */
  #decide(id: string, does: string): void {
    const { tool, says } = this.#schedule, { claude } = this, isOpen = this.native === undefined && (this.reply === undefined || this.reply === 'dropped' || this.#saysNothing)
    if (!isOpen) return
    const label = colours[does === 'second' ? 1 : 0]!
    if (does === 'takes long' && (tool !== 'Bash' || !says)) return
    if (says) claude.status('busy')
    if (does === 'escapes') {
      // Claude Code ends its hook, and writes a moment later.
      this.native = tool === 'AskUserQuestion' ? 'declined' : chooses('reject')
      this.isEscaped = true
      this.#dropped.abort()
      claude.escapes(id)
    } else if (does === 'refuses' || does === 'second' && tool !== 'AskUserQuestion') {
      this.native = tool === 'AskUserQuestion' ? 'declined' : chooses('reject', 'nope')
      claude.refuses(id, 'nope')
    } else if (tool === 'AskUserQuestion') {
      this.native = question(label)
      claude.answers(id, [COLOUR], { 'Which colour?': label })
    } else {
      this.native = chooses('allow')
      if (does !== 'takes long') claude.result(id, 'done')
    }
  }

  get #saysNothing(): boolean {
    return (this.reply as { output?: unknown } | undefined)?.output === null
  }

  check(): void {
    const { tool } = this.#schedule, answer = surfaceAnswer(this.#schedule), output = (this.reply as { output?: unknown }).output
    // A hook that says something says what the surface's person said.
    if (output !== null && output !== undefined) {
      expect(answer).toBeDefined()
      expect(output).toEqual({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: decisionFor(this.#schedule, answer!) } })
      expect(this.settled).toEqual([])
    }
    // Somebody has decided, once.
    expect(this.native !== undefined || output !== null && output !== undefined).toBe(true)
    // What is said of Claude Code's dialog is what happened there.
    for (const said of this.settled) expect([tool, said, this.isEscaped]).toEqual([tool, this.native, false])
    expect(this.settled.length).toBeLessThanOrEqual(1)
    expect(this.asked).toBeLessThanOrEqual(1)
    expect(this.asked === 0 || this.hasSpoken || this.signal!.aborted).toBe(true)
  }
}

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'race-'))
  folder = join(base, 'state')
  const booted = await boot()
  ctx = booted.ctx
  ctx.logger.exporter({ levels: { default: 2 }, export: message => void logs.push(message.args.map(String).join(' ')) })
  const source = await ctx.plugin(plugin, { folder })
  disposers.push(() => source.dispose(), () => booted.fiber.dispose())
  const of = (request: AskUserQuestionRequest) => sessions.get(request.origin!.session!)!
  register(ctx, {
    name: 'web', personal: true, approvals: true,
    ask: (request, context) => of(request).ask(context),
    settled: (request, by, answer) => {
      expect(by).toBe('Claude Code')
      of(request).settled.push(answer ?? 'declined')
    },
  })
  await vi.waitFor(async () => expect(await isServed(join(folder, 'claude-code.sock'))).toBe(true))
})

afterAll(async () => {
  for (const dispose of disposers) await dispose()
  rmSync(base, { recursive: true, force: true })
})

it('has one outcome whoever is first, and everything is put away', async () => {
  await fc.assert(fc.asyncProperty(fc.array(schedule, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (schedules) => {
    const all = schedules.map(of => new Session(of))
    await Promise.all(all.map(session => session.run()))
    for (const session of all) {
      session.check()
      sessions.delete(session.claude.id.slice(0, 8))
      session.claude.remove()
    }
    await vi.waitFor(() => expect([ctx.get('askSurfaces')!.pending(), process.getActiveResourcesInfo().filter(name => name === 'FSEventWrap')]).toEqual([[], []]))
  }), { numRuns: RUNS, endOnFailure: true })
}, 240_000)
