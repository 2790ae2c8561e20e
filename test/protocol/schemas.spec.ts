// The zod schemas of requests, answers and surfaces, for those who read them from outside.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askUserQuestionAnswerSchema } from '../../src/protocol/answer.ts'
import { askUserQuestionRequestSchema } from '../../src/protocol/request.ts'
import { askSurfaceSchema, surfaceProblem } from '../../src/protocol/surface.ts'
import { FakeSurface, question } from '../helpers/surface.ts'

const paths = (result: { error?: { issues: { path: PropertyKey[] }[] } }) => result.error?.issues.map(({ path }) => path.join('.'))

describe('the request schema', () => {
  const full = {
    questions: [{
      id: 'plan',
      question: 'Is this right?',
      detail: '# Plan',
      header: 'Plan',
      options: [{ label: 'Yes', description: 'Go', preview: 'unknown to us' }, { label: 'No' }],
      multiSelect: false,
      intent: { kind: 'plan-review', approve: 'Yes', later: 1 },
      unknown: { to: 'us' },
    }],
    wait: { callId: 'c1', timed: true },
  }

  it('takes all that a request may have and passes unknown keys on', () => {
    expect(askUserQuestionRequestSchema.parse(full)).toEqual(full)
    expect(askUserQuestionRequestSchema.parse(question())).toEqual(question())
    expect(askUserQuestionRequestSchema.parse({ questions: [] })).toEqual({ questions: [] })
  })

  it('passes agent and signal as the live objects they are', () => {
    const live = { agent: { session: { id: 's1' } }, signal: new AbortController().signal }
    const parsed = askUserQuestionRequestSchema.parse({ ...full, ...live })
    expect(parsed.agent).toBe(live.agent)
    expect(parsed.signal).toBe(live.signal)
  })

  it.each<[string, Record<string, unknown>]>([
    ['id', { id: 7 }], ['question', { question: undefined }], ['detail', { detail: 1 }], ['header', { header: null }],
    ['options', { options: 'a' }], ['options.0.label', { options: [{}] }], ['options.0.description', { options: [{ label: 'a', description: 1 }] }],
    ['multiSelect', { multiSelect: 'yes' }], ['intent.kind', { intent: { kind: 'other', approve: 'a' } }],
    ['intent.approve', { intent: { kind: 'plan-review' } }],
  ])('refuses a wrong %s by its path', (path, wrong) => {
    const result = askUserQuestionRequestSchema.safeParse({ questions: [{ id: 'a', question: 'b', ...wrong }] })
    expect(paths(result)).toEqual([`questions.0.${path}`])
  })

  it.each([undefined, null, {}, { questions: {} }])('refuses %j', value => {
    expect(askUserQuestionRequestSchema.safeParse(value).success).toBe(false)
  })
})

describe('the answer schema', () => {
  it('takes answers with and without words', () => {
    const answer = { answers: [{ id: 'a', selected: ['x', 'y'], custom: 'z' }, { id: 'b', selected: [] }] }
    expect(askUserQuestionAnswerSchema.parse(answer)).toEqual(answer)
    expect(askUserQuestionAnswerSchema.parse({ answers: [] })).toEqual({ answers: [] })
  })

  it('refuses what is none, by its path', () => {
    expect(paths(askUserQuestionAnswerSchema.safeParse({ answers: [{ id: 1, selected: [2], custom: 3 }] }))).toEqual([
      'answers.0.id', 'answers.0.selected.0', 'answers.0.custom',
    ])
  })
})

describe('the surface schema', () => {
  it('takes a surface as it is', () => {
    const surface = new FakeSurface('a')
    expect(askSurfaceSchema.parse(surface)).toBe(surface)
    const plain = { name: 'p', claim: () => false, ask: () => Promise.resolve({ answers: [] }) }
    expect(askSurfaceSchema.parse(plain)).toBe(plain)
  })

  it('19: refuses what register refuses, for the same reason', () => {
    const member = fc.oneof(fc.constant(() => {}), fc.constant(undefined), fc.anything())
    const value = fc.oneof(
      fc.anything(),
      fc.record({ name: fc.oneof(fc.string(), fc.constant('host'), fc.anything()), claim: member, ask: member, settled: member }, { requiredKeys: [] }),
      fc.record({ name: fc.string({ minLength: 1 }), claim: fc.constant(() => {}), ask: fc.constant(() => {}), settled: member }),
    )
    fc.assert(fc.property(value, one => {
      expect(askSurfaceSchema.safeParse(one).error?.issues.map(({ message }) => message).join()).toBe(surfaceProblem(one))
    }), { numRuns: 1000 })
  })
})
