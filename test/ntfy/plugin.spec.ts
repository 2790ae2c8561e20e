// The plugin as cordis loads and unloads it, against the small fake. Needs no ntfy.
import { hostname } from 'node:os'
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { userQuestionError } from '../../src/index.ts'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatch } from '../helpers/cordis.ts'
import { atOnce, choice } from './helpers/boot.ts'
import { FakeNtfy, refuse, silence } from './helpers/fake.ts'
import { patience } from './helpers/person.ts'

const topic = newTopic()
const question = choice('Which database?', ['Postgres', 'SQLite'])

let fake: FakeNtfy
let ctx: Context

beforeEach(async () => {
  fake = await FakeNtfy.start()
  ;({ ctx } = await boot(atOnce))
})

afterEach(async () => {
  await ctx.fiber.dispose()
  await fake[Symbol.asyncDispose]()
})

const load = (config: object = {}) => ctx.plugin(plugin, { lang: 'en', server: fake.url, topic, ...config })

/** Provide something that stands in for the web surface. */
function provideWeb(web: unknown): void {
  ctx.provide('askWeb' as never, web as never)
}

it('no longer asked, by the router’s own policy, says so on the phone', { timeout: 30_000 }, async () => {
  const { ctx: other } = await boot({ surfaces: { ntfy: { timeoutMs: 500 } } })
  await other.plugin(plugin, { lang: 'en', server: fake.url, topic })
  await expect(dispatch(other, { questions: [question] })).rejects.toMatchObject({ code: 'SURFACE_TIMEOUT' })
  await expect(fake.sees(({ priority }) => priority === 2)).resolves.toMatchObject({ message: 'No longer waiting for an answer here' })
  await other.fiber.dispose()
})

