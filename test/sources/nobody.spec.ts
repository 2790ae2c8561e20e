// A start with nobody who can be asked.
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '@deepseek-ai/cordis'
import { answerer, boot, register } from '../helpers/cordis.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { useFakeTime } from '../helpers/time.ts'

// The real one is not faked by fake time, so that other tests can count timers.
vi.mock('node:timers', () => ({
  setTimeout: (...args: Parameters<typeof setTimeout>) => setTimeout(...args),
  clearTimeout: (timer: NodeJS.Timeout) => clearTimeout(timer),
}))

useFakeTime()

const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
afterEach(() => void stderr.mockClear())

/** What was said within a minute after a start. */
async function said(): Promise<string> {
  await vi.advanceTimersByTimeAsync(60_000)
  return stderr.mock.calls.map(([line]) => String(line)).join('')
}

describe('a start', () => {
  it('with no surface and no UI of the host says so once', async () => {
    const { ctx } = await boot()
    expect(await said()).toMatch(/^ask-router: nobody can be asked: .*\n$/)
    expect(await said()).toMatch(/^ask-router: nobody can be asked: .*\n$/)
    expect(ctx.get('askSurfaces')!.hosts()).toEqual([])
  })

  it('with a surface that comes a little later says nothing', async () => {
    const { ctx } = await boot()
    await vi.advanceTimersByTimeAsync(3000)
    register(ctx, new FakeSurface('a'))
    expect(await said()).toBe('')
  })

  it('with a UI of the host behind it says nothing, and names it', async () => {
    const { ctx } = await boot()
    await ctx.plugin({ name: 'web', apply: (inner: Context) => void answerer(inner, () => new Promise(() => {})) })
    expect(await said()).toBe('')
    expect(ctx.get('askSurfaces')!.hosts()).toEqual(['host: web'])
  })

  it('on a cordis that does not show who listens says nothing: somebody may', async () => {
    const { ctx } = await boot()
    Object.defineProperty(ctx.events, '_hooks', { get() { throw new Error('private') } })
    expect(await said()).toBe('')
    expect(ctx.get('askSurfaces')!.hosts()).toEqual(['host'])
  })

  it('that is taken back says nothing', async () => {
    const { fiber } = await boot()
    await fiber.dispose()
    expect(await said()).toBe('')
  })
})
