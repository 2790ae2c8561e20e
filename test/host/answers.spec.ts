// What an answer looks like when it reaches the model: echoed character for character, made to fit its questions,
// never guessed. The host checks nothing of this.
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswer, AskUserQuestionItem } from '../../src/index.ts'
import { choose, DATABASE, macrotask, oneQuestion, pending, people, startAgent, toldAnswer } from './support.ts'
import { startWithWeb } from './web-ui.ts'

const TOPPINGS: AskUserQuestionItem = {
  id: 'toppings', question: 'What goes on it?', multiSelect: true, options: ['cheese', 'ham', 'pineapple'].map(label => ({ label })),
}
const NAME: AskUserQuestionItem = { id: 'name', question: 'What is it called?' }

/** Let one surface answer anything and see what the model is told. */
async function answered(questions: readonly AskUserQuestionItem[], value: unknown) {
  const { surfaces, begin } = await startAgent(oneQuestion('c1', questions))
  const [desk] = people(surfaces, 'desk')
  const { shown: [shown], told } = await begin(desk)
  shown.answerAnything(value)
  return await told()
}

const item = (id: string, selected: string[], custom?: string) => ({ id, selected, ...(custom !== undefined && { custom }) })

/** A single-select question with these labels. */
const single = (...labels: string[]): AskUserQuestionItem => ({ ...DATABASE, options: labels.map(label => ({ label })) })

type Items = AskUserQuestionAnswer['answers']

describe('an answer that fits', () => {
  it.each<[string, AskUserQuestionItem[], Items]>([
    ['field case 1: the label "2", not the second option', [single('2', '4', '8')], [item('db', ['2'])]],
    ['field case 2: the person\'s own words', [DATABASE], [item('db', [], '15:00')]],
    ['field case 3: ids that are shared, in order', [DATABASE, { ...NAME, id: 'db' }],
      [item('db', ['SQLite']), item('db', [], 'a name')]],
    ['field case 3: one text under two ids', [DATABASE, { ...DATABASE, id: 'os' }],
      [item('db', ['SQLite']), item('os', ['Postgres'])]],
    ['field case 5: a label with a comma', [single('Yes, always', 'No')], [item('db', ['Yes, always'])]],
    ['field case 6: several options of a multi-select', [TOPPINGS], [item('toppings', ['ham', 'cheese'])]],
    ['field case 7: JSON as text', [{ ...NAME, question: '[{"a":1}]' }], [item('name', [], '{"x":1}')]],
    ['field case 7: a number as text', [NAME], [item('name', [], '4')]],
    ['field case 9: a skip', [DATABASE, TOPPINGS], [item('db', []), item('toppings', [])]],
    ['field case 21: three answers to three questions', [DATABASE, TOPPINGS, NAME],
      [item('db', ['SQLite']), item('toppings', ['cheese'], 'and basil'), item('name', [], 'Pizza 🙂')]],
    ['field case 25: labels of every kind', [{ ...single('Nein, später 🙂', 'Größe?', '部署？', '—'), multiSelect: true }],
      [item('db', ['部署？', '—', 'Nein, später 🙂', 'Größe?'])]],
    ['field case 33: markup is text', [single('<img src=x onerror=1>')], [item('db', ['<img src=x onerror=1>'])]],
  ])('reaches the model as it is: %s', async (_what, questions, answers) => {
    expect(await answered(questions, { answers })).toEqual(toldAnswer({ answers }))
  })
})

