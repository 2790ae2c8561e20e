// Why a surface should stop, as its signal says it.
import { expect, it } from 'vitest'
import { userQuestionError, type UserQuestionErrorCode } from '../../src/protocol/errors.ts'
import { stopReasonOf } from '../../src/reply/stop-reason.ts'

const CODES: readonly (readonly [UserQuestionErrorCode, string])[] = [
  ['ASK_SETTLED', 'settled'], ['SURFACE_GONE', 'gone'], ['ASK_ABORTED', 'aborted'],
]

it.each(CODES)('%s: %s', (code, reason) => {
  expect(stopReasonOf(AbortSignal.abort(userQuestionError(code, 'over')))).toBe(reason)
})

it.each([[new Error('stop')], ['stop'], [null], [{ code: 'constructor' }], [{ code: 7 }]])('anything else is an abort: %j', (reason) => {
  expect(stopReasonOf(AbortSignal.abort(reason))).toBe('aborted')
})
