// Speed and memory of the router: `routeAsk` with every check on against a bare `Promise.race` over the same surfaces,
// and the heap of many open asks.
import { EventEmitter } from 'node:events'
import type { AskSurface, AskUserQuestionAnswer, AskUserQuestionRequest } from '../src/index.ts'
import { routeAsk } from '../src/index.ts'
import { noLog } from '../src/router/log.ts'
import { defaultSettings } from '../src/router/policies.ts'
import { Router } from '../src/router/router.ts'
import { WaterfallHost } from '../src/sources/host/waterfall-host.ts'
import { median, table } from './table.ts'

const answer: AskUserQuestionAnswer = { answers: [{ id: 'db', selected: ['Postgres'] }] }
const request = (): AskUserQuestionRequest => ({
  questions: [{ id: 'db', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }],
})

/** Surfaces as UIs are: each keeps its card, and a person's answer comes as an event of the loop. */
function surfaces(count: number): AskSurface[] {
  return Array.from({ length: count }, (_, at) => {
    const cards = new Map<AskUserQuestionRequest, NodeJS.Immediate>()
    return {
      name: `surface-${at}`,
      claim: () => true,
      ask: shown => new Promise((resolve) => {
        cards.set(shown, setImmediate(() => {
          cards.delete(shown)
          resolve(answer)
        }))
      }),
      settled(shown) {
        clearImmediate(cards.get(shown))
        cards.delete(shown)
      },
    } satisfies AskSurface
  })
}

async function microseconds(asks: number, ask: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < asks; i++) await ask()
  return (performance.now() - start) / asks * 1000
}

/** Time per ask, bare and routed, in alternating rounds so that the machine's moods meet both. */
export async function benchSpeed(): Promise<void> {
  const rows: string[][] = []
  for (const count of [1, 3, 10]) {
    const asked = surfaces(count)
    const bare = () => {
      const shown = request()
      return Promise.race(asked.map(surface => surface.ask(shown, undefined as never)))
    }
    const routed = () => routeAsk(asked, request())
    const times = { bare: [] as number[], routed: [] as number[] }
    for (let round = 0; round < 31; round++) {
      times.bare.push(await microseconds(2000, bare))
      times.routed.push(await microseconds(2000, routed))
    }
    const [b, r] = [median(times.bare), median(times.routed)]
    rows.push([String(count), b.toFixed(2), r.toFixed(2), (r / b).toFixed(2)])
  }
  table('Asks answered, microseconds each (median of 31 rounds of 2,000)', ['surfaces', 'Promise.race', 'routeAsk', 'ratio'], rows)
}

const OPEN = 10_000

/** Heap per open ask with three surfaces, their promises and the host's counted too. */
export async function benchMemory(): Promise<void> {
  const rows: string[][] = []
  for (const host of ['fallback', 'race'] as const) {
    const router = new Router(noLog, { ...defaultSettings, host })
    for (const name of ['a', 'b', 'c']) router.surfaces.add({ name, claim: () => true, ask: () => new Promise<never>(() => {}) })
    const controllers = Array.from({ length: OPEN }, () => new AbortController())
    for (const { signal } of controllers) EventEmitter.setMaxListeners(0, signal)
    const requests = controllers.map(({ signal }) => ({ ...request(), signal }))
    const before = await heap()
    const asks = requests.map(one => router.route(one, one.signal, new WaterfallHost(one, () => new Promise<never>(() => {}))))
    for (const ask of asks) ask.catch(() => {})
    const open = await heap()
    if (router.pending().length !== OPEN) throw new Error('not all asks are open')
    router.close()
    await Promise.allSettled(asks)
    asks.length = 0
    rows.push([host, ((open - before) / OPEN / 1024).toFixed(2), ((await heap() - before) / OPEN / 1024).toFixed(2)])
  }
  table(`Heap of ${OPEN.toLocaleString('en')} asks with three surfaces, KB each`, ['host', 'open', 'after their end'], rows)
}

/** The heap in use, once everything that is free is free: weak references live until the end of their macrotask. */
async function heap(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc')
  for (let i = 0; i < 3; i++) {
    await new Promise(resolve => setImmediate(resolve))
    globalThis.gc()
  }
  return process.memoryUsage().heapUsed
}
