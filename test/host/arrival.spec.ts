// A dsh that does not bring its questions here: one line on stderr says so, and only then.
import { Context } from '@deepseek-ai/cordis'
import { UserQuestionService } from '@deepseek-ai/dsh-user-questions'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerer } from '../helpers/cordis.ts'
import { bridge, choose, macrotask, oneQuestion, people, plugin, startAgent, startBare, withAgent } from './support.ts'

const TOO_OLD = 'ask-router: this dsh is too old: its questions do not reach this plugin, which needs dsh 0.1.5-rc.2 or newer.\n'
const KEPT = 'ask-router: an agent asks, but its question does not reach this plugin. Another plugin stands ahead of it and keeps the question: list this bundle last in dsh.profile.bundles.\n'

let said: string[]

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  said = []
  vi.spyOn(process.stderr, 'write').mockImplementation(text => !!said.push(String(text)))
})

afterEach(() => {
  vi.mocked(process.stderr.write).mockRestore()
  expect(vi.getTimerCount()).toBe(0)
  vi.useRealTimers()
})

/** The service of questions of dsh 0.1.0-rc.8, as it is. */
async function startOld(...before: object[]) {
  const ctx = new Context()
  for (const one of before) await ctx.plugin(one as never, undefined as never)
  await ctx.plugin(UserQuestionService)
  return ctx
}

describe('a dsh that asks one provider', () => {
  it('is told the version that is needed, once, soon after the start', async () => {
    const ctx = await startOld()
    const router = await ctx.plugin(plugin)
    vi.advanceTimersByTime(999)
    expect(said).toEqual([])
    vi.advanceTimersByTime(1)
    expect(said).toEqual([TOO_OLD])
    vi.advanceTimersByTime(100_000)
    expect(said).toEqual([TOO_OLD])
    await router.dispose()
  })

  it('whenever its service comes', async () => {
    const ctx = new Context()
    await ctx.plugin(plugin)
    vi.advanceTimersByTime(100_000)
    await ctx.plugin(UserQuestionService)
    await macrotask()
    vi.advanceTimersByTime(1000)
    expect(said).toEqual([TOO_OLD])
    await ctx.fiber.dispose()
  })

  it('is not where a plugin brings its questions here, also one that comes a little later', async () => {
    for (const isLate of [false, true]) {
      const ctx = await startOld(...isLate ? [] : [bridge])
      await ctx.plugin(plugin)
      if (isLate) await ctx.plugin(bridge)
      await macrotask()
      vi.advanceTimersByTime(1000)
      await ctx.fiber.dispose()
    }
    expect(said).toEqual([])
  })

  it('is not after the router was unloaded', async () => {
    const ctx = await startOld()
    await (await ctx.plugin(plugin)).dispose()
    vi.advanceTimersByTime(100_000)
    expect(said).toEqual([])
  })
})

describe('a question that does not come', () => {
  it('is noticed after ten seconds, and said once', async () => {
    const { ctx, adapter } = await startBare([...oneQuestion(), ...oneQuestion()])
    await ctx.plugin(plugin)
    const release: (() => void)[] = []
    // Somebody put themselves in front of the router and keeps the question.
    answerer(ctx, () => new Promise(resolve => release.push(() => resolve(choose('SQLite')))), true)
    const { turn } = await withAgent(ctx, adapter)
    const end = turn()
    while (!release[0]) await macrotask()
    vi.advanceTimersByTime(9999)
    expect(said).toEqual([])
    vi.advanceTimersByTime(1)
    expect(said).toEqual([KEPT])
    release[0]()
    await end
    const again = turn()
    while (!release[1]) await macrotask()
    vi.advanceTimersByTime(100_000)
    release[1]()
    await again
    expect(said).toEqual([KEPT])
  })

  it('is none when it was answered or refused meanwhile', async () => {
    const { ctx, adapter } = await startBare(oneQuestion())
    await ctx.plugin(plugin)
    answerer(ctx, () => Promise.resolve(choose('SQLite')), true)
    const { turn } = await withAgent(ctx, adapter)
    await turn()
    vi.advanceTimersByTime(100_000)
    expect(said).toEqual([])
  })

  it('is none once one has come, however long that is open', async () => {
    const { surfaces, begin } = await startAgent(oneQuestion())
    const [desk] = people(surfaces, 'desk')
    const { shown: [atDesk], told } = await begin(desk)
    vi.advanceTimersByTime(100_000)
    expect([said, vi.getTimerCount()]).toEqual([[], 0])
    atDesk.answer(choose('SQLite'))
    await told()
  })
})
