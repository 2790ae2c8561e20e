// /home and /away: what they set, and what they say that it means.
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { answerer, dispatchAndForget } from '../helpers/cordis.ts'
import { FakeSurface, hang, question } from '../helpers/surface.ts'
import { start } from './support.ts'

const POLICIES = {
  surfaces: {
    ntfy: { home: { delayMs: 300_000 }, away: { delayMs: 0 } },
    web: { delayMs: 60_000 },
    terminal: { away: { delayMs: 60_000 } },
    desk: { away: false },
  },
}

describe('/away and /home', () => {
  it('set where the person is, and say who is asked now: soonest first', async () => {
    const { add, say, surfaces } = await start({ router: POLICIES })
    add('terminal', 'web', 'desk', 'ntfy')
    expect(await say('/away')).toEqual({
      kind: 'success', text: 'Away. Questions go to: ntfy at once; terminal, web after 60 s. Not to: desk.',
    })
    expect(surfaces.presence).toBe('away')
    expect(await say('/home')).toEqual({
      kind: 'success', text: 'Home. Questions go to: terminal, desk at once; web after 60 s; ntfy after 5 min.',
    })
    expect(surfaces.presence).toBe('home')
  })

  it('say the same in Chinese', async () => {
    const { add, say } = await start({ router: POLICIES, lang: 'zh' })
    add('terminal', 'web', 'desk', 'ntfy')
    expect((await say('/away'))!.text).toBe('已设为外出。问题发往：ntfy 立即；terminal、web 60 秒后。不发往：desk。')
    expect((await say('/home'))!.text).toBe('已设为在家。问题发往：terminal、desk 立即；web 60 秒后；ntfy 5 分钟后。')
  })

  it('said twice are harmless', async () => {
    const { add, ctx, say, surfaces } = await start()
    add('desk')
    const seen: string[] = []
    ctx.on('ask-surfaces/presence', presence => void seen.push(presence))
    expect((await say('/home'))!.text).toBe('Already home. Questions go to: desk at once.')
    await say('/away')
    expect((await say('/away'))!.text).toBe('Already away. Questions go to: desk at once.')
    expect([surfaces.presence, seen]).toEqual(['away', ['away']])
  })

  it('work with words behind them: who leaves in a hurry must not be refused', async () => {
    const { say, surfaces } = await start()
    expect((await say('/away for lunch'))!.kind).toBe('success')
    expect(surfaces.presence).toBe('away')
  })

  it('say so when no surface is registered, and name the UIs of the host', async () => {
    const { ctx, say } = await start()
    for (const name of ['web', 'bridge\u001b']) await ctx.plugin({ name, apply: (inner: Context) => void answerer(inner, hang) })
    expect((await say('/away'))!.text).toBe('Away. No surface is registered; only dsh\'s own UIs are asked: host: web, host: bridge␛.')
  })

  it.each([
    ['en', 'Away. Nobody can be asked: no surface is registered, and no UI of dsh listens for questions.'],
    ['zh', '已设为外出。没有人可问：没有注册任何界面，dsh 也没有界面在等待问题。'],
  ] as const)('say so when nobody can be asked at all: %s', async (lang, said) => {
    const { say } = await start({ lang })
    expect((await say('/away'))!.text).toBe(said)
  })

  it('say so when no surface is asked in this mode', async () => {
    const { add, say } = await start({ router: POLICIES })
    add('desk')
    expect((await say('/away'))!.text).toBe('Away. No surface is asked in this mode, unless there is nobody else.')
  })

  it('name surfaces that nobody looks at, and those in their quiet hours', async () => {
    const { say, surfaces } = await start({
      router: { quiet: { from: '11:00', to: '13:00', timeZone: 'UTC', surfaces: ['ntfy', 'bell'] } },
    })
    surfaces.register(new FakeSurface('bell'))
    surfaces.register(Object.assign(new FakeSurface('ntfy'), { silent: true }))
    surfaces.register(Object.assign(new FakeSurface('web'), { watched: () => false }))
    expect((await say('/away'))!.text)
      .toBe('Away. Questions go to: ntfy (silently), web (nobody looks there) at once; bell when it is no longer quiet.')
  })

  it('reach questions that are open', async () => {
    const { add, ctx, say } = await start({ router: { surfaces: { ntfy: { home: false } } } })
    const [desk, ntfy] = add('desk', 'ntfy')

    const turn = new AbortController()
    dispatchAndForget(ctx, question({ signal: turn.signal }))
    expect([desk!.asked, ntfy!.asked]).toEqual([1, 0])
    await say('/away')
    expect([desk!.asked, ntfy!.asked]).toEqual([1, 1])
    turn.abort()
  })

  it('show no control character of a surface\'s name', async () => {
    const { add, say } = await start()
    add('evil\u001b[2J\nname')
    expect((await say('/away'))!.text).toBe('Away. Questions go to: evil␛[2J⏎name at once.')
  })
})
