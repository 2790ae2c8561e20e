// What those can do who know a topic, or the reply topic alone. Needs no ntfy.
import { describe, expect, it, vi } from 'vitest'
import { choice, chosen, database, said } from './helpers/boot.ts'
import { useFakeHost } from './helpers/fake-host.ts'
import { codeOf, patience, type Push } from './helpers/person.ts'

const host = useFakeHost()
const now = () => Math.floor(Date.now() / 1000)
const pushes = (what: (push: Push) => boolean) => host.fake.pushes.filter(push => push.tags !== undefined && what(push))

describe('on the reply topic', { timeout: 30_000 }, () => {
  it('a message that looks like another host’s push is a reply like any other, and replies go on to need no code', async () => {
    await host.load()
    const first = await host.show(database)
    host.replies('2', { sequence_id: 'ask-q2b-AAAAAAAAAAAA', title: 'dsh: Question', tags: ['question'], time: now() + 30 })
    expect(await first.answer).toEqual(chosen('SQLite'))
    await host.fake.sees(({ message }) => message.startsWith('Answered'))
    const { answer, push } = await host.show(choice('Deploy now?', ['Yes', 'No']))
    expect(push.message).not.toContain('Start your reply with')
    host.types('2', { time: now() + 60 })
    expect(await answer).toEqual(chosen('No'))
  })

  it('one that looks like a push of ours shows no question as seen', async () => {
    await host.load()
    let publish!: () => void
    host.fake.publishFaults.push((_request, response, take) => {
      publish = () => {
        take()
        response.end(JSON.stringify({ id: 'slow', time: now() }))
      }
    })
    const answer = host.ask(database)
    await vi.waitFor(() => expect(publish).toBeDefined(), patience)
    host.replies('2', { sequence_id: 'ask-q2b-AAAAAAAAAAAA' })
    await host.fake.sees(({ message }) => message.startsWith('Your reply was sent before the question arrived'))
    publish()
    const push = await host.question()
    host.taps(push, 0)
    expect(await answer).toEqual(chosen('Postgres'))
  })
})

describe('on the topic', { timeout: 30_000 }, () => {
  it('whoever takes a question’s code again and again makes us show it anew ten times, and no reply with that code is guessed', async () => {
    await host.load()
    const { answer, push } = await host.show(database)
    const shown = () => pushes(({ sequence_id: sequence }) => sequence === push.sequence_id)
    const takeCode = (count: number) => host.types('mine', { sequence_id: `ask-${codeOf(shown().at(-1)!)}-AAAAAAAAAAAA${count}` })
    for (let count = 1; count <= 10; count++) {
      takeCode(count)
      await vi.waitFor(() => expect(shown()).toHaveLength(count + 1), patience)
    }
    for (let count = 11; count <= 15; count++) takeCode(count)
    host.types(`${codeOf(shown().at(-1)!)} 1`)
    host.taps(push, 1)
    expect(await answer).toEqual(chosen('SQLite'))
    await host.fake.sees(({ message }) => message.startsWith('Answered'))
    expect(host.fake.requests).toHaveLength(12)
  })

  it('of a server that drops sequences our own pushes are no answers, and a bare reply still is one', async () => {
    host.fake.isOld = true
    await host.load()
    const answer = host.ask({ id: 'q', question: 'Which name?' })
    await host.fake.sees(({ message }) => message.startsWith('Which name?'))
    host.types('wrong', { title: 'dsh: Question' })
    host.types('Kraftwerk')
    expect(await answer).toEqual(said('Kraftwerk'))
    expect(host.fake.pushes.filter(({ priority }) => priority === 3)).toEqual([])
  })
})
