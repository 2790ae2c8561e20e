// Which answer wins (rules 6 and 7 as the race sees them; the check itself is in test/protocol).
import { describe, expect, it } from 'vitest'
import { userQuestionError } from '../../src/protocol/errors.ts'
import { openAsk, start, startAsk } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { choice, codeOf, question, says } from '../helpers/surface.ts'
import { macrotask, pass, unhandledRejections, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const BLANK = { answers: [] }
const SKIP = { answers: [{ id: 'db', selected: [] }] }

describe('the first answer', () => {
  it('6: resolves the ask, and what comes later changes nothing', async () => {
    const { ask, a, b, host } = await startAsk()
    b.answer(says('SQLite'))
    a.answer(says('Postgres'))
    await host.answer(says('Postgres'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', says('SQLite'))
    expect(b.settled).not.toHaveBeenCalled()
  })

  it('6: late answers and late failures are logged at debug, never thrown', async () => {
    const { logs, a, b, c, host } = await start(undefined, 'a', 'b', 'c')
    const unhandled = await unhandledRejections(async () => {
      await b.answer()
      logs.length = 0
      await a.answer(says('SQLite'))
      expect(logged(logs, 'debug')).toContain('"a"')
      c.fail()
      host.fail()
    })
    expect(unhandled).toEqual([])
    expect(logged(logs, 'error', 'warn', 'info')).toBe('')
    expect(logged(logs, 'debug')).toContain('"c"')
  })

  it.each(['ASK_SETTLED', 'ASK_ABORTED'] as const)('6: a late rejection that only says that the question was put away, %s, is not logged', async code => {
    const { logs, a, b } = await startAsk()
    await b.answer()
    logs.length = 0
    await a.fail(userQuestionError(code, 'put away'))
    expect(logged(logs, 'error', 'warn', 'info', 'debug')).toBe('')
  })

  it('6 and 12: an answer after a time-out counts while the ask is open', async () => {
    const { ask, a, b } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a', 'b')
    await pass(10)
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', says('Postgres'))
  })

  it('6 and 12: an answer after a time-out is late once somebody else has answered', async () => {
    const { ask, a, host } = await start({ surfaces: { a: { timeoutMs: 10 } } }, 'a')
    await pass(10)
    await host.answer(says('SQLite'))
    await a.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('7: is normalised for the asker and for those who are told', async () => {
    const questions = [choice('db', ['Postgres', 'SQLite']), choice('os', ['Linux'])]
    const { ask, a, b } = await startAsk({ request: { questions } })
    await a.answer({ answers: [{ id: 'os', selected: ['Linux', 'Linux'] }, { id: 'db', selected: ['neither'] }], extra: 1 })
    const expected = { answers: [{ id: 'db', selected: [], custom: 'neither' }, { id: 'os', selected: ['Linux'] }] }
    expect(ask.value).toEqual(expected)
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', expected)
  })

  it('7: nobody who is told can change what the asker gets, nor can the winner afterwards', async () => {
    const { ask, a, b } = await startAsk()
    const given = says('Postgres')
    b.settled.mockImplementation((_request, _by, answer) => {
      answer!.answers[0]!.selected[0] = 'changed'
    })
    await a.answer(given)
    given.answers[0]!.selected[0] = 'changed too'
    expect(ask.value).toEqual(says('Postgres'))
  })
})

describe('a bad answer', () => {
  it.each([
    ['undefined', undefined], ['null', null], ['a string', 'Postgres'], ['no answers', {}], ['two choices', says('Postgres')],
  ])('7: %s is that participant\'s failure, and the others go on', async (name, value) => {
    const bad = name === 'two choices' ? { answers: [{ id: 'db', selected: ['Postgres', 'SQLite'] }] } : value
    const { ask, a, b } = await startAsk()
    await a.answer(bad)
    expect(ask.state).toBe('open')
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('7: is what the ask fails with when nobody else answers, naming the field', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    host.isEmpty()
    await a.answer({ answers: [{ id: 'db', selected: 'Postgres' }] })
    expect(codeOf(ask.error)).toBe('BAD_ANSWER')
    expect((ask.error as Error).message).toContain('answers.0.selected')
  })

  it('7: of the host is a failure, too', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    await host.answer(undefined)
    expect(ask.state).toBe('open')
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('7: items that nobody asked for are dropped and logged, without their text', async () => {
    const { ask, a, logs } = await startAsk({ request: { questions: [...question().questions, { id: 'why', question: 'Why?' }] } })
    await a.answer({ answers: [{ id: 'secret id', selected: ['secret'] }, ...says('Postgres').answers] })
    expect(ask.value).toEqual({ answers: [...says('Postgres').answers, { id: 'why', selected: [] }] })
    expect(logged(logs, 'warn', 'debug')).toContain('"a"')
    expect(logged(logs, 'error', 'warn', 'info')).not.toContain('secret')
  })

  it('7: nothing is logged about a good one', async () => {
    const { a, logs } = await startAsk()
    await a.answer()
    expect(logged(logs, 'error', 'warn', 'info', 'debug')).toBe('')
  })
})

describe('skips and blanks', () => {
  it('7: a skip wins like any other answer', async () => {
    const { ask, a, b } = await startAsk()
    await a.answer(SKIP)
    expect(ask.value).toEqual(SKIP)
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', SKIP)
  })

  it.each([
    ['no items', BLANK],
    ['a blank choice', { answers: [{ id: 'db', selected: [' '] }] }],
    ['blank words', { answers: [{ id: 'db', selected: [], custom: '' }] }],
  ])('7: %s does not win while another participant may still answer', async (_, value) => {
    const { ask, a, b } = await startAsk()
    a.answer(value)
    await pass(100_000)
    expect(ask.state).toBe('open')
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', says('SQLite'))
  })

  it('7: a blank answer resolves the ask once nobody is left, filled in', async () => {
    const { ask, a, b, host } = await startAsk()
    a.answer(BLANK)
    await b.fail()
    expect(ask.state).toBe('open')
    await host.isEmpty()
    expect(ask.value).toEqual(SKIP)
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', SKIP)
    expect(a.settled).not.toHaveBeenCalled()
  })

  it('7 and 10: the host is asked first as a fallback', async () => {
    const { ask, a, host } = await start({ host: 'fallback' }, 'a')
    await a.answer(BLANK)
    expect([ask.state, host.asked]).toEqual(['open', 1])
    await host.fail()
    expect(ask.value).toEqual(SKIP)
  })

  it('7: a blank answer of the host is kept, too', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    await host.answer(BLANK)
    expect(ask.state).toBe('open')
    await a.fail()
    expect(ask.value).toEqual(SKIP)
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'host', SKIP)
  })

  it('7: of several blank answers the first one is used', async () => {
    const { ask, a, b, host } = await startAsk()
    await b.answer(BLANK)
    a.answer(BLANK)
    await host.answer(BLANK)
    expect(ask.value).toEqual(SKIP)
    expect(a.settled).toHaveBeenCalledExactlyOnceWith(a.request, 'b', SKIP)
    expect(b.settled).not.toHaveBeenCalled()
  })

  it('7 and 13: a blank answer is kept when its surface leaves', async () => {
    const { host, a, ask } = await openAsk({ names: ['a'] })
    a.answer(BLANK)
    await macrotask()
    await a.leave()
    expect(ask.state).toBe('open')
    await host.isEmpty()
    expect(ask.value).toEqual(SKIP)
  })

  it('7: with no questions there is nothing to check: the answer passes as it is', async () => {
    const { ask, a, b } = await startAsk({ request: { questions: [] } })
    const odd = { odd: true }
    await a.answer(odd)
    expect(ask.value).toBe(odd)
    expect(b.settled).toHaveBeenCalledExactlyOnceWith(b.request, 'a', odd)
  })
})
