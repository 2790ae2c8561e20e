// /asks: the presence, each surface with its state and policy, and the open questions and approvals.
import { hostname } from 'node:os'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { toolCall, text } from '../../examples/demo/model.ts'
import { overview } from '../../src/commands/overview.ts'
import { commandTexts } from '../../src/commands/dictionary.ts'
import type { AskAgent } from '../../src/protocol/request.ts'
import type { AskSurfaces, PendingAsk } from '../../src/protocol/surface.ts'
import { formatOrigin } from '../../src/reply/format.ts'
import type { Lang } from '../../src/reply/lang.ts'
import { originOf } from '../../src/reply/origin.ts'
import { answerer, dispatchAndForget } from '../helpers/cordis.ts'
import { agentOf, choice, FakeSurface, hang, question } from '../helpers/surface.ts'
import { flush, macrotask, pass } from '../helpers/time.ts'
import { newAgent, runTurn, start } from './support.ts'

const SETTINGS = {
  surfaces: {
    terminal: { home: { delayMs: 0 }, away: { delayMs: 90_000, timeoutMs: 3_600_000 } },
    ntfy: { home: { delayMs: 60_000 }, away: { remindMs: 300_000 }, approvals: { home: { delayMs: 5000 }, away: { remindMax: 1 } } },
    web: { remindMs: 1500, remindMax: 1 },
    desk: { away: false },
  },
  quiet: { from: '11:00', to: '13:00', timeZone: 'UTC', surfaces: ['ntfy', 'bell'] },
}

/** A surface of every kind: in quiet hours, silent there or not; watched or not; that repeats itself or not; for approvals or not. */
function everyKind(): FakeSurface[] {
  return [
    Object.assign(new FakeSurface('terminal'), { approvals: true }),
    Object.assign(new FakeSurface('ntfy'), { silent: true, remind: () => {}, approvals: true }),
    Object.assign(new FakeSurface('web'), { watched: () => false, remind: () => {}, approvals: true }),
    new FakeSurface('bell'),
    new FakeSurface('desk'),
  ]
}

let turn = new AbortController()

afterEach(() => {
  turn.abort()
  turn = new AbortController()
})

/** Open a question as the host does, until the test ends. */
function ask(ctx: Context, more: Parameters<typeof question>[0] = {}): void {
  dispatchAndForget(ctx, question({ signal: turn.signal, ...more }), () => new Promise(() => {}))
}

/** A tool needs permission, until the test ends. */
function askApproval(ctx: Context, more: { agent?: AskAgent, toolName?: string } = {}): void {
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => unknown
  waterfall('approval/request', { agent: agentOf('left'), toolName: 'bash', reason: 'secret', signal: turn.signal, ...more }, hang)
}

/** A UI of the host that shows what it is asked and says nothing. */
async function loadUi(ctx: Context, name: string, listener: (request: unknown, next: () => unknown) => unknown = hang): Promise<void> {
  await ctx.plugin({ name, apply: (inner: Context) => void answerer(inner, listener) })
}

/** The origin that is shown for a question of an agent's, or of nobody's. */
function from(agent?: AskAgent): string {
  return formatOrigin(originOf(question(agent && { agent })))
}

