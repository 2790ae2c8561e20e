// The phone's plugin against a server that goes wrong. Needs no ntfy.
import { describe, expect, it, vi } from 'vitest'
import { atOnce, chosen, quietNow } from './helpers/boot.ts'
import { FakeNtfy, type Fault, loginPage, redirect, refuse, silence, takeSilently } from './helpers/fake.ts'
import { useFakeHost } from './helpers/fake-host.ts'
import { patience } from './helpers/person.ts'

vi.mock(import('../../src/surfaces/ntfy/backoff.ts'), async original => (await import('./helpers/quick.ts')).quickPauses(original))

const host = useFakeHost()

describe('a server that goes wrong', { timeout: 30_000 }, () => {
  it.each<[string, Fault]>([
    ['asks to slow down (case 27)', refuse(429, 42901)],
    ['is broken', refuse(500)],
    ['hangs up', request => void request.socket.destroy()],
  ])('while publishing it %s: the question comes a little later', async (_what, fault) => {
    host.fake.publishFaults.push(fault)
    await host.load()
    const { answer, push } = await host.show()
    await fetch(push.actions![1]!.url, { method: 'POST', body: push.actions![1]!.body })
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it.each<[string, Fault, string]>([
    ['the day’s quota is used up (case 27)', refuse(429, 42908), "the phone cannot be asked: the day's quota of messages on the ntfy server is used up"],
    ['a login page redirects', redirect, 'the phone cannot be asked: the address in server redirects'],
    ['a login page answers', loginPage, 'the phone cannot be asked: the address in server answers, but not as ntfy does'],
  ])('%s: the phone says so, and the desk goes on', async (_what, fault, why) => {
    host.fake.publishFaults.push(fault, fault)
    await host.load()
    await expect(host.ask()).rejects.toMatchObject({ name: 'UserQuestionError', code: 'SURFACE_GONE', message: expect.stringContaining(why) })
    const { answers } = host.desk()
    const answer = host.ask()
    await answers('Postgres')
    expect(await answer).toEqual(chosen('Postgres'))
  })

  it('a certificate that nobody trusts is said, not retried', async () => {
    await using tls = await FakeNtfy.start({ tls: true })
    await host.load({ server: tls.url })
    await expect(host.ask()).rejects.toMatchObject({ message: expect.stringContaining('the certificate of the ntfy server is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)') })
  })

  it('a question whose answers can no longer be heard is put away', async () => {
    const { fake } = host
    await host.load()
    const { answer, push } = await host.show()
    fake.streamFaults.push(refuse(403, 40301))
    fake.drop()
    await expect(answer).rejects.toMatchObject({ code: 'SURFACE_GONE', message: expect.stringContaining('the ntfy server denies access to the topics') })
    await fake.sees(({ message, sequence_id: id }) => message === 'Can no longer be answered here' && id === push.sequence_id)
    // Once it is let in again, so are questions.
    await vi.waitFor(() => expect(fake.asked).toHaveLength(3), patience)
    const next = vi.waitFor(async () => await host.ask(), patience)
    host.taps(await host.question(undefined, push), 0)
    expect(await next).toEqual(chosen('Postgres'))
  })

  it('noise on the stream hides no answer', async () => {
    await host.load()
    const { answer } = await host.show()
    host.fake.raw('{"id":"cut off","time":1,"eve\n<html>\n\n{}\nnull\n{"event":"message","id":"x","time":"soon"}\n')
    host.fake.say('another-topic', 'triggered')
    host.types('2')
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it.each(['a button', 'words'])('an answer by %s that comes before the server has confirmed its question counts', async way => {
    await host.load()
    host.fake.publishFaults.push(takeSilently)
    const { answer, push } = await host.show()
    if (way === 'words') host.types('2')
    else host.taps(push, 1)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('that takes nothing back still shows a reminder; both notifications answer, and neither looks open afterwards', async () => {
    await host.load()
    host.fake.removeFaults.push(refuse(405), refuse(405))
    host.routing.update({ ...atOnce, quiet: quietNow() })
    const { answer, push: first } = await host.show()
    host.routing.update(atOnce)
    const second = await host.question(undefined, first)
    host.taps(first, 1)
    expect(await answer).toEqual(chosen('SQLite'))
    for (const { sequence_id: sequence } of [first, second]) {
      await host.fake.sees(push => push.sequence_id === sequence && push.message === 'Answered: SQLite, on the phone')
    }
    expect(host.fake.removed).toEqual([])
  })

  it('that is slow with a reminder: what becomes of the question meanwhile is said in its place, and the old one goes', async () => {
    await host.load()
    host.routing.update({ ...atOnce, quiet: quietNow() })
    const { answer, push: first } = await host.show()
    let confirm!: () => void
    host.fake.publishFaults.push((_request, response, take) => {
      take()
      confirm = () => void response.end('{"id":"slow","time":1}')
    })
    host.routing.update(atOnce)
    const second = await host.question(undefined, first)
    host.taps(second, 1)
    expect(await answer).toEqual(chosen('SQLite'))
    confirm()
    const after = await host.fake.sees(({ message }) => message.startsWith('Answered'))
    expect(after.sequence_id).toBe(second.sequence_id)
    expect(host.fake.removed).toEqual([first.sequence_id])
  })

  it('unloading leaves no connection, also in the middle of a publish', async () => {
    host.routing.update({ ...atOnce, rejoinMs: 100 })
    const { dispose } = await host.load()
    host.fake.publishFaults.push(silence)
    const outcome = host.ask().catch((error: unknown) => error)
    await vi.waitFor(() => expect(host.fake.publishFaults).toHaveLength(0), patience)
    await dispose()
    expect(await outcome).toMatchObject({ code: 'SURFACE_GONE' })
    expect(host.ctx.askSurfaces.list()).toEqual([])
    await vi.waitFor(() => expect(host.fake.underWay).toBe(0), patience)
  })
})
