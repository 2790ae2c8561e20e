// Properties of the answer check (rule 7): it agrees with the schema on any value at all, loses no word and
// invents none.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AskUserQuestionAnswer, askUserQuestionAnswerSchema, checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { choice, codeOf } from '../helpers/surface.ts'

const RUNS = { numRuns: 2000 }

const odd = fc.anything({ withSparseArray: true, withNullPrototype: true, withBigInt: true, withDate: true, withMap: true })
const id = fc.constantFrom('a', 'b', 'c', 'unknown')
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('A', 'B', 'C', '', ' ', 'other', ' A') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
)

/** A value that is nearly always what it should be. */
const mostly = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 12, arbitrary }, { weight: 1, arbitrary: odd })

const item = fc.record({ id: mostly(id), selected: mostly(fc.array(mostly(word), { maxLength: 4 })), custom: mostly(word) }, {
  requiredKeys: ['id', 'selected'],
})
const nearly = fc.record({ answers: mostly(fc.array(mostly(item), { maxLength: 5 })) })

const proper: fc.Arbitrary<AskUserQuestionAnswer> = fc.record({
  answers: fc.array(
    fc.record({ id, selected: fc.array(word, { maxLength: 3 }), custom: word }, { requiredKeys: ['id', 'selected'] }),
    { maxLength: 5 },
  ),
})

const questions: fc.Arbitrary<AskUserQuestionItem[]> = fc.array(
  fc.record({ id: fc.constantFrom('a', 'b', 'c'), labels: fc.subarray(['A', 'B', 'C']), multiSelect: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
).map(all => all.map(({ labels, ...rest }) => choice(rest.id, labels, rest)))

function attempt(asked: readonly AskUserQuestionItem[], value: unknown) {
  try {
    return checkAnswer(asked, value)
  } catch (error) {
    return { error: error as Error }
  }
}

/** Every word that an answer says about the questions, in `selected` and `custom`; a custom of several is one a line. */
function wordsOf({ answers }: AskUserQuestionAnswer, ids: ReadonlySet<string>): Set<string> {
  const words = answers.filter(one => ids.has(one.id)).flatMap(({ selected, custom }) => [...selected, ...custom?.split('\n') ?? []])
  return new Set(words.filter(one => one.trim() !== ''))
}

/** The questions, with as many more as an answer needs to have no more items than there are questions. */
function enough(asked: readonly AskUserQuestionItem[], { answers }: AskUserQuestionAnswer): AskUserQuestionItem[] {
  return [...asked, ...answers.slice(asked.length).map((_, at) => choice(`more ${at}`, []))]
}

describe('the answer check', () => {
  it('7: refuses exactly what the schema refuses, and names the same field', () => {
    // One multi-select question that accepts everything of the right shape.
    const asked = Array.from({ length: 6 }, () => choice('a', [], { multiSelect: true }))
    fc.assert(fc.property(fc.oneof({ weight: 3, arbitrary: nearly }, { weight: 1, arbitrary: odd }), value => {
      const { error } = { error: undefined, ...attempt(asked, value) }
      const { answers } = Object(value) as { answers: unknown }
      const isLong = Array.isArray(answers) && answers.length > asked.length
      const schema = askUserQuestionAnswerSchema.safeParse(value)
      const path = schema.error?.issues[0]!.path.join('.') ?? ''
      expect(codeOf(error)).toBe(schema.success && !isLong ? undefined : 'BAD_ANSWER')
      expect(error?.message ?? '').toContain(isLong ? 'answers' : path)
    }), RUNS)
  })

  it('7: whatever it accepts has the shape of an answer, and whatever it throws is BAD_ANSWER', () => {
    fc.assert(fc.property(questions, fc.oneof(nearly, odd), (asked, value) => {
      const result = attempt(asked, value)
      expect('error' in result
        ? [codeOf(result.error), result.error.name]
        : askUserQuestionAnswerSchema.safeParse(result.answer).error).toEqual('error' in result ? ['BAD_ANSWER', 'UserQuestionError'] : undefined)
    }), RUNS)
  })

  it('7: echoes every question once and in order, chooses only what is offered, and one where one may be chosen', () => {
    fc.assert(fc.property(questions, proper, (few, value) => {
      const asked = enough(few, value)
      const result = attempt(asked, value)
      if ('error' in result) return
      const { answers } = result.answer
      expect(answers.map(one => one.id)).toEqual(asked.map(one => one.id))
      for (const [index, { selected, custom }] of answers.entries()) {
        const { options = [], multiSelect } = asked[index]!
        if (options.length === 0) continue
        expect(selected.filter(label => !options.some(option => option.label === label))).toEqual([])
        expect(new Set(selected).size).toBe(selected.length)
        expect(selected.length).toBeLessThanOrEqual(multiSelect ? options.length : 1)
        expect(custom?.trim()).not.toBe('')
      }
    }), RUNS)
  })

  it('7: says only what was said, and all of it', () => {
    fc.assert(fc.property(questions, proper, (few, value) => {
      const asked = enough(few, value)
      const result = attempt(asked, value)
      if ('error' in result) return
      const ids = new Set(asked.map(one => one.id))
      const [before, after] = [wordsOf(value, ids), wordsOf(result.answer, ids)]
      expect([...after].toSorted()).toEqual([...before].toSorted())
    }), RUNS)
  })

  it('7: is blank exactly when nothing was said and it was not a skip of every question', () => {
    fc.assert(fc.property(questions, proper, (few, value) => {
      const asked = enough(few, value)
      const result = attempt(asked, value)
      if ('error' in result) return
      const ids = asked.map(one => one.id).toSorted()
      const about = value.answers.filter(one => ids.includes(one.id))
      const skips = about.every(({ selected, custom }) => selected.length === 0 && custom === undefined)
        && about.map(one => one.id).toSorted().join() === ids.join()
      expect(result.blank).toBe(wordsOf(result.answer, new Set(ids)).size === 0 && !skips)
      expect(result.dropped).toBe(value.answers.length - about.length)
    }), RUNS)
  })

  it('7: what is in normal form stays as it is, and is not blank', () => {
    fc.assert(fc.property(questions, proper, (few, value) => {
      const asked = enough(few, value)
      const first = attempt(asked, value)
      if ('error' in first) return
      expect(checkAnswer(asked, first.answer)).toEqual({ answer: first.answer, blank: false, dropped: 0 })
    }), RUNS)
  })
})
