// Questions to a phone and answers back, on a real ntfy server.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { choice, rigOn } from './helpers/boot.ts'
import { codeOf } from './helpers/person.ts'
import { ntfy, Server, skipped } from './helpers/server.ts'

if (ntfy === undefined) process.stderr.write(`${skipped}\n`)

describe.skipIf(ntfy === undefined)('answers from a phone', () => {
  let server: Server
  beforeAll(async () => {
    server = await Server.start()
  }, 30_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it('a tapped button answers with the original label, and the notification then says so (case 16, 30)', async () => {
    await using rig = await rigOn(server.url)
    const answer = rig.ask([choice('Which database?', ['Postgres, the big one', 'SQLite'], { header: 'Storage' })])
    const push = await rig.person.asked('Which database?')
    expect(push.title).toBe('dsh: Storage')
    expect(push.message).toContain('1. Postgres, the big one\n2. SQLite')
    expect(push.actions?.map(({ label, clear }) => [label, clear])).toEqual([['1 Postgres, the…', true], ['2 SQLite', true]])
    expect(await rig.person.tap(push, 0)).toBe(200)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres, the big one'] }] })
    const after = await rig.person.sees(({ message }) => message === 'Answered: Postgres, the big one, on the phone')
    expect(after).toMatchObject({ sequence_id: push.sequence_id, title: push.title, priority: 2 })
    expect(after.actions).toBeUndefined()
    expect(rig.person.cards).toHaveLength(1)
  })

  it.each([
    ['2', { selected: ['SQLite'] }],
    ['sqlite', { selected: ['SQLite'] }],
    ['Neither, use a file', { selected: [], custom: 'Neither, use a file' }],
  ])('a reply of %s beside the buttons answers too', async (text, expected) => {
    await using rig = await rigOn(server.url)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    await rig.person.asked('Which database?')
    await rig.person.types(text)
    expect(await answer).toEqual({ answers: [{ id: 'q', ...expected }] })
  })

  it('a reply with the code answers, on the reply topic as well', async () => {
    await using rig = await rigOn(server.url)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await rig.person.asked('Which database?')
    await rig.person.types(`${codeOf(push).toUpperCase()}: 1`, rig.replyTopic)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
  })
})
