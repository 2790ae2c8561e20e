// The phone's plugin against a server that goes wrong. Needs no ntfy.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { atOnce, choice, desk, quietNow } from './helpers/boot.ts'
import { FakeNtfy, type Fault, loginPage, redirect, refuse, silence, takeSilently } from './helpers/fake.ts'
import { patience } from './helpers/person.ts'

const topic = newTopic()
const question = choice('Which database?', ['Postgres', 'SQLite'])

let fake: FakeNtfy
let ctx: Context
let routing: Awaited<ReturnType<typeof boot>>['fiber']

async function load(): Promise<{ dispose(): Promise<unknown> }> {
  return await ctx.plugin(plugin, { lang: 'en', server: fake.url, topic })
}

const ask = (signal?: AbortSignal) => dispatch(ctx, { questions: [question], ...signal && { signal } })
const isQuestion = ({ actions }: { actions?: unknown[] }) => actions !== undefined

beforeEach(async () => {
  fake = await FakeNtfy.start()
  ;({ ctx, fiber: routing } = await boot(atOnce))
})

afterEach(async () => {
  await ctx.fiber.dispose()
  await fake[Symbol.asyncDispose]()
})

describe('a server that goes wrong', { timeout: 30_000 }, () => {
  it.each<[string, Fault]>([
    ['asks to slow down (case 27)', refuse(429, 42901)],
    ['is broken', refuse(500)],
    ['hangs up', request => void request.socket.destroy()],
  ])('while publishing it %s: the question comes a little later', async (_what, fault) => {
    fake.publishFaults.push(fault)
    await load()
    const answer = ask()
    const push = await fake.sees(isQuestion)
    await fetch(push.actions![1]!.url, { method: 'POST', body: push.actions![1]!.body })
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it.each<[string, Fault, string]>([
    ['the day’s quota is used up (case 27)', refuse(429, 42908), "the phone cannot be asked: the day's quota of messages on the ntfy server is used up"],
    ['a login page redirects', redirect, 'the phone cannot be asked: the address in server redirects'],
    ['a login page answers', loginPage, 'the phone cannot be asked: the address in server answers, but not as ntfy does'],
  ])('%s: the phone says so, and the desk goes on', async (_what, fault, why) => {
    fake.publishFaults.push(fault, fault)
    await load()
    await expect(ask()).rejects.toMatchObject({ name: 'UserQuestionError', code: 'SURFACE_GONE', message: expect.stringContaining(why) })
    const { surface, answers } = desk()
    ctx.askSurfaces.register(surface)
    const answer = ask()
    await answers('Postgres')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
  })

  it('a certificate that nobody trusts is said, not retried', async () => {
    await using tls = await FakeNtfy.start({ tls: true })
    await ctx.plugin(plugin, { server: tls.url, topic })
    await expect(ask()).rejects.toMatchObject({ message: expect.stringContaining('the certificate of the ntfy server is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)') })
  })

  it('a question whose answers can no longer be heard is put away', async () => {
    await load()
    const answer = ask()
    const push = await fake.sees(isQuestion)
    fake.streamFaults.push(refuse(403, 40301))
    fake.drop()
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE', message: expect.stringContaining('the ntfy server denies access to the topics') })
    await fake.sees(({ message, sequence_id: id }) => message === 'Can no longer be answered here' && id === push.sequence_id)
    // Once it is let in again, so are questions.
    await vi.waitFor(() => expect(fake.asked).toHaveLength(3), patience)
    const next = vi.waitFor(async () => await ask(), patience)
    const second = await fake.sees(other => isQuestion(other) && other.sequence_id !== push.sequence_id)
    fake.say(`${topic}-response`, second.actions![0]!.body)
    expect(await next).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
  })

  it('noise on the stream hides no answer', async () => {
    await load()
    const answer = ask()
    await fake.sees(isQuestion)
    fake.raw('{"id":"cut off","time":1,"eve\n<html>\n\n{}\nnull\n{"event":"message","id":"x","time":"soon"}\n')
    fake.say('another-topic', 'triggered')
    fake.say(topic, '2')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it('a reply that came as a file is fetched again when the server does not have it yet', async () => {
    await load()
    const answer = ask()
    await fake.sees(isQuestion)
    fake.files.push(undefined, undefined, 'All of it.')
    fake.say(topic, 'You received a file: attachment.txt', { attachment: { name: 'attachment.txt', size: 10, url: `${fake.url}/file/m1.txt` } })
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: [], custom: 'All of it.' }] })
  })

  it.each(['a button', 'words'])('an answer by %s that comes before the server has confirmed its question counts', async way => {
    await load()
    fake.publishFaults.push(takeSilently)
    const answer = ask()
    const push = await fake.sees(isQuestion)
    if (way === 'words') fake.say(topic, '2')
    else fake.say(`${topic}-response`, push.actions![1]!.body)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it('that takes nothing back still shows a reminder; both notifications answer, and neither looks open afterwards', async () => {
    await load()
    fake.removeFaults.push(refuse(405), refuse(405))
    routing.update({ ...atOnce, quiet: quietNow() })
    const answer = ask()
    const first = await fake.sees(isQuestion)
    routing.update(atOnce)
    const second = await fake.sees(push => isQuestion(push) && push.sequence_id !== first.sequence_id)
    fake.say(`${topic}-response`, first.actions![1]!.body)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
    for (const { sequence_id: sequence } of [first, second]) {
      await fake.sees(push => push.sequence_id === sequence && push.message === 'Answered: SQLite, on the phone')
    }
    expect(fake.removed).toEqual([])
  })

  it('that is slow with a reminder: what becomes of the question meanwhile is said in its place, and the old one goes', async () => {
    await load()
    routing.update({ ...atOnce, quiet: quietNow() })
    const answer = ask()
    const first = await fake.sees(isQuestion)
    let confirm!: () => void
    fake.publishFaults.push((_request, response, take) => {
      take()
      confirm = () => void response.end('{"id":"slow","time":1}')
    })
    routing.update(atOnce)
    const second = await fake.sees(push => isQuestion(push) && push.sequence_id !== first.sequence_id)
    fake.say(`${topic}-response`, second.actions![1]!.body)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
    confirm()
    const after = await fake.sees(({ message }) => message.startsWith('Answered'))
    expect(after.sequence_id).toBe(second.sequence_id)
    expect(fake.removed).toEqual([first.sequence_id])
  })

  it('unloading leaves no connection, also in the middle of a publish', async () => {
    const { dispose } = await load()
    fake.publishFaults.push(silence)
    const outcome = ask().catch((error: unknown) => error)
    await vi.waitFor(() => expect(fake.publishFaults).toHaveLength(0), patience)
    await dispose()
    expect(await outcome).toMatchObject({ code: 'SURFACE_GONE' })
    expect(ctx.askSurfaces.list()).toEqual([])
    await vi.waitFor(() => expect(fake.underWay).toBe(0), patience)
  })
})
