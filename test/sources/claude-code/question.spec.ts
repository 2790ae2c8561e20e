// Claude Code's questions on our surfaces, and answers in both directions.
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswerItem } from '../../../src/protocol/answer.ts'
import { readLabels } from '../../../src/sources/claude-code/labels.ts'
import { questionAsking } from '../../../src/sources/claude-code/question.ts'
import { COLOUR, FRUITS, hookInput } from '../../helpers/claude-code.ts'

const asking = (...questions: object[]) => questionAsking(hookInput('AskUserQuestion', { questions }))

const both = asking(COLOUR, FRUITS)

/** What Claude Code gets for these answers, beside its own questions. */
function decided(...answers: AskUserQuestionAnswerItem[]) {
  const decision = both.decide({ answers }) as { behavior: 'allow', updatedInput: { questions: unknown } } | undefined
  const { questions, ...rest } = decision!.updatedInput
  expect([decision!.behavior, questions]).toEqual(['allow', [COLOUR, FRUITS]])
  return rest
}

const skipped = { id: 'q2', selected: [] }

describe('a question of Claude Code', () => {
  it('has an id by its position, and its header and options as they are', () => {
    expect(both.request).toEqual({
      questions: [
        { id: 'q1', question: 'Which colour?', header: 'Colour', multiSelect: false, options: COLOUR.options },
        { id: 'q2', question: 'Which fruits?', header: 'Fruits', multiSelect: true, options: FRUITS.options },
      ],
    })
  })

  it('has its previews as code, under the labels that they belong to', () => {
    const preview = '+----+\n|```|\n+----+'
    const { questions: [question] } = asking({ ...COLOUR, options: [{ label: 'Wide', description: 'w', preview }, { label: 'Tall', description: ' ' }] }).request
    expect(question).toEqual({
      id: 'q1', question: 'Which colour?', header: 'Colour', multiSelect: false,
      detail: `\`\`\`\nWide\n\`\`\`\n\n\`\`\`\`\n${preview}\n\`\`\`\``,
      options: [{ label: 'Wide', description: 'w' }, { label: 'Tall' }],
    })
  })

  it.each([
    ['no questions', { questions: [] }],
    ['nothing', {}],
    ['two with the same text', { questions: [COLOUR, { ...FRUITS, question: COLOUR.question }] }],
    ['options that are none', { questions: [{ question: 'Which?', options: ['Red'] }] }],
  ])('is none with %s', (_, input) => {
    expect(() => questionAsking(hookInput('AskUserQuestion', input))).toThrow()
  })
})

