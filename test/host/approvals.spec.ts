// A tool that needs permission in the real host: the agent loop's own gate asks through the real approval service, and the
// surfaces and the listeners behind the router are asked together.
import { defineTool } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import { toolCall } from '../../examples/demo/model.ts'
import type { AskUserQuestionRequest } from '../../src/index.ts'
import { chooses } from '../helpers/approval.ts'
import { DEPLOY, DEPLOYED, PanelUi, REJECTED, startGated, Taker, UNAVAILABLE } from './permission.ts'
import { asking, choose, DATABASE, interrupt, macrotask, pending, people, questionError, text, toldAnswer } from './support.ts'

describe('a tool that needs permission', () => {
  it('is shown on the surfaces that take approvals, with what it is to do', async () => {
    const { agent, ctx, takers, begin, audit } = await startGated()
    const [desk] = takers('desk')
    const { shown: [shown], told } = await begin(desk)
    expect(shown.request).toMatchObject({
      kind: 'approval',
      approval: { toolName: 'deploy', reason: 'it touches production' },
      questions: [{ question: 'Allow deploy?\nit touches production', detail: '`/srv/shop`\n\n```\nmake deploy\n```' }],
    })
    expect(shown.request.agent).toBe(agent)
    expect(pending(ctx)).toMatchObject([{ kind: 'approval', sessionId: agent.session.id }])
    shown.answer(chooses('reject'))
    expect(await told()).toEqual(REJECTED)
    expect(audit()).toHaveLength(2)
  })

  it('runs when a surface allows it, and the other surface is told', async () => {
    const { takers, begin, ran, audit } = await startGated()
    const [desk, phone] = takers('desk', 'phone')
    const { shown: [shown, other], told } = await begin(desk, phone)
    expect(ran).toEqual([])
    shown.answer(chooses('allow'))
    expect(await told()).toEqual(DEPLOYED)
    expect(ran).toEqual([{ command: 'make deploy', workdir: '/srv/shop' }])
    expect([other.stopped, other.settled]).toEqual([['ASK_SETTLED'], [{ by: 'desk', answer: chooses('allow') }]])
    const [asked, decided] = audit()
    expect([asked, decided]).toEqual([
      ['approval/asked', asked![1], 'deploy', 'c1', 'it touches production'], ['approval/decided', asked![1], 'allowed-once'],
    ])
  })

  it.each([['reject', undefined], ['reject', 'allow'], ['reject', 'deploy to staging instead']])('does not run when a surface rejects it: "%s", "%s"', async (id, words) => {
    const { takers, begin, ran, audit } = await startGated()
    const [desk, phone] = takers('desk', 'phone')
    const { shown: [shown, other], told } = await begin(desk, phone)
    shown.answer(chooses(id, words))
    expect(await told()).toEqual(REJECTED)
    expect([ran, audit()[1]![2]]).toEqual([[], 'rejected'])
    expect(other.settled).toEqual([{ by: 'desk', answer: chooses('reject', words) }])
  })

  it('does not run when the person declines', async () => {
    const { takers, begin, ran } = await startGated()
    const [desk, phone] = takers('desk', 'phone')
    const { shown: [shown, other], told } = await begin(desk, phone)
    shown.fail(questionError('ASK_CANCELLED', 'no'))
    expect(await told()).toEqual(REJECTED)
    expect([ran, other.settled]).toEqual([[], [{ by: 'desk', answer: undefined }]])
  })

  it('does not run when its turn is aborted: everybody puts it away, and the audit pair is right', async () => {
    const { agent, ctx, takers, begin, ran, audit } = await startGated()
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { shown: [shown, panel], end } = await begin(desk, ui)
    interrupt(agent)
    expect([shown.stopped, shown.settled, panel.signal!.aborted]).toEqual([['ASK_ABORTED'], [], true])
    expect((await end).kind).toBe('aborted')
    shown.answer(chooses('allow'))
    await macrotask()
    expect(ran).toEqual([])
    const [asked, decided, ...more] = audit()
    expect([decided, more]).toEqual([['approval/decided', asked![1], 'cancelled'], []])
  })

  it('is as unavailable as without the router, where nobody is', async () => {
    const { turn, adapter, ran, audit } = await startGated()
    await turn()
    expect([adapter.told('c1'), ran, audit()[1]![2]]).toEqual([UNAVAILABLE, [], 'unavailable'])
  })

  it('is asked of nobody where the session\'s policy decides', async () => {
    const { agent, ctx, takers, turn, adapter } = await startGated()
    const [desk] = takers('desk')
    ctx.approval.setPolicy(agent, 'never')
    await turn()
    expect([adapter.told('c1'), desk.shown]).toEqual([REJECTED, []])
  })
})

