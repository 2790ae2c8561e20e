// The terminal surface's plugin: answers questions on this process' own terminal.
import type { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { langOf } from '../../reply/lang.ts'
import { LineMode } from './line-mode.ts'
import { PipeLines, TtyLines } from './lines.ts'

/** The plugin's name. */
export const name = 'ask-terminal'

/** Loaded while the registry is there, whichever plugin provides it. */
export const inject = ['askSurfaces']

/**
 * The plugin's configuration.
 *
 * - `lang`: the language of what the terminal itself says; `auto` (default) takes the locale of the environment.
 */
export const Config = z.strictObject({
  lang: z.enum(['auto', 'en', 'zh']).default('auto'),
}, {
  error: issue => issue.code === 'unrecognized_keys' ? `unknown key ${issue.keys.join(', ')}; it may be lang` : undefined,
}).prefault({})

/** The configuration as it is after validation. */
export type Config = z.output<typeof Config>

/** The terminal that is used. */
export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Ctrl-C in this terminal. */
  readonly onInterrupt: () => void
}

const own: TerminalStreams = {
  input: process.stdin,
  output: process.stdout,
  // readline has taken the key from the process; this is what the terminal would have done.
  onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
}

/**
 * Register the terminal as the surface `terminal`.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @param streams the terminal; this process' own unless a test hands in another.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown, streams: TerminalStreams = own): void => {
  const { input, output, onInterrupt } = streams
  const typed = input.isTTY === true
  const lines = typed ? new TtyLines(input, output, onInterrupt) : new PipeLines(input)
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  const surface = new LineMode('terminal', { lines, output, typed, lang: langOf(Config.parse(config).lang), onEnd: () => dispose() })
  const dispose = askSurfaces.register(surface)
  // After the registration, since cordis undoes the last thing first.
  ctx.effect(() => () => surface.close(), 'ask-terminal: input')
}
