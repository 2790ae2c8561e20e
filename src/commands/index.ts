// The commands' plugin: /home, /away, /quiet and /asks, where the host has a command registry.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../protocol/surface.ts'
import { strictObject, type z } from '../protocol/zod.ts'
import { langOf, langSchema } from '../reply/lang.ts'
import { truncate, visibleLine } from '../reply/visible.ts'
import { commandTexts } from './dictionary.ts'
import type { CommandDefinition, CommandInvocation, CommandRegistry, CommandResult } from './host.ts'
import { overview } from './overview.ts'
import { setPresence } from './presence.ts'
import { setQuiet } from './quiet.ts'
import { askTestQuestion, TestEnd } from './test-question.ts'
import type { CommandTexts } from './texts.ts'

/** The plugin's name. */
export const name = 'ask-commands'

/**
 * The plugin's configuration.
 *
 * - `lang`: the language of descriptions and results; `auto` (default) takes the locale of the environment.
 */
export const Config = strictObject({ lang: langSchema }).prefault({})

/** The configuration as it is after validation. */
export type Config = z.output<typeof Config>

const ECHO_LENGTH = 40

/**
 * Register the commands while both the registry of surfaces and the host's command registry are there. Without one of
 * them, only the commands are missing.
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
        // Another plugin has a command of that name. It keeps it, and our other commands are useful without it.
        logger?.warn(`no /${definition.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  })
}

/** What somebody typed, to be repeated to them. */
function echo(words: string): string {
  return truncate(visibleLine(words.trim()), ECHO_LENGTH)
}

/** @param ctx lives as long as the commands do. */
function definitions(ctx: Context & { askSurfaces: AskSurfaces }, texts: CommandTexts): CommandDefinition[] {
  const { askSurfaces } = ctx

  async function test({ agent, signal }: CommandInvocation): Promise<CommandResult> {
    if (askSurfaces.list().length === 0) return { kind: 'error', text: texts.test.none }
    const testEnd = new TestEnd()
    const dispose = ctx.effect(() => testEnd.end, 'ask-commands: /asks test')
    signal.addEventListener('abort', testEnd.end)
    if (signal.aborted) testEnd.end()
    try {
      return { kind: 'success', text: await askTestQuestion(askSurfaces, agent, testEnd, texts) }
    } finally {
      signal.removeEventListener('abort', testEnd.end)
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
      name: 'quiet',
      description: texts.describe.quiet,
      input: { hint: '[30m | 1h | until 07:00 | off]' },
      handler: ({ rawInput }) => setQuiet(askSurfaces, rawInput, texts) ?? { kind: 'error', text: texts.quiet.unknown(echo(rawInput)) },
    },
    {
      name: 'asks',
      description: texts.describe.asks,
      input: { hint: '[test]' },
      handler(invocation) {
        const word = invocation.rawInput.trim()
        if (word === '') return { kind: 'success', text: overview(askSurfaces, invocation.agent.session.id, texts) }
        if (word.toLowerCase() === 'test') return test(invocation)
        return { kind: 'error', text: texts.unknown(echo(word)) }
      },
    },
  ]
}
