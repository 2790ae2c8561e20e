// What becomes of a question on the phone: late replies, aborts, unloading, gaps in the stream, restarts of the server.
import { describe, expect, it, vi } from 'vitest'
import { watch } from '../helpers/time.ts'
import { choice, desk, rigOn } from './helpers/boot.ts'
import { Gate } from './helpers/gate.ts'
import { codeOf, patience, Person, type Push } from './helpers/person.ts'
import { NtfyServer, skipped, useServer } from './helpers/server.ts'

/** The server's clock has seconds only: wait until it is past a message. */
function secondAfter({ time }: Push): Promise<void> {
  return vi.waitFor(() => {
    if (Date.now() < (time + 1) * 1000) throw new Error('still the same second')
  }, { ...patience, interval: 50 })
}

/** Type something while nothing is open, until the phone's plugin is listening and says so. */
function hears(person: Person): Promise<Push> {
  return vi.waitFor(async () => {
    const hello = await person.types('2')
    const told = person.cards.find(({ message }) => message === 'No question is open, so your reply was not used.')
    if (!told) throw new Error('nobody listens yet')
    return hello
  }, { ...patience, interval: 100 })
}

describe.skipIf(skipped)('a server that gathers messages before it keeps them', { timeout: 30_000 }, () => {
  const server = useServer(['--cache-batch-size', '100', '--cache-batch-timeout', '3s'])

  it('a tap just when the stream is opened again is not lost', async () => {
    await using gate = await Gate.before(server.url)
    await using rig = await rigOn(gate.url)
    const phone = await Person.with(server.url, rig.topic)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await phone.asked('Which database?')
    gate.shut()
    gate.open()
    // It goes to those who listen now, and is kept for those who come only seconds later.
    await phone.tap(push, 1)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
    phone.leave()
  })
})

