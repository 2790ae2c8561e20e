// When an answer permits something: only by exactly the one option that does, alone.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { approvalProblem, checkApproval, chosenId, isApproval } from '../../src/protocol/approval.ts'
import { chooses } from '../helpers/approval.ts'
import { answers, allows, APPROVAL } from '../helpers/approval-answers.ts'
import { codeOf, errorOf } from '../helpers/surface.ts'

const check = (value: unknown, question = APPROVAL) => checkApproval([question], value)

/** The id of the option that an answer chooses; `undefined` for a bad answer, which is then the only error. */
function chosen(value: unknown): string | undefined {
  try {
    return chosenId(check(value).answer)
  } catch (error) {
    if (codeOf(error) === 'BAD_ANSWER') return undefined
    throw error
  }
}

it('a request is an approval by its kind alone', () => {
  expect([{ questions: [], kind: 'approval' as const }, { questions: [APPROVAL] }].map(isApproval)).toEqual([true, false])
})

describe('an answer to an approval', () => {
  it.each(['allow', 'reject'])('chooses an option by its id: "%s"', (id) => {
    expect(check(chooses(id))).toEqual({ answer: chooses(id), blank: false, dropped: 0 })
  })

  it('keeps the words beside a rejection, and drops blank ones', () => {
    expect(check(chooses('reject', 'use staging')).answer).toEqual(chooses('reject', 'use staging'))
    expect(check(chooses('reject', ' \n')).answer).toEqual(chooses('reject'))
  })

  it.each([
    [chooses('allow', 'but carefully'), 'custom'], [chooses('allow', ''), 'custom'], [{ answers: [{ id: 'approval', selected: [], custom: 'allow' }] }, 'selected'],
    [{ answers: [{ id: 'approval', selected: ['allow', 'allow'] }] }, 'selected'], [{ answers: [{ id: 'approval', selected: ['reject', 'allow'] }] }, 'selected'],
    [{ answers: [{ id: 'approval', selected: [] }] }, 'selected'], [chooses('ALLOW'), 'selected'], [chooses(' allow'), 'selected'], [chooses(''), 'selected'],
    [{ answers: [] }, 'answers'], [{ answers: [{ id: 'other', selected: ['allow'] }] }, 'answers'],
    [{ answers: [chooses('allow').answers[0], chooses('allow').answers[0]] }, 'answers'], ['allow', 'it'],
  ])('is bad, and says where: %j', (value, field) => {
    const error = errorOf(() => check(value))
    expect(codeOf(error)).toBe('BAD_ANSWER')
    expect(error.message).toMatch(new RegExp(`^bad answer: ${field}: `))
  })

  it('is read as it is when its option has no id: nothing chooses by a missing name', () => {
    const question = { ...APPROVAL, options: [{ label: 'Go' }, { id: 'reject', label: 'Reject' }] }
    expect(codeOf(errorOf(() => check({ answers: [{ id: 'approval', selected: [undefined] }] }, question)))).toBe('BAD_ANSWER')
  })

  it('permits only where it is exactly the one option, alone: 10,000 random and crafted ones', () => {
    const count = { allow: 0, reject: 0, bad: 0 }
    fc.assert(fc.property(answers, (value) => {
      const id = chosen(value)
      count[id as 'allow' ?? 'bad']++
      expect(id === 'allow').toBe(allows(value))
    }), { numRuns: 10_000 })
    // All three do come.
    expect(Math.min(...Object.values(count))).toBeGreaterThan(100)
  })
})

describe('the questions of an approval', () => {
  const withOptions = (...options: { id?: unknown, label: string, displayLabel?: object }[]) => [{ ...APPROVAL, options }] as never

  it('are one, with an option that denies, and each name for one option only', () => {
    expect(approvalProblem([APPROVAL])).toBeUndefined()
    expect(approvalProblem(withOptions({ id: 'reject', label: 'reject' }, { id: 'always', label: 'Always' }))).toBeUndefined()
  })

  it.each([
    [[], 'one question'], [[APPROVAL, APPROVAL], 'one question'], [[{ id: 'a', question: 'Allow?' }], 'needs the option reject'],
    [withOptions({ id: 'allow', label: 'Allow once' }), 'needs the option reject'], [withOptions({ label: 'Allow' }, { id: 'reject', label: 'Reject' }), 'of its own'],
    [withOptions({ id: 5, label: 'Allow' }, { id: 'reject', label: 'Reject' }), 'of its own'],
    [withOptions({ id: 'allow', label: 'Reject' }, { id: 'reject', label: 'Reject' }), 'of its own'],
    [withOptions({ id: 'reject', label: 'Allow' }, { id: 'no', label: 'reject' }), 'of its own'],
    [withOptions({ id: 'reject', label: 'Reject' }, { id: 'all', label: 'All', displayLabel: { zh: 'Reject' } }), 'of its own'],
    [withOptions({ id: 'reject', label: 'Reject' }, { id: 'all', label: 'All', displayLabel: { en: 'All', zh: 7 } as never }), 'of its own'],
  ])('are refused otherwise: %j', (questions, problem) => {
    expect(approvalProblem(questions)).toContain(problem)
  })
})