describe('the plugin', { timeout: 30_000 }, () => {
  it('has named effects, and none of them is left after it is unloaded', async () => {
    const fiber = await load()
    const labels = fiber.getEffects().map(({ label }) => label)
    expect(labels).toContain('ask-ntfy: subscription and pushes')
    expect(labels).not.toContain('anonymous')
    expect(ctx.askSurfaces.list().map(({ name }) => name)).toEqual(['ntfy'])
    await vi.waitFor(() => expect(fake.underWay).toBe(1), patience)
    await fiber.dispose()
    await fiber.dispose()
    expect(fiber.getEffects()).toEqual([])
    expect(ctx.askSurfaces.list()).toEqual([])
    await vi.waitFor(() => expect(fake.underWay).toBe(0), patience)
  })

  it('is asked whoever claims, and keeps no question from others', async () => {
    await load()
    const asked: string[] = []
    const add = (name: string, claims: boolean) => ctx.askSurfaces.register({
      name, claim: () => claims, ask: () => new Promise(() => void asked.push(name)),
    })
    add('idle', false)
    const turn = new AbortController()
    const first = dispatch(ctx, { questions: [question], signal: turn.signal })
    await fake.sees(({ actions }) => actions !== undefined)
    expect(asked).toEqual(['idle'])
    add('driving', true)
    const second = dispatch(ctx, { questions: [{ ...question, question: 'Which colour?' }], signal: turn.signal })
    await fake.sees(({ message }) => message.includes('Which colour?'))
    expect(asked).toEqual(['idle', 'driving', 'driving'])
    turn.abort()
    await expect(first).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await expect(second).rejects.toMatchObject({ code: 'ASK_ABORTED' })
  })

  it('refuses to load with a wrong configuration, naming the field and repeating no secret', async () => {
    await expect(load({ topic: 'dsh-my-questions-secret' })).rejects.toThrow(/topic.* is guessable|is guessable.*topic/s)
    const error = await load({ topic: 'dsh-my-questions-secret' }).then(() => undefined, (reason: unknown) => reason)
    expect(String(error)).not.toContain('my-questions')
  })

  it('goes out and in again with the router, and shows what is open', async () => {
    const fiber = await load()
    const answer = dispatch(ctx, { questions: [question] })
    const first = await fake.sees(({ actions }) => actions !== undefined)
    await fiber.dispose()
    await load()
    const second = await fake.sees(({ actions, sequence_id: id }) => actions !== undefined && id !== first.sequence_id)
    // The card of the plugin that is gone opens nothing any more, and says so.
    fake.say(`${topic}-response`, first.actions![0]!.body)
    await fake.sees(({ message, sequence_id: id }) => id === first.sequence_id && message === 'Your reply came too late and was not used. Can no longer be answered here')
    fake.say(`${topic}-response`, second.actions![1]!.body)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it('is in again in time for a question that nobody else has, when the server is slow at that moment', async () => {
    const fiber = await load()
    const answer = dispatch(ctx, { questions: [question] })
    const first = await fake.sees(({ actions }) => actions !== undefined)
    fake.publishFaults.push(silence)
    const started = performance.now()
    await fiber.dispose()
    expect(performance.now() - started).toBeLessThan(900)
    await load()
    const second = await fake.sees(({ actions, sequence_id: id }) => actions !== undefined && id !== first.sequence_id)
    fake.say(`${topic}-response`, second.actions![1]!.body)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it('tells once who types nothing but `triggered` on the reply topic, and nobody who sends a title alone', async () => {
    await load()
    const answer = dispatch(ctx, { questions: [{ id: 'q', question: 'Which word?' }] })
    await fake.sees(({ priority }) => priority === 4)
    fake.say(topic, 'triggered', { title: 'Disk full' })
    fake.say(`${topic}-response`, 'triggered', { title: 'Disk full' })
    fake.say(topic, 'triggered')
    for (let count = 0; count < 3; count++) fake.say(`${topic}-response`, 'triggered')
    await fake.sees(({ message }) => message.startsWith('Your reply was empty'))
    fake.say(`${topic}-response`, 'The word is triggered')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: [], custom: 'The word is triggered' }] })
    await fake.sees(({ message }) => message.startsWith('Answered'))
    expect(fake.pushes.filter(({ message }) => message.startsWith('Your reply was empty'))).toHaveLength(1)
  })

  it('names the agent, the machine, the project and the session', async () => {
    await load()
    const session = { id: 'session-1', header: { agentPreset: 'builder', cwd: '/projects/kraftwerk' } }
    const turn = new AbortController()
    const answer = dispatch(ctx, { questions: [{ ...question, header: 'Storage' }], agent: { session }, signal: turn.signal })
    const push = await fake.sees(({ actions }) => actions !== undefined)
    expect(push.title).toBe('builder: Storage')
    expect(push.message).toContain(`A question from builder on ${hostname()}, project kraftwerk, session 1:\n`)
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
  })

  it.each<[string, unknown, string | undefined]>([
    ['a page for it', { linkFor: (id: string) => `https://desk.example.org/a/${id}` }, 'https://desk.example.org/a/'],
    ['no page', { linkFor: () => undefined }, undefined],
    ['a link that is none', { linkFor: () => 'javascript:alert(1)' }, undefined],
    ...['http://localhost:7781/a/', 'http://127.0.0.1:7781/a/', 'http://127.9.9.9/a/', 'http://[::1]:7781/a/', 'http://0.0.0.0/a/', 'http://[::ffff:127.0.0.1]/a/']
      .map(link => [`a page for this machine alone (${link})`, { linkFor: () => link }, undefined] as [string, unknown, undefined]),
    ['a page in the network', { linkFor: (id: string) => `http://192.168.1.7:7781/a/${id}` }, 'http://192.168.1.7:7781/a/'],
    ['a broken page', { linkFor: () => { throw new Error('not today') } }, undefined],
    ['another service', {}, undefined],
  ])('with %s the push links accordingly', async (_what, web, link) => {
    provideWeb(web)
    await load()
    const turn = new AbortController()
    const answer = dispatch(ctx, { questions: [question], signal: turn.signal })
    const push = await fake.sees(({ actions }) => actions !== undefined)
    expect(push.click).toBe(link && link + ctx.askSurfaces.pending()[0]!.id)
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
  })

  it('says when a person declined elsewhere', async () => {
    await load()
    let decline!: (error: unknown) => void
    ctx.askSurfaces.register({ name: 'terminal', claim: () => true, ask: () => new Promise((_resolve, reject) => { decline = reject }) })
    const answer = dispatch(ctx, { questions: [question] })
    await fake.sees(({ actions }) => actions !== undefined)
    decline(userQuestionError('ASK_CANCELLED', 'no'))
    await expect(answer).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
    await expect(fake.sees(({ priority }) => priority === 2)).resolves.toMatchObject({ message: 'Cancelled on terminal' })
  })

  it('tells the sender of a code alone, of an unknown one, and at most of ten in all', async () => {
    const fiber = await load()
    const answer = dispatch(ctx, { questions: [question] })
    const { message } = await fake.sees(({ actions }) => actions !== undefined)
    const code = /\b[qjz][2-9][a-z]\b/.exec(message)![0]
    fake.say(topic, code)
    await fake.sees(push => push.message === `Your reply was only the code. Put the answer after it: ${code} 1`)
    for (let count = 0; count < 30; count++) fake.say(topic, `${code === 'z2z' ? 'z3z' : 'z2z'} 1`)
    await fake.sees(push => push.message === 'No open question has that code, so your reply was not used.')
    fake.say(topic, `${code} 2`)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
    // Unloading waits for what is under way.
    await fiber.dispose()
    expect(fake.pushes.filter(({ priority }) => priority === 3)).toHaveLength(10)
  })

  it('logs what somebody should repair, and no topic, token, question or answer', async () => {
    const lines: string[] = []
    // Everything that is logged by anybody goes through here.
    const logger = () => Object.fromEntries(['debug', 'info', 'warn', 'error'].map(level => [level, (...args: unknown[]) => void lines.push(`${level} ${args.join(' ')}`)]))
    const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const inner = Object.create(ctx, { logger: { value: logger } }) as Context
    plugin.apply(inner, { lang: 'en', server: fake.url, topic, token: 'tk_secret' })
    const said = quiet.mock.calls.join('')
    quiet.mockRestore()
    fake.publishFaults.push(refuse(429, 42901))
    const answer = dispatch(ctx, { questions: [question] })
    const push = await fake.sees(({ actions }) => actions !== undefined)
    fake.say(`${topic}-response`, 'dsh-ask AAAAAAAAAAAAAAAAAAAAAA 1')
    fake.say(`${topic}-response`, push.actions![0]!.body)
    await answer
    fake.say(`${topic}-response`, push.actions![0]!.body)
    await vi.waitFor(() => expect(lines).toEqual([
      'warn pushes: the ntfy server asks to slow down',
      'warn a button reply without the secret of a question was dropped',
      'warn a reply to a settled question was dropped',
    ]), patience)
    for (const secret of [topic, 'tk_secret', 'database', 'Postgres']) expect(lines.join() + said).not.toContain(secret)
  })
})