describe('an answer of a surface', () => {
  it('goes back by label, several as a list', () => {
    expect(decided({ id: 'q1', selected: ['Blue'] }, { id: 'q2', selected: ['Apple', 'Fig, dried'] })).toEqual({
      answers: { 'Which colour?': 'Blue', 'Which fruits?': ['Apple', 'Fig, dried'] },
    })
  })

  it('in words goes back as words, with their commas', () => {
    expect(decided({ id: 'q1', selected: [], custom: 'none, really' }, { id: 'q2', selected: [], custom: 'figs, fresh' })).toEqual({
      answers: { 'Which colour?': 'none, really', 'Which fruits?': ['figs, fresh'] },
    })
  })

  it('with words beside a choice is the choice, and notes', () => {
    expect(decided({ id: 'q1', selected: ['Blue'], custom: 'but light' }, { id: 'q2', selected: ['Pear'], custom: 'two' })).toEqual({
      answers: { 'Which colour?': 'Blue', 'Which fruits?': ['Pear'] },
      annotations: { 'Which colour?': { notes: 'but light' }, 'Which fruits?': { notes: 'two' } },
    })
  })

  it('leaves out a question that was skipped', () => {
    expect(decided({ id: 'q1', selected: ['Red'] }, skipped)).toEqual({ answers: { 'Which colour?': 'Red' } })
    expect(decided({ id: 'q1', selected: [] }, skipped)).toEqual({ answers: {} })
  })

  it('keeps whatever else Claude Code sent', () => {
    const input = { questions: [COLOUR], metadata: { source: 'remember' } }
    expect(questionAsking(hookInput('AskUserQuestion', input)).decide({ answers: [{ id: 'q1', selected: ['Red'] }] })).toEqual({
      behavior: 'allow', updatedInput: { ...input, answers: { 'Which colour?': 'Red' } },
    })
  })

  it('is not sent where Claude Code would refuse it', () => {
    expect(asking({ ...COLOUR, options: [{ label: '' }] }).decide({ answers: [{ id: 'q1', selected: [''] }] })).toBeUndefined()
  })

  it('to a question that is called like something of every object is that question\'s', () => {
    const odd = asking({ ...COLOUR, question: '__proto__' }, { ...COLOUR, question: 'constructor' })
    const decision = odd.decide({ answers: [{ id: 'q1', selected: ['Red'] }, { id: 'q2', selected: [] }] })
    expect(JSON.stringify((decision as { updatedInput: Record<string, unknown> }).updatedInput['answers'])).toBe('{"__proto__":"Red"}')
    expect(odd.read({ isAllowed: true, isTurnedDown: false, isWider: false, at: 0, value: { answers: {} } })).toEqual({ answers: [{ id: 'q1', selected: [] }, { id: 'q2', selected: [] }] })
  })
})

describe('an answer in Claude Code', () => {
  const read = (answers: object, annotations?: object) => both.read({ isAllowed: true, isTurnedDown: false, isWider: false, at: 0, value: { questions: [], answers, annotations } })

  it.each([
    ['labels', { 'Which colour?': 'Red', 'Which fruits?': 'Apple, "Fig, dried"' }, undefined, [{ id: 'q1', selected: ['Red'] }, { id: 'q2', selected: ['Apple', 'Fig, dried'] }]],
    ['words', { 'Which colour?': 'purple, please', 'Which fruits?': 'Pear, own, words' }, {}, [{ id: 'q1', selected: [], custom: 'purple, please' }, { id: 'q2', selected: ['Pear'], custom: 'own, words' }]],
    ['nothing', { 'Which fruits?': '' }, {}, [{ id: 'q1', selected: [] }, { id: 'q2', selected: [] }]],
    ['notes', { 'Which colour?': 'Red' }, { 'Which colour?': { notes: 'dark' } }, [{ id: 'q1', selected: ['Red'], custom: 'dark' }, { id: 'q2', selected: [] }]],
    ['notes alone', { 'Which colour?': '(notes only)' }, { 'Which colour?': { notes: 'hi' } }, [{ id: 'q1', selected: [], custom: 'hi' }, { id: 'q2', selected: [] }]],
  ])('is read from the transcript: %s', (_, answers, annotations, expected) => {
    expect(read(answers, annotations)).toEqual({ answers: expected })
  })

  it('that was turned down is declined, and one that nobody can read is none', () => {
    expect(both.read({ isAllowed: false, isTurnedDown: true, isWider: false, at: 0, value: 'Error' })).toBe('declined')
    expect(both.read({ isAllowed: true, isTurnedDown: false, isWider: false, at: 0, value: { answers: 3 } })).toBeUndefined()
  })
})

describe('a list in one line', () => {
  it('is told apart by its commas and quotation marks', () => {
    expect(readLabels('"Say \\"no\\", then", Apple', ['Apple', 'Say "no", then'], true)).toEqual({ selected: ['Apple', 'Say "no", then'], words: [] })
    expect(readLabels(['Apple', 'mine'], ['Apple'], true)).toEqual({ selected: ['Apple'], words: ['mine'] })
    expect(readLabels('Fig, dried', ['Fig, dried', 'Fig'], true)).toEqual({ selected: ['Fig, dried'], words: [] })
  })
})
