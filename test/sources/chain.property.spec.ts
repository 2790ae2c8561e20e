// Random chains of listeners behind the router, on the real cordis: whatever each of them does, and whenever it reads its signal, it
// is asked once, nobody is left out, and each that loses finds a signal that has aborted (rules 4 and 16).
import type { Context } from '@deepseek-ai/cordis'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { answerer, boot, dispatch, noAnswerer, register } from '../helpers/cordis.ts'
import { agentOf, FakeSurface, hang, question } from '../helpers/surface.ts'
import { watch } from '../helpers/time.ts'

/** Some turns of the event loop. Nothing here waits for a time. */
async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await new Promise<void>(resolve => void setImmediate(resolve))
}

/** How long it takes somebody to do something. */
const WAITS = {
  'at once': undefined,
  'after a microtask': () => Promise.resolve(),
  'after some microtasks': async () => {
    for (let count = 0; count < 4; count++) await Promise.resolve()
  },
  'in the next tick': () => new Promise<void>(resolve => process.nextTick(resolve)),
  'after a turn': () => turns(1),
  'after 2 turns': () => turns(2),
  'after 3 turns': () => turns(3),
  'after 10 turns': () => turns(10),
  'after 14 turns': () => turns(14),
} as const

type Wait = keyof typeof WAITS

/** Until everybody has done what they will do, though each waits for the one before. */
const ALL_DONE = 90

interface Plan {
  readonly reads: Wait
  readonly waits: Wait
  readonly does: 'answers' | 'fails' | 'says nothing' | 'holds' | 'delegates' | 'wraps'
}

interface Chain {
  readonly mode: 'race' | 'first' | 'fallback'
  readonly plans: readonly Plan[]
  /** When a surface answers; `false` where there is none. */
  readonly surface: Wait | 'never' | 'fails' | false
  /** In turns of the event loop. */
  readonly abortedAfter: number | undefined
  readonly hasAgent: boolean
}

const wait = fc.constantFrom(...Object.keys(WAITS) as Wait[])

const chains: fc.Arbitrary<Chain> = fc.record({
  mode: fc.constantFrom('race', 'race', 'race', 'first', 'fallback'),
  plans: fc.array(fc.record({
    reads: wait, waits: wait, does: fc.constantFrom('answers', 'fails', 'says nothing', 'holds', 'holds', 'holds', 'delegates', 'wraps'),
  }), { minLength: 1, maxLength: 5 }),
  surface: fc.oneof(wait, fc.constantFrom('never' as const, 'fails' as const, false as const, false as const)),
  abortedAfter: fc.option(fc.integer({ min: 0, max: 18 }), { nil: undefined }),
  hasAgent: fc.boolean(),
})

/** One listener in one run. */
class Listener {
  readonly plan: Plan
  asked = 0
  /** Who took it off the list; `undefined` for the router. */
  takenBy: Listener | undefined
  wasOver = false
  signal: AbortSignal | undefined
  wasReadAfterEnd = false

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** The one that the router asked, of those that delegated to each other. */
  get top(): Listener {
    return this.takenBy?.top ?? this
  }
}

/** The answer of a listener, by its place. */
const answerOf = (at: number): AskUserQuestionAnswer => ({ answers: [{ id: 'db', selected: [], custom: `from ${at}` }] })

