// What others are told of an ask, and what is logged (rule 17).
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { AskOutcome, PendingAsk } from '../../src/protocol/surface.ts'
import { type Opening, setUp } from '../helpers/ask.ts'
import { logged, noAnswerer } from '../helpers/cordis.ts'
import { cancelled, choice, hang, question, says } from '../helpers/surface.ts'
import { macrotask, pass, unhandledRejections, useFakeTime } from '../helpers/time.ts'

useFakeTime()

type Seen = ['asked', PendingAsk] | ['settled', PendingAsk, AskOutcome]

function listen(ctx: Context): Seen[] {
  const seen: Seen[] = []
  ctx.on('ask-surfaces/asked', ask => void seen.push(['asked', ask]))
  ctx.on('ask-surfaces/settled', (ask, outcome) => void seen.push(['settled', ask, outcome]))
  return seen
}

/** An ask, followed from the beginning. */
async function start<const N extends string = 'a' | 'b'>(opening: Opening<N> = {}) {
  const all = await setUp(opening)
  const seen = listen(all.ctx)
  const ask = all.open(opening.request)
  await macrotask()
  return { ...all, ask, seen }
}

function statesOf({ participants }: PendingAsk): string {
  return participants.map(({ name, state }) => `${name}=${state}`).join(' ')
}

describe('events', () => {
  it('17: asked once everybody is asked who is asked at once, settled at the end, each once', async () => {
    const { seen, a, registry } = await start()
    expect(seen.map(([event]) => event)).toEqual(['asked'])
    expect(statesOf(seen[0]![1])).toBe('a=asked b=asked host=waiting')
    const [open] = registry.pending()
    a.answer(says('SQLite'))
    await macrotask()
    expect(seen.map(([event]) => event)).toEqual(['asked', 'settled'])
    const [, ask, outcome] = seen[1] as Seen & { 2: AskOutcome }
    expect(outcome).toEqual({ kind: 'answered', by: 'a', answer: says('SQLite') })
    expect(ask.id).toBe(open!.id)
    expect(statesOf(ask)).toBe('a=answered b=asked host=asked')
    expect(Object.isFrozen(ask)).toBe(true)
    expect(Object.isFrozen(outcome)).toBe(true)
  })

  it('17: the host\'s answer is by host', async () => {
    const { seen, host } = await start()
    await host.answer()
    expect(seen[1]![2]).toEqual({ kind: 'answered', by: 'host', answer: says('SQLite') })
    expect(statesOf(seen[1]![1])).toBe('a=asked b=asked host=answered')
  })

  it('17: cancelled, by whom', async () => {
    const { seen, a } = await start()
    await a.fail(cancelled())
    expect(seen[1]![2]).toEqual({ kind: 'cancelled', by: 'a' })
    expect(statesOf(seen[1]![1])).toBe('a=cancelled b=asked host=asked')
  })

  it('17: aborted, with the turn and with the router', async () => {
    const { seen, controller } = await start()
    controller.abort()
    expect(seen[1]![2]).toEqual({ kind: 'aborted' })
    const other = await start()
    await other.fiber.dispose()
    expect(other.seen[1]![2]).toEqual({ kind: 'aborted' })
  })

  it('17: failed, with the very error that the asker gets', async () => {
    const { seen, ask, a, b, host } = await start()
    host.isEmpty()
    a.fail()
    await b.fail()
    const outcome = seen[1]![2] as AskOutcome & { kind: 'failed' }
    expect(outcome.kind).toBe('failed')
    expect(outcome.error).toBe(ask.error)
  })

  it('17: an ask without surfaces has both events', async () => {
    const { seen, host } = await start({ names: [] })
    await host.answer('as it is')
    expect(seen.map(([event]) => event)).toEqual(['asked', 'settled'])
    expect(seen[1]![2]).toEqual({ kind: 'answered', by: 'host', answer: 'as it is' })
  })

  it('17: the ask is no longer pending when settled is told', async () => {
    const { ctx, a, registry } = await start()
    const open: number[] = []
    ctx.on('ask-surfaces/settled', () => void open.push(registry.pending().length))
    await a.answer()
    expect(open).toEqual([0])
  })

  it('17: a listener cannot change what the asker gets', async () => {
    const { ctx, ask, a } = await start()
    ctx.on('ask-surfaces/settled', (_, outcome) => {
      if (outcome.kind === 'answered') outcome.answer.answers[0]!.selected[0] = 'changed'
    })
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })

  it('17: a listener that throws or rejects cannot hurt an ask', async () => {
    const { ctx, logs, a, b, open } = await setUp()
    ctx.on('ask-surfaces/asked', () => {
      throw new Error('secret one')
    })
    ctx.on('ask-surfaces/settled', () => Promise.reject(new Error('secret two')))
    const unhandled = await unhandledRejections(async () => {
      const ask = open(undefined, noAnswerer)
      a.answer()
      await macrotask()
      expect(ask.value).toEqual(says('Postgres'))
    })
    expect(unhandled).toEqual([])
    expect(b.settled).toHaveBeenCalledTimes(1)
    expect(logged(logs, 'error', 'warn', 'info')).toBe('')
    expect(logged(logs, 'debug')).toMatch(/ask-surfaces\/asked[^]*ask-surfaces\/settled/)
  })

  it('17: a listener that hangs does not hold the ask up', async () => {
    const { ctx, ask, a } = await start()
    ctx.on('ask-surfaces/settled', hang as never)
    await a.answer()
    expect(ask.state).toBe('resolved')
  })

  it('17: a listener that ends the ask when it is asked has it ended, with the host not reached', async () => {
    const { ctx, host, controller, open } = await setUp({ names: ['a'] })
    ctx.on('ask-surfaces/asked', () => controller.abort())
    const seen = listen(ctx)
    const ask = open()
    await macrotask()
    expect(ask.state).toBe('rejected')
    expect(host.asked).toBe(0)
    expect(seen.map(([event]) => event).toSorted()).toEqual(['asked', 'settled'])
  })

  it('17: asked comes first, also when the host ends the ask in the very call', async () => {
    const { ctx, controller, host, open } = await setUp({ names: [] })
    const seen = listen(ctx)
    host.next.mockImplementation(() => (controller.abort(), hang()))
    const ask = open()
    await macrotask()
    expect(ask.state).toBe('rejected')
    expect(seen.map(([event]) => event)).toEqual(['asked', 'settled'])
  })

  it('17: never a settled without an asked', async () => {
    const { ctx, controller, a, open } = await setUp({ names: ['a'] })
    const seen = listen(ctx)
    open(question({ signal: AbortSignal.abort() }), noAnswerer)
    a.claim.mockImplementation(() => {
      controller.abort()
      return true
    })
    open(undefined, noAnswerer)
    await macrotask()
    const count = (event: string) => seen.filter(one => one[0] === event).length
    expect(count('settled')).toBe(count('asked'))
  })
})

