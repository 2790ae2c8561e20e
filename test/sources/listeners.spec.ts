// The list of listeners of the real cordis: what the router builds on although cordis' contract promises only the first call of
// `next()`, and who is said to stand behind it (rule 4).
import { Context } from '@deepseek-ai/cordis'
import { scopeTarget } from '@deepseek-ai/dsh-scope'
import { describe, expect, it } from 'vitest'
import { hostName, listenersBehind } from '../../src/sources/host/listeners.ts'
import { answerer, boot, dispatch, noAnswerer, register } from '../helpers/cordis.ts'
import { codeOf, FakeSurface, hang, question, says } from '../helpers/surface.ts'
import { pass, useFakeTime, watch } from '../helpers/time.ts'

const EVENT = 'user-questions/request'

const CHANGED = 'this cordis does not keep one list of listeners for a dispatch any more: src/sources/host must ask them in another way'

type Listen = (request: unknown, next: (...args: unknown[]) => Promise<unknown>) => unknown

/** A plugin with a listener. */
const listening = (name: string, listen: Listen) => ({ name, apply: (ctx: Context) => void answerer(ctx, listen as never) })

/** Listeners that write down that they were asked, and hold. */
async function start(...names: string[]) {
  const ctx = new Context(), asked: string[] = []
  for (const name of names) {
    await ctx.plugin(listening(name, () => {
      asked.push(name)
      return new Promise(() => {})
    }))
  }
  return { ctx, asked }
}

describe('cordis', () => {
  it('keeps one list of listeners for a dispatch: each call of next() takes the next one off it, whoever calls', async () => {
    const { ctx, asked } = await start('second', 'third')
    let next!: () => Promise<unknown>
    answerer(ctx, (_request, own) => {
      next = own as typeof next
      own()
      return new Promise(() => {})
    }, true)
    void dispatch(ctx, question())
    expect(asked).toEqual(['second'])
    next()
    expect(asked, CHANGED).toEqual(['second', 'third'])
  })

  it('gives the one that is asked the same list: what it takes is not asked again', async () => {
    const ctx = new Context(), asked: string[] = []
    let next!: () => Promise<unknown>
    answerer(ctx, (_request, own) => {
      next = own as typeof next
      return own()
    })
    answerer(ctx, (_request, own) => {
      asked.push('second')
      return own()
    })
    answerer(ctx, () => {
      asked.push('third')
      return new Promise(() => {})
    })
    void dispatch(ctx, question())
    expect(asked).toEqual(['second', 'third'])
    const end = next().catch(codeOf)
    expect(asked, CHANGED).toEqual(['second', 'third'])
    expect(await end, CHANGED).toBe('NO_PROVIDER')
  })

  it('asks the host itself at each call past the end of the list', async () => {
    const ctx = new Context(), ends: unknown[] = []
    answerer(ctx, async (_request, next) => {
      for (let count = 0; count < 3; count++) await Promise.resolve(next()).catch(error => ends.push(codeOf(error)))
      return says('SQLite')
    })
    expect(await dispatch(ctx, question(), noAnswerer)).toEqual(says('SQLite'))
    expect(ends, CHANGED).toEqual(['NO_PROVIDER', 'NO_PROVIDER', 'NO_PROVIDER'])
  })

  it('takes no arguments for next(): the request stays the same object', async () => {
    const ctx = new Context(), request = question(), seen: unknown[] = []
    answerer(ctx, (_request, next) => (next as Listen)({ other: true }, undefined as never))
    answerer(ctx, given => {
      seen.push(given)
      return Promise.resolve(says('SQLite'))
    })
    await dispatch(ctx, request)
    expect(seen[0] === request).toBe(true)
  })

  it('fixes the listeners when it dispatches: one that is registered meanwhile is not asked', async () => {
    const { ctx, asked } = await start('behind')
    answerer(ctx, (_request, next) => {
      answerer(ctx, () => void asked.push('newcomer'))
      next()
      return next()
    }, true)
    await expect(dispatch(ctx, question())).rejects.toMatchObject({ code: 'NO_PROVIDER' })
    expect(asked).toEqual(['behind'])
  })
})

