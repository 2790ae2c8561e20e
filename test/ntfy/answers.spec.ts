// Questions to a phone and answers back, on a real ntfy server.
import { describe, expect, it } from 'vitest'
import { choice, chosen, database, rigOn, said, useRig } from './helpers/boot.ts'
import { codeOf } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

describe.skipIf(skipped)('answers from a phone', { timeout: 30_000 }, () => {
  const server = useServer()
  const rig = useRig(server)

  it('a tapped button answers with the original label, and the notification then says so (case 16, 30)', async () => {
    const { answer, push } = await rig.show(choice('Which database?', ['Postgres, the big one', 'SQLite'], { header: 'Storage' }))
    expect(push.title).toBe('dsh: Storage')
    expect(push.message).toContain('1. Postgres, the big one\n2. SQLite')
    expect(push.actions?.map(({ label, clear }) => [label, clear])).toEqual([['1 Postgres, the…', true], ['2 SQLite', true]])
    expect(await rig.person.tap(push, 0)).toBe(200)
    expect(await answer).toEqual(chosen('Postgres, the big one'))
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
    const { answer } = await rig.show(database)
    await rig.person.types(text)
    expect(await answer).toEqual({ answers: [{ id: 'q', ...expected }] })
  })

  it('a reply with the code answers, on the reply topic as well', async () => {
    const { answer, push } = await rig.show(database)
    await rig.person.types(`${codeOf(push).toUpperCase()}: 1`, rig.replyTopic)
    expect(await answer).toEqual(chosen('Postgres'))
  })

  it('six options are all in the text, and none is a button; a number answers (case 24)', async () => {
    const labels = ['red', 'orange', 'yellow', 'green', 'blue', 'violet']
    const { answer, push } = await rig.show(choice('Which colour?', labels))
    expect(push.actions).toBeUndefined()
    for (const [at, label] of labels.entries()) expect(push.message).toContain(`${at + 1}. ${label}`)
    await rig.person.types('6')
    expect(await answer).toEqual(chosen('violet'))
  })

  it('a multi-select has no buttons, and takes several numbers', async () => {
    const { answer, push } = await rig.show(choice('What runs first?', ['Tests', 'Types', 'Linter'], { multiSelect: true }))
    expect(push.actions).toBeUndefined()
    await rig.person.types('1、3')
    expect(await answer).toEqual(chosen('Tests', 'Linter'))
  })

  it('a reply of labels and positions chooses nothing, and the phone is told', async () => {
    const { answer } = await rig.show(choice('How many?', ['1', '2', '4', '8'], { multiSelect: true }))
    await rig.person.types('2,3')
    await rig.person.sees(({ message }) => message.startsWith('Nothing was chosen: "2" is a label, "3" only a position in the list.'))
    await rig.person.types('2，4')
    expect(await answer).toEqual(chosen('2', '4'))
  })

  it('labels and titles of any script arrive intact (case 25)', async () => {
    const labels = ['Nein, später 🙂', 'Größe?', '—']
    const { answer, push } = await rig.show(choice('部署？ “quoted” \\ back', labels, { header: '部署？ — Größe, ja' }))
    expect(push.title).toBe('dsh: 部署？ — Größe, ja')
    expect(push.message).toContain('1. Nein, später 🙂\n2. Größe?\n3. —')
    expect(push.actions?.map(({ label }) => label)).toEqual(['1 Nein, später…', '2 Größe?', '3 —'])
    await rig.person.tap(push, 0)
    expect(await answer).toEqual(chosen('Nein, später 🙂'))
  })

  it.each(['{"x":1}', '4', '部署 — yes, später 🙂'])('a reply of %s to a question without options is text (case 7)', async text => {
    const { answer, push } = await rig.show({ id: 'q', question: '[{"a":1}]' })
    expect(push.actions).toBeUndefined()
    await rig.person.types(text)
    expect(await answer).toEqual(said(text))
  })

  it('the notice comes once, says that it is a question and from where, and offers only the options (case 28)', async () => {
    const { answer, push } = await rig.show(choice('Deploy now?', ['Yes, deploy', 'No']))
    expect(push).toMatchObject({ title: 'dsh: Question', tags: ['question'], priority: 4 })
    expect(push.message).toMatch(/^Deploy now\?\n[^]*\nFrom .+ · .+$/)
    expect(push.actions).toHaveLength(2)
    await rig.person.types('2')
    await answer
    await rig.person.sees(({ message }) => message.startsWith('Answered'))
    expect(rig.person.received).toHaveLength(2)
  })

  it('a batch goes question by question, and is answered as a whole (case 21)', async () => {
    let settled = false
    const answer = rig.ask([
      choice('Which database?', ['Postgres', 'SQLite'], { id: 'db' }),
      choice('What runs first?', ['Tests', 'Types', 'Linter'], { id: 'checks', multiSelect: true }),
      { id: 'name', question: 'Which name?' },
    ])
    const done = answer.finally(() => { settled = true })
    const first = await rig.person.asked('Which database?')
    expect(first.title).toBe('dsh: Question (1 of 3)')
    await rig.person.tap(first, 1)
    const second = await rig.person.asked('What runs first?')
    expect(second.title).toBe('dsh: Question (2 of 3)')
    expect(second.sequence_id).not.toBe(first.sequence_id)
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Noted (1 of 3): SQLite' && id === first.sequence_id)
    await rig.person.types(`${codeOf(second)} 1,2`)
    const third = await rig.person.asked('Which name?')
    expect(settled).toBe(false)
    await rig.person.types(`${codeOf(third)} Kraftwerk`)
    await done
    expect(await answer).toEqual({
      answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'checks', selected: ['Tests', 'Types'] }, { id: 'name', selected: [], custom: 'Kraftwerk' }],
    })
    await rig.person.sees(({ message }) => message === 'Answered: SQLite / Tests, Types / Kraftwerk, on the phone')
  })

  it('words are refused where only options count, and the question stays', async () => {
    await using special = await rigOn(server.url, { freeText: false })
    const { answer, push } = await special.show(database)
    expect(push.message).toContain('Reply with a number.')
    await special.person.types('Neither')
    await special.person.sees(({ message }) => message === 'Your reply is none of the options, so it was not used. Reply with a number.')
    await special.person.types('1')
    expect(await answer).toEqual(chosen('Postgres'))
  })

  it('a question in Chinese speaks Chinese', async () => {
    await using special = await rigOn(server.url, { lang: 'zh' })
    const { answer, push } = await special.show(choice('用哪个数据库？', ['Postgres', 'SQLite']))
    expect(push.title).toBe('dsh: 提问')
    await special.person.types('２')
    expect(await answer).toEqual(chosen('SQLite'))
    await special.person.sees(({ message }) => message === '已回答：SQLite（在手机上）')
  })

  it('a reply too long for a message comes as a file and answers whole', async () => {
    const { answer } = await rig.show({ id: 'q', question: 'Tell me all.' })
    const text = 'längst 部署 '.repeat(900).trim()
    await rig.person.types(text)
    expect(await answer).toEqual(said(text))
  })

  it.each([
    ['too large', 'x'.repeat(65_537)],
    ['no text', '\u0000'.repeat(3) + '\uD83D'.repeat(2000)],
  ])('a file that is %s is refused aloud', async (_what, content) => {
    const { answer } = await rig.show({ id: 'q', question: 'Tell me all.' })
    const body = Buffer.from(content, content.startsWith('x') ? 'utf8' : 'utf16le')
    await fetch(`${server.url}/${rig.topic}`, { method: 'PUT', body })
    await rig.person.sees(({ message }) => message.startsWith('Your reply arrived as a file that cannot be used'))
    await rig.person.types('short')
    expect(await answer).toEqual(said('short'))
  })

  it('a file on another server is never fetched', async () => {
    const { answer } = await rig.show({ id: 'q', question: 'Tell me all.' })
    await fetch(`${server.url}/${rig.topic}`, { method: 'POST', headers: { attach: `${server.url.replace('127.0.0.1', 'localhost')}/v1/health` } })
    await rig.person.sees(({ message }) => message.startsWith('Your reply arrived as a file that cannot be used'))
    await rig.person.types('short')
    expect(await answer).toEqual(said('short'))
  })
})
