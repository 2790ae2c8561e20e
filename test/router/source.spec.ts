// `ctx.askSurfaces.ask`: what a source that is no dsh waterfall may ask, and how it hears the end (rule 27).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, expectTypeOf, it, vi } from 'vitest'
import { userQuestionError } from '../../src/protocol/errors.ts'
import type { AskOptions, AskResult, AskSurfaces } from '../../src/protocol/surface.ts'
import { AskSurfaceRegistry } from '../../src/router/registry.ts'
import { approval, chooses } from '../helpers/approval.ts'
import { boot, load } from '../helpers/cordis.ts'
import { cancelled, choice, FakeSurface, question, says } from '../helpers/surface.ts'
import { flush, macrotask, pass, useFakeTime, watch } from '../helpers/time.ts'

useFakeTime()

const ORIGIN = { agent: 'Claude Code', machine: 'laptop', project: 'shop', session: '1f3a' }

/** A router with one surface, and the registry as a plugin sees it. */
async function desk(config?: unknown, surface = new FakeSurface()) {
  const { ctx, fiber } = await boot(config)
  const registry = ctx.get('askSurfaces')!
  registry.register(surface)
  return { ctx, fiber, registry, a: surface }
}

/** A dialog that a test answers. */
function dialogOf(name = 'Claude Code') {
  const { promise, resolve, reject } = Promise.withResolvers<never>()
  return { name, answer: promise, say: (value: unknown) => resolve(value as never), fail: reject }
}

