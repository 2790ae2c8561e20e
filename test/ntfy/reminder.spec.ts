// When a phone on a real ntfy server is asked beside a desk, how loud, and how often: at home and away, in quiet hours, again.
import { describe, expect, it, vi } from 'vitest'
import { chosen, database, desk, quietNow, rigOn, said } from './helpers/boot.ts'
import { Gate } from './helpers/gate.ts'
import { codeOf, patience, Person, type Push } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

vi.mock(import('../../src/surfaces/ntfy/backoff.ts'), async original => (await import('./helpers/quick.ts')).quickBackoff(original))

const away = { presence: 'away' }

const isReminder = ({ title }: Push) => title?.startsWith('Still open: ') === true

/** A host with a desk and a phone, and a question on the phone that is reminded of when the test says so. */
async function asked(server: string, seenOn = server) {
  const rig = await rigOn(server, {}, {}, { ...away, quiet: quietNow() })
  const person = seenOn === server ? rig.person : await Person.with(seenOn, rig.topic)
  const { surface, answers } = desk('terminal')
  rig.ctx.askSurfaces.register(surface)
  const answer = rig.ask([database])
  // Some tests leave it open.
  answer.catch(() => {})
  const first = await person.sees(({ actions }) => actions !== undefined)
  return {
    rig, person, answers, answer, first,
    /** The quiet hours end. */
    remind: () => rig.configure(away),
    async [Symbol.asyncDispose]() {
      await rig[Symbol.asyncDispose]()
      person.leave()
    },
  }
}

/** The person has seen the notification that is told apart by its sequence be taken back. */
const taken = (person: Person, { sequence_id: sequence }: Push) =>
  person.sees(push => push.event === 'message_delete' && push.sequence_id === sequence)

describe.skipIf(skipped)('a phone beside a desk', { timeout: 30_000 }, () => {
  const server = useServer()

  it('is not asked at once at home, and is as soon as the person is away', async () => {
    await using rig = await rigOn(server.url, {}, {}, {})
    const { answers } = rig.desk()
    const first = rig.ask([database])
    await answers('Postgres')
    await first
    const second = rig.ask([{ id: 'q', question: 'Which name?' }])
    rig.ctx.askSurfaces.presence = 'away'
    const push = await rig.person.asked('Which name?')
    await rig.person.types(`${codeOf(push)} Kraftwerk`)
    expect(await second).toEqual(said('Kraftwerk'))
    expect(rig.person.pushes.filter(({ message }) => message.includes('Which database?'))).toEqual([])
  })

  it('is asked without a sound in quiet hours, and once aloud when they are over, in another notification', async () => {
    await using open = await asked(server.url)
    const { person, first } = open
    expect(first.priority).toBe(2)
    open.remind()
    const loud = await person.sees(isReminder)
    expect(loud).toMatchObject({ priority: 4, title: `Still open: ${first.title}`, tags: first.tags })
    expect(loud.actions!.map(({ label, body }) => [label, body])).toEqual(first.actions!.map(({ label, body }) => [label, body]))
    expect(codeOf(loud)).toBe(codeOf(first))
    expect(loud.sequence_id).not.toBe(first.sequence_id)
    await taken(person, first)
    expect(person.cards).toEqual([loud])
    await open.answers('SQLite')
    await open.answer
    const after = await person.sees(({ message }) => message === 'Answered: SQLite, on terminal')
    expect(after).toMatchObject({ sequence_id: loud.sequence_id, priority: 2 })
    expect(person.cards).toEqual([after])
  })

  it.each(['old', 'new'])('takes the %s notification’s button after a reminder, once', async which => {
    await using open = await asked(server.url)
    const { person, first } = open
    open.remind()
    const loud = await person.sees(isReminder)
    await taken(person, first)
    expect(await person.tap(which === 'old' ? first : loud, 1)).toBe(200)
    expect(await open.answer).toEqual(chosen('SQLite'))
    await person.sees(({ message, sequence_id: id }) => message === 'Answered: SQLite, on the phone' && id === loud.sequence_id)
    await person.tap(first, 0)
    const late = await person.sees(({ message }) => message.startsWith('Your reply came too late'))
    expect(late.sequence_id).toBe(loud.sequence_id)
    expect(person.cards).toEqual([late])
  })

  it('takes words without a code after a reminder: the question is one', async () => {
    await using open = await asked(server.url)
    open.remind()
    await open.person.sees(isReminder)
    await open.person.types('1')
    expect(await open.answer).toEqual(chosen('Postgres'))
  })

  it('shows one notification also when the question is answered in the moment of the reminder', async () => {
    await using open = await asked(server.url)
    const { person } = open
    open.remind()
    await open.answers('SQLite')
    await open.answer
    const after = await person.sees(({ message }) => message === 'Answered: SQLite, on terminal')
    expect(person.cards).toEqual([after])
  })

  it('is reminded again and again, and shows one notification', async () => {
    await using rig = await rigOn(server.url, {}, {}, { ...away, surfaces: { ntfy: { remindMs: 50, remindMax: 100 } } })
    const answer = rig.ask([database])
    const reminders = await vi.waitFor(() => {
      const found = rig.person.pushes.filter(isReminder)
      if (found.length < 2) throw new Error('not reminded yet')
      return found
    }, patience)
    await rig.person.tap(reminders[0]!, 0)
    expect(await answer).toEqual(chosen('Postgres'))
    const after = await rig.person.sees(({ message }) => message.startsWith('Answered'))
    expect(after.sequence_id).toBe(rig.person.pushes.findLast(isReminder)!.sequence_id)
    expect(rig.person.cards).toEqual([after])
  })

  it('keeps the question when the server cannot be reached at the moment of the reminder, which comes when it can', async () => {
    await using gate = await Gate.before(server.url)
    await using open = await asked(gate.url, server.url)
    const { person, first } = open
    gate.shut()
    open.remind()
    await vi.waitFor(() => expect(gate.refused).toBeGreaterThan(0), patience)
    expect(person.cards).toEqual([first])
    gate.open()
    const loud = await person.sees(isReminder)
    await taken(person, first)
    expect(person.cards).toEqual([loud])
    await person.tap(loud, 1)
    expect(await open.answer).toEqual(chosen('SQLite'))
  })
})
