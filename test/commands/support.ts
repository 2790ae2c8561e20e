// What the tests in this folder share: the real host with the router, its real command registry, and an agent in whose
// session a person sends commands. Time is faked from then on, except what the host itself runs on.
import { readFileSync } from 'node:fs'
import type { Context } from '@deepseek-ai/cordis'
import { CommandRuntime } from '@deepseek-ai/dsh-commands'
import { afterEach, expect, vi } from 'vitest'
import { type Agent, bootHost, newAgent } from '../../examples/demo/host.ts'
import { ScriptedAdapter } from '../../examples/demo/model.ts'
import * as commands from '../../src/commands/index.ts'
import * as router from '../../src/index.ts'
import { logged } from '../helpers/cordis.ts'
import { flush } from '../helpers/time.ts'

export { type Agent, commands, CommandRuntime, newAgent, router }

/** A Monday, noon. */
export const NOON = Date.UTC(2026, 0, 5, 12)

const hosts: Context[] = []
const unhandled: unknown[] = []
process.on('unhandledRejection', error => unhandled.push(error))

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(hosts.splice(0).map(ctx => ctx.fiber.dispose()))
  await flush()
  expect(unhandled.splice(0)).toEqual([])
})

/** The host with an agent, and neither the router nor commands. */
export async function bare(script: ConstructorParameters<typeof ScriptedAdapter>[0] = []) {
  const ctx = await bootHost(new ScriptedAdapter(script))
  hosts.push(ctx)
  const logs: Parameters<typeof logged>[0] & { push: unknown } = []
  ctx.logger.exporter({ levels: { default: 3 }, export: message => void (logs as unknown[]).push(message) })
  const agent = await newAgent(ctx)
  vi.useFakeTimers({ now: NOON, toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
  return { ctx, agent, warned: () => logged(logs, 'warn', 'error') }
}

/** The host with everything in it. */
export async function start({ lang = 'en', router: settings, script }: {
  lang?: 'en' | 'zh' | 'auto'
  router?: unknown
  script?: ConstructorParameters<typeof ScriptedAdapter>[0]
} = {}) {
  const host = await bare(script)
  const { ctx } = host
  const registry = await ctx.plugin(CommandRuntime)
  const routing = await ctx.plugin(router, settings)
  const plugin = await ctx.plugin(commands, { lang })
  return { ...host, registry, routing, plugin, surfaces: ctx.get('askSurfaces')!, say: sayer(ctx, host.agent) }
}

/** Send a command as a person does; resolves with the result that they see. */
export function sayer(ctx: Context, agent: Agent) {
  return async (line: string, signal = new AbortController().signal) =>
    (await ctx.get('commands')!.execute(agent, line, [], signal))?.result
}

/** The names of the commands that a person is offered, ours only. */
export function listed(ctx: Context, agent: Agent): string[] {
  return ctx.get('commands')?.list(agent).map(({ name }) => name) ?? []
}

/** What every plugin in the tree holds, by label. */
export function effectsOf(fiber: { getEffects(): readonly { label: string }[] }): string[] {
  return fiber.getEffects().map(({ label }) => label)
}

/** A line of the package's own files. */
export const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { exports: Record<string, unknown> }