describe('who stands behind a listener of ours', () => {
  /** What is said of them in a dispatch, where some plugins are loaded before ours. */
  async function behind(target: object | undefined, load: (ctx: Context) => unknown, loadLater?: (ctx: Context) => unknown) {
    const ctx = new Context()
    let said: unknown
    await load(ctx)
    await ctx.plugin({
      name: 'ours',
      apply(own: Context) {
        own.on(EVENT as never, (function (this: unknown) {
          said = listenersBehind(own, EVENT, this)
          return Promise.resolve()
        }) as never, { prepend: true })
      },
    })
    await loadLater?.(ctx)
    const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<unknown>
    await waterfall(...target ? [target] : [], EVENT, question(), noAnswerer)
    return said
  }

  const web = listening('web', () => {})

  it('is known by the names of their plugins, in the order in which they are asked, whenever they were loaded', async () => {
    expect(await behind(undefined, ctx => ctx.plugin(web), ctx => ctx.plugin(listening('im-bridge', () => {})))).toEqual(['web', 'im-bridge'])
  })

  it('has no name where the root listens, and the name of its parent where the plugin has none', async () => {
    const said = await behind(undefined, async (ctx) => {
      answerer(ctx, () => {})
      await ctx.plugin({ name: 'parent', apply: (inner: Context) => void inner.plugin({ apply: (own: Context) => void answerer(own, () => {}) }) })
    }) as (string | undefined)[]
    expect(said).toEqual([undefined, 'parent'])
    expect(said.map(hostName)).toEqual(['host', 'host: parent'])
  })

  it('is not who stands ahead of it', async () => {
    const guard = { name: 'guard', apply: (inner: Context) => void answerer(inner, (_request, next) => next(), true) }
    expect(await behind(undefined, ctx => ctx.plugin(web), ctx => ctx.plugin(guard))).toEqual(['web'])
  })

  it.each([[true, ['web', 'everywhere']], [false, ['everywhere']], [undefined, ['everywhere']]])('is only who this dispatch is for, where cordis\' filter says %s of another plugin', async (isMeant, names) => {
    const isFor = ({ fiber }: Context) => fiber.name === 'ours' || isMeant
    const everywhere = { name: 'everywhere', apply: (inner: Context) => void inner.on(EVENT as never, (() => {}) as never, { global: true }) }
    expect(await behind({ [Context.filter]: isFor }, async (ctx) => {
      await ctx.plugin(web)
      await ctx.plugin(everywhere)
    })).toEqual(names)
  })

  it('is everybody in the dispatch of an agent of dsh, which is for all plugins without a scope', async () => {
    expect(await behind(scopeTarget({}, {}), ctx => ctx.plugin(web))).toEqual(['web'])
  })
})

describe('a list that cordis does not show', () => {
  it.each<[string, unknown]>([
    ['no events', {}],
    ['no hooks', { events: {} }],
    ['hooks of another kind', { events: { _hooks: { [EVENT]: new Set() } } }],
    ['none for the event', { events: { _hooks: {} } }],
    ['events that nobody may read', { get events() { throw new Error('it is not injected') } }],
    ['records of another kind', { events: { _hooks: { [EVENT]: [null, () => {}] } } }],
    ['records without a context', { events: { _hooks: { [EVENT]: [{ callback: () => {} }] } } }],
    ['one without ours', { events: { _hooks: { [EVENT]: [{ ctx: { fiber: {} } }] } }, fiber: {} }],
  ])('is unknown: %s', (_what, ctx) => {
    expect(listenersBehind(ctx as Context, EVENT)).toBeUndefined()
  })
})

describe('behind a listener that takes its time', () => {
  useFakeTime()

  const APPROVALS = 'approval/request'

  /** UIs of the host that hold what they are asked, and one ahead of the router that waits; what happens meanwhile; what is asked then. */
  async function open(event: string, names: readonly string[], meanwhile: (uis: Record<string, Context['fiber']>) => unknown = () => {}) {
    const { ctx } = await boot(), asked: string[] = [], uis: Record<string, Context['fiber']> = {}, { promise, resolve } = Promise.withResolvers<void>()
    for (const name of names) {
      uis[name] = await ctx.plugin({
        name,
        apply: (inner: Context) => void answerer(inner, () => {
          asked.push(name)
          return hang()
        }, false, event),
      })
    }
    const a = Object.assign(new FakeSurface('a'), { approvals: true })
    register(ctx, a)
    answerer(ctx, async (_request, next) => {
      await promise
      return next()
    }, true, event)
    const request = event === APPROVALS ? { toolName: 'bash', agent: { session: { id: 's1' } } } as never : question()
    let ends = 0
    const ask = watch(dispatch(ctx, request, () => (ends++, event === APPROVALS ? Promise.resolve('unavailable') : noAnswerer()), event))
    await meanwhile(uis)
    resolve()
    await pass(10)
    return { a, ask, asked, ends: () => ends, names: () => ctx.get('askSurfaces')!.pending()[0]!.participants.map(({ name }) => name) }
  }

  it.each(['user-questions/request', APPROVALS])('nobody is kept from it because another UI was unloaded meanwhile: %s', async (event) => {
    const { asked, names } = await open(event, ['web', 'bridge', 'desk'], ({ web }) => web!.dispose())
    expect(asked).toEqual(['web', 'bridge', 'desk'])
    expect(names()).toEqual(['a', 'host: web', 'host: bridge', 'host: desk'])
  })

  it('all are asked, by their names, and nobody more', async () => {
    const { a, ask, asked, ends, names } = await open('user-questions/request', ['web', 'bridge'])
    expect([asked, names(), ends()]).toEqual([['web', 'bridge'], ['a', 'host: web', 'host: bridge'], 0])
    await a.answer()
    expect(ask.value).toEqual(says('Postgres'))
  })
})
