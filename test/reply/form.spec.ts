// Filling in a batch: what one action changes, when it is sent, and that what is sent always fits the questions.
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { answerOf, type Form, type FormAction, hasReview, hasWordsBesideChoice, isAnswered, newForm, reduceForm } from '../../src/reply/form.ts'

// Thousands of cases on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const single: AskUserQuestionItem = { id: 'db', question: 'Which?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const multi: AskUserQuestionItem = { id: 'checks', question: 'Which ones?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }], multiSelect: true }
const words: AskUserQuestionItem = { id: 'colour', question: 'What colour?' }

function fill(questions: AskUserQuestionItem[], ...actions: FormAction[]): Form {
  return actions.reduce(reduceForm, newForm(questions))
}

describe('a lone single-select question', () => {
  it('is sent as it is chosen, without a review', () => {
    const form = fill([single], { type: 'select', option: 1 })
    expect(hasReview(form)).toBe(false)
    expect(form.submitted).toBe(false)
    const sent = reduceForm(form, { type: 'submit' })
    expect(sent.submitted).toBe(true)
    expect(answerOf(sent)).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }] })
  })

  it('is not sent while nothing is chosen and nothing said', () => {
    expect(fill([single], { type: 'submit' }).submitted).toBe(false)
    expect(fill([words], { type: 'type', words: '  ' }, { type: 'submit' }).submitted).toBe(false)
  })

  it('keeps one choice', () => {
    const form = fill([single], { type: 'select', option: 0 }, { type: 'select', option: 1 })
    expect(form.entries[0]!.chosen).toEqual([1])
    expect(reduceForm(form, { type: 'select', option: 1 })).toBe(form)
    expect(reduceForm(form, { type: 'toggle', option: 1 }).entries[0]!.chosen).toEqual([])
    expect(reduceForm(form, { type: 'toggle', option: 0 }).entries[0]!.chosen).toEqual([0])
  })

  it('keeps both a choice and words, whichever came first, with a review that shows both', () => {
    const chosen = fill([single], { type: 'select', option: 0 }, { type: 'type', words: 'on a small machine' })
    const said = fill([single], { type: 'type', words: 'on a small machine' }, { type: 'select', option: 0 })
    for (const form of [chosen, said]) {
      expect(hasWordsBesideChoice(form, 0)).toBe(true)
      expect(answerOf(form)).toEqual({ answers: [{ id: 'db', selected: ['Postgres'], custom: 'on a small machine' }] })
      const review = reduceForm(form, { type: 'submit' })
      expect([review.page, review.submitted]).toEqual([1, false])
      expect(reduceForm(review, { type: 'submit' }).submitted).toBe(true)
    }
  })

  it('is words alone once its choice is taken back, and a choice alone while the words are blank', () => {
    const alone = fill([single], { type: 'select', option: 0 }, { type: 'type', words: 'a third one' }, { type: 'toggle', option: 0 })
    expect(answerOf(alone)).toEqual({ answers: [{ id: 'db', selected: [], custom: 'a third one' }] })
    const blank = fill([single], { type: 'select', option: 0 }, { type: 'type', words: ' ' })
    expect(answerOf(blank)).toEqual({ answers: [{ id: 'db', selected: ['Postgres'] }] })
    for (const form of [alone, blank]) expect([hasWordsBesideChoice(form, 0), hasReview(form)]).toEqual([false, false])
  })
})

describe('a multi-select question', () => {
  it('collects choices in the order of the options, and words beside them', () => {
    const form = fill([multi], { type: 'toggle', option: 2 }, { type: 'select', option: 0 }, { type: 'toggle', option: 1 }, { type: 'toggle', option: 1 }, { type: 'type', words: 'D' })
    expect(answerOf(form)).toEqual({ answers: [{ id: 'checks', selected: ['A', 'C'], custom: 'D' }] })
  })

  it('is reviewed before it is sent, also with nothing chosen', () => {
    const review = fill([multi], { type: 'submit' })
    expect([review.page, review.submitted]).toEqual([1, false])
    expect(answerOf(reduceForm(review, { type: 'submit' }))).toEqual({ answers: [{ id: 'checks', selected: [] }] })
  })

  it('without options is a question in own words', () => {
    const form = fill([{ ...words, multiSelect: true }], { type: 'type', words: '15:00' }, { type: 'submit' })
    expect(form.submitted).toBe(true)
    expect(answerOf(form)).toEqual({ answers: [{ id: 'colour', selected: [], custom: '15:00' }] })
  })
})

