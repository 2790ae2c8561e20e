// Replies on shared topics that are for nobody here: another host takes them, or their sender is told that none has.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Unclaimed } from '../../src/surfaces/ntfy/unclaimed.ts'

let unclaimed: Unclaimed
let told: string[]

beforeEach(() => {
  vi.useFakeTimers()
  unclaimed = new Unclaimed()
  told = []
})

afterEach(() => {
  unclaimed.close()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

const add = (id: string, code?: string) => unclaimed.add(id, code, () => void told.push(id))

it('that no host takes in ten seconds are told so, once', () => {
  add('a', 'z4k')
  add('b')
  vi.advanceTimersByTime(9999)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['a', 'b'])
  vi.advanceTimersByTime(60_000)
  expect(told).toHaveLength(2)
})

it('that another host answers by their code, or explains, are its own', () => {
  for (const [id, code] of [['a', 'z4k'], ['b'], ['c', 'q2b']] as const) add(id, code)
  unclaimed.seen('ask-z4k-AAAAAAAAAAAA')
  unclaimed.seen('notice-b')
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['c'])
})

it('wait in small numbers, and not after the end', () => {
  for (let count = 0; count < 1000; count++) add(`r${count}`)
  expect(vi.getTimerCount()).toBe(20)
  unclaimed.close()
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual([])
})
