// The commands' plugin: /home, /away and /asks, where the host has a command registry.
import type { Context } from '@deepseek-ai/cordis'
import type { z } from 'zod'
import { only } from '../protocol/only.ts'
import type { AskSurfaces } from '../protocol/surface.ts'
import { langOf, langSchema } from '../reply/lang.ts'
import { visibleLine } from '../reply/visible.ts'
import type { CommandDefinition, CommandInvocation, CommandRegistry, CommandResult } from './host.ts'
import { overview } from './overview.ts'
import { setPresence } from './presence.ts'
import { type CommandTexts, commandTexts } from './texts.ts'
import { trial, TrialEnd } from './trial.ts'
import { short } from './words.ts'

/** The plugin's name. */
export const name = 'ask-commands'

/**
 * The plugin's configuration.
 *
 * - `lang`: the language of descriptions and results; `auto` (default) takes the locale of the environment.
 */
export const Config = only({ lang: langSchema }).prefault({})

/** The configuration as it is after validation. */
export type Config = z.output<typeof Config>

const ECHO_LENGTH = 40

/**
 * Register the commands while both the registry of surfaces and the host's command registry are there; nothing is
 * missing but the commands where one of them is not.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @throws when a value of the configuration is wrong, naming the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const texts = commandTexts[langOf(Config.parse(config).lang)]
  const logger = ctx.logger?.(name)
  ctx.inject(['askSurfaces', 'commands'], (inner) => {
    const { commands } = inner as Context & { commands: CommandRegistry }
    for (const definition of definitions(inner as Context & { askSurfaces: AskSurfaces }, texts)) {
      try {
        commands.register(definition)
      } catch (error) {
        // Somebody else's command of that name; theirs stays, and the other commands are of use without it.
        logger?.warn(`no /${definition.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  })
}

/** @param ctx lives as long as the commands do. */
function definitions(ctx: Context & { askSurfaces: AskSurfaces }, texts: CommandTexts): CommandDefinition[] {
  const { askSurfaces } = ctx

  async function test({ agent, signal }: CommandInvocation): Promise<CommandResult> {
    if (askSurfaces.list().length === 0) return { kind: 'error', text: texts.test.none }
    const end = new TrialEnd()
    const dispose = ctx.effect(() => end.now, 'ask-commands: /asks test')
    signal.addEventListener('abort', end.now)
    if (signal.aborted) end.now()
    try {
      return { kind: 'success', text: await trial(askSurfaces, agent, end, texts) }
    } finally {
      signal.removeEventListener('abort', end.now)
      void dispose()
    }
  }

  return [
    ...(['home', 'away'] as const).map((presence): CommandDefinition => ({
      name: presence,
      description: texts.describe[presence],
      handler: () => ({ kind: 'success', text: setPresence(askSurfaces, presence, texts) }),
    })),
    {
      name: 'asks',
      description: texts.describe.asks,
      input: { hint: '[test]' },
      handler(invocation) {
        const word = invocation.rawInput.trim()
        if (word === '') return { kind: 'success', text: overview(askSurfaces, invocation.agent.session.id, texts) }
        if (word.toLowerCase() === 'test') return test(invocation)
        return { kind: 'error', text: texts.unknown(short(visibleLine(word), ECHO_LENGTH)) }
      },
    },
  ]
}
