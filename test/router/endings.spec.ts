// How an ask ends without an answer: a person's no, and failure (rules 9, 10 and 18).
import { describe, expect, it } from 'vitest'
import { start } from '../helpers/ask.ts'
import { logged } from '../helpers/cordis.ts'
import { cancelled, codeOf, says, stopCode } from '../helpers/surface.ts'
import { flush, pass, unhandledRejections, useFakeTime } from '../helpers/time.ts'

useFakeTime()

const hostError = (code: string) => Object.assign(new Error(`the host says ${code}`), { name: 'UserQuestionError', code })

describe('a person\'s no', () => {
  it('9: ends the ask with that very error', async () => {
    const { ask, a, host, b } = await start(undefined, 'a', 'b')
    const no = cancelled()
    await a.fail(no)
    expect(ask.error).toBe(no)
    host.answer()
    await b.answer()
    expect(ask.state).toBe('rejected')
  })

  it.each([
    ['whoever made it', hostError('ASK_CANCELLED')],
    ['though it is no Error', { name: 'UserQuestionError', code: 'ASK_CANCELLED', message: 'no' }],
  ])('9: is recognised by name and code, %s', async (_, no) => {
    const { ask, a } = await start(undefined, 'a')
    await a.fail(no)
    expect(ask.error).toBe(no)
  })

  it.each(['ASK_CANCELLED', 'ASK_TIMED_OUT'])('9: %s of the host ends it, too', async code => {
    const { ask, a, host } = await start(undefined, 'a')
    const error = hostError(code)
    await host.fail(error)
    expect(ask.error).toBe(error)
    expect(a.settled).toHaveBeenCalledTimes(1)
    expect(a.settled.mock.lastCall!.slice(1).filter(one => one !== undefined)).toEqual(['host'])
  })

  it('9: ASK_TIMED_OUT of a surface is a failure', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    await a.fail(hostError('ASK_TIMED_OUT'))
    expect(ask.state).toBe('open')
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it.each([
    ['another name', Object.assign(new Error('no'), { code: 'ASK_CANCELLED' })],
    ['another code', hostError('ASK_ABORTED')],
    ['no object', 'ASK_CANCELLED'],
  ])('9: %s is none', async (_, error) => {
    const { ask, a, host } = await start(undefined, 'a')
    await a.fail(error)
    expect(ask.state).toBe('open')
    await host.answer()
    expect(ask.state).toBe('resolved')
  })

  it('9: is not logged as a failure', async () => {
    const { a, logs } = await start(undefined, 'a')
    await a.fail(cancelled())
    expect(logged(logs, 'error', 'warn', 'info')).toBe('')
  })
})

describe('failure', () => {
  it('10: takes only that participant out', async () => {
    const { ask, a, b, logs } = await start(undefined, 'a', 'b')
    a.fail(new Error('secret'))
    await pass(10_000)
    expect(ask.state).toBe('open')
    await b.answer(says('SQLite'))
    expect(ask.value).toEqual(says('SQLite'))
    expect(logged(logs, 'warn')).toContain('"a"')
    expect(logged(logs, 'error', 'warn', 'info')).not.toContain('secret')
    expect(logged(logs, 'debug')).toContain('secret')
  })

  it.each([new Error('broken'), 'a string', undefined, null, 42])('10: of one alone, %s, rejects the ask as it is', async error => {
    const { ask, a, host } = await start(undefined, 'a')
    host.isEmpty()
    await a.fail(error)
    expect(ask.state).toBe('rejected')
    expect(ask.error).toBe(error)
  })

  it('10: of several rejects with a new error that reads as the first and has all as its cause', async () => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    const errors = [Object.assign(new TypeError('b first'), { code: 'E_B' }), new Error('then the host'), new RangeError('a last')]
    const before = errors.map(error => ({ ...error, message: error.message, cause: error.cause }))
    await b.fail(errors[0])
    await host.fail(errors[1])
    await a.fail(errors[2])
    const error = ask.error as Error & { code: unknown, cause: AggregateError }
    expect(errors).not.toContain(error)
    expect(error).toBeInstanceOf(Error)
    expect([error.name, error.message, error.code]).toEqual(['TypeError', 'b first', 'E_B'])
    expect(error.cause).toBeInstanceOf(AggregateError)
    expect(error.cause.errors).toEqual(errors)
    expect(error.cause.errors[0]).toBe(errors[0])
    expect(errors.map(one => ({ ...one, message: one.message, cause: one.cause }))).toEqual(before)
  })

  it('10: keeps the shape by which the host restores its own errors', async () => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    host.isEmpty()
    await a.answer(undefined)
    await b.fail()
    const { name, message } = ask.error as Error
    expect(name).toBe('UserQuestionError')
    expect(codeOf(ask.error)).toBe('BAD_ANSWER')
    expect(message).toMatch(/./)
  })

  it.each([
    ['a string', 'no error'],
    ['undefined', undefined],
    ['null', null],
    ['a symbol', Symbol('odd')],
    ['an object that is no string', Object.create(null)],
    ['one that cannot be read', new Proxy({}, { get() { throw new Error('hostile') } })],
    ['one whose message cannot be read', Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('hostile') } })],
  ])('10: whatever was thrown first, %s, ends in an error', async (_, thrown) => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    const unhandled = await unhandledRejections(async () => {
      host.isEmpty()
      await a.fail(thrown)
      await b.fail()
    })
    expect(unhandled).toEqual([])
    expect(ask.state).toBe('rejected')
    expect(ask.error).toBeInstanceOf(Error)
    expect(((ask.error as Error).cause as AggregateError).errors).toHaveLength(2)
  })

  it('10: a single failure that cannot be read is still only that participant\'s', async () => {
    const { ask, a, host } = await start(undefined, 'a')
    const hostile = new Proxy({}, { get() { throw new Error('hostile') } })
    const unhandled = await unhandledRejections(async () => a.fail(hostile))
    expect(unhandled).toEqual([])
    await host.answer()
    expect(ask.value).toEqual(says('SQLite'))
  })

  it('10: the host\'s failure counts in the order in which it happened', async () => {
    const { ask, a, host } = await start({ host: 'fallback' }, 'a')
    const [first, second] = [new Error('a'), new Error('host')]
    await a.fail(first)
    await host.fail(second)
    expect((ask.error as Error).message).toBe('a')
    expect(((ask.error as Error).cause as AggregateError).errors).toEqual([first, second])
  })

  it('10: nobody is told by settled, and every signal aborts', async () => {
    const { a, b, host } = await start(undefined, 'a', 'b')
    host.isEmpty()
    a.fail()
    await b.fail()
    for (const one of [a, b]) {
      expect(one.settled).not.toHaveBeenCalled()
      expect(stopCode(one.context.signal)).toBe('ASK_ABORTED')
    }
    expect(stopCode(a.request.signal!)).toBe('ASK_ABORTED')
  })

  it('10: is final, late answers change nothing', async () => {
    const { ask, a, b, host } = await start(undefined, 'a', 'b')
    host.isEmpty()
    await b.leave()
    a.fail()
    await flush()
    expect((ask.error as Error).message).toContain('"b" left')
    await b.answer()
    expect(ask.state).toBe('rejected')
  })

  it('10 and 12: a time-out is what the ask fails with, once the surface that was slow has left', async () => {
    const { ask, a, host } = await start({ rejoinMs: 100, surfaces: { a: { timeoutMs: 5 } } }, 'a')
    host.isEmpty()
    await pass(5)
    await a.leave()
    await pass(99)
    expect(ask.state).toBe('open')
    await pass(1)
    expect(codeOf(ask.error)).toBe('SURFACE_TIMEOUT')
  })

  it('10 and 12: a failure after the time-out is final, and both are the cause', async () => {
    const { ask, a, host } = await start({ surfaces: { a: { timeoutMs: 5 } } }, 'a')
    host.isEmpty()
    await pass(5)
    expect(ask.state).toBe('open')
    await a.fail()
    expect(codeOf(ask.error)).toBe('SURFACE_TIMEOUT')
    expect(((ask.error as Error).cause as AggregateError).errors.map(({ message }: Error) => message))
      .toEqual(['unanswered: "a" did not answer within 5 ms', 'a is broken'])
  })

  it('18: the errors made here are plain errors with the host\'s name and a code', async () => {
    const { ask, a, host } = await start({ rejoinMs: 0 }, 'a')
    host.isEmpty()
    await a.leave()
    await pass(1)
    const error = ask.error as Error
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
    expect(error.name).toBe('UserQuestionError')
    expect(error.message).toContain('"a"')
  })
})