async function run({ mode, plans, surface, abortedAfter, hasAgent }: Chain) {
  const { ctx, fiber } = await boot({ host: mode }), all = plans.map(plan => new Listener(plan))
  const turn = new AbortController(), request = question({ signal: turn.signal, ...hasAgent && { agent: agentOf('s1') } })
  let isOver = false, taker: Listener | undefined
  const listen = (one: Listener, at: number) => async (given: AskUserQuestionRequest, next: () => unknown) => {
    one.asked++
    one.takenBy = taker
    one.wasOver = isOver
    const { reads, waits, does } = one.plan
    const read = () => {
      one.signal = given.signal
      one.wasReadAfterEnd = isOver
    }
    if (WAITS[reads]) void WAITS[reads]().then(read)
    else read()
    if (WAITS[waits]) await WAITS[waits]()
    if (does === 'holds') return hang()
    if (does === 'fails') throw new Error(`${at} is broken`)
    if (does === 'delegates' || does === 'wraps') {
      taker = one
      const taken = next()
      taker = undefined
      const answer = await taken as AskUserQuestionAnswer | undefined
      return does === 'wraps' && answer ? { answers: answer.answers.map(item => ({ ...item })) } : answer
    }
    return does === 'answers' ? answerOf(at) : undefined
  }
  for (const [at, one] of all.entries()) await ctx.plugin({ name: `listener-${at}`, apply: (inner: Context) => void answerer(inner, listen(one, at) as never) })
  const a = new FakeSurface('a')
  a.ask.mockImplementation(async () => {
    if (surface === 'fails') throw new Error('no terminal')
    if (surface === 'never' || surface === false) return hang()
    await WAITS[surface]?.()
    return { answers: [{ id: 'db', selected: ['Postgres'] }] }
  })
  if (surface !== false) register(ctx, a)
  const ask = dispatch(ctx, request, noAnswerer), watched = watch(ask)
  const end = () => {
    isOver = true
  }
  void ask.then(end, end)
  if (abortedAfter !== undefined) void turns(abortedAfter).then(() => turn.abort(new Error('stop')))
  await turns(ALL_DONE)
  const wasOpen = watched.state === 'open', participants = ctx.get('askSurfaces')!.pending()[0]?.participants
  if (wasOpen) turn.abort(new Error('stop'))
  await turns(ALL_DONE)
  await fiber.dispose()
  return { all, watched, wasOpen, participants, request, turn, a }
}

type Run = Awaited<ReturnType<typeof run>>

/** The promises to everybody that a run has broken. */
function broken({ mode, surface, abortedAfter, hasAgent }: Chain, { all, watched: { state, value }, wasOpen, participants, request, turn, a }: Run): string[] {
  const asked = all.filter(one => one.asked > 0), byRouter = asked.filter(({ takenBy }) => !takenBy)
  const isThere = surface !== false && surface !== 'fails'
  const custom = value?.answers[0]?.custom, winner = custom === undefined ? undefined : all[Number(custom.slice('from '.length))]
  // Those whom the router asked and that have said nothing, maybe since another one to which they delegated holds it.
  const holding = byRouter.filter(top => asked.some(one => one.top === top && one.plan.does === 'holds'))
  const shown = participants?.filter(one => one.name.startsWith('host') && one.state === 'asked').length
  // With no surface, what says nothing may be what the asker gets; nobody knows from whom.
  const losers = state === 'resolved' && !value ? [] : asked.filter(one => one.top !== winner?.top)
  // A caller's own object has its signal again after the end.
  const readers = losers.filter(one => hasAgent || !one.wasReadAfterEnd)
  const kept: Record<string, boolean> = {
    'the asker is told': state !== 'open',
    'an abort is the end': !wasOpen || abortedAfter === undefined,
    'nobody is asked twice': all.every(one => one.asked <= 1),
    'nobody is left out': !wasOpen || mode === 'first' || mode === 'fallback' && isThere || asked.length === all.length,
    'first asks one': mode !== 'first' || byRouter.length <= 1,
    'a fallback waits': mode !== 'fallback' || surface !== 'never' || asked.length === 0,
    'the router asks nobody after the end': byRouter.every(one => !one.wasOver),
    'each that holds it takes part, and nobody else': !wasOpen || byRouter.length === 0 || shown === holding.length,
    'it is open only where somebody may still answer': !wasOpen || isThere || holding.length > 0,
    'who answered had it': state !== 'resolved' || !value || (winner ? winner.asked : a.asked) === 1,
    'who loses finds a signal that has aborted': readers.every(({ signal }) => signal!.aborted),
    'a caller has its signal again': hasAgent || request.signal === turn.signal,
  }
  return Object.keys(kept).filter(one => !kept[one])
}

it('listeners that do what they like break no promise', { timeout: 120_000 }, async () => {
  await fc.assert(fc.asyncProperty(chains, async (chain) => {
    expect(broken(chain, await run(chain))).toEqual([])
  }), { numRuns: 500 })
})