describe('a source\'s request', () => {
  it('27: is answered by the first surface, whose name it hears', async () => {
    const { registry, a } = await desk(), ask = watch(registry.ask(question()))
    await a.answer(says('SQLite'))
    expect(ask.value).toEqual({ answer: says('SQLite'), by: 'a' })
    expect(registry.pending()).toEqual([])
  })

  it('27: carries where it comes from to surfaces and snapshots', async () => {
    const { registry, a } = await desk()
    void registry.ask(question(), { origin: ORIGIN })
    expect([a.context.origin, a.request.origin, registry.pending()[0]!.origin]).toEqual([ORIGIN, ORIGIN, ORIGIN])
    await a.answer()
  })

  it('27: may offer more than two outcomes, by id', async () => {
    const surface = Object.assign(new FakeSurface(), { approvals: true }), { registry, a } = await desk({}, surface)
    const [item] = approval().questions, wider = { id: 'allow-session', label: 'Allow for this session', displayLabel: { zh: '本次会话内允许' } }
    const ask = watch(registry.ask(approval({ options: [...item!.options!, wider] })))
    expect(a.request.questions[0]!.options!.at(-1)).toEqual(wider)
    await a.answer(chooses('allow-session'))
    expect(ask.value).toEqual({ answer: chooses('allow-session'), by: 'a' })
  })

  it('27: without anybody to ask, rejects with NO_PROVIDER', async () => {
    const { ctx } = await boot()
    await expect(ctx.get('askSurfaces')!.ask(question())).rejects.toMatchObject({ code: 'NO_PROVIDER' })
  })

  it('27: is put away when its signal aborts, its own or the one in the options', async () => {
    const { registry, a } = await desk()
    for (const where of ['request', 'options'] as const) {
      const controller = new AbortController(), { signal } = controller
      const ask = watch(where === 'request' ? registry.ask(question({ signal })) : registry.ask(question(), { signal }))
      expect(a.context.signal.aborted).toBe(false)
      controller.abort(new Error('the session ended'))
      await flush()
      expect([ask.error, a.context.signal.aborted]).toEqual([expect.objectContaining({ code: 'ASK_ABORTED', cause: controller.signal.reason }), true])
    }
    await expect(registry.ask(question(), { signal: AbortSignal.abort('before') })).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    expect(a.asked).toBe(2)
  })

  it('27: leaves nothing on a signal that lives long', async () => {
    const { registry, a } = await desk(), { signal } = new AbortController()
    const add = vi.spyOn(signal, 'addEventListener'), remove = vi.spyOn(signal, 'removeEventListener')
    for (let at = 0; at < 3; at++) {
      const asked = registry.ask(question(), { signal })
      await a.answer()
      await asked
    }
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([3, 3])
  })

  it('27: is put away when the plugin that asks is unloaded', async () => {
    const { ctx, registry, a } = await desk()
    let ask: ReturnType<typeof watch> | undefined
    const fiber = await ctx.plugin({ name: 'source', inject: ['askSurfaces'], apply: (inner: Context) => void (ask = watch(inner.askSurfaces.ask(question()))) })
    expect(registry.pending()).toHaveLength(1)
    await fiber.dispose()
    await flush()
    expect([ask!.error, a.context.signal.aborted, registry.pending()]).toEqual([expect.objectContaining({ code: 'ASK_ABORTED' }), true, []])
  })

  it('27: is put away with the router, and asked of nobody once it is gone', async () => {
    const { fiber, registry, a } = await desk(), ask = watch(registry.ask(question()))
    await fiber.dispose()
    await flush()
    expect(ask.error).toMatchObject({ code: 'ASK_ABORTED' })
    await expect(registry.ask(question())).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    expect(a.asked).toBe(1)
  })

  it('27: works outside cordis, too', async () => {
    const registry = new AskSurfaceRegistry(), a = new FakeSurface()
    registry.register(a)
    const ask = watch(registry.ask(question()))
    await a.answer()
    expect(ask.value).toEqual({ answer: says('Postgres'), by: 'a' })
  })

  it('27: is not a copy that a surface made of what it was asked', async () => {
    const { registry, a } = await desk()
    void registry.ask(question()).catch(() => {})
    await expect(registry.ask(a.request)).rejects.toThrow('a copy of one that is being asked')
    await a.answer()
  })

  it('27: is shown as it was when it was asked, whatever its asker changes later', async () => {
    const surface = Object.assign(new FakeSurface(), { approvals: true }), { registry, a } = await desk({}, surface)
    const request = { ...approval(), approval: { toolName: 'bash', reason: 'because' } }
    void registry.ask(request)
    request.approval.reason = 'another'
    expect([a.request.approval, registry.pending()[0]!.approval]).toEqual([{ toolName: 'bash', reason: 'because' }, { toolName: 'bash', reason: 'because' }])
    await a.answer(chooses('reject'))
  })

  it.each([
    [undefined, {}, 'questions must be a list'],
    [{}, {}, 'questions must be a list'],
    [{ questions: [] }, {}, 'questions must not be empty'],
    [{ questions: [{ question: 'db?' }] }, {}, 'questions.0.id: '],
    [{ questions: [{ id: 'db', question: 7 }] }, {}, 'questions.0.question: '],
    [{ questions: [{ ...choice('db', ['a']), options: [{}] }] }, {}, 'questions.0.options.0.label: '],
    [{ ...approval(), approval: { toolName: 7 } }, {}, 'approval.toolName: '],
    [{ ...approval(), approval: { toolName: 'bash', displayReason: { en: Symbol('x') } } }, {}, 'approval.displayReason.en: '],
    [{ ...approval(), questions: [choice('a', ['x'])] }, {}, 'needs an id'],
    [question(), { origin: {} }, 'origin.agent must be a non-empty string'],
    [question(), { origin: { ...ORIGIN, project: ' ' } }, 'origin.project must be a non-empty string'],
    [question(), { origin: { ...ORIGIN, session: 7 } }, 'origin.session must be a non-empty string'],
    [question(), { dialog: { name: '' } }, 'dialog.name must be a non-empty string'],
    [question(), { dialog: { name: 'host: x', answer: Promise.resolve() } }, 'dialog.name must be a non-empty string'],
    [question(), { dialog: { name: 'Codex', answer: says('a') } }, 'dialog.answer must be a promise'],
  ])('27: %j with %j is refused: %s', async (request, options, problem) => {
    const { registry, a } = await desk()
    await expect(registry.ask(request as never, options as never)).rejects.toThrow(problem)
    expect([a.asked, registry.pending()]).toEqual([0, []])
  })

  it('27: that cannot be read is refused', async () => {
    const { registry } = await desk()
    const broken = { questions: [{ id: 'db', get question(): string { throw new Error('no') } }] }
    await expect(registry.ask(broken)).rejects.toThrow(new TypeError('bad request: it is unreadable'))
  })

  it('27: its types say so', () => {
    expectTypeOf<AskSurfaces['ask']>().returns.toEqualTypeOf<Promise<AskResult>>()
    expectTypeOf<{ signal: undefined }>().toExtend<AskOptions>()
  })
})

