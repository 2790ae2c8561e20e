// When the phone is asked, and how loud, by the router's policies: at home and away, in quiet hours, and again. Time and the
// server are made up.
import type { Context } from '@deepseek-ai/cordis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AskSurface, AskUserQuestionItem } from '../../src/index.ts'
import type { Fetch } from '../../src/surfaces/ntfy/client.ts'
import type { Phone } from '../../src/surfaces/ntfy/phone.ts'
import { newTopic } from '../../src/surfaces/ntfy/topic.ts'
import { boot, dispatchAndForget } from '../helpers/cordis.ts'
import { pass } from '../helpers/time.ts'
import { closePhone, newPhone, openStream } from '../ntfy/helpers/memory.ts'

const MINUTE = 60_000, HOUR = 60 * MINUTE

interface Push {
  readonly message: string
  readonly priority: number
  readonly sequence_id: string
}

const question = { id: 'q', question: 'Which name?' }
const broken = () => new Response('oops', { status: 502 })
const night = { from: '22:00', to: '07:00', timeZone: 'UTC', surfaces: ['ntfy'] }

let topic: string
let pushes: Push[]
/** Every attempt at a push, those that failed too. */
let tried: Push[]
let removed: string[]
let says: (message: string) => void
let phone: Phone
/** What the next publishes get. */
let answers: (() => Response)[]
/** Whether every publish fails. */
let isDown: boolean
/** How long the next publishes take, in milliseconds. */
let slow: number[]

const server: Fetch = async (url, { method, body, signal }) => {
  const time = Math.floor(Date.now() / 1000)
  // What it has kept.
  if (url.includes('poll=1')) return new Response('')
  if (url.includes('/json')) {
    const { response, say } = openStream(topic, signal!)
    says = say
    return response
  }
  if (method === 'POST') tried.push(JSON.parse(body as string) as Push)
  const fault = isDown ? broken : answers.shift()
  if (fault) return fault()
  if (method === 'DELETE') removed.push(url.split('/').at(-1)!)
  else pushes.push(JSON.parse(body as string) as Push)
  const ms = slow.shift()
  if (ms !== undefined) await new Promise(resolve => setTimeout(resolve, ms))
  return Response.json({ id: `p${Math.random()}`, time })
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-05T12:00:00Z') })
  // What was settled on a topic stays known for as long as the process lives.
  topic = newTopic()
  pushes = []
  tried = []
  removed = []
  answers = []
  isDown = false
  slow = []
  phone = newPhone(server, topic)
})

afterEach(async () => {
  await closePhone(phone)
  vi.useRealTimers()
})

