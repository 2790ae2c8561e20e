// What is an answer at all: its shape, whatever a participant gives (rule 7).
import { describe, expect, it } from 'vitest'
import { type AskUserQuestionAnswer, askUserQuestionAnswerSchema, checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { choice, codeOf, errorOf, says } from '../helpers/surface.ts'

const SINGLE = [choice('db', ['Postgres', 'SQLite'])]
const TEXT: AskUserQuestionItem[] = [{ id: 'db', question: 'db?' }]

const HOSTILE = () => {
  throw new Error('hostile')
}

describe('the shape', () => {
  it.each<[string, unknown]>([
    ['answers', { answers: 'Postgres' }],
    ['answers', { answers: {} }],
    ['answers', { answers: { length: 1, 0: says('Postgres').answers[0] } }],
    ['answers', {}],
    ['answers.0', { answers: ['Postgres'] }],
    ['answers.0', { answers: [null] }],
    ['answers.0', { answers: [undefined] }],
    ['answers.0.id', { answers: [{ selected: [] }] }],
    ['answers.0.id', { answers: [{ id: 7, selected: [] }] }],
    ['answers.0.selected', { answers: [{ id: 'db' }] }],
    ['answers.0.selected', { answers: [{ id: 'db', selected: 'Postgres' }] }],
    ['answers.0.selected.1', { answers: [{ id: 'db', selected: ['Postgres', 1] }] }],
    ['answers.0.selected.0', { answers: [{ id: 'db', selected: [null] }] }],
    ['answers.0.custom', { answers: [{ id: 'db', selected: [], custom: null }] }],
    ['answers.0.custom', { answers: [{ id: 'db', selected: [], custom: 7 }] }],
    ['answers.1.custom', { answers: [{ id: 'db', selected: [] }, { id: 'other', selected: [], custom: {} }] }],
    ['answers.0.id', { answers: [{ selected: [7] }, { id: 'db', selected: [7] }] }],
  ])('7: what is wrong with %s is BAD_ANSWER and names it: %j', (field, value) => {
    const error = errorOf(() => checkAnswer([...SINGLE, ...SINGLE], value))
    expect(codeOf(error)).toBe('BAD_ANSWER')
    expect(error.name).toBe('UserQuestionError')
    expect(error.message).toContain(`${field}:`)
  })

  it.each<[string, unknown]>([
    ['undefined', undefined], ['null', null], ['a string', 'Postgres'], ['a number', 7], ['true', true], ['an empty array', []],
    ['an array of answers', [says('Postgres')]], ['a function', () => says('Postgres')], ['a symbol', Symbol('x')],
  ])('7: %s is no answer, and the message reads as a sentence', (_, value) => {
    const error = errorOf(() => checkAnswer(SINGLE, value))
    expect(codeOf(error)).toBe('BAD_ANSWER')
    expect(error.message).not.toMatch(/: *:/)
  })

  it.each<[string, (value: AskUserQuestionAnswer) => unknown]>([
    ['an array', value => Object.assign([], value)],
    ['a function', value => Object.assign(() => {}, value)],
    ['an array as an item', ({ answers }) => ({ answers: [Object.assign([], answers[0])] })],
  ])('7: %s that carries the fields is no answer, as the schema says', (_, make) => {
    const value = make(says('Postgres'))
    expect(askUserQuestionAnswerSchema.safeParse(value).success).toBe(false)
    expect(codeOf(errorOf(() => checkAnswer(SINGLE, value)))).toBe('BAD_ANSWER')
  })

  it.each<[string, unknown]>([
    ['answers.0', { answers: Array<never>(1) }],
    ['answers.0.selected.1', { answers: [{ id: 'db', selected: Object.assign(['Postgres'], { length: 2 }) }] }],
  ])('7: a hole in an array names the field, too: %s', (field, value) => {
    const error = errorOf(() => checkAnswer(SINGLE, value))
    expect(codeOf(error)).toBe('BAD_ANSWER')
    expect(error.message).toContain(`${field}:`)
  })

  it('7: an explicitly undefined custom is none, and unknown keys are dropped', () => {
    const { answer } = checkAnswer(SINGLE, { answers: [{ id: 'db', selected: ['Postgres'], custom: undefined, note: 1 }], more: 2 })
    expect(answer).toEqual(says('Postgres'))
    expect(Object.keys(answer)).toEqual(['answers'])
    expect(Object.keys(answer.answers[0]!)).toEqual(['id', 'selected'])
  })

  it.each<[string, unknown]>([
    ['a getter of answers', { get answers() { return HOSTILE() } }],
    ['a getter of an item', { answers: [{ id: 'db', get selected() { return HOSTILE() } }] }],
    ['a proxy', new Proxy({}, { get: HOSTILE })],
    ['a proxy of an array', { answers: new Proxy([], { get: HOSTILE }) }],
    ['a revoked proxy', (() => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    })()],
    ['a getter that throws a symbol', { get answers() { throw Symbol('odd') } }],
    ['a getter that throws what looks like another of our errors', {
      get answers() { throw Object.assign(new Error('no'), { name: 'UserQuestionError', code: 'ASK_CANCELLED' }) },
    }],
  ])('7: %s that throws is BAD_ANSWER, with what it threw as the cause', (_, value) => {
    const error = errorOf(() => checkAnswer(SINGLE, value))
    expect([codeOf(error), error.message]).toEqual(['BAD_ANSWER', 'bad answer: it: is unreadable'])
    expect(Object.getPrototypeOf(error)).toBe(Error.prototype)
    expect(error.cause).toBeDefined()
  })

  it.each([7, null, 'Postgres', [1], { length: 3 }])('7: one that reads as [] first and as %j then is an answer of the right shape, or none', second => {
    let reads = 0
    const value = { answers: [{ id: 'db', get selected() { return reads++ === 0 ? [] : second } }] }
    const result = (() => {
      try {
        return checkAnswer(TEXT, value).answer
      } catch (error) {
        return codeOf(error)
      }
    })()
    expect(result === 'BAD_ANSWER' || askUserQuestionAnswerSchema.safeParse(result).success).toBe(true)
  })

  it('7: an answer made by a class, or without a prototype, is one', () => {
    class Answer {
      answers = [Object.assign(Object.create(null) as object, { id: 'db', selected: ['Postgres'] })]
    }
    expect(checkAnswer(SINGLE, new Answer()).answer).toEqual(says('Postgres'))
  })

  it('7: the answer is made anew and the given one is left alone', () => {
    const given = Object.freeze({ answers: Object.freeze([Object.freeze({ id: 'db', selected: Object.freeze(['Postgres']) })]) })
    const { answer } = checkAnswer(SINGLE, given)
    expect(answer).toEqual(given)
    expect(answer).not.toBe(given)
    expect(answer.answers[0]!.selected).not.toBe(given.answers[0]!.selected)
  })
})
