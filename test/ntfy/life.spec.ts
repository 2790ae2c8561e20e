// What becomes of a question on the phone: late replies, aborts, unloading.
import { describe, expect, it } from 'vitest'
import { choice, chosen, database, useRig } from './helpers/boot.ts'
import { codeOf, hears } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

describe.skipIf(skipped)('the life of a question on a phone', { timeout: 30_000 }, () => {
  const server = useServer()
  const rig = useRig(server)

  it('a second tap changes nothing and is told once what was answered (case 15, 16)', async () => {
    const { answer, push } = await rig.show(database)
    await rig.person.tap(push, 0)
    expect(await answer).toEqual(chosen('Postgres'))
    await rig.person.tap(push, 1)
    const told = await rig.person.sees(({ message }) => message === 'Your reply came too late and was not used. Answered: Postgres, on the phone')
    expect(told).toMatchObject({ sequence_id: push.sequence_id })
    expect(told.actions).toBeUndefined()
    await rig.person.tap(push, 1)
    // A later question shows that the third tap was read and nothing was said to it.
    const next = rig.ask([{ id: 'q', question: 'Which name?' }])
    await rig.person.types(`${codeOf(await rig.person.asked('Which name?'))} Kraftwerk`)
    await next
    expect(rig.person.pushes.filter(({ message }) => message.startsWith('Your reply came too late'))).toHaveLength(1)
  })

  it('a typed reply to a question that was answered at the desk is told so (case 15)', async () => {
    const { answers } = rig.desk()
    const { answer, push } = await rig.show(database)
    await answers('SQLite')
    await answer
    await rig.person.sees(({ message }) => message === 'Answered: SQLite, on terminal')
    await rig.person.types(`${codeOf(push)} 1`)
    const told = await rig.person.sees(({ message }) => message.startsWith('Your reply came too late'))
    expect(told.message).toBe('Your reply came too late and was not used. Answered: SQLite, on terminal')
  })

  it('a reply when nothing is open answers nothing, not even the next question', async () => {
    await hears(rig.person)
    const { answer } = await rig.show(database)
    await rig.person.types('1')
    expect(await answer).toEqual(chosen('Postgres'))
  })

  it('an aborted question is put away, and a late tap is harmless (case 12)', async () => {
    const turn = new AbortController()
    const answer = rig.ask([database], turn.signal)
    const push = await rig.person.asked('Which database?')
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    const after = await rig.person.sees(({ message }) => message === 'Cancelled')
    expect(after).toMatchObject({ sequence_id: push.sequence_id })
    expect(after.actions).toBeUndefined()
    await rig.person.tap(push, 0)
    await rig.person.sees(({ message }) => message === 'Your reply came too late and was not used. Cancelled')
  })

  it('a batch that is aborted half-way gives nothing, and its next question is put away (case 21)', async () => {
    const turn = new AbortController()
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'], { id: 'db' }), choice('Which colour?', ['red', 'blue'], { id: 'colour' })], turn.signal)
    await rig.person.tap(await rig.person.asked('Which database?'), 0)
    const second = await rig.person.asked('Which colour?')
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Cancelled' && id === second.sequence_id)
  })

  it('a batch that is answered at the desk half-way says so in its card (case 21)', async () => {
    const { answersAll } = rig.desk()
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'], { id: 'db' }), choice('Which colour?', ['red', 'blue'], { id: 'colour' })])
    await rig.person.tap(await rig.person.asked('Which database?'), 0)
    const second = await rig.person.asked('Which colour?')
    await answersAll({ answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'colour', selected: ['red'] }] })
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'colour', selected: ['red'] }] })
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Answered: SQLite / red, on terminal' && id === second.sequence_id)
  })

  it('unloading puts open questions away and leaves nothing', async () => {
    const { surface, answers } = rig.desk()
    const { answer, push } = await rig.show(database)
    await rig.unload()
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Can no longer be answered here' && id === push.sequence_id)
    await answers('Postgres')
    expect(await answer).toEqual(chosen('Postgres'))
    expect(rig.ctx.askSurfaces.list()).toEqual([surface])
  })
})
