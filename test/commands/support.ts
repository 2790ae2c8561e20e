// What the tests in this folder share: the real host with the router, its real command registry, and an agent in whose
// session a person sends commands. Time is faked from then on, except what the host itself runs on.
import type { Context, Message } from '@deepseek-ai/cordis'
import { CommandRuntime } from '@deepseek-ai/dsh-commands'
import { afterEach, expect, vi } from 'vitest'
import { type Agent, bootHost, newAgent, runTurn } from '../../examples/demo/host.ts'
import { ScriptedAdapter } from '../../examples/demo/model.ts'
import * as commands from '../../src/commands/index.ts'
import * as router from '../../src/index.ts'
import { logged } from '../helpers/cordis.ts'
import { FakeSurface } from '../helpers/surface.ts'
import { flush } from '../helpers/time.ts'

export { type Agent, commands, CommandRuntime, newAgent, router, runTurn }

/** A Monday. */
const NOON = Date.UTC(2026, 0, 5, 12)

const hosts: Context[] = []
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))

// Whatever a test did: no timer of it is left, its host goes down in peace, and nothing was rejected that nobody caught.
afterEach(async () => {
  await Promise.all(hosts.splice(0).map(ctx => ctx.fiber.dispose()))
  await flush()
  const timers = vi.isFakeTimers() ? vi.getTimerCount() : 0
  vi.useRealTimers()
  expect(timers, 'timers that are still set').toBe(0)
  expect(unhandled.splice(0)).toEqual([])
})

type Script = ConstructorParameters<typeof ScriptedAdapter>[0]

/** The host with an agent, and neither the router nor commands. */
export async function bare(script: Script = []) {
  const ctx = await bootHost(new ScriptedAdapter(script))
  hosts.push(ctx)
  const logs: Message[] = []
  ctx.logger.exporter({ levels: { default: 3 }, export: message => void logs.push(message) })
  const agent = await newAgent(ctx)
  vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  return { ctx, agent, say: sayer(ctx, agent), warned: () => logged(logs, 'warn', 'error') }
}

/** The host with everything in it. */
export async function start({ lang = 'en', router: settings, script }: {
  lang?: 'en' | 'zh' | 'auto'
  router?: unknown
  script?: Script
} = {}) {
  const host = await bare(script)
  const { ctx } = host
  const registry = await ctx.plugin(CommandRuntime)
  const routing = await ctx.plugin(router, settings)
  const plugin = await ctx.plugin(commands, { lang })
  const surfaces = ctx.get('askSurfaces')!
  return { ...host, registry, routing, plugin, surfaces, add: (...names: string[]) => adder(surfaces, names) }
}

function adder(surfaces: router.AskSurfaces, names: readonly string[]): FakeSurface[] {
  const added = names.map(name => new FakeSurface(name))
  for (const one of added) surfaces.register(one)
  return added
}

/** Send a command as a person does; resolves with the result that they see. */
export function sayer(ctx: Context, agent: Agent) {
  return async (line: string, signal = new AbortController().signal) =>
    (await ctx.get('commands')!.execute(agent, line, [], signal))?.result
}

/** The names of the commands that a person is offered. */
export function listed(ctx: Context, agent: Agent): string[] {
  return ctx.get('commands')!.list(agent).map(({ name }) => name)
}
