// Random schedules of answers in Codex, answers on a surface, doubles, declines, interrupted turns and lost connections: each request
// has one outcome, none is invented, and nothing stays open.
import * as fc from 'fast-check'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { SOURCE_RUNS } from '../../helpers/properties.ts'
import type { Request } from './stand-in.ts'
import { type Shown, useCodex, WAIT } from './support.ts'

const here = useCodex()

type Kind = 'question' | 'command' | 'files'
interface Act {
  readonly do: 'act'
  readonly what: 'surface' | 'native' | 'decline' | 'again'
  /** Of the request, and of what is chosen. */
  readonly at: number
  readonly choice: number
}
type Step =
  | Act
  | { readonly do: 'open', readonly kind: Kind }
  | { readonly do: 'drop' }
  | { readonly do: 'interrupt' }
  | { readonly do: 'wait' }

const at = fc.nat(3), choice = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('open' as const), kind: fc.constantFrom<Kind>('question', 'command', 'files') }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('act' as const), what: fc.constantFrom('surface' as const, 'native' as const, 'decline' as const, 'again' as const), at, choice }) },
  { weight: 6, arbitrary: fc.constant({ do: 'wait' as const }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: 'drop' as const }, { do: 'interrupt' as const }) },
)

const LABELS = ['Red (Recommended)', 'Blue'] as const, DECISIONS = ['allow', 'reject'] as const

const isQuestion = ({ method }: Request) => method.includes('requestUserInput')

/** What a surface's choice is for Codex. */
function resultOf(request: Request, index: number): unknown {
  if (isQuestion(request)) return { answers: { colour: { answers: [LABELS[index]] } } }
  return { decision: index === 0 ? 'accept' : 'decline' }
}

/** What Codex' own dialog says of it. */
function nativeOf(request: Request, index: number): string {
  return isQuestion(request) ? JSON.stringify({ answers: { colour: { answers: [LABELS[index]] } } }) : index === 0 ? 'completed' : 'declined'
}

/** The same choice on a surface. */
function idOf(request: Request, index: number): string {
  return (isQuestion(request) ? LABELS : DECISIONS)[index]!
}

const isOf = (shown: Shown, request: Request) => JSON.stringify(shown.request.questions).includes(`mark ${request.id}.`)

/** Sessions that run at once. */
const AT_ONCE = 10

/** Play one schedule in a session of its own. Returns what checks it once everything is put away. */
async function play(steps: readonly Step[]): Promise<() => void> {
  const { codex, page } = here, thread = codex.thread()
  /** What the surface chose for each request, and what Codex' own dialog did. */
  const said = new Map<Request, Set<string>>(), done = new Map<Request, string | undefined>()
  const requests = () => codex.requests.filter(one => one.threadId === thread)
  const shown = (request: Request) => page.shown.filter(one => isOf(one, request))
  const open = (kind: Kind) => {
    const mark = `mark ${codex.requests.length}.`
    if (kind === 'question') codex.question(thread, { id: 'colour', question: mark, options: LABELS.map(label => ({ label, description: '' })) })
    else if (kind === 'command') codex.command(thread, { reason: mark })
    else codex.files(thread, [{ path: '/x', kind: { type: 'add' }, diff: `${mark}\n` }])
  }
  const act = (request: Request, { what, choice: index }: Act) => {
    const id = idOf(request, index)
    if (what === 'again') codex.again(request)
    else if (what === 'native') {
      if (codex.native(request, nativeOf(request, index))) done.set(request, id)
    } else for (const one of shown(request)) {
      if (what === 'decline') one.decline()
      else {
        said.set(request, (said.get(request) ?? new Set()).add(JSON.stringify(resultOf(request, index))))
        one.answer(id)
      }
    }
  }
  const interrupt = () => {
    for (const request of requests()) if (!request.outcome) done.set(request, isQuestion(request) ? undefined : 'reject')
    codex.endTurn(thread, 'interrupted')
    codex.turn(thread)
  }
  codex.turn(thread)
  open('question')
  for (const one of steps) {
    const request = one.do === 'act' ? requests()[one.at] : undefined
    if (one.do === 'open') open(one.kind)
    else if (one.do === 'drop') codex.drop()
    else if (one.do === 'interrupt') interrupt()
    else if (one.do === 'wait') for (let i = 0; i < 4; i++) await setImmediate()
    else if (request) act(request, one)
  }
  await here.connected()
  for (const request of requests()) act(request, { do: 'act', what: 'native', at: 0, choice: 0 })
  codex.endTurn(thread)
  return () => {
    for (const request of requests()) {
      const { outcome, replies } = request, told = shown(request).filter(one => one.settled?.by === 'Codex')
      expect(replies.length).toBeLessThanOrEqual(1)
      for (const reply of replies) expect([...said.get(request) ?? []]).toContain(JSON.stringify(reply))
      expect(outcome!.by === 'client' ? replies[0] : undefined).toEqual(outcome!.by === 'client' ? outcome!.value : undefined)
      for (const one of told) expect(one.settled!.answer?.answers[0]?.selected[0]).toBe(done.get(request))
    }
  }
}

describe('the race for what Codex asks', () => {
  it('has one outcome, which somebody chose, and puts everything away', { timeout: 300_000 }, async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.array(step, { minLength: 3, maxLength: 25 }), { minLength: AT_ONCE, maxLength: AT_ONCE }), async (schedules) => {
      const checks = await Promise.all(schedules.map(play))
      await vi.waitFor(() => expect(here.registry.pending().map(({ questions }) => questions)).toEqual([]), WAIT)
      expect(here.codex.errors).toEqual([])
      for (const check of checks) check()
    }), { numRuns: Math.ceil(SOURCE_RUNS / AT_ONCE) })
  })
})