describe('a surface without approvals', () => {
  it('never sees one, and its person still has questions', async () => {
    const { surfaces, takers, begin, ran } = await startGated(undefined, [DEPLOY, asking('c2'), text('Done.')])
    const [plain] = people(surfaces, 'plain'), [desk] = takers('desk')
    const { shown: [shown], end } = await begin(desk)
    await macrotask()
    expect([plain.shown, plain.claimed]).toEqual([[], 0])
    const question = plain.next()
    shown.answer(chooses('allow'))
    const asked = await question
    expect([ran.length, asked.request.questions, asked.request.kind]).toEqual([1, [DATABASE], undefined])
    asked.answer(choose('SQLite'))
    await end
  })

  it('does not stand in when nobody else is left', async () => {
    const { surfaces, takers, begin, ran } = await startGated()
    const [plain] = people(surfaces, 'plain'), [desk] = takers('desk')
    const { shown: [shown], told } = await begin(desk)
    shown.fail(new Error('no terminal'))
    expect(await told()).toEqual(UNAVAILABLE)
    expect([plain.shown, ran]).toEqual([[], []])
  })
})

describe('a UI of the host', () => {
  it('that decides first wins, and the surface is told', async () => {
    const { ctx, takers, begin, ran } = await startGated()
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { shown: [shown, panel], told } = await begin(desk, ui)
    await macrotask()
    expect(pending(ctx)[0]!.participants.map(({ name }) => name)).toEqual(['desk', 'host: panel-ui'])
    panel.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    expect([shown.stopped, shown.settled, ran.length]).toEqual([['ASK_SETTLED'], [{ by: 'host: panel-ui', answer: chooses('allow') }], 1])
    shown.answer(chooses('reject'))
  })

  it('loses to a surface, and so does a second one: both are withdrawn', async () => {
    const { ctx, takers, begin, ran } = await startGated()
    const first = new PanelUi(), second = new PanelUi('im-bridge')
    await ctx.plugin(first)
    await ctx.plugin(second)
    const [desk] = takers('desk')
    const { shown: [shown, one, two], told } = await begin(desk, first, second)
    expect([one, two].map(({ signal }) => signal!.aborted)).toEqual([false, false])
    shown.answer(chooses('reject'))
    expect(await told()).toEqual(REJECTED)
    expect([one, two].map(({ signal }) => signal!.aborted)).toEqual([true, true])
    one.decide('allowed-once')
    await macrotask()
    expect(ran).toEqual([])
  })

  it.each(['allowed-once', 'rejected', 'cancelled', 'unavailable'] as const)('decides alone when every surface is out: "%s"', async (outcome) => {
    const { ctx, takers, begin, ran, audit } = await startGated()
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk, phone] = takers('desk', 'phone')
    const { shown: [shown, other, panel], end } = await begin(desk, phone, ui)
    shown.answerAnything({ answers: [{ id: 'approval', selected: ['allow', 'allow'] }] })
    other.answerAnything({ answers: [{ id: 'approval', selected: [], custom: 'allow' }] })
    await macrotask()
    expect([ran, pending(ctx).length]).toEqual([[], 1])
    panel.decide(outcome)
    await end
    expect([ran.length, audit()[1]![2]]).toEqual([outcome === 'allowed-once' ? 1 : 0, outcome])
  })

  it('that is unloaded says "cancelled", which is nobody\'s decision: the surface decides', async () => {
    const { ctx, takers, begin } = await startGated()
    const ui = new PanelUi()
    const fiber = await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { shown: [shown, panel], told } = await begin(desk, ui)
    await fiber.dispose()
    panel.decide('cancelled')
    await macrotask()
    expect(pending(ctx)).toHaveLength(1)
    shown.answer(chooses('allow'))
    expect(await told()).toEqual(DEPLOYED)
  })

  it('is asked only when the surfaces are out, where it is the fallback', async () => {
    const { ctx, takers, begin } = await startGated({ host: 'fallback' })
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { shown: [shown], told } = await begin(desk)
    await macrotask()
    expect(ui.panels).toEqual([])
    const comes = ui.next()
    shown.fail(new Error('no terminal'))
    ;(await comes).decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
  })

  it('has them alone where approvals are off, and with the surfaces after an edit', async () => {
    const { ctx, takers, begin, adapter, router } = await startGated({ approvals: 'off' }, [DEPLOY, text('Done.'), toolCall('c2', 'deploy', { command: 'again' }), text('Done.')])
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { shown: [panel], told } = await begin(ui)
    expect([desk.shown, pending(ctx)]).toEqual([[], []])
    panel.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    router.update({ approvals: 'race' })
    await router.await()
    const { shown: [shown], end } = await begin(desk, ui)
    shown.answer(chooses('reject'))
    await end
    expect(adapter.told('c2')).toEqual({ ...REJECTED, callId: 'c2' })
  })
})

