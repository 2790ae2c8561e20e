// Memory of the router: the heap of many open asks, and what is left after their end.
import { EventEmitter } from 'node:events'
import { Ask } from '../src/router/ask.ts'
import { noLog } from '../src/router/log.ts'
import { defaultSettings } from '../src/router/policies.ts'
import { Router } from '../src/router/router.ts'
import { WaterfallHost } from '../src/sources/host/waterfall-host.ts'
import { request } from './race.ts'
import { table } from './table.ts'

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
    const asks = requests.map(one => router.open(new Ask(one, one.signal, router, new WaterfallHost(one, () => new Promise<never>(() => {})))))
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
