// The form in which dsh takes an answer: its `custom` replaces the choice of a single-select question (rule 7).
import { describe, expect, it } from 'vitest'
import type { AskUserQuestionAnswerItem } from '../../src/protocol/answer.ts'
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'
import { WaterfallHost } from '../../src/sources/host/waterfall-host.ts'
import { choice, question } from '../helpers/surface.ts'

function forDsh(asked: AskUserQuestionItem, item: Omit<AskUserQuestionAnswerItem, 'id'>) {
  const host = new WaterfallHost(question(), () => undefined)
  const { answers: [answer] } = host.answerFor([asked], { answers: [{ id: asked.id, ...item }] })
  return answer
}

const database = choice('db', ['Postgres', 'SQLite', 'No'])

describe('a choice and words', () => {
  it('become one text on a single-select question, so that dsh learns of both', () => {
    expect(forDsh(database, { selected: ['Postgres'], custom: 'on the small machine' }))
      .toEqual({ id: 'db', selected: [], custom: 'Postgres: on the small machine' })
  })

  it.each(['Postgres', 'Postgres: on the small machine', 'Postgres, please', ' Postgres 17', 'Postgres。因为快'])('leave words that begin with the label as they are: "%s"', (custom) => {
    expect(forDsh(database, { selected: ['Postgres'], custom })).toEqual({ id: 'db', selected: [], custom })
  })

  it.each(['Not before Monday', 'no', 'No1', 'No.1', 'No++'])('are joined where the label is only the beginning of another word: "%s"', (custom) => {
    expect(forDsh(database, { selected: ['No'], custom })).toEqual({ id: 'db', selected: [], custom: `No: ${custom}` })
  })

  it('both stay on a multi-select question, and where there are no options', () => {
    const item = { selected: ['Postgres'], custom: 'and more' }
    expect(forDsh({ ...database, multiSelect: true }, item)).toEqual({ id: 'db', ...item })
    expect(forDsh({ id: 'db', question: 'Which?' }, item)).toEqual({ id: 'db', ...item })
    expect(forDsh({ id: 'db', question: 'Which?', options: null as never }, item)).toEqual({ id: 'db', ...item })
  })
})

it.each([{ selected: ['Postgres'] }, { selected: [], custom: 'neither' }, { selected: [] }])('one alone, or nothing, stays as it is: %j', (item) => {
  expect(forDsh(database, item)).toEqual({ id: 'db', ...item })
})
