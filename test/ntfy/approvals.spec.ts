// A tool that needs permission, on a phone with a real ntfy server: dsh's waterfall on one side, taps and typed words on the other.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NtfyClient } from '../../src/surfaces/ntfy/client.ts'
import { Cards } from '../../src/surfaces/ntfy/cards.ts'
import { Config } from '../../src/surfaces/ntfy/config.ts'
import { PushWriter } from '../../src/surfaces/ntfy/push.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { approvalText } from '../../src/reply/approval.ts'
import { approval, buttonsIn, codeIn } from './helpers/approval.ts'
import { choice, chosen, database, type Rig, rigBehindGate, rigOn } from './helpers/boot.ts'
import type { Person, Push } from './helpers/person.ts'
import { skipped, useServer } from './helpers/server.ts'

vi.mock(import('../../src/surfaces/ntfy/backoff.ts'), async original => (await import('./helpers/quick.ts')).quickBackoff(original))

let stderr: string[]

beforeEach(() => {
  stderr = []
  vi.spyOn(process.stderr, 'write').mockImplementation(line => stderr.push(String(line)) > 0)
})

afterEach(() => void vi.restoreAllMocks())

/** A tool asks for permission, as dsh has it do. Nobody is there but the surfaces. */
function needs(rig: Rig, toolName = 'bash', signal?: AbortSignal): Promise<string> {
  const waterfall = rig.ctx.waterfall.bind(rig.ctx) as (...args: unknown[]) => Promise<string>
  return waterfall('approval/request', {
    agent: { session: { id: 'session-1' } }, toolName, reason: 'It writes outside the project.', ...signal && { signal },
  }, () => Promise.resolve('unavailable'))
}

/** The approval as the person sees it. */
const seen = (person: Person, toolName = 'bash') => person.sees(({ title, actions }) => title === `Permission: Allow ${toolName}?` && actions !== undefined)

const says = (person: Person, start: string) => person.sees(({ message }) => message.startsWith(start))

/** Send to where the buttons do. */
const press = ({ actions }: Push, body: string) => fetch(actions![0]!.url, { method: 'POST', body })

