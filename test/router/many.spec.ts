// Ten thousand asks on one signal (rule 15): no listener, no warning, no memory.
import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { routeAsk } from '../../src/router/route-ask.ts'
import { boot, dispatch, register } from '../helpers/cordis.ts'
import { agentOf, hang, question, says } from '../helpers/surface.ts'
import { flush } from '../helpers/time.ts'

const COUNT = 10_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** One answers at once, one shows the question for ever and reads its signal, one fails. */
const surfaces: readonly AskSurface[] = [
  { name: 'hangs', claim: () => false, ask: (_, { signal }) => signal.aborted ? Promise.reject(new Error('late')) : hang() },
  { name: 'fails', claim: () => false, ask: () => Promise.reject(new Error('broken')) },
  { name: 'answers', claim: () => false, ask: () => Promise.resolve(says('Postgres')), settled() {} },
]

/** Run a number of asks twice, and look at the heap after the second time: the first warms up. */
async function measure(ask: (signal: AbortSignal) => Promise<unknown>) {
  const { signal } = new AbortController()
  const warnings: Error[] = []
  const listen = (warning: Error) => void warnings.push(warning)
  process.on('warning', listen)
  const heap: number[] = []
  let most = 0
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < COUNT; index++) {
      const answer = ask(signal)
      most = Math.max(most, getEventListeners(signal, 'abort').length)
      await answer
    }
    await flush()
    collect()
    heap.push(process.memoryUsage().heapUsed)
  }
  // Warnings are emitted on the next tick.
  await flush()
  process.off('warning', listen)
  return { listeners: getEventListeners(signal, 'abort').length, most, warnings, grown: heap[1]! - heap[0]! }
}

// AbortSignal.any, which a straightforward router would use, leaks some 180 bytes an ask: 1.8 MB here.
const FLAT = 600_000

describe('10,000 asks on one signal', () => {
  it('15: through the plugin, with a host in the race that is never reached', { timeout: 60_000 }, async () => {
    const { ctx, logs } = await boot()
    register(ctx, ...surfaces)
    const result = await measure(signal => {
      logs.length = 0
      return dispatch(ctx, question({ signal, agent: agentOf('s1') }), hang)
    })
    expect(result).toMatchObject({ listeners: 0, most: 1, warnings: [] })
    expect(result.grown).toBeLessThan(FLAT)
    expect(ctx.get('askSurfaces')!.pending()).toEqual([])
  })

  it('15 and 16: through the plugin, one request object after the other, with a host that loses', { timeout: 60_000 }, async () => {
    const { ctx } = await boot()
    const answer: (() => void)[] = []
    register(ctx, {
      name: 'asked last', claim: () => false, ask: () => new Promise(resolve => void answer.push(() => resolve(says('Postgres')))),
    })
    const result = await measure(signal => {
      const request = question({ signal })
      return dispatch(ctx, request, () => {
        // What a UI behind the router does with the signal.
        request.signal!.addEventListener('abort', () => {})
        answer.pop()!()
        return hang()
      })
    })
    expect(result).toMatchObject({ listeners: 0, most: 1, warnings: [] })
    expect(result.grown).toBeLessThan(FLAT)
  })

  it('15: through routeAsk', { timeout: 60_000 }, async () => {
    const result = await measure(signal => routeAsk(surfaces, question({ signal })))
    expect(result).toMatchObject({ listeners: 0, most: 1, warnings: [] })
    expect(result.grown).toBeLessThan(FLAT)
  })

  it('15: a settled ask is referred to by nobody: neither by the registry nor by the turn\'s signal', async () => {
    const { ctx, logs } = await boot()
    register(ctx, ...surfaces)
    const { signal } = new AbortController()
    const gone: WeakRef<object>[] = []
    await (async () => {
      const request = question({ signal, agent: agentOf('s1') })
      gone.push(new WeakRef(request), new WeakRef(request.questions))
      await dispatch(ctx, request, hang)
    })()
    await flush()
    // A logged error knows its call stack, and that the ask.
    logs.length = 0
    collect()
    expect(gone.map(one => one.deref())).toEqual([undefined, undefined])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('15: all of them open at once are one listener, and none afterwards', { timeout: 60_000 }, async () => {
    const { ctx } = await boot({ host: 'fallback' })
    const controller = new AbortController()
    register(ctx, { name: 'hangs', claim: () => false, ask: hang })
    const asks = Array.from({ length: 1000 }, () => dispatch(ctx, question({ signal: controller.signal })))
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort()
    const results = await Promise.allSettled(asks)
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(ctx.get('askSurfaces')!.pending()).toEqual([])
  })
})
