// A question whose agent has gone on: the phone says so without a sound, and the answer still counts. Time and the server are made up.
import { expect, it } from 'vitest'
import type { AskContext, AskUserQuestionAnswer, AskUserQuestionRequest } from '../../src/index.ts'
import { allowed, approval, buttonsIn } from '../ntfy/helpers/approval.ts'
import { HOUR, question, refused, useMemoryServer } from '../ntfy/helpers/memory.ts'
import { pass, watch } from '../helpers/time.ts'

const server = useMemoryServer()

const choice = { id: 'c', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }
const GONE_ON = 'The agent has gone on; your answer still reaches it.\n'

/** Ask; the agent goes on when the test says so. */
async function ask(request: AskUserQuestionRequest = { questions: [choice] }) {
  const context = { id: '1', signal: new AbortController().signal, quiet: false, late: false }
  const asked = watch<AskUserQuestionAnswer>(server.phone.ask(request, context as AskContext))
  await pass(1000)
  return {
    asked,
    async goesOn() {
      context.late = true
      server.phone.late(request)
      await pass(10)
    },
    remind: () => server.phone.remind(request),
    settled: () => server.phone.settled(request, 'terminal', { answers: [{ id: 'c', selected: ['SQLite'] }] }),
  }
}

it('is shown in the same place, without a sound, with the same buttons', async () => {
  const { goesOn } = await ask()
  const [first] = server.pushes
  expect(first!.message).not.toContain(GONE_ON)
  await goesOn()
  expect(server.pushes).toHaveLength(2)
  expect(server.pushes[1]).toMatchObject({ sequence_id: first!.sequence_id, title: first!.title, actions: first!.actions, priority: 2 })
  expect(server.pushes[1]!.message).toContain(GONE_ON)
})

it.each<[string, () => string, string]>([
  ['a button of the card as it was', () => server.pushes[0]!.actions![1]!.body, 'SQLite'],
  ['a typed reply', () => 'postgres', 'Postgres'],
])('is answered by %s', async (_what, reply, label) => {
  const { asked, goesOn } = await ask()
  await goesOn()
  await server.hears(reply())
  expect(asked.value).toEqual({ answers: [{ id: 'c', selected: [label] }] })
  expect(server.pushes.at(-1)).toMatchObject({ message: `Answered: ${label}, on the phone`, sequence_id: server.pushes[0]!.sequence_id })
})

it('says that somebody else was quicker where an answer had reached the agent already; before that, the host has cancelled it', async () => {
  const request = { questions: [choice] }, { asked, goesOn } = await ask(request)
  await goesOn()
  server.phone.settled(request, 'host')
  await pass(10)
  expect(server.pushes.at(-1)!.message).toBe("Somebody else's answer was first")
  expect(asked.state).toBe('rejected')
  const other = { questions: [choice] }
  await ask(other)
  server.phone.settled(other, 'host')
  await pass(10)
  expect(server.pushes.at(-1)!.message).toBe('Cancelled in dsh')
})

it('says so on the next question of its batch and in reminders too', async () => {
  const { goesOn, remind } = await ask({ questions: [question, choice] })
  await goesOn()
  await server.hears('Kraftwerk')
  const next = server.pushes.find(({ title }) => title === 'dsh: Question (2 of 2)')!
  expect(next.priority).toBe(4)
  expect(next.message).toContain(GONE_ON)
  remind()
  await pass(10)
  expect(server.pushes.at(-1)!.title).toBe('Still open: dsh: Question (2 of 2)')
  expect(server.pushes.at(-1)!.message).toContain(GONE_ON)
})

it('says so where a reminder has moved it to', async () => {
  const { goesOn, remind } = await ask()
  remind()
  await pass(10)
  const again = server.pushes.at(-1)!
  await goesOn()
  expect(again.sequence_id).not.toBe(server.pushes[0]!.sequence_id)
  expect(server.pushes.at(-1)).toMatchObject({ sequence_id: again.sequence_id, priority: 2 })
})

it('that comes late says so from the start', async () => {
  server.outage = refused
  const { goesOn } = await ask()
  await goesOn()
  server.outage = undefined
  await pass(HOUR)
  expect(server.pushes[0]!.message).toContain(GONE_ON)
})

it('that was answered before says nothing more', async () => {
  const { goesOn } = await ask()
  await server.hears('2')
  const { length } = server.pushes
  await goesOn()
  expect(server.pushes).toHaveLength(length)
})

it('that is answered while the server is away does not come back', async () => {
  const { goesOn, settled } = await ask()
  server.fault = refused
  await goesOn()
  settled()
  server.fault = undefined
  await pass(HOUR)
  expect(server.pushes.map(({ message }) => message).slice(1)).toEqual(['Answered: SQLite, on terminal'])
})

it('is nothing to a phone that was not asked', async () => {
  server.phone.late({ questions: [choice] })
  await pass(10)
  expect(server.pushes).toEqual([])
})

it('goes for approvals as well', async () => {
  const { asked, goesOn } = await ask(approval())
  await goesOn()
  expect(server.pushes[1]!.message).toContain(`${GONE_ON}Decide with the buttons.`)
  await server.hears(buttonsIn(server.pushes[0]!).allow)
  expect(asked.value).toEqual(allowed)
})
