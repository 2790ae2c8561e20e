// Several open questions, and several hosts, on one pair of topics of a real ntfy server.
import { describe, expect, it } from 'vitest'
import { choice, chosen, database, rigOn, useRig } from './helpers/boot.ts'
import { codeOf } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

describe.skipIf(skipped)('several questions on a phone', { timeout: 30_000 }, () => {
  const server = useServer()
  const rig = useRig(server)

  it('both stand beside each other; a reply that names neither is not guessed, and is told how to (case 19, 20)', async () => {
    const { answer: first, push: firstPush } = await rig.show(database)
    const { answer: second, push: secondPush } = await rig.show(choice('Which colour?', ['red', 'blue']))
    expect(secondPush.sequence_id).not.toBe(firstPush.sequence_id)
    await rig.person.types('2')
    const told = await rig.person.sees(({ message }) => message.startsWith('Your reply was not used, because it does not say which question'))
    expect(told.message).toContain(`such as: ${codeOf(firstPush)} 2\n`)
    expect(told.message).toContain(`${codeOf(firstPush)}: Which database?`)
    expect(told.message).toContain(`${codeOf(secondPush)}: Which colour?`)
    await rig.person.types(`${codeOf(secondPush)} 2`)
    expect(await second).toEqual(chosen('blue'))
    await rig.person.types(`${codeOf(firstPush)} 1`)
    expect(await first).toEqual(chosen('Postgres'))
  })

  it('a reply without a code that was meant for a question just answered at the desk does not answer the other', async () => {
    const { answers } = rig.desk()
    const { answer: first } = await rig.show(database)
    const { answer: second, push } = await rig.show(choice('Delete the old data?', ['Yes', 'No']))
    await answers('Postgres')
    await first
    await rig.person.types('1')
    const told = await rig.person.sees(({ message }) => message.startsWith('Your reply was not used: it may have been for “Which database?”'))
    expect(told.message).toMatch(new RegExp(`If it is for “Delete the old data\\?”, .*: ${codeOf(push)} 1$`))
    await rig.person.types(`${codeOf(push)} 2`)
    expect(await second).toEqual(chosen('No'))
  })

  it('the same words sent twice do not answer the next question of a batch', async () => {
    const { answer } = await rig.show(choice('Deploy now?', ['Yes', 'No'], { id: 'deploy' }), choice('Delete the old data?', ['Yes', 'No'], { id: 'delete' }))
    await rig.person.types('yes')
    const push = await rig.person.asked('Delete the old data?')
    await rig.person.types('yes')
    await rig.person.sees(({ message }) => message.startsWith('Your reply was not used: it may have been for “Deploy now?”') && message.endsWith(`${codeOf(push)} yes`))
    await rig.person.types(`${codeOf(push)} no`)
    expect(await answer).toEqual({ answers: [{ id: 'deploy', selected: ['Yes'] }, { id: 'delete', selected: ['No'] }] })
  })

  it("a button answers its own question, whichever is newer", async () => {
    const { answer: first, push } = await rig.show(database)
    const { answer: second, push: other } = await rig.show(choice('Which colour?', ['red', 'blue']))
    await rig.person.tap(push, 1)
    expect(await first).toEqual(chosen('SQLite'))
    await rig.person.types(`${codeOf(other)} 1`)
    expect(await second).toEqual(chosen('red'))
  })

  it('two hosts share the topics: a code reaches its host, without one nobody answers and one card says so', async () => {
    await using one = await rigOn(server.url, { shared: true })
    await using two = await rigOn(server.url, { shared: true, topic: one.topic })
    const first = one.ask([database])
    const firstPush = await one.person.asked('Which database?')
    expect(firstPush.message).toContain(`Start your reply with ${codeOf(firstPush)}.`)
    const second = two.ask([choice('Which colour?', ['red', 'blue'])])
    const secondPush = await one.person.asked('Which colour?')
    await one.person.types('2')
    await one.person.sees(({ message }) => message.includes(`${codeOf(firstPush)}: Which database?`))
    await one.person.sees(({ message }) => message.includes(`${codeOf(secondPush)}: Which colour?`))
    expect(one.person.cards.filter(({ message }) => message.startsWith('Your reply was not used'))).toHaveLength(1)
    await one.person.types(`${codeOf(secondPush)} 1`)
    expect(await second).toEqual(chosen('red'))
    await one.person.tap(firstPush, 1)
    expect(await first).toEqual(chosen('SQLite'))
    // Only the host that was meant has answered, and only it says so.
    await one.person.sees(({ message }) => message === 'Answered: red, on the phone')
    await one.person.sees(({ message }) => message === 'Answered: SQLite, on the phone')
    expect(one.person.cards).toHaveLength(3)
  })

  it('the first surface to answer wins, and the phone says where', async () => {
    const { answers } = rig.desk()
    const { answer, push } = await rig.show(database)
    await answers('SQLite')
    expect(await answer).toEqual(chosen('SQLite'))
    const after = await rig.person.sees(({ message }) => message === 'Answered: SQLite, on terminal')
    expect(after).toMatchObject({ sequence_id: push.sequence_id, priority: 2 })
    expect(after.actions).toBeUndefined()
  })
})