describe('a batch', () => {
  const batch = [single, multi, words]

  it('is turned page by page, from the first question to the review', () => {
    const pages = (...actions: FormAction[]) => fill(batch, ...actions).page
    expect(pages({ type: 'back' })).toBe(0)
    expect(pages({ type: 'next' })).toBe(1)
    expect(pages({ type: 'go', page: 2 }, { type: 'next' }, { type: 'next' })).toBe(3)
    expect(pages({ type: 'review' }, { type: 'back' })).toBe(2)
    expect(pages({ type: 'go', page: -4 })).toBe(0)
    expect(fill([single], { type: 'review' }).page).toBe(0)
  })

  it('is sent from the review only, with a skip for what has no answer', () => {
    const form = fill(batch, { type: 'go', page: 2 }, { type: 'type', words: 'blue' }, { type: 'submit' })
    expect([form.page, form.submitted]).toEqual([3, false])
    expect([0, 1, 2].map(at => isAnswered(form, at))).toEqual([false, false, true])
    const sent = reduceForm(form, { type: 'submit' })
    expect(answerOf(sent)).toEqual({ answers: [{ id: 'db', selected: [] }, { id: 'checks', selected: [] }, { id: 'colour', selected: [], custom: 'blue' }] })
    expect(reduceForm(sent, { type: 'back' })).toBe(sent)
  })

  it('changes nothing on the review, and nothing for an option that is not there', () => {
    const review = fill(batch, { type: 'review' })
    for (const action of [{ type: 'select', option: 0 }, { type: 'toggle', option: 0 }, { type: 'type', words: 'x' }] as const) {
      expect(reduceForm(review, action)).toBe(review)
    }
    const form = newForm(batch)
    expect(reduceForm(form, { type: 'select', option: 9 })).toBe(form)
    expect(reduceForm(form, { type: 'type', words: '' })).toBe(form)
  })
})

const label = fc.oneof(fc.constantFrom('A', 'B', '', ' ', 'Yes, always', 'constructor'), fc.string())
const anyQuestion: fc.Arbitrary<AskUserQuestionItem> = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  question: fc.string(),
  options: fc.array(fc.record({ label }), { maxLength: 4 }),
  multiSelect: fc.boolean(),
}, { requiredKeys: ['id', 'question'] })
const anyAction: fc.Arbitrary<FormAction> = fc.oneof(
  fc.record({ type: fc.constantFrom('select' as const, 'toggle' as const), option: fc.integer({ min: -1, max: 5 }) }),
  fc.record({ type: fc.constant('type' as const), words: fc.oneof(fc.string(), fc.constantFrom('', ' ', 'A')) }),
  fc.record({ type: fc.constantFrom('next' as const, 'back' as const, 'review' as const, 'submit' as const) }),
  fc.record({ type: fc.constant('go' as const), page: fc.integer({ min: -1, max: 5 }) }),
)
const anyBatch = fc.tuple(fc.array(anyQuestion, { minLength: 1, maxLength: 4 }), fc.array(anyAction, { maxLength: 30 }))

describe('whatever a person does', () => {
  it('what is sent is acceptable as it is: nothing lost, nothing added, never blank', () => {
    fc.assert(fc.property(anyBatch, ([questions, actions]) => {
      const form = fill(questions, ...actions)
      const sent = [{ type: 'submit' }, { type: 'submit' }] as const
      const { submitted } = sent.reduce<Form>(reduceForm, form)
      const checked = checkAnswer(questions, answerOf(form))
      expect([checked.answer, checked.dropped, submitted && checked.blank]).toEqual([answerOf(form), 0, false])
    }), { numRuns: 2000 })
  })

  it('one action changes one thing: an entry, the page, or that it is sent', () => {
    fc.assert(fc.property(anyBatch, anyAction, ([questions, actions], action) => {
      const before = fill(questions, ...actions), after = reduceForm(before, action)
      const entries = before.entries.filter((entry, at) => entry !== after.entries[at]).length
      const changes = entries + Number(before.page !== after.page) + Number(before.submitted !== after.submitted)
      expect(changes).toBeLessThanOrEqual(1)
      expect(changes === 0).toBe(after === before)
    }), { numRuns: 2000 })
  })

  it('there is a way to send it: at most "review" and "submit" for a batch, an answer and "submit" for a lone question', () => {
    fc.assert(fc.property(anyBatch, ([questions, actions]) => {
      const form = fill(questions, ...actions)
      const sent = [{ type: 'go', page: 0 }, { type: 'type', words: 'x' }, { type: 'submit' }, { type: 'submit' }] as const
      expect(sent.reduce<Form>(reduceForm, form).submitted).toBe(true)
    }), { numRuns: 1000 })
  })
})
