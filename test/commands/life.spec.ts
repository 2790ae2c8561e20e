// The commands' plugin in the real host: there while both registries are, gone without a trace, and harmful to nobody.
import { describe, expect, it, vi } from 'vitest'
import { flush } from '../helpers/time.ts'
import { bare, commands, CommandRuntime, listed, router, start } from './support.ts'

const OURS = ['asks', 'away', 'home', 'quiet']

describe('the commands', () => {
  it('are listed, each with what it does; only /asks and /quiet take words', async () => {
    const { ctx, agent, warned } = await start()
    const list = ctx.get('commands')!.list(agent)
    expect(list.map(({ name }) => name)).toEqual(OURS)
    for (const { description } of list) expect(description).toMatch(/^[A-Z][^\n]+$/)
    expect(list.map(({ input }) => input)).toEqual([{ hint: '[test]' }, undefined, undefined, { hint: '[30m | 1h | until 07:00 | off]' }])
    expect(list[0]!.description).toContain('60 s')
    expect(warned()).toBe('')
  })

  it('are described in Chinese', async () => {
    const { ctx, agent } = await start({ lang: 'zh' })
    const list = ctx.get('commands')!.list(agent)
    expect(list.map(({ name }) => name)).toEqual(OURS)
    for (const { description } of list) expect(description).toMatch(/\p{Script=Han}/u)
    expect(list[0]!.description).toContain('60 秒')
  })

  it.each([['zh_CN.UTF-8', '已经是在家'], ['de_DE.UTF-8', 'Already home']])('take the language of the environment by default: %s', async (locale, said) => {
    vi.stubEnv('LC_ALL', locale)
    try {
      const { say } = await start({ lang: 'auto' })
      expect((await say('/home'))!.text).toContain(said)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('speak another language after an edit', async () => {
    const { plugin, say } = await start()
    plugin.update({ lang: 'zh' })
    await plugin.await()
    expect((await say('/home'))!.text).toContain('已经是在家')
  })

  it.each([[{ lang: 'fr' }, /lang/], [{ language: 'en' }, /unknown key language; it may be lang/]])('a wrong configuration stops the load and names the field: %j', async (config, message) => {
    const { ctx } = await bare()
    await expect(async () => await ctx.plugin(commands, config as never)).rejects.toThrow(message)
  })
})

describe('the plugin', () => {
  it('breaks nothing where the host has no command registry, and has its commands once one comes', async () => {
    const { ctx, agent, warned } = await bare()
    await ctx.plugin(router)
    await ctx.plugin(commands)
    await flush()
    expect(ctx.get('commands')).toBeUndefined()
    await ctx.plugin(CommandRuntime)
    await flush()
    expect(listed(ctx, agent)).toEqual(OURS)
    expect(warned()).toBe('')
  })

  it('has no commands without the router, and has them once it comes', async () => {
    const { ctx, agent } = await bare()
    await ctx.plugin(CommandRuntime)
    await ctx.plugin(commands)
    await flush()
    expect(listed(ctx, agent)).toEqual([])
    await ctx.plugin(router)
    await flush()
    expect(listed(ctx, agent)).toEqual(OURS)
  })

  it('has its commands again after the command registry went and came back', async () => {
    const { ctx, agent, registry, say } = await start()
    await registry.dispose()
    await flush()
    expect(ctx.get('commands')).toBeUndefined()
    await ctx.plugin(CommandRuntime)
    await flush()
    expect(listed(ctx, agent)).toEqual(OURS)
    expect(await say('/away')).toMatchObject({ kind: 'success' })
  })

  it('speaks to the new router after that was restarted', async () => {
    const { ctx, agent, routing, say } = await start()
    const before = ctx.get('askSurfaces')
    await routing.restart()
    await flush()
    expect(ctx.get('askSurfaces')).not.toBe(before)
    expect(listed(ctx, agent)).toEqual(OURS)
    await say('/away')
    expect(ctx.get('askSurfaces')!.presence).toBe('away')
  })

  it('leaves nothing behind when it is unloaded, also with a test question out', async () => {
    const { add, ctx, agent, plugin, say, surfaces } = await start()
    const [desk] = add('desk')
    const result = say('/asks test')
    await flush()
    expect(vi.getTimerCount()).toBe(1)
    await plugin.dispose()
    expect(desk!.context.signal.aborted).toBe(true)
    expect((await result)!.text).toMatch(/desk: no answer/)
    expect(listed(ctx, agent)).toEqual([])
    expect(plugin.getEffects()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
    expect(surfaces.list()).toEqual([desk])
  })
})

describe('a command of that name that is there already', () => {
  it.each(OURS)('stays, and the others are registered: /%s', async (taken) => {
    const { ctx, agent, say, warned } = await bare()
    await ctx.plugin(CommandRuntime)
    ctx.get('commands')!.register({ name: taken, description: 'Older', handler: () => ({ kind: 'success', text: 'older' }) })
    await ctx.plugin(router)
    const plugin = await ctx.plugin(commands)
    await flush()
    expect(listed(ctx, agent)).toEqual(OURS)
    expect(await say(`/${taken}`)).toEqual({ kind: 'success', text: 'older' })
    expect(warned().split('\n')).toEqual([expect.stringContaining(`no /${taken}: command "${taken}" is already registered`)])
    await plugin.dispose()
    expect(listed(ctx, agent)).toEqual([taken])
    expect(plugin.getEffects()).toEqual([])
  })
})
