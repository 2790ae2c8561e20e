// A phone whose stream breaks off, or whose server is restarted, while a question is open.
import { describe, expect, it, vi } from 'vitest'
import { watch } from '../helpers/time.ts'
import { chosen, database, rigBehindGate, rigOn, said } from './helpers/boot.ts'
import { codeOf, hears, patience, Person, type Push } from './helpers/person.ts'
import { NtfyServer, skipped, useServer } from './helpers/server.ts'

vi.mock(import('../../src/surfaces/ntfy/backoff.ts'), async original => (await import('./helpers/quick.ts')).quickBackoff(original))

/** The server's clock has seconds only: wait until it is past a message. */
function secondAfter({ time }: Push): Promise<void> {
  return vi.waitFor(() => {
    if (Date.now() < (time + 1) * 1000) throw new Error('still the same second')
  }, { ...patience, interval: 50 })
}

describe.skipIf(skipped)('a server that gathers messages before it keeps them', { timeout: 30_000 }, () => {
  const server = useServer(['--cache-batch-size', '100', '--cache-batch-timeout', '700ms'])

  it('a tap just when the stream is opened again is not lost', async () => {
    await using behind = await rigBehindGate(server.url)
    const { gate, rig, person: phone } = behind
    const answer = rig.ask([database])
    const push = await phone.asked('Which database?')
    gate.shut()
    gate.open()
    // It goes to those who listen now, and is kept for those who come only some time later.
    await phone.tap(push, 1)
    expect(await answer).toEqual(chosen('SQLite'))
  })
})

describe.skipIf(skipped)('a gap in the stream, or in the server', { timeout: 30_000, concurrent: true }, () => {
  const server = useServer()

  it('a reply that was sent while the stream was down is delivered once', async () => {
    await using behind = await rigBehindGate(server.url)
    const { gate, rig, person: phone } = behind
    const first = rig.ask([database])
    const push = await phone.asked('Which database?')
    const second = rig.ask([{ id: 'q', question: 'Which name?' }])
    const other = await phone.asked('Which name?')
    // The phone may see a question before the plugin hears that it is there. What the plugin says to a later reply shows
    // that it has: else the gate could take the news away, and the question would count as shown after the gap.
    await phone.types(['q2b', 'q2c', 'q2d'].find(code => code !== codeOf(push) && code !== codeOf(other))!)
    await phone.sees(({ message }) => message === 'No open question has that code, so your reply was not used.')
    gate.shut()
    await secondAfter(other)
    await fetch(`${server.url}/${rig.topic}`, { method: 'POST', body: `${codeOf(push)} 2` })
    gate.open()
    expect(await first).toEqual(chosen('SQLite'))
    await fetch(`${server.url}/${rig.topic}`, { method: 'POST', body: `${codeOf(other)} Kraftwerk` })
    expect(await second).toEqual(said('Kraftwerk'))
    expect(phone.pushes.filter(({ message }) => message.startsWith('Your reply'))).toEqual([])
  })

  it('a reply from the gap that is older than its question is told so, and answers nothing', async () => {
    await using behind = await rigBehindGate(server.url)
    const { gate, rig, person: phone } = behind
    // The stream has been open: what follows comes with its next opening.
    const hello = await hears(phone)
    gate.shut()
    await secondAfter(hello)
    const old = await phone.types('2')
    await secondAfter(old)
    const answer = rig.ask([database])
    gate.open()
    const push = await phone.asked('Which database?')
    // It is known by the reply that it is about; what it says depends on who is through the gate first.
    const told = await phone.sees(({ sequence_id: sequence }) => sequence === `notice-${old.id}`)
    expect(told.message).toMatch(/^(Your reply was sent before the question|No question is open)/)
    await secondAfter(push)
    await phone.types('1')
    expect(await answer).toEqual(chosen('Postgres'))
  })

  it('a server that is restarted while a question is open brings its answer all the same (case 13)', async () => {
    await using own = await NtfyServer.start()
    await using rig = await rigOn(own.url)
    const { answer, push } = await rig.show(database)
    await own.down()
    await own.up()
    await secondAfter(push)
    expect(await rig.person.tap(push, 1)).toBe(200)
    expect(await answer).toEqual(chosen('SQLite'))
  })

  it('a question that is asked while the server is down comes when it is up', async () => {
    await using own = await NtfyServer.start()
    await using rig = await rigOn(own.url)
    await own.down()
    const answer = rig.ask([database])
    await own.up()
    const phone = await Person.with(own.url, rig.topic)
    await vi.waitFor(async () => {
      const cached = await (await fetch(`${own.url}/${rig.topic}/json?poll=1&since=all`)).text()
      const push = cached.split('\n').filter(Boolean).map(line => JSON.parse(line) as Push).find(({ actions }) => actions)
      if (!push) throw new Error('not there yet')
      await phone.tap(push, 0)
    }, { ...patience, interval: 100 })
    expect(await answer).toEqual(chosen('Postgres'))
    phone.leave()
  })
})

describe.skipIf(skipped)('an outage of minutes', { timeout: 30_000 }, () => {
  it('a question that is asked while the server is down for minutes comes when it is up', async () => {
    await using own = await NtfyServer.start()
    await using rig = await rigOn(own.url)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      await own.down()
      /** Seconds that go by as soon as what is under way is through. */
      const pass = async (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          await vi.advanceTimersByTimeAsync(1000)
          await fetch(`${own.url}/v1/health`).catch(() => {})
        }
      }
      const isWatched = () => rig.ctx.askSurfaces.status()[0]!.watched
      const answer = rig.ask([database])
      await pass(180)
      expect(rig.ctx.askSurfaces.pending()[0]!.participants[0]).toMatchObject({ name: 'ntfy', state: 'asked' })
      expect(isWatched()).toBe(false)
      await own.up()
      const phone = await Person.with(own.url, rig.topic)
      for (let second = 0; second < 90 && phone.pushes.length === 0; second++) await pass(1)
      await phone.tap(await phone.asked('Which database?'), 0)
      // The stream may be back a little later than the question is there.
      const asked = watch(answer)
      for (let second = 0; second < 90 && asked.state === 'open'; second++) await pass(1)
      expect(isWatched()).toBe(true)
      expect(await answer).toEqual(chosen('Postgres'))
      await phone.sees(({ message }) => message === 'Answered: Postgres, on the phone')
      expect(phone.pushes.filter(({ actions }) => actions)).toHaveLength(1)
      phone.leave()
    } finally {
      vi.useRealTimers()
    }
  })
})