describe('logs', () => {
  it('17: nothing of questions, answers or errors is logged above debug, whatever happens', async () => {
    const secret = 'S3CRET'
    const { logs, throws, bad, unknown, late, slow, wins, open } = await setUp({
      config: { surfaces: { slow: { timeoutMs: 5 } } }, names: ['throws', 'bad', 'unknown', 'late', 'slow', 'wins'],
    })
    for (const one of [throws, late]) one.claim.mockThrow(new Error(secret))
    slow.settled.mockThrow(new Error(secret))
    const request = { questions: [choice(secret, [secret, `${secret}2`], { question: secret, header: secret, detail: secret })] }
    open(request, () => Promise.reject(new Error(secret)))
    await macrotask()
    throws.fail(new Error(secret))
    bad.answer({ answers: [{ id: secret, selected: [secret, `${secret}2`] }] })
    unknown.answer({ answers: [{ id: `${secret}?`, selected: [secret] }] })
    await pass(5)
    await wins.answer({ answers: [{ id: secret, selected: [], custom: secret }, { id: `${secret}!`, selected: [] }] })
    await late.answer(says(secret))
    expect(logs.length).toBeGreaterThan(0)
    const above = logs.filter(({ type }) => type !== 'debug').flatMap(({ args }) => args)
    for (const arg of above) expect(typeof arg).toBe('string')
    expect(above.join('\n')).not.toContain(secret)
    expect(above.join('\n')).toContain('"throws"')
  })
})
