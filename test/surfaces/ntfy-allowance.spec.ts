// How much of the server's quota strangers can use up.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Allowance } from '../../src/surfaces/ntfy/allowance.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is a few in a minute, a quarter of the public server’s quota in a day, and that it is used up is said once each time', () => {
  const told = vi.fn<() => void>()
  const allowance = new Allowance(told)
  const takes = (count: number) => Array.from({ length: count }, () => allowance.take()).filter(Boolean).length
  expect([takes(40), told.mock.calls.length]).toEqual([10, 1])
  vi.advanceTimersByTime(59_999)
  expect([takes(5), told.mock.calls.length]).toEqual([0, 1])
  vi.advanceTimersByTime(1)
  expect([takes(40), told.mock.calls.length]).toEqual([10, 2])
  let day = 20
  for (let minute = 0; minute < 1400; minute++) {
    vi.advanceTimersByTime(60_000)
    day += takes(40)
  }
  expect(day).toBe(60)
  vi.advanceTimersByTime(86_400_000)
  expect(takes(40)).toBe(10)
})
