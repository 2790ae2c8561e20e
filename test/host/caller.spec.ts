// A plugin that asks through `ctx.userQuestions.ask`, without a turn: it gets the host's own error class, and its
// request object back as it was.
import { getEventListeners } from 'node:events'
import { UserQuestionError } from '@deepseek-ai/dsh-user-questions'
import { describe, expect, it } from 'vitest'
import {
  choose, DATABASE, macrotask, newAgent, pending, people, plugin, questionError, startBare, startHost, type Shown,
} from './support.ts'
import { WebUi } from './web-ui.ts'

const QUESTIONS = [DATABASE]

/** What a rejection is, for the host's plugins. */
const rejection = async (promise: Promise<unknown>) => {
  const error = await promise.then(() => undefined, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(UserQuestionError)
  return error as UserQuestionError
}

describe('an error of a surface', () => {
  it.each<[string, (shown: Shown) => void, RegExp]>([
    ['ASK_CANCELLED', shown => shown.fail(questionError('ASK_CANCELLED', 'not now')), /^not now$/],
    ['E_LINE', shown => shown.fail(Object.assign(questionError('NO_PROVIDER', 'no line'), { code: 'E_LINE' })), /^no line$/],
    ['BAD_ANSWER', shown => shown.answerAnything({ answers: 'SQLite' }), /^bad answer: answers/],
  ])('is of the host\'s class for who asked: %s', async (code, act, message) => {
    const { ctx, surfaces } = await startHost([])
    const [desk] = people(surfaces, 'desk')
    const arrived = desk.next()
    const asked = ctx.userQuestions.ask({ questions: QUESTIONS })
    act(await arrived)
    expect(await rejection(asked)).toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it('is of the host\'s class and has the causes, when several failed', async () => {
    const { ctx, surfaces } = await startHost([])
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const asked = rejection(ctx.userQuestions.ask({ questions: QUESTIONS }))
    desk.shown[0]!.fail(questionError('NO_PROVIDER', 'no line'))
    phone.shown[0]!.fail(new Error('no network'))
    const error = await asked
    expect(error).toMatchObject({ code: 'NO_PROVIDER', message: 'no line' })
    expect((error.cause as Error).cause).toBeInstanceOf(AggregateError)
  })

  it('stays what it is when it says nothing of the kind', async () => {
    const { ctx, surfaces } = await startHost([])
    const [desk] = people(surfaces, 'desk')
    const asked = ctx.userQuestions.ask({ questions: QUESTIONS })
    const error = new RangeError('too far')
    desk.shown[0]!.fail(error)
    await expect(asked).rejects.toBe(error)
  })

  it('is of the host\'s class when the router is unloaded', async () => {
    const { ctx, router, surfaces } = await startHost([])
    people(surfaces, 'desk')
    const asked = rejection(ctx.userQuestions.ask({ questions: QUESTIONS }))
    await router.dispose()
    expect(await asked).toMatchObject({ code: 'ASK_ABORTED' })
  })

  it('is of the host\'s class when nobody is there', async () => {
    const { ctx } = await startHost([])
    expect(await rejection(ctx.userQuestions.ask({ questions: QUESTIONS }))).toMatchObject({ code: 'NO_PROVIDER' })
  })
})

describe('the signal of who asks', () => {
  it('has no listener left once the question is settled', async () => {
    const { ctx, surfaces } = await startHost([])
    const [desk, phone] = people(surfaces, 'desk', 'phone')
    const { signal } = new AbortController()
    const asked = ctx.userQuestions.ask({ questions: QUESTIONS, signal })
    expect(getEventListeners(signal, 'abort')).not.toEqual([])
    await macrotask()
    desk.shown[0]!.answer(choose('Postgres'))
    await asked
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(phone.shown[0]!.settled.length).toBe(1)
  })

  it('aborts the question with its reason as the cause', async () => {
    const { ctx, surfaces } = await startHost([])
    const [desk] = people(surfaces, 'desk')
    const controller = new AbortController()
    const asked = rejection(ctx.userQuestions.ask({ questions: QUESTIONS, signal: controller.signal }))
    const reason = new Error('the deadline')
    controller.abort(reason)
    const error = await asked
    expect(error.code).toBe('ASK_ABORTED')
    expect((error.cause as Error).cause).toBe(reason)
    expect(desk.shown[0]!.stopped).toEqual(['ASK_ABORTED'])
    expect(desk.shown[0]!.request.signal!.reason).toBe(reason)
  })

  it('lets the host refuse the question before anybody sees it, when it has aborted already', async () => {
    const { ctx, surfaces } = await startHost([])
    const [desk] = people(surfaces, 'desk')
    const aborted = ctx.userQuestions.ask({ questions: QUESTIONS, signal: AbortSignal.abort() })
    expect(await rejection(aborted)).toMatchObject({ code: 'ASK_ABORTED' })
    expect(await rejection(ctx.userQuestions.ask({ questions: [] }))).toMatchObject({ code: 'EMPTY_QUESTIONS' })
    expect(desk.claimed).toBe(0)
  })
})

describe('the request object', () => {
  it.each<[string, { questions: typeof QUESTIONS, signal?: AbortSignal }]>([
    ['with a signal', { questions: QUESTIONS, signal: new AbortController().signal }],
    ['without one', { questions: QUESTIONS }],
  ])('is back as it was once the question is settled: %s', async (_what, request) => {
    const { ctx, surfaces } = await startHost([])
    await ctx.plugin(new WebUi())
    const [desk] = people(surfaces, 'desk')
    const before = { ...request }
    const asked = ctx.userQuestions.ask(request)
    await macrotask()
    // Meanwhile the web UI finds the signal that would take its card away.
    expect(request.signal).toBeInstanceOf(AbortSignal)
    expect(request.signal).not.toBe(before.signal)
    desk.shown[0]!.answer(choose('Postgres'))
    expect(await asked).toEqual(choose('Postgres'))
    expect(Object.entries(request)).toEqual(Object.entries(before))
    expect(request.signal).toBe(before.signal)
  })

  it('may be asked with twice at once: both end, and it is back as it was', async () => {
    const { ctx, surfaces } = await startHost([])
    const web = new WebUi()
    await ctx.plugin(web)
    const [desk] = people(surfaces, 'desk')
    const controller = new AbortController()
    const request = { questions: QUESTIONS, signal: controller.signal }
    const first = ctx.userQuestions.ask(request)
    await macrotask()
    const second = rejection(ctx.userQuestions.ask(request))
    await macrotask()
    desk.shown[0]!.answer(choose('SQLite'))
    expect(await first).toEqual(choose('SQLite'))
    expect(request.signal).toBe(controller.signal)
    expect(pending(ctx)).toHaveLength(1)
    controller.abort()
    expect(await second).toMatchObject({ code: 'ASK_ABORTED' })
    expect(desk.shown[1]!.stopped).toEqual(['ASK_ABORTED'])
  })

  it('may be frozen: the web UI is then only ignored', async () => {
    const { ctx, surfaces } = await startHost([])
    const web = new WebUi()
    await ctx.plugin(web)
    const [desk] = people(surfaces, 'desk')
    const { signal } = new AbortController()
    const arrived = web.next()
    const asked = ctx.userQuestions.ask(Object.freeze({ questions: QUESTIONS, signal }))
    const card = await arrived
    desk.shown[0]!.answer(choose('Postgres'))
    expect(await asked).toEqual(choose('Postgres'))
    expect([card.request.signal, card.state]).toEqual([signal, 'open'])
    card.fail(new Error('nobody wants to know'))
  })

  it('is not the one that is changed when an agent asks', async () => {
    const { ctx, adapter } = await startBare([])
    const web = new WebUi()
    await ctx.plugin(web)
    await ctx.plugin(plugin)
    const [desk] = people(ctx.get('askSurfaces')!, 'desk')
    const { signal } = new AbortController()
    const request = Object.freeze({ questions: QUESTIONS, agent: await newAgent(ctx), signal })
    const arrived = web.next()
    const asked = ctx.userQuestions.ask(request)
    const card = await arrived
    desk.shown[0]!.answer(choose('Postgres'))
    expect(await asked).toEqual(choose('Postgres'))
    // The one that the host made is; the web UI finds the signal that took its card away however late it looks.
    expect(card.request.signal!.aborted).toBe(true)
    expect(card.state).toBe('taken away')
    expect(adapter.requests).toEqual([])
  })
})
