// What many of something cost: counted, not timed, and never the square of their number (rules 7, 13, 15 and 19).
import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { checkAnswer } from '../../src/protocol/answer.ts'
import type { AskSurface } from '../../src/protocol/surface.ts'
import { Ask } from '../../src/router/ask.ts'
import { noLog } from '../../src/router/log.ts'
import { Registrations } from '../../src/router/registrations.ts'
import { Router } from '../../src/router/router.ts'
import { choice, codeOf, errorOf, hang, question } from '../helpers/surface.ts'

/** A list that counts how often an entry of it, or of what it holds, is read. */
function counted<T extends object>(list: T): { readonly list: T, readonly reads: () => number } {
  let count = 0
  const count1 = <O extends object>(target: O): O => new Proxy(target, {
    get(one, key) {
      count++
      const value: unknown = Reflect.get(one, key)
      return typeof value === 'object' && value ? count1(value) : value
    },
  })
  return { list: count1(list), reads: () => count }
}

/** How much more something costs for ten times as many. */
function growth(costOf: (count: number) => number): number {
  return costOf(1000) / costOf(100)
}

describe('ten times as many cost ten times as much', () => {
  it('7: options of a question, all of them chosen', () => {
    expect(growth((count) => {
      const labels = Array.from({ length: count }, (_, at) => `label ${at}`)
      const { list, reads } = counted([choice('q', labels, { multiSelect: true })])
      checkAnswer(list, { answers: [{ id: 'q', selected: labels }] })
      return reads()
    })).toBeLessThan(12)
  })

  it('13: questions open on surfaces that the one claimer keeps them from, when it goes', () => {
    expect(growth((count) => {
      let reads = 0
      const includes = vi.spyOn(Array.prototype, 'includes').mockImplementation(function (this: unknown[], wanted) {
        reads += this.length
        return this.indexOf(wanted) >= 0
      })
      const router = new Router(noLog), surface = (name: string, claims: boolean): AskSurface => ({ name, claim: () => claims, ask: () => (reads++, hang()) })
      const owner = { uid: 1 as number | null, state: 0, parent: { get fiber() { return owner } } }
      const claimer = router.surfaces.add(surface('claimer', true), owner)
      for (let at = 0; at < count; at++) router.surfaces.add(surface(`s${at}`, false))
      router.open(new Ask(question(), undefined, router)).catch(() => {})
      owner.uid = null
      router.remove(claimer)
      router.close()
      includes.mockRestore()
      return reads
    })).toBeLessThan(12)
  })

  it('19: surfaces that are registered and go', () => {
    expect(growth((count) => {
      let reads = 0
      const registrations = new Registrations(noLog), { filter, [Symbol.iterator]: iterator } = Array.prototype
      // The order of registration is kept in lists: each time one is read to its end, or copied, counts as long as it is.
      const count1 = (method: (...args: never[]) => unknown) => function (this: unknown[], ...args: never[]) {
        reads += this.length
        return method.apply(this, args)
      }
      const surfaces = Array.from({ length: count }, (_, at) => ({ name: `s${at}`, claim: () => false, ask: hang }))
      Object.assign(Array.prototype, { filter: count1(filter), [Symbol.iterator]: count1(iterator) })
      for (const one of surfaces) registrations.remove(registrations.add(one))
      for (const one of surfaces.map(surface => registrations.add(surface))) registrations.remove(one)
      Object.assign(Array.prototype, { filter, [Symbol.iterator]: iterator })
      return reads
    })).toBeLessThan(12)
  })
})

it('7: an answer with a million items, or with a million wrong entries, is not read', () => {
  for (const [answers, most] of [[Array<null>(1_000_000).fill(null), 10], [[{ id: 'q', selected: Array<number>(1_000_000).fill(5) }], 50]] as const) {
    const { list, reads } = counted({ answers })
    expect(codeOf(errorOf(() => checkAnswer([choice('q', ['a'])], list)))).toBe('BAD_ANSWER')
    expect(reads()).toBeLessThan(most)
  }
})

it('11 and 15: thousands of questions on one signal add one listener and take it off once', async () => {
  const router = new Router(noLog), controller = new AbortController(), { signal } = controller
  router.surfaces.add({ name: 'a', claim: () => false, ask: hang })
  const add = vi.spyOn(signal, 'addEventListener'), remove = vi.spyOn(signal, 'removeEventListener')
  const asks = Array.from({ length: 5000 }, () => router.open(new Ask(question(), signal, router)))
  expect([add.mock.calls.length, getEventListeners(signal, 'abort').length]).toEqual([1, 1])
  controller.abort()
  const results = await Promise.allSettled(asks)
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect([remove.mock.calls.length, getEventListeners(signal, 'abort').length]).toEqual([1, 0])
})
