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
  /** Ctrl-Z in this terminal. */
  readonly onSuspend: () => void
}

const own: TerminalStreams = {
  input: process.stdin,
  output: process.stdout,
  // readline has taken the keys from the terminal; this is what it would have done. A suspension is for the whole job: a
  // shell waits for all of its processes.
  onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  onSuspend: () => process.platform === 'win32' || process.kill(0, 'SIGTSTP'),
}

/**
 * Register the terminal as the surface `terminal`.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @param streams the terminal; this process' own unless a test hands in another.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown, streams: TerminalStreams = own): void => {
  const { input, output, onInterrupt, onSuspend } = streams
  const typed = input.isTTY === true
  const lines = typed ? new TtyLines(input, output, onInterrupt, onSuspend) : new PipeLines(input)
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  // Not at once: what the surface says last is a failure, and comes before its leaving.
  const onEnd = () => queueMicrotask(() => dispose())
  const surface = new LineMode('terminal', { lines, output, typed, lang: langOf(Config.parse(config).lang), onEnd })
  const dispose = askSurfaces.register(surface)
  // After the registration, since cordis undoes the last thing first.
  ctx.effect(() => () => surface.close(), 'ask-terminal: input')
}
