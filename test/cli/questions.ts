// The question that the agents of these tests ask, and two answers to it.
import type { AskUserQuestionItem } from '../../src/protocol/request.ts'

export const DATABASE: AskUserQuestionItem = {
  id: 'db',
  question: 'Which database?',
  options: [{ label: 'Postgres', description: 'a server' }, { label: 'SQLite', description: 'one file' }],
}

export const POSTGRES = { answers: [{ id: 'db', selected: ['Postgres'] }] }
export const SQLITE = { answers: [{ id: 'db', selected: ['SQLite'] }] }