describe('an answer that does not quite fit', () => {
  it.each<[string, AskUserQuestionItem[], Items, Items]>([
    ['a label nobody offered becomes the person\'s words', [DATABASE], [item('db', ['Oracle'])], [item('db', [], 'Oracle')]],
    ['a label in other letters too', [DATABASE], [item('db', ['postgres'])], [item('db', [], 'postgres')]],
    ['words beside the choice of a single-select are joined to it', [DATABASE],
      [item('db', ['SQLite'], 'in memory')], [item('db', [], 'SQLite: in memory')]],
    ['words that begin with the choice are left as they are', [DATABASE],
      [item('db', ['SQLite'], 'SQLite: in memory')], [item('db', [], 'SQLite: in memory')]],
    ['words beside the choices of a multi-select stay beside them', [TOPPINGS],
      [item('toppings', ['ham'], 'and basil')], [item('toppings', ['ham'], 'and basil')]],
    ['a foreign label stands beside the choices on a multi-select', [TOPPINGS],
      [item('toppings', ['ham', 'basil'])], [item('toppings', ['ham'], 'basil')]],
    ['duplicates collapse', [TOPPINGS], [item('toppings', ['ham', 'ham', 'cheese', 'ham'])], [item('toppings', ['ham', 'cheese'])]],
    ['an item that nobody asked for is dropped', [DATABASE, NAME],
      [item('color', ['blue']), item('db', ['SQLite'])], [item('db', ['SQLite']), item('name', [])]],
    ['the order is that of the questions', [DATABASE, TOPPINGS],
      [item('toppings', ['ham']), item('db', ['SQLite'])], [item('db', ['SQLite']), item('toppings', ['ham'])]],
    ['a question left out was skipped (field case 21)', [DATABASE, TOPPINGS, NAME],
      [item('toppings', ['ham'])], [item('db', []), item('toppings', ['ham']), item('name', [])]],
    ['blank strings say nothing', [TOPPINGS], [item('toppings', ['', ' ', 'ham'], '  ')], [item('toppings', ['ham'])]],
    ['unknown fields are dropped', [DATABASE], [Object.assign(item('db', ['SQLite']), { from: 'phone' })], [item('db', ['SQLite'])]],
  ])('is made to fit: %s', async (_what, questions, given, answers) => {
    expect(await answered(questions, { answers: given })).toEqual(toldAnswer({ answers }))
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, ''],
    ['a string', 'SQLite', ''],
    ['no list', { answers: {} }, 'answers'],
    ['an item without an id', { answers: [{ selected: [] }] }, 'answers.0.id'],
    ['a selection that is no list', { answers: [{ id: 'db', selected: 'SQLite' }] }, 'answers.0.selected'],
    ['a label that is no string', { answers: [{ id: 'db', selected: [1] }] }, 'answers.0.selected.0'],
    ['words that are none', { answers: [{ id: 'db', selected: [], custom: 1 }] }, 'answers.0.custom'],
    ['two labels on a single-select', { answers: [item('db', ['SQLite', 'Postgres'])] }, 'selected'],
    ['one question answered twice', { answers: [item('db', ['SQLite']), item('db', ['Postgres'])] }, 'answers'],
  ])('is a failure that names the field: %s', async (_what, value, field) => {
    const told = await answered([DATABASE], value)
    expect(told).toMatchObject({ isError: true })
    expect(told!.text).toMatch(`Error: bad answer: ${field}`)
  })

  it('takes only its surface out', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [shown], told } = await begin(phone)
    shown.answerAnything({ answers: [item('db', ['SQLite', 'Postgres'])] })
    await macrotask()
    desk.shown[0]!.answer(choose('Postgres'))
    expect(await told()).toEqual(toldAnswer(choose('Postgres')))
    expect(phone.shown[0]!.settled).toEqual([{ by: 'desk', answer: choose('Postgres') }])
  })

  it('is made to fit when it comes from the web UI, while a surface shows the question', async () => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion(), { order: 'after' })
    const [phone] = people(surfaces, 'phone')
    const { shown: [shown], told } = await begin(web)
    shown.answer({ answers: [item('db', ['Oracle'])] })
    expect(await told()).toEqual(toldAnswer({ answers: [item('db', [], 'Oracle')] }))
    expect(phone.shown[0]!.settled).toEqual([{ by: 'host: web-ui', answer: { answers: [item('db', [], 'Oracle')] } }])
  })
})

describe('field case 9', () => {
  it('a blank answer leaves the question open while another surface shows it', async () => {
    const { ctx, surfaces, begin } = await startAgent(oneQuestion())
    const [phone, desk] = people(surfaces, 'phone', 'desk')
    const { shown: [shown], told } = await begin(phone)
    shown.answer({ answers: [] })
    await macrotask()
    expect(pending(ctx)[0]!.participants).toContainEqual({ name: 'phone', state: 'blank', since: expect.any(Number) })
    desk.shown[0]!.answer(choose('SQLite'))
    expect(await told()).toEqual(toldAnswer(choose('SQLite')))
    expect(phone.shown[0]!.settled).toEqual([{ by: 'desk', answer: choose('SQLite') }])
  })

  it('a blank answer is used when nobody is left, as a skip of every question', async () => {
    expect(await answered([DATABASE, NAME], { answers: [] })).toEqual(toldAnswer({ answers: [item('db', []), item('name', [])] }))
  })

  it('"Skip" in the web UI ends the question while a phone still shows it', async () => {
    const { surfaces, web, begin } = await startWithWeb(oneQuestion(), { order: 'after' })
    const [phone] = people(surfaces, 'phone')
    const { shown: [card], told } = await begin(web)
    const skip = { answers: [item('db', [])] }
    card.answer(skip)
    expect(await told()).toEqual(toldAnswer(skip))
    expect(phone.shown[0]!.settled).toEqual([{ by: 'host: web-ui', answer: skip }])
  })
})