describe.skipIf(skipped)('the life of a question on a phone', { timeout: 30_000 }, () => {
  const server = useServer()

  it('a second tap changes nothing and is told once what was answered (case 15, 16)', async () => {
    await using rig = await rigOn(server.url)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await rig.person.asked('Which database?')
    await rig.person.tap(push, 0)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
    await rig.person.tap(push, 1)
    const told = await rig.person.sees(({ message }) => message === 'Your reply came too late and was not used. Answered: Postgres, on the phone')
    expect(told).toMatchObject({ sequence_id: push.sequence_id })
    expect(told.actions).toBeUndefined()
    await rig.person.tap(push, 1)
    // A later question shows that the third tap was read and nothing was said to it.
    const next = rig.ask([{ id: 'q', question: 'Which name?' }])
    await rig.person.types(`${codeOf(await rig.person.asked('Which name?'))} Kraftwerk`)
    await next
    expect(rig.person.pushes.filter(({ message }) => message.startsWith('Your reply came too late'))).toHaveLength(1)
  })

  it('a typed reply to a question that was answered at the desk is told so (case 15)', async () => {
    await using rig = await rigOn(server.url)
    const { surface, answers } = desk()
    rig.ctx.askSurfaces.register(surface)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await rig.person.asked('Which database?')
    await answers('SQLite')
    await answer
    await rig.person.sees(({ message }) => message === 'Answered: SQLite, on terminal')
    await rig.person.types(`${codeOf(push)} 1`)
    const told = await rig.person.sees(({ message }) => message.startsWith('Your reply came too late'))
    expect(told.message).toBe('Your reply came too late and was not used. Answered: SQLite, on terminal')
  })

  it('a reply when nothing is open answers nothing, not even the next question', async () => {
    await using rig = await rigOn(server.url)
    await hears(rig.person)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    await rig.person.asked('Which database?')
    await rig.person.types('1')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
  })

  it('an aborted question is put away, and a late tap is harmless (case 12)', async () => {
    await using rig = await rigOn(server.url)
    const turn = new AbortController()
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])], turn.signal)
    const push = await rig.person.asked('Which database?')
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    const after = await rig.person.sees(({ message }) => message === 'Cancelled')
    expect(after).toMatchObject({ sequence_id: push.sequence_id })
    expect(after.actions).toBeUndefined()
    await rig.person.tap(push, 0)
    await rig.person.sees(({ message }) => message === 'Your reply came too late and was not used. Cancelled')
  })

  it('a batch that is aborted half-way gives nothing, and its next question is put away (case 21)', async () => {
    await using rig = await rigOn(server.url)
    const turn = new AbortController()
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'], { id: 'db' }), choice('Which colour?', ['red', 'blue'], { id: 'colour' })], turn.signal)
    await rig.person.tap(await rig.person.asked('Which database?'), 0)
    const second = await rig.person.asked('Which colour?')
    turn.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ASK_ABORTED' })
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Cancelled' && id === second.sequence_id)
  })

  it('a batch that is answered at the desk half-way says so in its card (case 21)', async () => {
    await using rig = await rigOn(server.url)
    const { surface, answersAll } = desk()
    rig.ctx.askSurfaces.register(surface)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'], { id: 'db' }), choice('Which colour?', ['red', 'blue'], { id: 'colour' })])
    await rig.person.tap(await rig.person.asked('Which database?'), 0)
    const second = await rig.person.asked('Which colour?')
    await answersAll({ answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'colour', selected: ['red'] }] })
    expect(await answer).toEqual({ answers: [{ id: 'db', selected: ['SQLite'] }, { id: 'colour', selected: ['red'] }] })
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Answered: SQLite / red, on terminal' && id === second.sequence_id)
  })

  it('unloading puts open questions away and leaves nothing', async () => {
    await using rig = await rigOn(server.url)
    const { surface, answers } = desk()
    rig.ctx.askSurfaces.register(surface)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await rig.person.asked('Which database?')
    await rig.unload()
    await rig.person.sees(({ message, sequence_id: id }) => message === 'Can no longer be answered here' && id === push.sequence_id)
    await answers('Postgres')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
    expect(rig.ctx.askSurfaces.list()).toEqual([surface])
  })

  it('a reply that was sent while the stream was down is delivered once', async () => {
    await using gate = await Gate.before(server.url)
    await using rig = await rigOn(gate.url)
    const phone = await Person.with(server.url, rig.topic)
    const first = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
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
    expect(await first).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
    await fetch(`${server.url}/${rig.topic}`, { method: 'POST', body: `${codeOf(other)} Kraftwerk` })
    expect(await second).toEqual({ answers: [{ id: 'q', selected: [], custom: 'Kraftwerk' }] })
    expect(phone.pushes.filter(({ message }) => message.startsWith('Your reply'))).toEqual([])
    phone.leave()
  })

  it('a reply from the gap that is older than its question is told so, and answers nothing', async () => {
    await using gate = await Gate.before(server.url)
    await using rig = await rigOn(gate.url)
    const phone = await Person.with(server.url, rig.topic)
    // The stream has been open: what follows comes with its next opening.
    const hello = await hears(phone)
    gate.shut()
    await secondAfter(hello)
    const old = await phone.types('2')
    await secondAfter(old)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    gate.open()
    const push = await phone.asked('Which database?')
    // It is known by the reply that it is about; what it says depends on who is through the gate first.
    const told = await phone.sees(({ sequence_id: sequence }) => sequence === `notice-${old.id}`)
    expect(told.message).toMatch(/^(Your reply was sent before the question|No question is open)/)
    await secondAfter(push)
    await phone.types('1')
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
    phone.leave()
  })

  it('a server that is restarted while a question is open brings its answer all the same (case 13)', async () => {
    await using own = await NtfyServer.start()
    await using rig = await rigOn(own.url)
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    const push = await rig.person.asked('Which database?')
    await own.down()
    await own.up()
    await secondAfter(push)
    expect(await rig.person.tap(push, 1)).toBe(200)
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['SQLite'] }] })
  })

  it('a question that is asked while the server is down comes when it is up', async () => {
    await using own = await NtfyServer.start()
    await using rig = await rigOn(own.url)
    await own.down()
    const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
    await own.up()
    const phone = await Person.with(own.url, rig.topic)
    await vi.waitFor(async () => {
      const cached = await (await fetch(`${own.url}/${rig.topic}/json?poll=1&since=all`)).text()
      const push = cached.split('\n').filter(Boolean).map(line => JSON.parse(line) as Push).find(({ actions }) => actions)
      if (!push) throw new Error('not there yet')
      await phone.tap(push, 0)
    }, { ...patience, interval: 100 })
    expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
    phone.leave()
  })

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
      const answer = rig.ask([choice('Which database?', ['Postgres', 'SQLite'])])
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
      expect(await answer).toEqual({ answers: [{ id: 'q', selected: ['Postgres'] }] })
      await phone.sees(({ message }) => message === 'Answered: Postgres, on the phone')
      expect(phone.pushes.filter(({ actions }) => actions)).toHaveLength(1)
      phone.leave()
    } finally {
      vi.useRealTimers()
    }
  })
})
