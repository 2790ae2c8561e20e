// Random schedules, run on the real thing and compared with what the rules say (all of docs/routing.md at once). A
// failing seed prints the schedule; race/schedule.ts makes it, race/model.ts knows the outcome, race/drive.ts runs it.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import { type AskOutcome, isHostName } from '../../src/protocol/surface.ts'
import { SCHEDULES } from '../helpers/properties.ts'
import { codeOf, stopCode } from '../helpers/surface.ts'
import { flush, type Watch } from '../helpers/time.ts'
import { Drive } from './race/drive.ts'
import type { Expected, ModelRun } from './race/expected.ts'
import { Model } from './race/model.ts'
import { unreminded } from './race/promises.ts'
import { forDsh } from './race/replies.ts'
import { type Kind, type Schedule, schedules, UNIT } from './race/schedule.ts'

const unhandled: unknown[] = []
const catchUnhandled = (error: unknown) => void unhandled.push(error)

beforeAll(() => {
  vi.useFakeTimers()
  process.on('unhandledRejection', catchUnhandled)
})

afterAll(() => {
  process.off('unhandledRejection', catchUnhandled)
  vi.useRealTimers()
})

/** Errors of the router by their code, those of the participants by their words. */
function nameOfError(error: unknown): unknown {
  const own = ['ASK_ABORTED', 'BAD_ANSWER', 'SURFACE_GONE', 'SURFACE_TIMEOUT']
  const { message } = error as Error
  if (message === 'no ask surface is registered') return 'NO_PROVIDER'
  return own.includes(codeOf(error) as string) ? codeOf(error) : message
}

/** How the ask ended, in the model's words. */
function outcomeOf({ state, value, error }: Watch<unknown>, by: string | undefined, asItIs: boolean): unknown {
  if (state === 'open') return 'still open'
  if (state === 'resolved') return { kind: 'answered', by, answer: value, asItIs }
  if (codeOf(error) === 'ASK_CANCELLED' || codeOf(error) === 'ASK_TIMED_OUT') {
    if (!((error as Error).cause instanceof AggregateError) && by !== undefined) return { kind: 'cancelled', by, error: nameOfError(error) }
  }
  if (codeOf(error) === 'ASK_ABORTED') return { kind: 'aborted' }
  const { cause } = error as { cause?: unknown }
  return { kind: 'failed', errors: cause instanceof AggregateError ? cause.errors.map(nameOfError) : [nameOfError(error)] }
}

