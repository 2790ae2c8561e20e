// Speed of the router: `routeAsk` with every check on against a bare `Promise.race` over the same surfaces, the whole way
// through a real cordis waterfall against a bare listener, and what one change costs where many asks are open.
import { Context } from '@deepseek-ai/cordis'
import * as plugin from '../src/index.ts'
import type { AskSurface, AskUserQuestionAnswer, AskUserQuestionRequest } from '../src/index.ts'
import { routeAsk } from '../src/index.ts'
import { Ask } from '../src/router/ask.ts'
import { noLog } from '../src/router/log.ts'
import { Router } from '../src/router/router.ts'
import { median, table } from './table.ts'

const ROUNDS = 31

const answer: AskUserQuestionAnswer = { answers: [{ id: 'db', selected: ['Postgres'] }] }

/** A request with one question. */
export const request = (): AskUserQuestionRequest => ({
  questions: [{ id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }],
})

/** Calls back when the person answers; returns a function that cancels it. */
type Person = (answers: () => void) => () => void

const onTheNextTurn: Person = (answers) => {
  const immediate = setImmediate(answers)
  return () => clearImmediate(immediate)
}

/** A turn of the loop later: when the host has been asked, too. */
const afterTheHost: Person = (answers) => {
  let immediate = setImmediate(() => { immediate = setImmediate(answers) })
  return () => clearImmediate(immediate)
}

/**
 * Surfaces as UIs are: each keeps its card, and a person's answer comes as an event of the loop.
 *
 * @param readsSignal whether they put the card away when their signal aborts, as this package's own do.
 */
function surfaces(count: number, readsSignal: boolean, person = onTheNextTurn): AskSurface[] {
  return Array.from({ length: count }, (_, at) => {
    const cards = new Map<AskUserQuestionRequest, () => void>()
    const putAway = (shown: AskUserQuestionRequest) => {
      cards.get(shown)?.()
      cards.delete(shown)
    }
    return {
      name: `surface-${at}`,
      claim: () => true,
      ask: (shown, context) => new Promise((resolve) => {
        if (readsSignal) context.signal.addEventListener('abort', () => putAway(shown), { once: true })
        cards.set(shown, person(() => {
          cards.delete(shown)
          resolve(answer)
        }))
      }),
      settled: putAway,
    } satisfies AskSurface
  })
}

async function microseconds(asks: number, ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < asks; i++) await ask()
  return (performance.now() - start) / asks * 1000
}

/** The median time of each, in rounds that alternate, so that a busy moment of the machine hits all of them. */
async function compare<K extends string>(asks: number, ways: Record<K, () => Promise<unknown>>): Promise<Record<K, number>> {
  const entries = Object.entries(ways) as [K, () => Promise<unknown>][]
  const times = Object.fromEntries(entries.map(([name]) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = 0; round < ROUNDS; round++) for (const [name, way] of entries) times[name].push(await microseconds(asks, way))
  return Object.fromEntries(entries.map(([name]) => [name, median(times[name])])) as Record<K, number>
}

/** Time per ask, bare and routed. */
export async function benchSpeed(): Promise<void> {
  const rows: string[][] = []
  for (const count of [1, 3, 10]) {
    const plain = surfaces(count, false), reading = surfaces(count, true)
    const times = await compare(1000, {
      bare: () => {
        const shown = request()
        return Promise.race(plain.map(surface => surface.ask(shown, undefined as never)))
      },
      plain: () => routeAsk(plain, request()),
      reading: () => routeAsk(reading, request()),
    })
    const { bare, ...routed } = times
    rows.push([String(count), bare.toFixed(2), ...Object.values(routed).flatMap(time => [time.toFixed(2), (time / bare).toFixed(2)])])
  }
  table(`Asks answered, microseconds each (median of ${ROUNDS} rounds of 1,000)`,
    ['surfaces', 'Promise.race', 'routeAsk', 'ratio', 'reading their signal', 'ratio'], rows)
  const atOnce: AskSurface[] = [{ name: 'a', claim: () => true, ask: async () => answer }]
  const shown = request()
  const { routed, bare } = await compare(10_000, {
    bare: () => atOnce[0]!.ask(shown, undefined as never),
    routed: () => routeAsk(atOnce, request()),
  })
  table('One surface that answers at once, microseconds each', ['bare ask()', 'routeAsk'], [[bare.toFixed(2), routed.toFixed(2)]])
}

/** The whole way through cordis: three surfaces that read their signal and a host that holds the question, beside a bare listener. */
export async function benchWaterfall(): Promise<void> {
  const bare = new Context(), routed = new Context()
  const listen = (ctx: Context, listener: (request: AskUserQuestionRequest) => unknown) => ctx.on('user-questions/request' as never, listener as never)
  listen(bare, () => new Promise(resolve => afterTheHost(() => resolve(answer))))
  await routed.plugin(plugin)
  for (const surface of surfaces(3, true, afterTheHost)) routed.get('askSurfaces')!.register(surface)
  listen(routed, ({ signal }) => new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason), { once: true })))
  const ask = (ctx: Context) => () => (ctx.waterfall as unknown as (...args: unknown[]) => Promise<unknown>)(
    'user-questions/request', request(), () => Promise.reject(new Error('nobody')))
  const times = await compare(500, { bare: ask(bare), routed: ask(routed) })
  table('A question through the waterfall, microseconds each', ['bare listener', 'router, 3 surfaces, holding host', 'added by routing', 'added / bare'], [[
    times.bare.toFixed(2), times.routed.toFixed(2), (times.routed - times.bare).toFixed(2), ((times.routed - times.bare) / times.bare).toFixed(2),
  ]])
}

const SURFACES = 100, FEW = 100, MANY = 10_000

/** What a change costs per open ask, with few and with many of them open. */
export async function benchScale(): Promise<void> {
  // The first one only warms up.
  costs(FEW, 50)
  const few = costs(FEW, MANY / FEW * 4), many = costs(MANY, 4)
  const rows = (Object.keys(few) as (keyof typeof few)[]).map(change => [
    change, few[change].toFixed(2), many[change].toFixed(2), (many[change] / few[change]).toFixed(2),
  ])
  table(`One change with ${SURFACES} surfaces, microseconds per open ask`, ['change', `${FEW} open`, `${MANY.toLocaleString('en')} open`, 'ratio'], rows)
}

function costs(open: number, rounds: number) {
  const router = new Router(noLog)
  const surface = (name: string): AskSurface => ({ name, claim: () => true, ask: () => new Promise<never>(() => {}) })
  for (let at = 0; at < SURFACES; at++) router.surfaces.add(surface(`s${at}`))
  for (let at = 0; at < open; at++) router.open(new Ask(request(), undefined, router)).catch(() => {})
  globalThis.gc?.()
  const total = { join: 0, leave: 0, reconsider: 0, presence: 0 }
  const time = (change: keyof typeof total, run: () => void) => {
    const start = performance.now()
    run()
    total[change] += (performance.now() - start) / open / rounds * 1000
  }
  for (let round = 0; round < rounds; round++) {
    const owner = { uid: 1 as number | null, state: 0, parent: { get fiber() { return owner } } }
    const late = router.surfaces.add(surface('late'), owner)
    time('join', () => router.offer(late))
    time('reconsider', () => router.reconsider())
    time('presence', () => router.setPresence(router.policies.presence === 'home' ? 'away' : 'home'))
    // Its plugin is unloaded, so that it leaves at once.
    owner.uid = null
    time('leave', () => router.remove(late))
  }
  router.close()
  return total
}
