// What the model is told when nobody answers: whose words they are, and that they are those and no others.
import { describe, expect, it } from 'vitest'
import {
  asking, choose, macrotask, newAgent, oneQuestion, pending, people, Person, questionError, runTurn, startAgent, startBare, toldAnswer, toldError,
} from './support.ts'
import { startWithWeb } from './web-ui.ts'

const NOBODY = 'no user-questions answerer accepted the request'

describe('a surface that fails', () => {
  it.each<[string, unknown, string]>([
    ['an error of its own', new Error('printer on fire: "☎" <b>& 100%'), 'printer on fire: "☎" <b>& 100%'],
    ['a type error', new TypeError('x is not a function'), 'x is not a function'],
    ['a string', 'out of paper', 'out of paper'],
    ['an error with a code', Object.assign(new Error('no line'), { name: 'UserQuestionError', code: 'E_LINE' }), 'no line'],
    ['an error in Chinese', new Error('打印机没有纸了'), '打印机没有纸了'],
  ])('reaches the model word for word: %s', async (_what, error, words) => {
    const { adapter, surfaces, begin } = await startAgent(oneQuestion())
    const [phone] = people(surfaces, 'phone')
    const { shown: [shown], end } = await begin(phone)
    shown.fail(error)
    expect(await end).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldError(words))
  })

  it('reaches the model word for word when it throws at once', async () => {
    const { adapter, surfaces, turn } = await startAgent(oneQuestion())
    surfaces.register({
      name: 'broken',
      claim: () => false,
      ask() {
        throw new Error('not even a promise')
      },
    })
    await turn()
    expect(adapter.told('c1')).toEqual(toldError('not even a promise'))
  })

  it('reaches the model with the words of the first when all of them fail', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion())
    const outcomes: unknown[] = []
    ctx.on('ask-surfaces/settled', (_ask, outcome) => void outcomes.push(outcome))
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, atDesk], told } = await begin(phone, desk)
    const [first, second] = [new Error('no terminal'), new Error('no network')]
    atDesk.fail(first)
    await macrotask()
    onPhone.fail(second)
    expect(await told()).toEqual(toldError('no terminal'))
    expect(outcomes).toEqual([{ kind: 'failed', error: expect.objectContaining({ cause: expect.any(AggregateError) }) }])
    const { error } = outcomes[0] as { error: { cause: AggregateError } }
    expect(error.cause.errors).toEqual([first, second])
    for (const { settled, stopped } of [onPhone, atDesk]) expect([settled, stopped]).toEqual([[], ['ASK_ABORTED']])
  })

  it('is no reason to give up while another one shows the question', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, atDesk], told } = await begin(phone, desk)
    onPhone.fail(new Error('no network'))
    await macrotask()
    atDesk.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(onPhone.settled).toEqual([{ by: 'desk', answer: choose('SQLite') }])
  })

  it('hurts nobody with what it does when it is told', async () => {
    const { adapter, surfaces, begin } = await startAgent(oneQuestion())
    const silent = { claim: () => false, ask: () => new Promise<never>(() => {}) }
    surfaces.register({
      ...silent,
      name: 'throws',
      settled() {
        throw new Error('while it put the question away')
      },
    })
    surfaces.register({ ...silent, name: 'rejects', settled: () => Promise.reject(new Error('while it put the question away')) })
    surfaces.register({ ...silent, name: 'claims badly', claim: (() => Promise.reject(new Error('no idea'))) as never })
    const [desk] = people(surfaces, 'desk')
    const { shown: [shown], end } = await begin(desk)
    shown.answer(choose('Postgres'))
    expect(await end).toEqual({ kind: 'completed' })
    expect(adapter.told('c1')).toEqual(toldAnswer(choose('Postgres')))
  })
})

describe('a person who says no', () => {
  it('ends the question everywhere, with their words', async () => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion(), { order: 'after' })
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [onPhone, card], told } = await begin(phone, web)
    onPhone.fail(questionError('ASK_CANCELLED', 'not now'))
    expect(await told()).toEqual(toldError('not now'))
    expect(desk.shown[0]!.settled).toEqual([{ by: 'phone', answer: undefined }])
    expect([onPhone.settled, card.state, card.aborts]).toEqual([[], 'taken away', 1])
  })
})

describe('nobody is there', () => {
  it('field case 22: without a surface the model is told what the host says without this plugin', async () => {
    const { adapter, turn } = await startAgent([asking('c1'), ...oneQuestion('c2')])
    const { ctx: bare, adapter: bareAdapter } = await startBare(oneQuestion())
    await runTurn(bare, await newAgent(bare), 'go on')
    await turn()
    expect(adapter.told('c1')).toEqual(toldError(NOBODY, 'c1'))
    expect(bareAdapter.told('c1')).toEqual(adapter.told('c1'))
  })

  it('field case 10: a surface that is given a time is not answered for, nor is the question taken from it', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion(), { surfaces: { phone: { timeoutMs: 1 } } })
    const [phone] = people(surfaces, 'phone')
    const { shown: [shown], told } = await begin(phone)
    await expect.poll(() => pending(ctx)[0]!.participants).toMatchObject([{ name: 'phone', state: 'timed-out' }])
    expect([shown.stopped, shown.settled]).toEqual([[], []])
    shown.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
  })

  it('field case 10: the model is told who did not answer in time, once that surface is gone', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion(), { rejoinMs: 0, surfaces: { phone: { timeoutMs: 1 } } })
    const phone = new Person('phone')
    const dispose = surfaces.register(phone)
    const { shown: [shown], told } = await begin(phone)
    await expect.poll(() => pending(ctx)[0]!.participants).toMatchObject([{ name: 'phone', state: 'timed-out' }])
    dispose()
    expect(await told()).toEqual(toldError('unanswered: "phone" did not answer within 1 ms'))
    expect([shown.stopped, shown.settled]).toEqual([['SURFACE_GONE'], []])
    expect(pending(ctx)).toEqual([])
  })
})
