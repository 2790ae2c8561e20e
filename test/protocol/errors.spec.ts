// Errors as the host restores them (rule 18).
import { describe, expect, it } from 'vitest'
import { hasCode, userQuestionError, type UserQuestionErrorCode } from '../../src/protocol/errors.ts'

const CODES = [
  'ASK_ABORTED', 'ASK_CANCELLED', 'ASK_SETTLED', 'BAD_ANSWER', 'SURFACE_GONE', 'SURFACE_TIMEOUT', 'NO_PROVIDER',
] as const satisfies readonly UserQuestionErrorCode[]

describe('userQuestionError', () => {
  it.each(CODES)('18: %s is a plain Error with the host\'s name and the code', code => {
    const error = userQuestionError(code, 'what happened')
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
    expect({ name: error.name, code: error.code, message: error.message }).toEqual({
      name: 'UserQuestionError', code, message: 'what happened',
    })
    expect('cause' in error).toBe(false)
    expect(error.stack).toContain('what happened')
  })

  it('18: carries a cause', () => {
    const cause = new Error('why')
    expect(userQuestionError('ASK_ABORTED', 'x', { cause }).cause).toBe(cause)
  })

  it('18: has what the host looks at: a name, a string message and a string code, also after a structured clone by hand', () => {
    const error = userQuestionError('NO_PROVIDER', 'x')
    expect([typeof error.message, typeof error.code]).toEqual(['string', 'string'])
    expect(Object.keys(error)).toEqual(['name', 'code'])
  })
})

describe('hasCode', () => {
  it.each<[string, unknown, boolean]>([
    ['one of ours', userQuestionError('ASK_CANCELLED', 'x'), true],
    ['the host\'s own class', Object.assign(new TypeError('x'), { name: 'UserQuestionError', code: 'ASK_CANCELLED' }), true],
    ['a plain object', { name: 'UserQuestionError', code: 'ASK_CANCELLED' }, true],
    ['another code', userQuestionError('ASK_ABORTED', 'x'), false],
    ['another name', Object.assign(new Error('x'), { code: 'ASK_CANCELLED' }), false],
    ['no code', Object.assign(new Error('x'), { name: 'UserQuestionError' }), false],
    ['undefined', undefined, false],
    ['null', null, false],
    ['a string', 'ASK_CANCELLED', false],
  ])('9: %s', (_, error, expected) => {
    expect(hasCode(error, 'ASK_CANCELLED')).toBe(expected)
  })
})