describe('where a question comes from', () => {
  const registryWith = (pending: PendingAsk): AskSurfaces => ({
    register: () => () => {}, ask: hang, list: () => [], pending: () => [pending], presence: 'home', reconsider() {}, status: () => [], absent: () => [], hosts: () => [],
    hushedUntil: undefined, hush() {},
  })
  const agentWith = (agentPreset: string) => ({ session: { id: 'here', title: 'Fix the tests', header: { cwd: '/srv/shop', agentPreset } } })
  const coder = agentWith('coder')

  it.each<[Lang, Partial<PendingAsk>, string]>([
    ['en', { agent: coder, sessionId: 'other' }, `coder · ${hostname()} · shop · Fix the tests`],
    ['en', { agent: coder, sessionId: 'here' }, `coder · ${hostname()} · shop · Fix the tests (this session)`],
    ['en', { agent: agentWith('a\nb') }, `a⏎b · ${hostname()} · shop · Fix the tests`],
    ['en', {}, from()],
    ['zh', { agent: coder, sessionId: 'here' }, `coder · ${hostname()} · shop · Fix the tests（当前会话）`],
    ['zh', {}, from()],
  ])('is said of every open question: %s, %j', (lang, given, said) => {
    const pending: PendingAsk = { id: '1', questions: [choice('db', ['A'])], askedAt: Date.now(), participants: [], ...given }
    expect(overview(registryWith(pending), 'here', commandTexts[lang])).toContain(`\n- db? · ${said} · `)
  })

  it.each([
    ['en', "shown on: Claude Code's own dialog (for 5 s), web (for 5 s)", 'out: terminal (gone)'],
    ['zh', '已显示：Claude Code 自己的对话框（已 5 秒）、web（已 5 秒）', '已退出：terminal（已离开）'],
  ] as const)('has the asking program\'s own dialog among those that show it: %s', (lang, shown, out) => {
    const since = Date.now() - 5000, origin = { agent: 'Claude Code', machine: 'laptop', project: 'a\u001b\u202eb', session: 'Fix' }
    const participants = [{ name: 'Claude Code', state: 'asked', since }, { name: 'web', state: 'asked', since }, { name: 'terminal', state: 'left' }] as const
    const said = overview(registryWith({ id: '1', questions: [choice('db', ['A'])], origin, askedAt: since, participants: [...participants] }), 'here', commandTexts[lang])
    expect(said).toContain('\n- db? · Claude Code · laptop · a␛<U+202E>b · Fix · ')
    expect(said).toContain(shown)
    expect(said).toContain(out)
  })

  it.each([['en', 'the agent has gone on'], ['zh', '智能体已继续']] as const)('is followed by how long it is open, and whether the agent has gone on: %s', (lang, said) => {
    const pending: PendingAsk = { id: '1', questions: [], askedAt: Date.now(), participants: [] }
    const lineOf = (one: PendingAsk) => overview(registryWith(one), undefined, commandTexts[lang]).split('\n').find(line => line.startsWith('- '))!
    expect(lineOf({ ...pending, late: true })).toBe(`${lineOf(pending)} · ${said}`)
  })

  it('is not called this session where neither has one', () => {
    const pending: PendingAsk = { id: '1', questions: [], askedAt: Date.now(), participants: [] }
    expect(overview(registryWith(pending), undefined, commandTexts.en)).not.toContain('this session')
  })
})