describe('what holds for questions', () => {
  it('holds for approvals: events and snapshots', async () => {
    const { agent, ctx, takers, begin } = await startGated()
    const seen: unknown[] = []
    ctx.on('ask-surfaces/asked', ask => void seen.push(['asked', ask.id, ask.kind, ask.sessionId, ask.questions[0]!.options!.map(({ id }) => id)]))
    ctx.on('ask-surfaces/settled', (ask, outcome) => void seen.push(['settled', ask.id, ask.kind, outcome]))
    const [desk] = takers('desk')
    const { shown: [shown], end } = await begin(desk), { id } = shown.context
    shown.answer(chooses('reject', 'not today'))
    await end
    expect(seen).toEqual([
      ['asked', id, 'approval', agent.session.id, ['allow', 'reject']],
      ['settled', id, 'approval', { kind: 'answered', by: 'desk', answer: chooses('reject', 'not today') }],
    ])
  })

  it('holds for approvals: presence and policies, which may set them apart', async () => {
    const NEVER = 2_147_483_647
    const { surfaces, takers, begin } = await startGated(
      { surfaces: { phone: { delayMs: NEVER, approvals: { away: { delayMs: 0 } } } } }, [DEPLOY, asking('c2'), text('Done.')],
    )
    const [desk, phone] = takers('desk', 'phone')
    const { shown: [shown], told } = await begin(desk)
    expect(phone.shown).toEqual([])
    const rings = phone.next()
    surfaces.presence = 'away'
    const onPhone = await rings
    expect(onPhone.request).toBe(shown.request)
    const question = desk.next()
    onPhone.answer(chooses('allow'))
    // The question that follows waits on the phone, though away.
    const asked = await question
    await macrotask()
    expect(phone.shown).toHaveLength(1)
    asked.answer(choose('SQLite'))
    expect(await told('c2')).toEqual(toldAnswer(choose('SQLite'), 'c2'))
  })

  it('holds for approvals: hushed they come silently, and are reminded of when that is over', async () => {
    const { surfaces, takers, begin } = await startGated()
    const silent = Object.assign(new Taker('silent'), { silent: true })
    surfaces.register(silent)
    const [desk] = takers('desk')
    surfaces.hush(Date.now() + 3_600_000)
    const { shown: [shown], told } = await begin(silent, desk)
    expect([shown.context.quiet, silent.reminded]).toEqual([true, 0])
    surfaces.hush(undefined)
    expect([shown.context.quiet, silent.reminded, desk.reminded]).toEqual([false, 1, 0])
    shown.answer(chooses('reject'))
    expect(await told()).toEqual(REJECTED)
  })

  it('holds for approvals: a surface that claims the session has it, and a personal one', async () => {
    const { agent, surfaces, takers, begin } = await startGated()
    const claimer = new Taker('claimer', agent.session.id), personal = Object.assign(new Taker('phone'), { personal: true })
    const [other] = takers('other')
    for (const one of [claimer, personal]) surfaces.register(one)
    const { shown: [shown], told } = await begin(claimer, personal)
    shown.answer(chooses('reject'))
    expect(await told()).toEqual(REJECTED)
    expect([other.shown.length, personal.shown[0]!.settled.length]).toEqual([0, 1])
  })

  it('holds for approvals: a surface that comes late has it, and one whose router is unloaded puts it away', async () => {
    const { takers, begin, router, ran, audit } = await startGated()
    const [desk] = takers('desk')
    const { end } = await begin(desk)
    const [phone] = takers('phone')
    expect(phone.shown).toHaveLength(1)
    await router.dispose()
    await end
    expect([desk, phone].map(({ shown: [one] }) => [one!.context.signal.aborted, one!.settled])).toEqual([[true, []], [true, []]])
    expect([ran, audit()[1]![2]]).toEqual([[], 'cancelled'])
  })
})

