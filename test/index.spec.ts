// The package's public names, and how little the plugin asks of its context.
import { readdirSync, readFileSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it, vi } from 'vitest'
import * as plugin from '../src/index.ts'
import type { AskUserQuestionAnswer } from '../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../src/protocol/request.ts'
import type { AskSurfaces } from '../src/protocol/surface.ts'
import { FakeSurface, question, says } from './helpers/surface.ts'
import { flush, unhandledRejections, watch } from './helpers/time.ts'

type Listener = (request: AskUserQuestionRequest, next: () => unknown) => Promise<AskUserQuestionAnswer>

/** A context that has only what the plugin may take for granted. */
function bareContext() {
  const calls: string[] = []
  const provided = new Map<string, unknown>()
  const listeners = new Map<string, Listener>()
  const disposers: (() => void)[] = []
  const on = vi.fn<(event: string, listener: Listener, options?: unknown) => void>((event, listener) => {
    calls.push(`on ${event}`)
    listeners.set(event, listener)
  })
  const ctx = {
    provide: (name: string, value: unknown) => (calls.push(`provide ${name}`), provided.set(name, value)),
    on,
    effect: (run: () => () => void, label?: string) => {
      calls.push(`effect ${label}`)
      const dispose = run()
      disposers.push(dispose)
      return dispose
    },
  }
  return { ctx: ctx as unknown as Context, calls, provided, listeners, disposers, on }
}

describe('the package', () => {
  it('exports these names and no others', () => {
    expect(Object.keys(plugin).toSorted()).toEqual([
      'AskSurfaceRegistry', 'Config', 'apply', 'askSurfaceSchema', 'askUserQuestionAnswerSchema',
      'askUserQuestionRequestSchema', 'checkAnswer', 'isHostName', 'name', 'routeAsk', 'userQuestionError',
    ])
  })

  it('18: imports nothing of cordis or the host at run time, but for the desk, where no host is', () => {
    const folder = new URL('../src/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts') && file.replaceAll('\\', '/') !== 'desk/cordis.ts')
    expect(files).toContain('index.ts')
    const imports = files.flatMap(file => readFileSync(new URL(file, folder), 'utf8').match(/^(?:import|export)\b[^;]*?from '[^']+'/gm) ?? [])
    expect(imports.filter(one => one.includes("'@deepseek-ai/") && !one.startsWith('import type'))).toEqual([])
    expect(imports.filter(one => one.includes("'@deepseek-ai/"))).not.toEqual([])
  })

  it('is the plugin ask-router, whose apply is no constructor', () => {
    expect(plugin.name).toBe('ask-router')
    expect('prototype' in plugin.apply).toBe(false)
    expect('~standard' in plugin.Config).toBe(true)
  })
})

describe('a bare context', () => {
  it('is all that apply needs: provide, on and effect', async () => {
    const { ctx, provided, listeners } = bareContext()
    expect(plugin.apply(ctx)).toBeUndefined()
    const registry = provided.get('askSurfaces') as AskSurfaces
    const [a, b] = [new FakeSurface('a'), new FakeSurface('b')]
    for (const one of [a, b]) registry.register(one)
    const ask = watch(listeners.get('user-questions/request')!(question(), () => new Promise(() => {})))
    a.answer({ answers: [{ id: 'x', selected: [] }] })
    await flush()
    b.answer(says('SQLite'))
    a.settled.mockImplementation(() => {
      throw new Error('nobody logs this')
    })
    const unhandled = await unhandledRejections(flush)
    expect(unhandled).toEqual([])
    expect(ask.value).toEqual(says('SQLite'))
    expect(a.settled).toHaveBeenCalledTimes(1)
  })

  it('has the waterfall listener last, and first in the chain', () => {
    const { ctx, calls, on } = bareContext()
    plugin.apply(ctx)
    expect(calls.at(-1)).toBe('on user-questions/request')
    expect(calls).toContain('provide askSurfaces')
    expect(on.mock.lastCall![2]).toEqual({ prepend: true })
  })

  it('every effect has a label', () => {
    const { ctx, calls } = bareContext()
    plugin.apply(ctx)
    const effects = calls.filter(call => call.startsWith('effect'))
    expect(effects.length).toBeGreaterThan(0)
    for (const effect of effects) expect(effect).toMatch(/^effect (?!undefined)\S/)
  })

  it('refuses a wrong configuration before it registers anything', () => {
    const { ctx, calls } = bareContext()
    expect(() => plugin.apply(ctx, { host: 'never' })).toThrow(/host/)
    expect(calls).toEqual([])
  })

  it('takes a right one', async () => {
    const { ctx, provided, listeners } = bareContext()
    plugin.apply(ctx, { host: 'fallback' })
    const a = new FakeSurface('a')
    const registry = provided.get('askSurfaces') as AskSurfaces
    registry.register(a)
    const next = vi.fn<() => unknown>(() => new Promise(() => {}))
    watch(listeners.get('user-questions/request')!(question(), next))
    await new Promise(resolve => void setImmediate(() => setImmediate(resolve)))
    expect(next).not.toHaveBeenCalled()
    a.fail()
    await flush()
    expect(next).toHaveBeenCalledTimes(1)
  })

  it('14: a surface that is taken out in its own claim is not asked, nor offered another ask', () => {
    const { ctx, provided, listeners, disposers } = bareContext()
    plugin.apply(ctx)
    const registry = provided.get('askSurfaces') as AskSurfaces
    for (let count = 0; count < 2; count++) watch(listeners.get('user-questions/request')!(question(), () => new Promise(() => {})))
    const late = new FakeSurface('late')
    late.claim.mockImplementation(() => {
      disposers.at(-1)!()
      return true
    })
    const dispose = registry.register(late)
    expect([late.claim.mock.calls.length, late.asked]).toEqual([1, 0])
    expect(registry.list()).toEqual([])
    expect(dispose).not.toThrow()
  })

  it('its own effect ends every open ask', async () => {
    const { ctx, provided, listeners, disposers } = bareContext()
    plugin.apply(ctx)
    const a = new FakeSurface('a')
    ;(provided.get('askSurfaces') as AskSurfaces).register(a)
    const ask = watch(listeners.get('user-questions/request')!(question(), () => new Promise(() => {})))
    for (const dispose of disposers) dispose()
    await flush()
    expect(ask.state).toBe('rejected')
  })
})