const rounded = (asked: readonly (readonly [number, string])[]) => asked.map(([at, id]) => [Math.round(at / UNIT), id])
const plain = (states: string | undefined) => states?.replaceAll(/#\d+/g, '').trim()

/** cordis captures a call stack for every effect and every read of a context: half of the time of a run. */
async function withoutStacks<T>(callback: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await callback()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const isForDsh = ({ hosts, ofSource }: Schedule) => hosts !== undefined && !ofSource

/** How the ask ends for who asked: through the waterfall, choice and words are joined for dsh. */
function asAsked(outcome: Expected, plan: Schedule): Expected {
  if (!isForDsh(plan) || plan.ask === 'approval' || outcome.kind !== 'answered' || outcome.asItIs) return outcome
  return { ...outcome, answer: forDsh(outcome.answer as AskUserQuestionAnswer) }
}

// `expect` is slow, and there are some twenty comparisons for each of thousands of schedules: it is called only for what
// differs, to say how.
function same(real: unknown, wanted: unknown): void {
  if (!isDeepStrictEqual(real, wanted)) expect(real).toEqual(wanted)
}

function is(real: unknown, wanted: unknown): void {
  if (!Object.is(real, wanted)) expect(real).toBe(wanted)
}

/** Whatever the model says: no answer is invented, no permission and no rejection. */
function checkGiven({ state, value }: Watch<unknown>, { given, normal, decided }: Drive, plan: Schedule): void {
  if (plan.ask === 'approval' && plan.ofSource) {
    const [item] = (value as AskUserQuestionAnswer | undefined)?.answers ?? []
    is(item?.selected[0] === 'allow' && decided.permits === 0, false)
    is(item?.selected[0] === 'reject' && decided.denies === 0, false)
  } else if (plan.ask === 'approval') {
    is(['allowed-once', 'rejected', 'cancelled', 'unavailable'].includes(value as string), true)
    is(value === 'allowed-once' && decided.permits === 0, false)
    is(value === 'rejected' && decided.denies === 0, false)
  } else {
    const isGiven = () => normal.some(one => isDeepStrictEqual(isForDsh(plan) ? forDsh(one) : one, value))
    is(state !== 'resolved' || given.has(value) || isGiven(), true)
  }
}

/** Run a schedule both ways and compare. */
async function check(plan: Schedule, model: ModelRun): Promise<void> {
  unhandled.length = 0
  const drive = new Drive(plan)
  const ask = await withoutStacks(() => drive.run())
  await flush()
  const settled = drive.events.filter(([event]) => event === 'settled')
  const seen = settled[0]?.[2]
  const expected = asAsked(model.outcome!, plan)
  const by = plan.hosts === undefined || seen === undefined ? (expected as { by?: string }).by : (seen as { by?: string }).by

  checkGiven(ask, drive, plan)
  // Nobody is told twice, and no promise is broken.
  same(drive.broken, [])
  same(drive.entries.filter(({ asks, told }) => asks.length > 1 || told.length > asks.length), [])
  // The end: once, as and when the rules say.
  if (plan.ask === 'approval' && !plan.ofSource) is(ask.value, decisionOf(expected, model, drive))
  else {
    same(outcomeOf(ask, by, expected.kind === 'answered' && expected.asItIs), expected)
    checkError(ask.error, expected, drive)
    if (expected.kind === 'answered') is(drive.given.has(ask.value), expected.asItIs)
    if (plan.ofSource && expected.kind === 'answered') is(drive.by, by)
  }
  is(Math.round(drive.settledAt / UNIT), Math.round(model.settledAt / UNIT))
  // Who was asked: in that order, at that time, nobody twice for one registration, nor a listener of the host.
  same(rounded(drive.asked), rounded(model.asked))
  same(rounded(drive.reminded), rounded(model.reminded))
  same(drive.entries.filter(({ asks }) => asks.length > 0).map(({ asks }) => asks[0]!.quiet),
    model.entries.filter(({ wasAsked }) => wasAsked).map(({ quietly }) => quietly))
  same(unreminded(plan, drive), [])
  same(drive.asked.map(([, id]) => id).length, new Set(drive.asked.map(([, id]) => id)).size)
  // What others could see meanwhile, and at the end.
  if (plan.hosts !== undefined) {
    same(drive.states.map(plain), model.states.map(plain))
    same(drive.events.filter(([event]) => event === 'asked').length, settled.length)
    same(settled.length, plan.late ? 0 : 1)
    checkSeen(seen, ask, model.outcome!, plan)
  }
  checkEntries(drive, model)
  checkHosts(drive, model, plan)
  // Nothing left behind.
  same(unhandled, [])
  same(drive.pending, [])
  same([drive.listeners, drive.timersLeft], [0, 0])
}

/** What dsh gets for an approval that ends in some way (rule 24). */
function decisionOf(outcome: Expected, { undecided }: ModelRun, { errors }: Drive): string {
  switch (outcome.kind) {
    case 'answered': return (outcome.answer as AskUserQuestionAnswer).answers[0]!.selected[0] === 'allow' ? 'allowed-once' : 'rejected'
    // A timed question's way to end, which no approval has.
    case 'cancelled': return codeOf(errors.get(outcome.error)) === 'ASK_CANCELLED' ? 'rejected' : undecided
    case 'aborted': return 'cancelled'
    case 'failed': return undecided
  }
}

/**
 * Run a schedule with moves from inside the calls, of which no model says when exactly they are made, and check what holds
 * for every schedule: nobody is asked or told twice, the ask ends and is never hung, and nothing is left.
 */
async function checkWithin(plan: Schedule): Promise<void> {
  unhandled.length = 0
  const drive = new Drive(plan)
  const ask = await withoutStacks(() => drive.run())
  await flush()
  same(drive.broken, [])
  is(ask.state === 'open', false)
  checkGiven(ask, drive, plan)
  same(drive.entries.filter(({ asks, told }) => asks.length > 1 || told.length > asks.length), [])
  same(drive.asked.length, new Set(drive.asked.map(([, id]) => id)).size)
  const settled = drive.events.filter(([event]) => event === 'settled')
  is(settled.length <= 1, true)
  same(drive.events.length, settled.length * 2)
  for (const [, { participants }, outcome] of settled) {
    const by = participants.filter(({ state }) => state === 'answered' || state === 'cancelled').map(({ name, state }) => [name, state])
    same(by, 'by' in outcome! ? [[outcome.by, outcome.kind]] : [])
    // The question was taken back from the whole host, but for the listener whose word counts. One of them may still hand it on.
    const kept = new Set(drive.hosts.filter(({ at }) => at <= drive.settledAt).map(({ signal }) => signal!).filter(({ aborted }) => !aborted))
    is(plan.ofSource || kept.size <= ('by' in outcome! && isHostName(outcome.by) ? 1 : 0), true)
  }
  same(unhandled, [])
  same([drive.pending.length, drive.listeners, vi.getTimerCount()], [0, 0, 0])
}

/** A rejection is the very error of the one who gave it; of several, a new one that reads as the first. */
function checkError(error: unknown, expected: Expected, { errors }: Drive): void {
  const named = expected.kind === 'cancelled' ? [expected.error] : expected.kind === 'failed' ? expected.errors : []
  const first = errors.get(named[0] ?? '')
  if (!first) return
  if (named.length === 1) is(error, first)
  else same([(error as Error).name, (error as Error).message, codeOf(error)], [first.name, first.message, codeOf(first)])
}

function checkSeen(seen: AskOutcome | undefined, ask: Watch<unknown>, expected: Expected, plan: Schedule): void {
  if (plan.late) return
  is(seen!.kind, expected.kind)
  if ('by' in expected) is((seen as { by: string }).by, expected.by)
  if (expected.kind === 'answered') same((seen as { answer: unknown }).answer, expected.answer)
  if (seen!.kind === 'failed' && plan.ask === 'questions') is(seen!.error, ask.error)
}

function checkEntries(drive: Drive, model: ModelRun): void {
  for (const { asks, told, claims } of drive.entries) {
    is(new Set([...claims, ...asks.map(one => one.request), ...told.map(one => one.request)]).size <= 1, true)
  }
  same(drive.entries.filter(({ personal, claims }) => personal && claims.length > 0), [])
  const real = drive.entries.filter(({ asks, told }) => asks.length + told.length > 0).map(({ id, asks, told }) => ({
    id, told: told.map(({ by, answer }) => ({ by, answer })), stopped: asks[0] && stopCode(asks[0].context.signal),
  }))
  same(real, model.entries.filter(one => one.wasAsked).map(({ id, told, stopped }) => ({ id, told, stopped })))
  for (const { signal } of drive.entries.flatMap(({ asks }) => asks.map(one => one.request))) {
    is(signal!.aborted, model.requestAborted)
    // The turn's own reason, or why it ended without one.
    is([undefined, drive.controller.signal.reason, 'ASK_ABORTED'].includes(codeOf(signal!.reason) ?? signal!.reason), true)
  }
}

/** Rule 16: each listener of the host has a signal of its own, which aborts unless its word ended the ask. */
function checkHosts({ hosts, request, controller }: Drive, model: ModelRun, { ofAgent, ofSource, ask }: Schedule): void {
  for (const { who, state } of model.hosts) {
    const signal = hosts.find(one => one.who === who)?.signal
    if (!signal) continue
    is(signal === controller.signal, false)
    if (state === 'asked') is(signal.aborted, true)
    if (state === 'answered' || state === 'cancelled') is(signal.aborted, false)
  }
  const isOurs = ofAgent && !ofSource && ask === 'questions' && model.hosts.length > 0
  is(request.signal !== controller.signal, isOurs)
}

/** Check that a number of schedules go as the rules say. Returns how many were run. */
async function run(arbitrary: fc.Arbitrary<Schedule>, numRuns: number): Promise<number> {
  let count = 0
  await fc.assert(fc.asyncProperty(arbitrary, async plan => {
    const model = new Model(plan).run()
    fc.pre(!model.ambiguous)
    count++
    await check(plan, model)
  }), { numRuns, maxSkipsPerRun: 10 })
  return count
}

/** What a taste with everything in it has where some of it happens from inside the calls. */
const WITHIN = { policies: true, modes: true, moving: true, router: true, hangs: 15, within: true }

async function runWithin(ask: Kind, numRuns: number): Promise<number> {
  let count = 0
  await fc.assert(fc.asyncProperty(schedules({ ...WITHIN, ask }), async (plan) => {
    count++
    await checkWithin(plan)
  }), { numRuns })
  return count
}

/** The long run has more of every kind. */
const TIMES = SCHEDULES > 0 ? 5 : 1

// More than 5,000 altogether.
describe('any schedule', { timeout: 300_000 + 50 * SCHEDULES }, () => {
  it('2 to 17: with everything in it', async () => {
    expect(await run(schedules({ policies: true, moving: true, router: true, hangs: 15 }), 1500 * TIMES)).toBe(1500 * TIMES)
  })

  it('12: with delays and time-outs, and the same surfaces all the time', async () => {
    expect(await run(schedules({ policies: true, moving: false, router: true, hangs: 9 }), 900 * TIMES)).toBe(900 * TIMES)
  })

  it('12: with presence, policies for home and away, quiet hours, reminders and surfaces that nobody watches', async () => {
    expect(await run(schedules({ policies: true, modes: true, moving: false, router: true, hangs: 15 }), 900 * TIMES)).toBe(900 * TIMES)
  })

  it('12: the same where surfaces come and go', async () => {
    expect(await run(schedules({ policies: true, modes: true, moving: true, router: true, hangs: 30 }), 900 * TIMES)).toBe(900 * TIMES)
  })

  it('13 and 14: where surfaces come and go', async () => {
    expect(await run(schedules({ policies: false, moving: true, router: true, hangs: 30 }), 800 * TIMES)).toBe(800 * TIMES)
  })

  it('24 and 25: of approvals, with everything in it', async () => {
    expect(await run(schedules({ ask: 'approval', policies: true, moving: false, router: true, hangs: 9 }), 900 * TIMES)).toBe(900 * TIMES)
  })

  it('24 and 25: of approvals, where surfaces, the person and the quiet hours come and go', async () => {
    expect(await run(schedules({ ask: 'approval', policies: true, modes: true, moving: true, router: true, hangs: 15 }), 900 * TIMES)).toBe(900 * TIMES)
  })

  it('2 to 25: with moves from inside the claims, the asks, the listeners and the log', async () => {
    const count = Math.max(2400, 3 * Math.round(SCHEDULES / 3))
    expect(await runWithin('questions', count)).toBe(count)
    expect(await runWithin('approval', count / 3)).toBe(count / 3)
  })

  it.each(['questions', 'approval'] as const)('27: of a source with a dialog of its own: %s', async (ask) => {
    const taste = { ask, policies: true, modes: true, moving: true, router: true, ofSource: true, hangs: 20 }
    expect(await run(schedules(taste), 500 * TIMES)).toBe(500 * TIMES)
    expect(await run(schedules({ ...taste, modes: false, moving: false, hangs: 9 }), 500 * TIMES)).toBe(500 * TIMES)
  })

  it('1 to 11: through routeAsk', async () => {
    expect(await run(schedules({ policies: false, moving: false, router: false, hangs: 12 }), 500 * TIMES)).toBe(500 * TIMES)
  })
})