describe('/asks', () => {
  it('names what is configured and not there, as a mistyped name is', async () => {
    const { say, surfaces } = await start({ router: { surfaces: { nfty: { delayMs: 5 }, desk: {} }, quiet: { ...SETTINGS.quiet, surfaces: ['ask-ntfy', 'nfty'] } } })
    surfaces.register(new FakeSurface('desk'))
    expect((await say('/asks'))?.text).toMatch(/\n {2}home and away: at once\nConfigured, but not registered: nfty, ask-ntfy$/)
    for (const name of ['nfty', 'ask-ntfy']) surfaces.register(new FakeSurface(name))
    expect((await say('/asks'))?.text).not.toContain('Configured')
  })

  it('shows where the person is, and every surface with its state and its policy for both modes', async () => {
    const { say, surfaces } = await start({ router: { ...SETTINGS, presence: 'away' } })
    for (const one of everyKind()) surfaces.register(one)
    expect(await say('/asks')).toEqual({ kind: 'success', text: `You are away. No question is open.

Surfaces:
- terminal: watched
  home: at once; away: after 90 s, waited for up to 60 min
- ntfy: watched, quiet now, asked silently
  home: after 60 s; away: at once, reminder every 5 min, at most 3 times
  permissions: home: after 5 s; away: at once, reminder every 5 min, at most once
- web: nobody looks there
  home and away: at once, reminder every 1500 ms, at most once
- bell: watched, quiet now, asked when that ends, questions only
  home and away: at once
- desk: watched, not asked while away, questions only
  home: at once; away: not asked` })
  })

  it('shows it in Chinese', async () => {
    const { say, surfaces } = await start({ router: { ...SETTINGS, presence: 'away' }, lang: 'zh' })
    for (const one of everyKind()) surfaces.register(one)
    expect((await say('/asks'))!.text).toBe(`当前：外出。没有未答的问题。

界面：
- terminal：有人在看
  在家：立即；外出：90 秒后，最多等它 60 分钟
- ntfy：有人在看，现在安静，静音提问
  在家：60 秒后；外出：立即，每 5 分钟提醒一次，最多 3 次
  权限请求：在家：5 秒后；外出：立即，每 5 分钟提醒一次，最多 1 次
- web：无人在看
  在家和外出：立即，每 1500 毫秒提醒一次，最多 1 次
- bell：有人在看，现在安静，结束后再问，只接受问题
  在家和外出：立即
- desk：有人在看，外出时不问，只接受问题
  在家：立即；外出：不问`)
  })

  it('names no reminder of a surface that cannot repeat itself', async () => {
    const { add, say } = await start({ router: { surfaces: { desk: { remindMs: 60_000 } } } })
    add('desk')
    expect((await say('/asks'))!.text).not.toContain('reminder')
  })

  it('says so when no surface is registered, and names each UI of the host that is asked', async () => {
    const { ctx, say } = await start()
    await loadUi(ctx, 'web')
    answerer(ctx, () => Promise.reject(new Error('broken')))
    ask(ctx)
    await pass(150_000)
    await macrotask()
    expect((await say('/asks'))!.text).toBe(`You are home. 1 question is open.

No surface is registered; only dsh's own UIs are asked: host: web, host.

Questions:
- db? · ${from()} · open for 2 min
  shown on: host: web (for 2 min)
  out: host (failed)`)
  })

  it.each([
    ['en', 'Nobody can be asked: no surface is registered, and no UI of dsh listens for questions.'],
    ['zh', '没有人可问：没有注册任何界面，dsh 也没有界面在等待问题。'],
  ] as const)('says that nobody can be asked where there is neither a surface nor a UI of the host: %s', async (lang, said) => {
    const { say } = await start({ lang })
    expect((await say('/asks'))!.text!.split('\n\n')[1]).toBe(said)
  })

  it('shows the questions of all sessions: how long each is open, who shows it, who waits and why', async () => {
    const asking = (id: string, title: string) =>
      [toolCall(id, 'ask_user_question', { questions: [{ id, question: title, options: [{ label: 'Yes' }, { label: 'No' }] }] }), text('Done.')]
    const { agent, ctx, say, surfaces } = await start({
      router: SETTINGS, script: { agent: asking('c1', 'Shall I deploy?'), right: asking('c2', 'Which colour?') },
    })
    for (const one of everyKind()) surfaces.register(one)
    const right = await newAgent(ctx, 'right')
    void runTurn(ctx, agent, 'go on')
    await vi.waitUntil(() => surfaces.pending().length === 1)
    await pass(45_000)
    void runTurn(ctx, right, 'go on')
    await vi.waitUntil(() => surfaces.pending().length === 2)
    await macrotask()
    expect((await say('/asks'))!.text!.split('\n\n')[2]).toBe(`Questions:
- Shall I deploy? · ${from(agent)} (this session) · open for 45 s
  shown on: terminal (for 45 s), web (for 45 s, nobody looks there), desk (for 45 s)
  waiting: ntfy (asked in 15 s), bell (when it is no longer quiet)
- Which colour? · ${from(right)} · open for 0 s
  shown on: terminal (for 0 s), web (for 0 s, nobody looks there), desk (for 0 s)
  waiting: ntfy (asked in 60 s), bell (when it is no longer quiet)`)
  })

  it.each([
    ['en', ' · left', '  shown on: slow (for 5 s, timed out, can still answer), desk (for 5 s), host (for 5 s)\n  out: broken (failed), blank (answered nothing)'],
    ['zh', ' · left', '  已显示：slow（已 5 秒，已超时，仍可回答）、desk（已 5 秒）、host（已 5 秒）\n  已退出：broken（失败）、blank（空回答）'],
  ] as const)('shows who is out, and how, and who can still answer: %s', async (lang, session, out) => {
    const { add, ctx, say } = await start({ router: { surfaces: { slow: { timeoutMs: 5000 } } }, lang })
    const [broken, , blank] = add('broken', 'slow', 'blank', 'desk')
    ask(ctx, { agent: agentOf('left') })
    broken!.fail()
    blank!.answer({ answers: [{ id: 'db', selected: ['  '] }] })
    await macrotask()
    await pass(5000)
    const shown = (await say('/asks'))!.text!
    expect(shown).toContain(session)
    expect(shown).toContain(out)
  })

  it('shows what waits for the other mode, and the host that is asked last', async () => {
    const { add, ctx, say, surfaces } = await start({ router: { host: 'fallback', surfaces: { desk: { away: false } } } })
    add('desk', 'phone')
    surfaces.presence = 'away'
    ask(ctx)
    await flush()
    expect((await say('/asks'))!.text).toContain('  waiting: desk (not asked while away), host (asked when nobody else is left)')
  })

  it.each([
    ['en', 'You are home. 1 question is open. 2 permissions are asked for.', `Permissions:
- Allow bash? · ${from(agentOf('left'))} · open for 2 s
  shown on: terminal (for 2 s), web (for 2 s, nobody looks there), host (for 2 s)
  waiting: ntfy (asked in 3 s)
- Allow a␛b? · ${from(agentOf('left'))} · open for 0 s`],
    ['zh', '当前：在家。有 1 个未答的问题。有 2 个待定的权限请求。', `权限请求：
- 允许使用 bash 吗？ · ${from(agentOf('left'))} · 已等待 2 秒
  已显示：terminal（已 2 秒）、web（已 2 秒，无人在看）、host（已 2 秒）
  等待中：ntfy（3 秒后提问）
- 允许使用 a␛b 吗？ · ${from(agentOf('left'))} · 已等待 0 秒`],
  ] as const)('shows what needs permission apart from questions, and when it is shown where: %s', async (lang, first, section) => {
    const { ctx, say, surfaces } = await start({ router: SETTINGS, lang })
    for (const one of everyKind()) surfaces.register(one)
    ask(ctx)
    askApproval(ctx)
    await macrotask()
    await pass(2000)
    askApproval(ctx, { toolName: 'a\u001bb' })
    const shown = (await say('/asks'))!.text!
    expect(shown.split('\n')[0]).toBe(first)
    expect(shown.split('\n\n')[3]).toContain(section)
    expect(shown).not.toContain('secret')
  })

  it('counts one permission, and no question', async () => {
    const { ctx, say } = await start()
    askApproval(ctx)
    const shown = (await say('/asks'))!.text!
    expect(shown).toMatch(/^You are home\. 1 permission is asked for\.\n/)
    expect(shown).not.toContain('Questions:')
  })

  it('shows why an approval waits that policies keep from a surface', async () => {
    const { ctx, say, surfaces } = await start({ router: { surfaces: { desk: { approvals: { home: false } } } } })
    for (const name of ['desk', 'phone']) surfaces.register(Object.assign(new FakeSurface(name), { approvals: true }))
    askApproval(ctx)
    const shown = (await say('/asks'))!.text!
    expect(shown).toContain('- desk: watched\n  home and away: at once\n  permissions: home: not asked; away: at once\n')
    expect(shown).toContain('  waiting: desk (not asked at home)')
  })

  it('shows a question that nobody shows', async () => {
    const { add, ctx, say } = await start({ router: { surfaces: { desk: { delayMs: 60_000 } } }, lang: 'zh' })
    add('desk')
    ask(ctx, { questions: [] })
    expect((await say('/asks'))!.text!.split('\n\n')[2]).toBe(`问题：
- （没有问题） · ${from()} · 已等待 0 秒
  尚未显示
  等待中：desk（60 秒后提问）、host（没有别处可问时再问）`)
  })

  it('shows the others beside one that cannot be read', async () => {
    const { ctx, say } = await start()
    ask(ctx, { questions: [choice('a', ['A'], { question: 7 as never })] })
    ask(ctx, { questions: [choice('b', ['B'])] })
    const shown = (await say('/asks'))!.text!
    expect(shown).toContain('- (one that cannot be read)\n- b? ·')
  })

  it.each<[string, ReturnType<typeof choice>[], string]>([
    ['the header alone', [choice('db', ['A'], { header: ' Storage ', question: 'secret' })], '- Storage ·'],
    ['the beginning of a long question', [choice('db', ['A'], { question: `${'🦊'.repeat(59)}xyz` })], `- ${'🦊'.repeat(59)}… ·`],
    ['the first of several', [choice('db', ['A']), choice('b', ['B']), choice('c', ['C'])], '- db? (and 2 more) ·'],
    ['control characters as pictures', [choice('db', ['A'], { question: 'a\u001b[2J\nb\u202ec' })], '- a␛[2J⏎b<U+202E>c ·'],
  ])('shows of a question %s', async (_what, questions, line) => {
    const { ctx, say } = await start()
    ask(ctx, { questions: questions.map(one => ({ ...one, detail: 'secret', options: [{ label: 'secret' }] })) })
    const shown = (await say('/asks'))!.text!
    expect(shown).toContain(line)
    expect(shown).not.toContain('secret')
  })

  it('counts no time that a clock was set back', async () => {
    const { add, ctx, say } = await start()
    add('desk')
    ask(ctx)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect((await say('/asks'))!.text).toContain('open for 0 s')
  })

  it.each([
    ['en', '/asks may be followed by "test" or by nothing, not by "tset␛"'],
    ['zh', '/asks 之后可以写“test”或什么都不写，不能写“tset␛”'],
  ] as const)('refuses other words, and says what it may be: %s', async (lang, message) => {
    const { add, say } = await start({ lang })
    const [desk] = add('desk')
    expect(await say('/asks tset\u001b')).toEqual({ kind: 'error', text: message })
    expect((await say(`/asks ${'x'.repeat(500)}`))!.text!.length).toBeLessThan(120)
    expect(desk!.asked).toBe(0)
  })
})
