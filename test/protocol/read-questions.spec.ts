// Questions that nobody has checked, as a surface reads them before it shows them.
import { expect, it } from 'vitest'
import { readQuestions } from '../../src/protocol/read-questions.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'

const read = (questions: unknown) => readQuestions({ questions } as AskUserQuestionRequest)

it('gives well-formed questions back as they are, unknown keys too, as new objects', () => {
  const questions = [{ id: 'a', question: 'Which?', options: [{ label: 'x', description: 'y', extra: 1 }], multiSelect: true, other: [1] }]
  expect(read(questions)).toEqual(questions)
  expect(read(questions)[0]).not.toBe(questions[0])
})

it('counts what may be left out and is null as left out', () => {
  expect(read([{ id: 'a', question: 'Which?', detail: null, header: null, options: null, multiSelect: null, intent: null }]))
    .toEqual([{ id: 'a', question: 'Which?' }])
  expect(read([{ id: 'a', question: 'Which?', options: [{ label: 'x', description: null }] }])[0]!.options).toEqual([{ label: 'x' }])
})

it('takes an intent of a kind that nobody knows for none', () => {
  expect(read([{ id: 'a', question: 'Which?', intent: { kind: 'poem' } }])[0]!.intent).toBeUndefined()
})

it.each([
  [null, 'questions: '],
  [[null], 'questions.0: '],
  [[{ id: 1, question: 'Which?' }], 'questions.0.id: '],
  [[{ id: 'a' }], 'questions.0.question: '],
  [[{ id: 'a', question: 'Which?', options: [null] }], 'questions.0.options.0: '],
  [[{ id: 'a', question: 'Which?', options: [{ label: 5 }] }], 'questions.0.options.0.label: '],
  [[{ id: 'a', question: 'Which?', options: 'x' }], 'questions.0.options: '],
  [[{ id: 'a', question: 'Which?', multiSelect: 'yes' }], 'questions.0.multiSelect: '],
])('refuses %j and names the field', (questions, field) => {
  expect(() => read(questions)).toThrow(TypeError)
  expect(() => read(questions)).toThrow(`bad question: ${field}`)
})

it('refuses what throws when it is read, and a request without a question', () => {
  const trap = new Proxy([], { get() { throw new Error('no') } })
  expect(() => read(trap)).toThrow('bad question: it is unreadable')
  expect(() => read([])).toThrow('there is no question to answer')
})
