// The plugin as cordis loads and unloads it, against the small host.fake. Needs no ntfy.
import { hostname } from 'node:os'
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import { userQuestionError } from '../../src/index.ts'
import * as plugin from '../../src/surfaces/ntfy/index.ts'
import { chosen, database, said } from './helpers/boot.ts'
import { refuse, silence } from './helpers/fake.ts'
import { useFakeHost } from './helpers/fake-host.ts'
import { codeOf, patience } from './helpers/person.ts'

vi.mock(import('../../src/surfaces/ntfy/backoff.ts'), async original => (await import('./helpers/quick.ts')).quickBackoff(original))

const host = useFakeHost()

it('keeps a question after its time by the router’s policy, and takes the answer', { timeout: 30_000 }, async () => {
  host.routing.update({ surfaces: { ntfy: { timeoutMs: 100 } } })
  await host.load()
  const { answer, push } = await host.show()
  await vi.waitFor(() => expect(host.ctx.askSurfaces.pending()[0]!.participants).toMatchObject([{ name: 'ntfy', state: 'timed-out' }]), patience)
  expect(host.fake.pushes).toHaveLength(1)
  host.taps(push, 1)
  expect(await answer).toEqual(chosen('SQLite'))
})

describe('the plugin', { timeout: 30_000 }, () => {
  it('has named effects, and none of them is left after it is unloaded', async () => {
    const fiber = await host.load()
    const labels = fiber.getEffects().map(({ label }) => label)
    expect(labels).toContain('ask-ntfy: subscription and pushes')
    expect(labels).not.toContain('anonymous')
    expect(host.ctx.askSurfaces.list().map(({ name }) => name)).toEqual(['ntfy'])
    await vi.waitFor(() => expect(host.fake.underWay).toBe(1), patience)
    await fiber.dispose()
    await fiber.dispose()
    expect(fiber.getEffects()).toEqual([])
    expect(host.ctx.askSurfaces.list()).toEqual([])
    await vi.waitFor(() => expect(host.fake.underWay).toBe(0), patience)
  })

  it('is asked whoever claims, and keeps no question from others', async () => {
    await host.load()
    const asked: string[] = []
    const add = (name: string, claims: boolean) => host.ctx.askSurfaces.register({
      name, claim: () => claims, ask: () => new Promise(() => void asked.push(name)),
    })
    add('idle', false)
    const turn = new AbortController()
    const first = await host.show(database, { signal: turn.signal })
    expect(asked).toEqual(['idle'])
    add('driving', true)
    const second = await host.show({ ...database, question: 'Which colour?' }, { signal: turn.signal })
    expect(asked).toEqual(['idle', 'driving', 'driving'])
    turn.abort()
    await expect(first.answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await expect(second.answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
  })

  it('refuses to load with a wrong configuration, naming the field and repeating no secret', async () => {
    await expect(host.load({ topic: 'dsh-my-questions-secret' })).rejects.toThrow(/topic.* is guessable|is guessable.*topic/s)
    const error = await host.load({ topic: 'dsh-my-questions-secret' }).then(() => undefined, (reason: unknown) => reason)
    expect(String(error)).not.toContain('my-questions')
  })

  it.each([
    [{}, [], undefined],
    [{ approvals: true }, ['ask-ntfy: approvals go to the phone: whoever can read the topic sees what tools are to do, and has the buttons, with which to allow it\n'], true],
    [{ approvals: true, server: 'http://ntfy.example.org', allowInsecure: true }, [expect.stringMatching(/with which to allow it; over plain http, that is anybody on the way too\n$/)], true],
  ])('with %j says at the start what approvals on the phone mean', async (config, lines, isAsked) => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const written = async () => {
      const fiber = await host.load(config)
      return { fiber, lines: stderr.mock.calls.map(([line]) => line), approvals: host.ctx.askSurfaces.list()[0]!.approvals === true || undefined }
    }
    const { fiber, ...seen } = await written().finally(() => stderr.mockRestore())
    expect(seen).toEqual({ lines, approvals: isAsked })
    await fiber.dispose()
  })

  it('goes out and in again with the router, and shows what is open', async () => {
    const fiber = await host.load()
    const { answer, push: first } = await host.show()
    await fiber.dispose()
    await host.load()
    const second = await host.question(undefined, first)
    // The card of the plugin that is gone opens nothing any more, and says so.
    host.taps(first, 0)
    await host.fake.sees(({ message, sequence_id: id }) => id === first.sequence_id && message === 'Your reply came too late and was not used. Can no longer be answered here')
    host.taps(second, 1)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('is in again in time for a question that nobody else has, when the server is slow at that moment', async () => {
    const fiber = await host.load()
    const { answer, push: first } = await host.show()
    host.fake.publishFaults.push(silence)
    const started = performance.now()
    await fiber.dispose()
    expect(performance.now() - started).toBeLessThan(900)
    await host.load()
    const second = await host.question(undefined, first)
    host.taps(second, 1)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('tells once who types nothing but `triggered`, or sends a title alone', async () => {
    await host.load()
    const { answer } = await host.show({ id: 'q', question: 'Which word?' })
    for (let count = 0; count < 3; count++) host.types('triggered', { title: 'Postgres' })
    for (let count = 0; count < 3; count++) host.replies('triggered')
    await host.fake.sees(({ message }) => message.startsWith('Your reply had no text'))
    host.replies('The word is triggered')
    expect(await answer).toEqual(said('The word is triggered'))
    await host.fake.sees(({ message }) => message.startsWith('Answered'))
    expect(host.fake.pushes.filter(({ message }) => message.startsWith('Your reply had no text'))).toHaveLength(1)
  })

  it('names the agent, the machine, the project and the session', async () => {
    await host.load()
    const session = { id: 'session-1', header: { agentPreset: 'builder', cwd: '/projects/kraftwerk' } }
    const turn = new AbortController()
    const { answer, push } = await host.show({ ...database, header: 'Storage' }, { agent: { session }, signal: turn.signal })
    expect(push.title).toBe('builder: Storage')
    expect(push.message).toContain(`\nFrom builder · ${hostname()} · kraftwerk · 1`)
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
    host.ctx.provide('askWeb' as never, web as never)
    await host.load()
    const turn = new AbortController()
    const { answer, push } = await host.show(database, { signal: turn.signal })
    expect(push.click).toBe(link && link + host.ctx.askSurfaces.pending()[0]!.id)
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
  })

  it('says when a person declined elsewhere', async () => {
    await host.load()
    let decline!: (error: unknown) => void
    host.ctx.askSurfaces.register({ name: 'terminal', claim: () => true, ask: () => new Promise((_resolve, reject) => { decline = reject }) })
    const { answer } = await host.show()
    decline(userQuestionError('ASK_CANCELLED', 'no'))
    await expect(answer).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
    await expect(host.fake.sees(({ priority }) => priority === 2)).resolves.toMatchObject({ message: 'Cancelled on terminal' })
  })

  it('tells the sender of a code alone, of an unknown one, and at most of ten in all', async () => {
    const fiber = await host.load()
    const { answer, push: shown } = await host.show()
    const code = codeOf(shown)
    host.types(code)
    await host.fake.sees(push => push.message === `Your reply was only the code. Put the answer after it: ${code} 1`)
    for (let count = 0; count < 30; count++) host.types(`${code === 'z2z' ? 'z3z' : 'z2z'} 1`)
    await host.fake.sees(push => push.message === 'No open question has that code, so your reply was not used.')
    host.types(`${code} 2`)
    expect(await answer).toEqual(chosen('SQLite'))
    // Unloading waits for what is under way.
    await fiber.dispose()
    expect(host.fake.pushes.filter(({ priority }) => priority === 3)).toHaveLength(10)
  })

  it('logs what somebody should repair, and no topic, token, question or answer', async () => {
    const lines: string[] = []
    // Everything that is logged by anybody goes through here.
    const logger = () => Object.fromEntries(['debug', 'info', 'warn', 'error'].map(level => [level, (...args: unknown[]) => void lines.push(`${level} ${args.join(' ')}`)]))
    const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const inner = Object.create(host.ctx, { logger: { value: logger } }) as Context
    plugin.apply(inner, { lang: 'en', server: host.fake.url, topic: host.topic, token: 'tk_secret' })
    const onStderr = quiet.mock.calls.join('')
    quiet.mockRestore()
    host.fake.publishFaults.push(refuse(429, 42901))
    const { answer, push } = await host.show()
    host.replies('dsh-ask AAAAAAAAAAAAAAAAAAAAAA 1')
    host.taps(push, 0)
    await answer
    host.taps(push, 0)
    await vi.waitFor(() => expect(lines).toEqual([
      'warn pushes: the ntfy server asks to slow down',
      'warn a button reply without the secret of a question was dropped',
      'warn a reply to a settled question was dropped',
    ]), patience)
    for (const secret of [host.topic, 'tk_secret', 'database', 'Postgres']) expect(lines.join() + onStderr).not.toContain(secret)
  })
})
