// Whether an answer fits its questions, clause by clause (rule 7).
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { choice, codeOf, errorOf, says } from '../helpers/surface.ts'

const SINGLE = [choice('db', ['Postgres', 'SQLite'])]
const MULTI = [choice('db', ['Postgres', 'SQLite'], { multiSelect: true })]
const TEXT: AskUserQuestionItem[] = [{ id: 'db', question: 'db?' }]

/** One item for `db`, checked. */
function checked(questions: readonly AskUserQuestionItem[], selected: string[], custom?: string) {
  const { answer } = checkAnswer(questions, { answers: [{ id: 'db', selected, ...custom !== undefined && { custom } }] })
  expect(answer.answers).toHaveLength(1)
  const { id, ...rest } = answer.answers[0]!
  expect(id).toBe('db')
  return rest
}

describe('ids', () => {
  const THREE = [choice('a', ['1', '2']), choice('b', ['1', '2']), choice('c', ['1', '2'])]

  it('7: are echoed exactly, in the order of the questions', () => {
    const { answer, dropped } = checkAnswer(THREE, { answers: ['c', 'a', 'b'].map(id => ({ id, selected: [id === 'c' ? '2' : '1'] })) })
    expect(answer.answers.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(answer.answers.map(({ selected }) => selected[0])).toEqual(['1', '1', '2'])
    expect(dropped).toBe(0)
  })

  it.each(['', ' a ', '__proto__', 'constructor', 'é', 'é', '部署'])('7: %j is an id like any other', id => {
    const { answer } = checkAnswer([choice(id, ['x'])], says('x', id))
    expect(answer.answers).toEqual([{ id, selected: ['x'] }])
  })

  it('7: are compared exactly', () => {
    const { answer, dropped } = checkAnswer([choice('a', ['1']), choice('b', ['1'])], { answers: [{ id: 'A', selected: ['1'] }, { id: 'a ', selected: ['1'] }] })
    expect(answer.answers).toEqual([{ id: 'a', selected: [] }, { id: 'b', selected: [] }])
    expect(dropped).toBe(2)
  })

  it('7: an item whose id was not asked is dropped and counted', () => {
    const { answer, dropped } = checkAnswer([...SINGLE, ...THREE], {
      answers: [{ id: 'x', selected: ['Postgres', 'SQLite'] }, ...says('SQLite').answers, { id: 'y', selected: [], custom: 'z' }],
    })
    expect(answer.answers).toEqual([...says('SQLite').answers, ...THREE.map(({ id }) => ({ id, selected: [] }))])
    expect(dropped).toBe(2)
  })

  it('7: a question left out is filled in as skipped', () => {
    const { answer, blank } = checkAnswer(THREE, { answers: [{ id: 'b', selected: ['2'] }] })
    expect(answer.answers).toEqual([{ id: 'a', selected: [] }, { id: 'b', selected: ['2'] }, { id: 'c', selected: [] }])
    expect(blank).toBe(false)
  })

  it('7: questions that share one match their items by occurrence', () => {
    const questions = [choice('x', ['1', '2']), choice('y', ['1']), choice('x', ['3', '4'])]
    const { answer } = checkAnswer(questions, {
      answers: [{ id: 'x', selected: ['2'] }, { id: 'x', selected: ['4'] }, { id: 'y', selected: ['1'] }],
    })
    expect(answer.answers).toEqual([{ id: 'x', selected: ['2'] }, { id: 'y', selected: ['1'] }, { id: 'x', selected: ['4'] }])
  })

  it('7: with fewer items than such questions the last are left out', () => {
    const { answer } = checkAnswer([choice('x', ['1']), choice('x', ['1'])], says('1', 'x'))
    expect(answer.answers).toEqual([{ id: 'x', selected: ['1'] }, { id: 'x', selected: [] }])
  })

  it('7: more items for an id than questions is BAD_ANSWER', () => {
    for (const [questions, count] of [[[...SINGLE, ...THREE], 2], [[...SINGLE, ...SINGLE, ...THREE], 3]] as const) {
      const error = errorOf(() => checkAnswer(questions, { answers: Array.from({ length: count }, () => says('Postgres').answers[0]) }))
      expect(codeOf(error)).toBe('BAD_ANSWER')
      expect(error.message).toContain('db')
    }
  })

  it('7: more items than questions are BAD_ANSWER, whatever their ids', () => {
    const error = errorOf(() => checkAnswer(SINGLE, { answers: [...says('SQLite').answers, { id: 'x', selected: [] }] }))
    expect([codeOf(error), error.message]).toEqual(['BAD_ANSWER', 'bad answer: answers: has more items than questions'])
  })
})

describe('single-select with options', () => {
  it.each(['Postgres', ' spaced ', 'Yes, always', '["x"]', 'Nein, später 🙂', '部署？', '<img src=x onerror=1>', '0'])(
    '7: the label %j stays exactly that', label => {
      expect(checked([choice('db', ['other', label])], [label])).toEqual({ selected: [label] })
    },
  )

  it('7: text in selected that is no label becomes custom, character for character', () => {
    for (const text of ['Oracle', 'postgres', ' Postgres', 'Postgres ', ' 15:00\n', '1']) {
      expect(checked(SINGLE, [text])).toEqual({ selected: [], custom: text })
    }
  })

  it('7: words stand beside the choice', () => {
    expect(checked(SINGLE, ['Postgres'], 'but on port 1')).toEqual({ selected: ['Postgres'], custom: 'but on port 1' })
  })

  it('7: so does text in selected that is no label', () => {
    expect(checked(SINGLE, ['Postgres', 'please'])).toEqual({ selected: ['Postgres'], custom: 'please' })
  })

  it('7: no word is lost when there are several', () => {
    const { selected, custom } = checked(SINGLE, ['one', 'Postgres', 'two'], 'three')
    expect(selected).toEqual(['Postgres'])
    expect(custom!.split('\n')).toEqual(['one', 'two', 'three'])
  })

  it('7: a label in custom is text, not a choice', () => {
    expect(checked(SINGLE, [], 'Postgres')).toEqual({ selected: [], custom: 'Postgres' })
  })

  it('7: a second choice is BAD_ANSWER, with custom too', () => {
    for (const custom of [undefined, 'or so']) {
      const value = { answers: [{ id: 'db', selected: ['Postgres', 'SQLite'], custom }] }
      const error = errorOf(() => checkAnswer(SINGLE, value))
      expect(codeOf(error)).toBe('BAD_ANSWER')
      expect(error.message).toContain('selected')
      expect(error.message).toContain('db')
    }
  })

  it('7: duplicates of one label collapse', () => {
    expect(checked(SINGLE, ['SQLite', 'SQLite', 'SQLite'])).toEqual({ selected: ['SQLite'] })
    expect(checked(SINGLE, ['x', 'x'], 'x')).toEqual({ selected: [], custom: 'x' })
  })

  it('7: so do options that share a label', () => {
    expect(checked([choice('db', ['same', 'same'])], ['same'])).toEqual({ selected: ['same'] })
  })

  it('7: multiSelect: false is single-select', () => {
    expect(checked([choice('db', ['a', 'b'], { multiSelect: false })], ['a'], 'x')).toEqual({ selected: ['a'], custom: 'x' })
    expect(() => checked([choice('db', ['a', 'b'], { multiSelect: false })], ['a', 'b'])).toThrow('several options')
  })
})

describe('multi-select with options', () => {
  it('7: several choices are kept, in the order given', () => {
    expect(checked(MULTI, ['SQLite', 'Postgres'])).toEqual({ selected: ['SQLite', 'Postgres'] })
  })

  it('7: both choices and custom are kept', () => {
    expect(checked(MULTI, ['SQLite'], 'and Redis')).toEqual({ selected: ['SQLite'], custom: 'and Redis' })
  })

  it('7: text that is no label becomes custom beside them', () => {
    expect(checked(MULTI, ['Redis', 'SQLite'])).toEqual({ selected: ['SQLite'], custom: 'Redis' })
    expect(checked(MULTI, ['Redis', 'SQLite'], 'soon').custom!.split('\n')).toEqual(['Redis', 'soon'])
  })

  it('7: duplicates collapse', () => {
    expect(checked(MULTI, ['SQLite', 'Postgres', 'SQLite'])).toEqual({ selected: ['SQLite', 'Postgres'] })
  })
})

describe('without options', () => {
  it.each<[string, AskUserQuestionItem[]]>([
    ['none', TEXT], ['an empty list', [choice('db', [])]], ['an empty list, multi-select', [choice('db', [], { multiSelect: true })]],
  ])('7: %s: selected stays as it is, and custom beside it', (_, questions) => {
    expect(checked(questions, ['anything', 'at all'])).toEqual({ selected: ['anything', 'at all'] })
    expect(checked(questions, ['one'], 'two')).toEqual({ selected: ['one'], custom: 'two' })
    expect(checked(questions, [], '{"x":1}')).toEqual({ selected: [], custom: '{"x":1}' })
    expect(checked(questions, ['4'])).toEqual({ selected: ['4'] })
    expect(checked(questions, ['x', 'x'])).toEqual({ selected: ['x'] })
  })
})

describe('blank strings', () => {
  it.each(['', ' ', '\n\t', '\u3000'])('7: %j is no selection and no text', blank => {
    for (const questions of [SINGLE, MULTI, TEXT]) {
      expect(checked(questions, [blank])).toEqual({ selected: [] })
      expect(checked(questions, [], blank)).toEqual({ selected: [] })
      expect(checked(questions, ['SQLite', blank], blank)).toEqual({ selected: ['SQLite'] })
    }
  })
})

describe('skips and blanks', () => {
  const TWO = [...SINGLE, choice('os', ['Linux'])]
  const skip = (id: string) => ({ id, selected: [] })

  it.each<[string, AskUserQuestionItem[], unknown[]]>([
    ['one question', SINGLE, [skip('db')]],
    ['two, in any order', TWO, [skip('os'), skip('db')]],
    ['two that share an id', [...SINGLE, ...SINGLE], [skip('db'), skip('db')]],
    ['an undefined custom', SINGLE, [{ ...skip('db'), custom: undefined }]],
    ['a text question', TEXT, [skip('db')]],
  ])('7: a skip is an answer: %s', (_, questions, answers) => {
    const { answer, blank } = checkAnswer(questions, { answers })
    expect(blank).toBe(false)
    expect(answer.answers).toEqual(questions.map(({ id }) => skip(id)))
  })

  it.each<[string, AskUserQuestionItem[], unknown[]]>([
    ['no items', SINGLE, []],
    ['one item of two', TWO, [skip('db')]],
    ['one item of two that share an id', [...SINGLE, ...SINGLE], [skip('db')]],
    ['a blank choice', SINGLE, [{ id: 'db', selected: [''] }]],
    ['blank words', SINGLE, [{ ...skip('db'), custom: ' ' }]],
    ['empty words', SINGLE, [{ ...skip('db'), custom: '' }]],
    ['a skip and a blank', TWO, [skip('db'), { id: 'os', selected: [' '] }]],
    ['only what nobody asked for', SINGLE, [{ id: 'x', selected: ['Postgres'] }]],
  ])('7: is blank: %s', (_, questions, answers) => {
    const { answer, blank } = checkAnswer(questions, { answers })
    expect(blank).toBe(true)
    expect(answer.answers).toEqual(questions.map(({ id }) => skip(id)))
  })

  it.each<[string, unknown[]]>([
    ['a choice', [{ id: 'db', selected: ['SQLite'] }]],
    ['words', [{ ...skip('os'), custom: 'x' }]],
    ['one said and one skipped', [skip('db'), { id: 'os', selected: ['Linux'] }]],
  ])('7: is not blank: %s, with the rest left out', (_, answers) => {
    expect(checkAnswer(TWO, { answers }).blank).toBe(false)
  })
})

describe('no questions', () => {
  it.each([undefined, null, 'x', says('Postgres'), { answers: [] }])('7: %j passes as it is', value => {
    const result = checkAnswer([], value)
    expect(result.answer).toBe(value)
    expect([result.blank, result.dropped]).toEqual([false, 0])
  })
})

it('7: options that are null, which the host lets through, are none', () => {
  expect(checkAnswer([{ id: 'q', question: 'Which?', options: null as never }], { answers: [{ id: 'q', selected: ['a'] }] }).answer)
    .toEqual({ answers: [{ id: 'q', selected: ['a'] }] })
})