describe.skipIf(skipped)('an approval on a phone', { timeout: 30_000 }, () => {
  const server = useServer()

  /** A phone that takes approvals, and one of them. */
  async function asked(signal?: AbortSignal) {
    const rig = await rigOn(server.url, { approvals: true })
    const outcome = needs(rig, 'bash', signal)
    return { rig, person: rig.person, outcome, push: await seen(rig.person), [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() }
  }

  it('cannot be taken for a question, and the start has said who may decide', async () => {
    await using one = await asked()
    expect(one.push).toMatchObject({ tags: ['closed_lock_with_key'], priority: 4 })
    expect(one.push.message).toMatch(/^It writes outside the project\.\n/)
    expect(one.push.actions?.map(({ label, clear }) => [label, clear])).toEqual([['Reject', true], ['Allow once', true]])
    expect(stderr).toEqual(['ask-ntfy: approvals go to the phone: whoever can read the topic sees what tools are to do, and has the buttons, with which to allow it\n'])
  })

  it.each([
    [1, 'allowed-once', 'Allowed once, on the phone'],
    [0, 'rejected', 'Rejected, on the phone'],
  ])('button %i gives %s', async (button, expected, card) => {
    await using one = await asked()
    expect(await one.person.tap(one.push, button)).toBe(200)
    expect(await one.outcome).toBe(expected)
    expect(await says(one.person, card)).toMatchObject({ sequence_id: one.push.sequence_id, title: one.push.title, priority: 2 })
    expect(one.person.cards).toHaveLength(1)
  })

  it('is rejected with words by its code', async () => {
    await using one = await asked()
    await one.person.types(`${codeIn(one.push.message)} reject use a copy`)
    expect(await one.outcome).toBe('rejected')
    await says(one.person, 'Rejected: use a copy, on the phone')
  })

  it('is allowed by no typed word, with or without its code, nor by what is made of the other button', async () => {
    await using one = await asked()
    const { reject } = buttonsIn(one.push), code = codeIn(one.push.message)
    for (const text of ['allow', `${code} allow`, `${code} 2`, 'Allow once']) {
      const { id } = await one.person.types(text)
      expect(await one.person.sees(({ sequence_id: sequence }) => sequence === `notice-${id}`)).toMatchObject({ message: expect.stringMatching(/^Your reply decided nothing: /) })
    }
    await press(one.push, reject.replace(/1$/, '2'))
    await press(one.push, `dsh-ask ${'A'.repeat(22)} 2`)
    // Had one of them allowed it, that would be the outcome: they came first.
    await press(one.push, reject)
    expect(await one.outcome).toBe('rejected')
  })

  it('that was decided at the desk says so, and a late button is told', async () => {
    await using rig = await rigOn(server.url, { approvals: true })
    const { surface, answersAll } = rig.desk()
    expect(surface.approvals).toBeUndefined()
    rig.ctx.askSurfaces.register({ ...surface, name: 'panel', approvals: true })
    const outcome = needs(rig), push = await seen(rig.person)
    await answersAll({ answers: [{ id: 'approval', selected: ['reject'], custom: 'use a copy' }] })
    expect(await outcome).toBe('rejected')
    await says(rig.person, 'Rejected: use a copy, on panel')
    await rig.person.tap(push, 1)
    await says(rig.person, 'Your reply came too late and was not used. Rejected: use a copy, on panel')
  })

  it('counts once, however often its buttons are pressed', async () => {
    await using one = await asked()
    await one.person.tap(one.push, 0)
    expect(await one.outcome).toBe('rejected')
    await one.person.tap(one.push, 1)
    await one.person.tap(one.push, 0)
    await says(one.person, 'Your reply came too late and was not used. Rejected, on the phone')
  })

  it('that is withdrawn is put away', async () => {
    const turn = new AbortController()
    await using one = await asked(turn.signal)
    turn.abort()
    expect(await one.outcome).toBe('cancelled')
    expect(await says(one.person, 'Cancelled')).toMatchObject({ sequence_id: one.push.sequence_id })
  })

  it('stands beside a question, which alone takes what is typed without a code', async () => {
    await using one = await asked()
    const { answer } = await one.rig.show(choice('Which database?', ['Postgres', 'SQLite']))
    await one.person.types('2')
    expect(await answer).toEqual(chosen('SQLite'))
    await one.person.tap(one.push, 1)
    expect(await one.outcome).toBe('allowed-once')
  })

  it('opens nothing else: its button allows no second one', async () => {
    await using one = await asked()
    const outcome = needs(one.rig, 'edit'), other = await seen(one.person, 'edit')
    await one.person.tap(one.push, 1)
    expect(await one.outcome).toBe('allowed-once')
    await one.person.tap(one.push, 1)
    await one.person.tap(other, 0)
    expect(await outcome).toBe('rejected')
  })

  it('is decided by a button that was pressed while the stream was down', async () => {
    await using behind = await rigBehindGate(server.url, { approvals: true })
    const outcome = needs(behind.rig), push = await seen(behind.person)
    behind.gate.shut()
    // The phone reaches the server by another way than the plugin.
    await fetch(`${server.url}/${behind.rig.replyTopic}`, { method: 'POST', body: buttonsIn(push).allow })
    behind.gate.open()
    expect(await outcome).toBe('allowed-once')
  })

  it('is not for a phone that does not take any, which shows questions all the same', async () => {
    await using rig = await rigOn(server.url)
    expect(await needs(rig)).toBe('unavailable')
    const { answer, push } = await rig.show(database)
    await rig.person.tap(push, 0)
    expect(await answer).toEqual(chosen('Postgres'))
    expect(rig.person.received.filter(({ title }) => title?.startsWith('Permission'))).toEqual([])
    expect(stderr).toEqual([])
  })

  it('of the largest size arrives as a message, and whole', async () => {
    const topic = newTopic()
    const writer = new PushWriter(Config.parse({ server: server.url, topic, maxBytes: 4095, buttonToken: 'x'.repeat(256) }), 'zh')
    const request = approval('部署'.repeat(400), '```sh\n"\\ 部署\u0000🙂\n'.repeat(900), '原因"'.repeat(900))
    const [question] = request.questions, part = { index: 1, total: 1 }, text = approvalText(request, 'zh')
    const origin = { agent: 'dsh', machine: 'laptop', project: 'kraftwerk' }
    const card = new Cards().add({ question: question!, approval: text, part, title: writer.title(question!, part, origin, text), answer: () => {} })!
    const json = writer.question(card, origin, { isLate: true })
    await new NtfyClient(server.url, undefined).publish(json, new AbortController().signal)
    const stored = await (await fetch(`${server.url}/${topic}/json?poll=1&since=all`)).json() as Push & { attachment?: object }
    const sent = JSON.parse(json) as Push
    expect(stored).toMatchObject({ title: sent.title, message: sent.message, tags: sent.tags, actions: sent.actions!.map(({ label, body }) => ({ label, body })) })
    expect(stored.attachment).toBeUndefined()
  })
})