describe('two approvals at once on one agent', () => {
  it('are each decided by their own, and the asker\'s objects have their signals again', async () => {
    const { agent, ctx, takers, begin } = await startGated(undefined, [toolCall('c1', 'both', {}), text('Done.')])
    const { signal } = new AbortController(), requests = ['first', 'second'].map(toolName => ({ agent, toolName, signal }))
    ctx.tools.register(defineTool({
      name: 'both',
      description: 'Ask twice.',
      parameters: {},
      output: { schema: { type: 'string' }, render: (_args, value) => [{ type: 'text', text: value }] },
      execute: async () => (await Promise.all(requests.map(request => ctx.approval.request(request)))).join(),
    }))
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [desk] = takers('desk')
    const { told } = await begin(ui)
    await macrotask()
    expect([desk.shown.map(({ request }) => request.approval!.toolName), ui.panels.length]).toEqual([['first', 'second'], 2])
    desk.shown[1]!.answer(chooses('allow'))
    await macrotask()
    expect(ui.panels.map(panel => panel.signal!.aborted)).toEqual([false, true])
    ui.panels[0]!.decide('rejected')
    expect((await told())!.text).toBe('rejected,allowed-once')
    expect(desk.shown.map(({ settled }) => settled)).toEqual([[{ by: 'host: panel-ui', answer: chooses('reject') }], []])
    expect(requests.map(request => request.signal === signal)).toEqual([true, true])
  })
})

describe('a surface that asks the host for the same permission', () => {
  it.each<[string, (request: AskUserQuestionRequest, own: AbortSignal) => AbortSignal]>([
    ['the request', ({ signal }) => signal!], ['its own', (_request, own) => own],
  ])('under the signal of %s reaches the UI behind the router, and nobody is asked twice', async (_whose, signalOf) => {
    const { agent, ctx, surfaces, takers, begin, ran } = await startGated({ host: 'fallback' })
    const ui = new PanelUi()
    await ctx.plugin(ui)
    const [phone] = takers('phone')
    surfaces.register({
      name: 'relay',
      approvals: true,
      claim: () => false,
      ask: async (request, { signal }) => {
        const outcome = await ctx.approval.request({ agent, toolName: request.approval!.toolName, signal: signalOf(request, signal) })
        return chooses(outcome === 'allowed-once' ? 'allow' : 'reject')
      },
    })
    const { shown: [panel], told } = await begin(ui)
    expect([phone.shown.length, pending(ctx).length, ui.panels.length]).toEqual([1, 1, 1])
    panel.decide('allowed-once')
    expect(await told()).toEqual(DEPLOYED)
    expect([ran.length, phone.shown[0]!.settled]).toEqual([1, [{ by: 'relay', answer: chooses('allow') }]])
  })
})