describe('asked by the router, beside a terminal', () => {
  let ctx: Context
  let configure: (router: object) => void
  let turn: AbortController

  /** A host with a terminal that nobody answers at, and the phone. */
  async function start(router: object = {}): Promise<void> {
    const { ctx: booted, fiber } = await boot(router)
    ctx = booted
    configure = edited => fiber.update(edited)
    turn = new AbortController()
    ctx.askSurfaces.register({ name: 'terminal', personal: true, claim: () => false, ask: () => new Promise(() => {}) } satisfies AskSurface)
    ctx.askSurfaces.register(phone)
  }

  function ask(...questions: AskUserQuestionItem[]): void {
    dispatchAndForget(ctx, { questions, signal: turn.signal })
  }

  afterEach(async () => {
    turn.abort()
    await pass(10)
    await ctx.fiber.dispose()
  })

  it('comes after a minute at home, and only if nobody has answered by then', async () => {
    await start()
    ask(question)
    await pass(MINUTE - 100)
    expect(pushes).toEqual([])
    await pass(200)
    expect(pushes).toMatchObject([{ priority: 4, message: expect.stringContaining('Which name?') }])
    turn.abort()
    turn = new AbortController()
    ask({ ...question, question: 'Which colour?' })
    await pass(MINUTE / 2)
    turn.abort()
    await pass(2 * MINUTE)
    expect(pushes.filter(({ message }) => message.includes('Which colour?'))).toEqual([])
  })

  it('comes at once when the person is away', async () => {
    await start({ presence: 'away' })
    ask(question)
    await pass(10)
    expect(pushes).toHaveLength(1)
  })

  it('comes as soon as the person leaves', async () => {
    await start()
    ask(question)
    await pass(MINUTE / 2)
    ctx.askSurfaces.presence = 'away'
    await pass(10)
    expect(pushes).toHaveLength(1)
    await pass(HOUR)
    expect(pushes).toHaveLength(1)
  })

  it('comes when the configuration says, which goes before the phone’s own policy value by value', async () => {
    await start({ surfaces: { ntfy: { home: { delayMs: 5000 }, remindMs: HOUR } } })
    expect(ctx.askSurfaces.status().find(({ name }) => name === 'ntfy')).toMatchObject({
      home: { delayMs: 5000, remindMs: HOUR }, away: { delayMs: 0, remindMs: HOUR },
    })
    ask(question)
    await pass(4900)
    expect(pushes).toEqual([])
    await pass(200)
    expect(pushes).toHaveLength(1)
  })

  it('comes without a sound in quiet hours, and once aloud when they are over', async () => {
    vi.setSystemTime(new Date('2026-01-05T23:00:00Z'))
    await start({ presence: 'away', quiet: night })
    ask(question)
    await pass(10)
    expect(pushes).toMatchObject([{ priority: 2 }])
    await pass(8 * HOUR - MINUTE)
    expect(pushes).toHaveLength(1)
    await pass(2 * MINUTE)
    expect(pushes).toMatchObject([{ priority: 2 }, { priority: 4, message: expect.stringMatching(/^Still open\. /) }])
    const [silent, loud] = pushes as [Push, Push]
    expect(loud.sequence_id).not.toBe(silent.sequence_id)
    expect(removed).toEqual([silent.sequence_id])
    await pass(12 * HOUR)
    expect(pushes).toHaveLength(2)
  })

  it('that was asked silently and answered at night makes no sound in the morning', async () => {
    vi.setSystemTime(new Date('2026-01-05T23:00:00Z'))
    await start({ presence: 'away', quiet: night })
    ask(question)
    await pass(10)
    says('Kraftwerk')
    await pass(10 * HOUR)
    expect(pushes.map(({ priority }) => priority)).toEqual([2, 2])
    expect(pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
    expect(removed).toEqual([])
  })

  it('comes again as often as the configuration says, each time in the place of the one before', async () => {
    await start({ presence: 'away', surfaces: { ntfy: { remindMs: 10 * MINUTE, remindMax: 2 } } })
    ask(question)
    for (const count of [1, 2, 3]) {
      await pass(10 * MINUTE - 1000)
      expect(pushes).toHaveLength(count)
      await pass(1000)
    }
    await pass(HOUR)
    expect(pushes.map(({ priority }) => priority)).toEqual([4, 4, 4])
    expect(removed).toEqual(pushes.slice(0, 2).map(({ sequence_id: sequence }) => sequence))
    says('Kraftwerk')
    await pass(10)
    expect(pushes.at(-1)).toMatchObject({ message: 'Answered: Kraftwerk, on the phone', sequence_id: pushes[2]!.sequence_id })
  })

  it('does not come again at night; a reminder that was due comes in the morning', async () => {
    vi.setSystemTime(new Date('2026-01-05T21:55:00Z'))
    await start({ presence: 'away', quiet: night, surfaces: { ntfy: { remindMs: 10 * MINUTE } } })
    ask(question)
    await pass(9 * HOUR)
    expect(pushes).toHaveLength(1)
    await pass(10 * MINUTE)
    expect(pushes.map(({ priority }) => priority)).toEqual([4, 4])
  })

  it.each(['slow', 'broken'])('that is on its way to a %s server when the quiet hours end comes aloud as well', async what => {
    vi.setSystemTime(new Date('2026-01-06T06:59:59Z'))
    await start({ presence: 'away', quiet: night })
    if (what === 'slow') slow.push(5000)
    else answers.push(broken, broken)
    ask(question)
    await pass(10_000)
    expect(pushes.map(({ priority }) => priority)).toEqual([2, 4])
    expect(removed).toEqual([pushes[0]!.sequence_id])
  })

  it('that the server takes only when the quiet hours have begun makes no sound, and is the same otherwise', async () => {
    vi.setSystemTime(new Date('2026-01-05T21:59:58Z'))
    await start({ presence: 'away', quiet: night })
    answers.push(broken, broken, broken)
    ask({ ...question, options: [{ label: 'Kraftwerk' }] })
    await pass(30_000)
    expect(tried).toHaveLength(4)
    const [first] = tried as [Push]
    expect(tried.map(push => ({ ...push, priority: 4 }))).toEqual(tried.map(() => first))
    expect([first.priority, tried.at(-1)!.priority]).toEqual([4, 2])
    expect(pushes).toEqual(tried.slice(3))
  })

  it('that the server does not take in the morning comes aloud once it does', async () => {
    vi.setSystemTime(new Date('2026-01-06T06:55:00Z'))
    await start({ presence: 'away', quiet: night })
    ask(question)
    await pass(5 * MINUTE - 1000)
    isDown = true
    await pass(2 * HOUR)
    expect(tried.map(({ priority }) => priority)).toEqual([2, ...Array.from({ length: tried.length - 1 }, () => 4)])
    expect(tried.length).toBeLessThan(250)
    isDown = false
    await pass(MINUTE)
    expect(pushes.map(({ priority }) => priority)).toEqual([2, 4])
    expect(removed).toEqual([pushes[0]!.sequence_id])
    await pass(3 * HOUR)
    expect(pushes).toHaveLength(2)
    says('Kraftwerk')
    await pass(10)
    expect(pushes.slice(2)).toMatchObject([{ message: 'Answered: Kraftwerk, on the phone', sequence_id: pushes[1]!.sequence_id }])
  })

  it.each(['answered', 'aborted', 'unloaded'])('that the server does not take in the morning comes no more once the question is %s', async how => {
    vi.setSystemTime(new Date('2026-01-06T06:55:00Z'))
    await start({ presence: 'away', quiet: night })
    ask(question)
    await pass(5 * MINUTE - 1000)
    isDown = true
    await pass(30 * MINUTE)
    if (how === 'answered') says('Kraftwerk')
    else if (how === 'aborted') turn.abort()
    else void phone.close()
    const reminders = () => tried.filter(({ message }) => message.startsWith('Still open.')).length
    const before = reminders()
    expect(before).toBeGreaterThan(0)
    await pass(MINUTE)
    isDown = false
    await pass(HOUR)
    expect(reminders()).toBe(before)
    expect(pushes.map(({ priority }) => priority)).not.toContain(4)
  })

  it('a reminder that the server does not take before the quiet hours waits for their end', async () => {
    vi.setSystemTime(new Date('2026-01-05T21:00:00Z'))
    await start({ presence: 'away', quiet: night, surfaces: { ntfy: { remindMs: HOUR - 2000 } } })
    ask(question)
    await pass(HOUR - 3000)
    isDown = true
    await pass(HOUR)
    isDown = false
    const attempts = tried.slice(1)
    expect(attempts.length).toBeGreaterThan(0)
    await pass(8 * HOUR - 5000)
    expect(tried).toHaveLength(1 + attempts.length)
    await pass(10_000)
    expect(pushes.map(({ priority }) => priority)).toEqual([4, 4])
    expect(removed).toEqual([attempts[0]!.sequence_id, pushes[0]!.sequence_id])
  })

  it('under new quiet hours comes aloud when an edit ends them', async () => {
    vi.setSystemTime(new Date('2026-01-05T23:00:00Z'))
    await start({ presence: 'away', quiet: night })
    ask(question)
    await pass(10)
    configure({ presence: 'away' })
    await pass(10)
    expect(pushes.map(({ priority }) => priority)).toEqual([2, 4])
  })

  it('takes a reply without a code for the question, however often it came', async () => {
    await start({ presence: 'away', surfaces: { ntfy: { remindMs: MINUTE } } })
    ask(question)
    await pass(2 * MINUTE + 100)
    expect(pushes).toHaveLength(3)
    says('Kraftwerk')
    await pass(10)
    expect(pushes.at(-1)!.message).toBe('Answered: Kraftwerk, on the phone')
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
    phone.ask(request, whole).catch(() => {})
    return whole
  }

  it('reads anew for each question of a batch whether it is quiet', async () => {
    const context = ask({ quiet: false })
    await pass(10)
    context.quiet = true
    says('Kraftwerk')
    await pass(10)
    const priorityOf = (words: string) => pushes.find(({ message }) => message.includes(words))?.priority
    expect([priorityOf('Which name?'), priorityOf('Which colour?')]).toEqual([4, 2])
  })

  it('reminds of nothing before the question is there, between two of a batch, and after the end', async () => {
    answers.push(broken)
    ask({ quiet: false })
    await pass(10)
    phone.remind(batch)
    await pass(2000)
    expect(pushes).toHaveLength(1)
    answers.push(broken)
    says('Kraftwerk')
    await pass(10)
    phone.remind(batch)
    await pass(10_000)
    says('blue')
    await pass(10)
    phone.remind(batch)
    await pass(10)
    expect(pushes.map(({ message }) => message.split('\n')[1] ?? message)).toEqual([
      'Which name?', 'Noted (1 of 2): Kraftwerk', 'Which colour?', 'Answered: Kraftwerk / blue, on the phone',
    ])
    expect(removed).toEqual([])
  })

  it('reminds of a question of a batch that came silently, in quiet hours that began after the one before', async () => {
    const context = ask({ quiet: false })
    await pass(10)
    context.quiet = true
    says('Kraftwerk')
    await pass(10)
    phone.remind(batch)
    await pass(10)
    context.quiet = false
    phone.remind(batch)
    await pass(10)
    expect(pushes.filter(({ message }) => message.includes('Which colour?'))).toMatchObject([
      { priority: 2 },
      { priority: 4, message: expect.stringMatching(/^Still open\. [^]*\nWhich colour\?\n/) },
    ])
  })

  it('reminds of the question of a batch that is there', async () => {
    ask({ quiet: false })
    await pass(10)
    says('Kraftwerk')
    await pass(10)
    const { length } = pushes
    phone.remind(batch)
    await pass(10)
    expect(pushes.slice(length)).toMatchObject([{ message: expect.stringMatching(/^Still open\. Question 2 of 2 from [^]*\nWhich colour\?\n/) }])
  })
})