describe('a source\'s own dialog', () => {
  it('27: is a participant from the start, whatever is configured for the host\'s UIs', async () => {
    for (const host of ['race', 'first', 'fallback']) {
      const { registry, a } = await desk({ host }), dialog = dialogOf()
      const ask = watch(registry.ask(question(), { dialog }))
      await macrotask()
      expect(registry.pending()[0]!.participants).toMatchObject([{ name: 'a', state: 'asked' }, { name: 'Claude Code', state: 'asked' }])
      dialog.say(says('SQLite'))
      await flush()
      expect(ask.value).toEqual({ answer: says('SQLite'), by: 'Claude Code' })
      expect(a.settled.mock.lastCall!.slice(1)).toEqual(['Claude Code', says('SQLite')])
    }
  })

  it('27: is somebody at home, so a phone waits its minute; away it rings at once', async () => {
    const { registry, a } = await desk({ surfaces: { a: { home: { delayMs: 60_000 }, away: {} } } })
    void registry.ask(question(), { dialog: dialogOf() }).catch(() => {})
    await pass(59_000)
    expect(a.asked).toBe(0)
    await pass(2_000)
    expect(a.asked).toBe(1)
    await a.answer()
    registry.presence = 'away'
    const ask = watch(registry.ask(question(), { dialog: dialogOf() }))
    await macrotask()
    expect(a.asked).toBe(2)
    await a.answer()
    expect(ask.value!.by).toBe('a')
  })

  it('27: holds the ask alone, and surfaces that come are offered it', async () => {
    const { ctx } = await boot(), registry = ctx.get('askSurfaces')!, dialog = dialogOf(), a = new FakeSurface()
    const ask = watch(registry.ask(question(), { dialog }))
    await pass(10_000)
    expect(ask.state).toBe('open')
    await load(ctx, a)
    await a.answer()
    expect(ask.value!.by).toBe('a')
  })

  it('27: whose person has decided makes a surface\'s word late: the ask is aborted, and nobody has answered', async () => {
    const { registry, a } = await desk(), b = new FakeSurface('b')
    registry.register(b)
    for (const say of [() => a.answer(says('SQLite')), () => a.fail(cancelled())]) {
      let isDecided = false
      const ask = watch(registry.ask(question(), { dialog: { ...dialogOf(), isDecided: () => isDecided } })), told = [a, b].map(one => one.settled.mock.calls.length)
      await macrotask()
      isDecided = true
      await say()
      expect(ask.error).toMatchObject({ code: 'ASK_ABORTED' })
      expect([a.context.signal.aborted, b.context.signal.aborted, registry.pending()]).toEqual([true, true, []])
      expect([a, b].map(one => one.settled.mock.calls.length)).toEqual(told)
    }
  })

  it('27: whose person has decided still says what', async () => {
    const { registry, a } = await desk(), dialog = dialogOf(), ask = watch(registry.ask(question(), { dialog: { ...dialog, isDecided: () => true } }))
    await macrotask()
    dialog.say(says('SQLite'))
    await flush()
    expect(ask.value).toEqual({ answer: says('SQLite'), by: 'Claude Code' })
    expect(a.settled.mock.lastCall!.slice(1)).toEqual(['Claude Code', says('SQLite')])
  })

  it('27: that cannot say whether its person has decided keeps no answer away', async () => {
    const { registry, a } = await desk(), ask = watch(registry.ask(question(), { dialog: { ...dialogOf(), isDecided: () => { throw new Error('broken') } } }))
    await macrotask()
    await a.answer()
    expect(ask.value!.by).toBe('a')
  })

  it('27: declines for everybody', async () => {
    const { registry, a } = await desk(), dialog = dialogOf(), ask = watch(registry.ask(question(), { dialog }))
    await macrotask()
    dialog.fail(cancelled('Esc'))
    await flush()
    expect(ask.error).toMatchObject({ code: 'ASK_CANCELLED' })
    expect(a.settled.mock.lastCall!.slice(1)).toEqual(['Claude Code', undefined])
  })

  it('27: that fails or says nonsense is out, and a surface still answers', async () => {
    const { registry, a } = await desk()
    for (const end of ['fail', 'nonsense']) {
      const dialog = dialogOf(), ask = watch(registry.ask(question(), { dialog }))
      await macrotask()
      if (end === 'fail') dialog.fail(new Error('gone'))
      else dialog.say({ answers: 'nonsense' })
      await flush()
      expect(ask.state).toBe('open')
      await a.answer()
      expect(ask.value!.by).toBe('a')
    }
  })

  it('27: permits by the option\'s id alone', async () => {
    const surface = Object.assign(new FakeSurface(), { approvals: true }), { registry, a } = await desk({}, surface), dialog = dialogOf()
    const ask = watch(registry.ask(approval(), { dialog }))
    await macrotask()
    dialog.say(chooses('Allow once'))
    await flush()
    expect(ask.state).toBe('open')
    await a.answer(chooses('reject', 'not there'))
    expect(ask.value).toEqual({ answer: chooses('reject', 'not there'), by: 'a' })
  })

  it('27: may fail after the end, or without anybody who listens', async () => {
    const { registry, a } = await desk(), dialog = dialogOf(), ask = watch(registry.ask(question(), { dialog }))
    await a.answer()
    dialog.fail(userQuestionError('ASK_CANCELLED', 'late'))
    const refused = dialogOf()
    await expect(registry.ask({} as never, { dialog: refused })).rejects.toThrow(TypeError)
    refused.fail(new Error('unheard'))
    await flush()
    expect(ask.value!.by).toBe('a')
  })
})
