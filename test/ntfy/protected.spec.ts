// A real ntfy server that lets nobody in without credentials, and strangers on one that lets everybody in.
import { describe, expect, it, vi } from 'vitest'
import { newTopic, replyTopicOf } from '../../src/surfaces/ntfy/topic.ts'
import { choice, chosen, database, rigOn, said, useRig } from './helpers/boot.ts'
import { codeOf, type Push } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

const topic = newTopic()
// "kraftwerk", as ntfy stores it.
const hash = '$2a$10$KMQqu60KA4tFm7NITDqpReBH2Uwyms/SKW0x9s7EtUMSRcVVr32eu'
const token = 'tk_1osb7znii10qd96tc0hpjyzrp8xfg'
const buttonToken = 'tk_2osb7znii10qd96tc0hpjyzrp8xfg'
const credentials = { authorization: `Bearer ${token}` }

describe.skipIf(skipped)('a protected server', { timeout: 30_000 }, () => {
  const server = useServer([
    '--auth-file', '{folder}/auth.db', '--auth-default-access', 'deny-all',
    '--auth-users', `dsh:${hash}:user`, '--auth-users', `button:${hash}:user`,
    '--auth-tokens', `dsh:${token}`, '--auth-tokens', `button:${buttonToken}`,
    '--auth-access', `dsh:${topic}:rw`, '--auth-access', `dsh:${replyTopicOf(topic)}:rw`, '--auth-access', `button:${replyTopicOf(topic)}:wo`,
  ])

  it.each([{ token }, { username: 'dsh', password: 'kraftwerk' }])('a button with a token of its own is let in', async login => {
    await using rig = await rigOn(server.url, { topic, ...login, buttonToken }, credentials)
    const { answer, push } = await rig.show(database)
    expect(JSON.stringify(push)).not.toContain(token)
    expect(await rig.person.tap(push, 1)).toBe(200)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('without one the start says what a button needs, and a typed reply still answers', async () => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await using rig = await rigOn(server.url, { topic, token }, credentials)
    const lines = stderr.mock.calls.map(([line]) => String(line))
    stderr.mockRestore()
    expect(lines).toEqual(['ask-ntfy: the buttons carry no credentials of their own: let anonymous users write to replyTopic, or set buttonToken\n'])
    const { answer, push } = await rig.show(database)
    expect(await rig.person.tap(push, 1)).toBe(403)
    // With the code: the question of the test before has been on these topics a moment ago.
    await rig.person.types(`${codeOf(push)} 2`)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('a reply that is too long for a message is fetched without credentials, as the server allows', async () => {
    await using rig = await rigOn(server.url, { topic, token, buttonToken }, credentials)
    const { answer, push } = await rig.show({ id: 'q', question: 'Tell me all.' })
    const text = 'längst 部署 '.repeat(900).trim()
    const { attachment } = await rig.person.types(`${codeOf(push)} ${text}`) as Push & { attachment: { url: string } }
    expect((await fetch(attachment.url)).status).toBe(200)
    expect(await answer).toEqual(said(text))
  })

  it.each([
    ['our account', () => `${server.url}/v1/account`],
    ['a publish in our name', () => `${server.url}/${topic}/publish?message=pwned`],
    ['the messages of the topic', () => `${server.url}/${topic}/json?poll=1`],
  ])('who may only write replies gets nothing from a file at the address of %s', async (_what, address) => {
    await using rig = await rigOn(server.url, { topic, token, buttonToken }, credentials)
    const { answer, push } = await rig.show({ id: 'q', question: 'Tell me all.' })
    const attach = await fetch(`${server.url}/${rig.replyTopic}`, { method: 'POST', headers: { authorization: `Bearer ${buttonToken}`, attach: address() } })
    expect(attach.status).toBe(200)
    await rig.person.sees(({ message }) => message.startsWith('Your reply arrived as a file that cannot be used'))
    await rig.person.types(`${codeOf(push)} short`)
    expect(await answer).toEqual(said('short'))
    expect(JSON.stringify(rig.person.pushes)).not.toMatch(/tk_|pwned/)
  })

  it.each([
    ['wrong credentials', { token: 'tk_3osb7znii10qd96tc0hpjyzrp8xfg' }, 'the ntfy server does not accept the credentials'],
    ['no credentials', {}, 'the ntfy server denies access to the topics'],
    ['another reply topic', { token, replyTopic: newTopic() }, 'the ntfy server denies access to the topics'],
  ])('with %s the phone fails with what to do, and the desk goes on', async (_what, config, why) => {
    await using rig = await rigOn(server.url, { topic, buttonToken, ...config }, credentials)
    const alone = rig.ask([database])
    await expect(alone).rejects.toMatchObject({ name: 'UserQuestionError', code: 'SURFACE_GONE', message: expect.stringContaining(why) })
    const { answers } = rig.desk()
    const answer = rig.ask([database])
    await answers('Postgres')
    expect(await answer).toEqual(chosen('Postgres'))
    expect(rig.person.received).toEqual([])
  })
})

describe.skipIf(skipped)('strangers who know the topics', { timeout: 30_000 }, () => {
  const server = useServer()
  const rig = useRig(server)

  it.each([
    ['a made-up secret', () => `dsh-ask ${'A'.repeat(22)} 1`],
    ['a secret cut short', (body: string) => body.replace(/.( \d)$/, '$1')],
    ['a position that is no option', (body: string) => body.replace(/\d$/, '7')],
    ['no position', (body: string) => body.replace(/ \d$/, '')],
  ])('a button reply with %s is dropped (case 31)', async (_what, forge) => {
    const { answer, push } = await rig.show(database)
    const [button] = push.actions!
    await fetch(button!.url, { method: 'POST', body: forge(button!.body) })
    // Were it taken, as a tap or as words, it would be the answer: it came first.
    await rig.person.tap(push, 1)
    expect(await answer).toEqual(chosen('SQLite'))
    await rig.person.sees(({ message }) => message.startsWith('Answered'))
    expect(rig.person.received).toHaveLength(2)
  })

  it('the secret of one question opens no other (case 31)', async () => {
    const { answer: first, push: old } = await rig.show(database)
    await rig.person.tap(old, 0)
    await first
    const { answer: second, push } = await rig.show(choice('Really?', ['Yes', 'No']))
    expect(push.actions![0]!.body).not.toBe(old.actions![0]!.body)
    await rig.person.tap(old, 0)
    await rig.person.tap(push, 1)
    expect(await second).toEqual(chosen('No'))
  })

  const post = (message: object) => fetch(server.url, { method: 'POST', body: JSON.stringify({ topic: rig.topic, message: 'wrong', ...message }) })

  it.each<[string, object]>([
    ['tags', { tags: ['x'] }],
    ['a sequence', { sequence_id: 'other' }],
    ['buttons', { actions: [{ action: 'view', label: 'x', url: 'https://example.org' }] }],
    ['a title and tags', { title: 'Backup', tags: ['x'] }],
  ])('what has %s on the topic is nobody’s answer, and whoever sent it is told', async (_what, extra) => {
    const { answer } = await rig.show({ id: 'q', question: 'Which name?' })
    await post(extra)
    await rig.person.sees(({ message }) => message.startsWith('Your message was not used: it has tags or buttons'))
    await rig.person.types('Kraftwerk')
    expect(await answer).toEqual(said('Kraftwerk'))
  })

  it.each([
    ['the topic', () => rig.topic],
    ['the reply topic', () => rig.replyTopic],
  ])('a reply with a title is read on %s, and only its text', async (_what, where) => {
    const { answer, push } = await rig.show(database)
    await post({ topic: where(), title: push.title, message: '2' })
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('a title alone is no answer, and its sender is told', async () => {
    const { answer } = await rig.show(database)
    await post({ title: '2', message: '' })
    await rig.person.sees(({ message }) => message.startsWith('Your reply had no text below the title'))
    await rig.person.types('2')
    expect(await answer).toEqual(chosen('SQLite'))
  })
})
