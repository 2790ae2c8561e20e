// When the phone is asked, and how loud, by the router's policies: at home and away, in quiet hours, and again. Time and the
// server are made up.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskSurface, AskUserQuestionItem } from '../../src/index.ts'
import { boot, dispatchAndForget } from '../helpers/cordis.ts'
import { pass } from '../helpers/time.ts'
import { broken, HOUR, MINUTE, question, useMemoryServer } from '../ntfy/helpers/memory.ts'

const night = { from: '22:00', to: '07:00', timeZone: 'UTC', surfaces: ['ntfy'] }
const server = useMemoryServer()

describe('asked by the router, beside a terminal', () => {
  let ctx: Context
  let configure: (router: object) => void
  let turn: AbortController

  /** A host with a terminal that nobody answers at, and the server.phone. */
  async function start(router: object = {}): Promise<void> {
    const { ctx: booted, fiber } = await boot(router)
    ctx = booted
    configure = edited => fiber.update(edited)
    turn = new AbortController()
    ctx.askSurfaces.register({ name: 'terminal', personal: true, claim: () => false, ask: () => new Promise(() => {}) } satisfies AskSurface)
    ctx.askSurfaces.register(server.phone)
  }

  /** The same by night, with a person who is away. */
  async function startAt(time: string, more: object = {}): Promise<void> {
    vi.setSystemTime(new Date(time))
    await start({ presence: 'away', quiet: night, ...more })
  }

  function ask(item: AskUserQuestionItem = question): void {
    dispatchAndForget(ctx, { questions: [item], signal: turn.signal })
  }

  afterEach(async () => {
    turn.abort()
    await pass(10)
    await ctx.fiber.dispose()
  })

  /** The same, and what comes of it at once. */
  async function asked(): Promise<void> {
    ask()
    await pass(10)
  }

  it('comes after a minute at home, and only if nobody has answered by then', async () => {
    await start()
    ask()
    await pass(MINUTE - 100)
    expect(server.pushes).toEqual([])
    await pass(200)
    expect(server.pushes).toMatchObject([{ priority: 4, message: expect.stringContaining('Which name?') }])
    turn.abort()
    turn = new AbortController()
    ask({ ...question, question: 'Which colour?' })
    await pass(MINUTE / 2)
    turn.abort()
    await pass(2 * MINUTE)
    expect(server.pushes.filter(({ message }) => message.includes('Which colour?'))).toEqual([])
  })

  it('comes at once when the person is away', async () => {
    await start({ presence: 'away' })
    await asked()
    expect(server.pushes).toHaveLength(1)
  })

  it('comes as soon as the person leaves', async () => {
    await start()
    ask()
    await pass(MINUTE / 2)
    ctx.askSurfaces.presence = 'away'
    await pass(10)
    expect(server.pushes).toHaveLength(1)
    await pass(HOUR)
    expect(server.pushes).toHaveLength(1)
  })

  it('comes when the configuration says, which goes before the phone’s own policy value by value', async () => {
    await start({ surfaces: { ntfy: { home: { delayMs: 5000 }, remindMs: HOUR } } })
    expect(ctx.askSurfaces.status().find(({ name }) => name === 'ntfy')).toMatchObject({
      home: { delayMs: 5000, remindMs: HOUR }, away: { delayMs: 0, remindMs: HOUR },
    })
    ask()
    await pass(4900)
    expect(server.pushes).toEqual([])
    await pass(200)
    expect(server.pushes).toHaveLength(1)
  })

  it('comes without a sound in quiet hours, and once aloud when they are over', async () => {
    await startAt('2026-01-05T23:00:00Z')
    await asked()
    expect(server.pushes).toMatchObject([{ priority: 2 }])
    await pass(8 * HOUR - MINUTE)
    expect(server.pushes).toHaveLength(1)
    await pass(2 * MINUTE)
    expect(server.pushes).toMatchObject([{ priority: 2 }, { priority: 4, title: 'Still open: dsh: Question' }])
    const [silent, loud] = server.pushes
    expect(loud!.sequence_id).not.toBe(silent!.sequence_id)
    expect(server.removed).toEqual([silent!.sequence_id])
    await pass(12 * HOUR)
    expect(server.pushes).toHaveLength(2)
  })

  it('that was asked silently and answered at night makes no sound in the morning', async () => {
    await startAt('2026-01-05T23:00:00Z')
    await asked()
    server.says('Kraftwerk')
    await pass(10 * HOUR)
    expect(server.priorities()).toEqual([2, 2])
    expect(server.pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
    expect(server.removed).toEqual([])
  })

  it('comes again as often as the configuration says, each time in the place of the one before', async () => {
    await start({ presence: 'away', surfaces: { ntfy: { remindMs: 10 * MINUTE, remindMax: 2 } } })
    ask()
    for (const count of [1, 2, 3]) {
      await pass(10 * MINUTE - 1000)
      expect(server.pushes).toHaveLength(count)
      await pass(1000)
    }
    await pass(HOUR)
    expect(server.priorities()).toEqual([4, 4, 4])
    expect(server.removed).toEqual(server.pushes.slice(0, 2).map(({ sequence_id: sequence }) => sequence))
    await server.hears('Kraftwerk')
    expect(server.pushes.at(-1)).toMatchObject({ message: 'Answered: Kraftwerk, on the phone', sequence_id: server.pushes[2]!.sequence_id })
  })

  it('does not come again at night; a reminder that was due comes in the morning', async () => {
    await startAt('2026-01-05T21:55:00Z', { surfaces: { ntfy: { remindMs: 10 * MINUTE } } })
    ask()
    await pass(9 * HOUR)
    expect(server.pushes).toHaveLength(1)
    await pass(10 * MINUTE)
    expect(server.priorities()).toEqual([4, 4])
  })

  it.each(['slow', 'broken'])('that is on its way to a %s server when the quiet hours end comes aloud as well', async what => {
    await startAt('2026-01-06T06:59:59Z')
    if (what === 'slow') server.slow.push(5000)
    else server.faults.push(broken, broken)
    ask()
    await pass(10_000)
    expect(server.priorities()).toEqual([2, 4])
    expect(server.removed).toEqual([server.pushes[0]!.sequence_id])
  })

  it('that the server takes only when the quiet hours have begun makes no sound, and is the same otherwise', async () => {
    await startAt('2026-01-05T21:59:58Z')
    server.faults.push(broken, broken, broken)
    ask({ ...question, options: [{ label: 'Kraftwerk' }] })
    await pass(30_000)
    expect(server.tried).toHaveLength(4)
    const [first] = server.tried
    expect(server.tried.map(push => ({ ...push, priority: 4 }))).toEqual(server.tried.map(() => first))
    expect([first!.priority, server.tried.at(-1)!.priority]).toEqual([4, 2])
    expect(server.pushes).toEqual(server.tried.slice(3))
  })

  it('that the server does not take in the morning comes aloud once it does', async () => {
    await startAt('2026-01-06T06:55:00Z')
    ask()
    await pass(5 * MINUTE - 1000)
    server.fault = broken
    await pass(2 * HOUR)
    expect(server.tried.map(({ priority }) => priority)).toEqual([2, ...Array.from({ length: server.tried.length - 1 }, () => 4)])
    expect(server.tried.length).toBeLessThan(250)
    server.fault = undefined
    await pass(MINUTE)
    expect(server.priorities()).toEqual([2, 4])
    expect(server.removed).toEqual([server.pushes[0]!.sequence_id])
    await pass(3 * HOUR)
    expect(server.pushes).toHaveLength(2)
    await server.hears('Kraftwerk')
    expect(server.pushes.slice(2)).toMatchObject([{ message: 'Answered: Kraftwerk, on the phone', sequence_id: server.pushes[1]!.sequence_id }])
  })

  it.each(['answered', 'aborted', 'unloaded'])('that the server does not take in the morning comes no more once the question is %s', async how => {
    await startAt('2026-01-06T06:55:00Z')
    ask()
    await pass(5 * MINUTE - 1000)
    server.fault = broken
    await pass(30 * MINUTE)
    if (how === 'answered') server.says('Kraftwerk')
    else if (how === 'aborted') turn.abort()
    else void server.phone.close()
    const reminders = () => server.tried.filter(({ title }) => title.startsWith('Still open: ')).length
    const before = reminders()
    expect(before).toBeGreaterThan(0)
    await pass(MINUTE)
    server.fault = undefined
    await pass(HOUR)
    expect(reminders()).toBe(before)
    expect(server.priorities()).not.toContain(4)
  })

  it('a reminder that the server does not take before the quiet hours waits for their end', async () => {
    await startAt('2026-01-05T21:00:00Z', { surfaces: { ntfy: { remindMs: HOUR - 2000 } } })
    ask()
    await pass(HOUR - 3000)
    server.fault = broken
    await pass(HOUR)
    server.fault = undefined
    const attempts = server.tried.slice(1)
    expect(attempts.length).toBeGreaterThan(0)
    await pass(8 * HOUR - 5000)
    expect(server.tried).toHaveLength(1 + attempts.length)
    await pass(10_000)
    expect(server.priorities()).toEqual([4, 4])
    expect(server.removed).toEqual([attempts[0]!.sequence_id, server.pushes[0]!.sequence_id])
  })

  it('under new quiet hours comes aloud when an edit ends them', async () => {
    await startAt('2026-01-05T23:00:00Z')
    await asked()
    configure({ presence: 'away' })
    await pass(10)
    expect(server.priorities()).toEqual([2, 4])
  })

  it('takes a reply without a code for the question, however often it came', async () => {
    await start({ presence: 'away', surfaces: { ntfy: { remindMs: MINUTE } } })
    ask()
    await pass(2 * MINUTE + 100)
    expect(server.pushes).toHaveLength(3)
    await server.hears('Kraftwerk')
    expect(server.pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
  })
})

describe('asked directly', () => {
  const batch = { questions: [question, { id: 'colour', question: 'Which colour?' }] }
  let stop: AbortController

  beforeEach(() => {
    stop = new AbortController()
  })

  function ask(context: { quiet: boolean }, request = batch) {
    const whole = Object.assign(context, { id: '1', signal: stop.signal })
    server.phone.ask(request, whole).catch(() => {})
    return whole
  }

  it('reads anew for each question of a batch whether it is quiet', async () => {
    const context = ask({ quiet: false })
    await pass(10)
    context.quiet = true
    await server.hears('Kraftwerk')
    const priorityOf = (words: string) => server.pushes.find(({ message }) => message.includes(words))?.priority
    expect([priorityOf('Which name?'), priorityOf('Which colour?')]).toEqual([4, 2])
  })

  it('reminds of nothing before the question is there, between two of a batch, and after the end', async () => {
    server.faults.push(broken)
    ask({ quiet: false })
    await pass(10)
    server.phone.remind(batch)
    await pass(2000)
    expect(server.pushes).toHaveLength(1)
    server.faults.push(broken)
    await server.hears('Kraftwerk')
    server.phone.remind(batch)
    await pass(10_000)
    await server.hears('blue')
    server.phone.remind(batch)
    await pass(10)
    expect(server.pushes.map(({ message }) => message.split('\n')[0])).toEqual([
      'Which name?', 'Noted (1 of 2): Kraftwerk', 'Which colour?', 'Answered: Kraftwerk / blue, on the phone',
    ])
    expect(server.removed).toEqual([])
  })

  it('reminds of a question of a batch that came silently, in quiet hours that began after the one before', async () => {
    const context = ask({ quiet: false })
    await pass(10)
    context.quiet = true
    await server.hears('Kraftwerk')
    server.phone.remind(batch)
    await pass(10)
    context.quiet = false
    server.phone.remind(batch)
    await pass(10)
    expect(server.pushes.filter(({ message }) => message.includes('Which colour?'))).toMatchObject([
      { priority: 2 },
      { priority: 4, title: 'Still open: dsh: Question (2 of 2)', message: expect.stringMatching(/^Which colour\?\n/) },
    ])
  })

  it('reminds of the question of a batch that is there', async () => {
    ask({ quiet: false })
    await pass(10)
    await server.hears('Kraftwerk')
    const { length } = server.pushes
    server.phone.remind(batch)
    await pass(10)
    expect(server.pushes.slice(length)).toMatchObject([{ title: 'Still open: dsh: Question (2 of 2)', message: expect.stringMatching(/^Which colour\?\n/) }])
  })
})
