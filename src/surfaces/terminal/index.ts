// The terminal surface's plugin: questions are answered on this process's own terminal.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { strictObject, z } from '../../protocol/zod.ts'
import { langOf, langSchema } from '../../reply/lang.ts'
import { LineMode } from './line-mode.ts'
import { PanelMode } from './panel-mode.ts'
import { panelTexts } from './panel-texts.ts'
import { PipeLines } from './pipe-lines.ts'
import type { Output } from './screen.ts'
import { type Input, isTaken } from './takeover.ts'
import { TerminalSurface } from './terminal-surface.ts'
import { TtyLines } from './tty-lines.ts'

/** The plugin's name. */
export const name = 'ask-terminal'

/** The plugin runs while some plugin provides the registry. */
export const inject = ['askSurfaces']

const fields = {
  lang: langSchema,
  mode: z.enum(['auto', 'panel', 'line']).default('auto'),
}

/**
 * The plugin's configuration.
 *
 * - `lang`: the language of the terminal's own texts; `auto` (default) follows the locale of the environment.
 * - `mode`: `panel` is filled in with keys, `line` prints the question and reads a line; `auto` (default) means `panel`,
 *   unless `TERM` is `dumb`. Without a TTY it is always `line`.
 */
export const Config = strictObject(fields).prefault({})

/** The validated configuration. */
export type Config = z.output<typeof Config>

/** The terminal to use. */
export interface TerminalStreams {
  readonly input: Input
  readonly output: Output
  /** Other outputs that may go to the same terminal. */
  readonly others?: readonly Output[]
  /** Handles Ctrl-C. */
  readonly onInterrupt: () => void
  /** Handles Ctrl-Z. */
  readonly onSuspend: () => void
  /** Holds `TERM`, `NO_COLOR` and the locale; default: the process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const own: TerminalStreams = {
  input: process.stdin,
  output: process.stdout,
  others: [process.stderr],
  // What the terminal itself does outside raw mode. A suspension is for the whole job: a shell waits for all of its
  // processes.
  onInterrupt: () => void process.kill(process.pid, 'SIGINT'),
  onSuspend: () => process.platform === 'win32' || process.kill(0, 'SIGTSTP'),
}

/**
 * Register the terminal as the surface `terminal`. If something else already reads it key by key, say so and register
 * nothing.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @param streams the terminal; default: this process's own.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown, streams: TerminalStreams = own): void => {
  const { input, output, others = [], onInterrupt, onSuspend, env = process.env } = streams
  const { lang: wanted, mode } = Config.parse(config)
  const lang = langOf(wanted, env)
  const typed = input.isTTY === true
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  if (typed && isTaken(input)) {
    output.write(`${panelTexts[lang].taken}\n`)
    return
  }
  const isPanel = typed && output.isTTY === true && (mode === 'panel' || (mode === 'auto' && env['TERM'] !== 'dumb'))
  const onLost = (why: 'taken' | 'gone') => {
    surface.lose(why)
    // Later, so that the questions count as failed here before the surface leaves.
    queueMicrotask(() => dispose())
  }
  const display = isPanel
    ? new PanelMode({
      input, output, others: others.filter(other => other.isTTY), lang, onInterrupt, onSuspend, onLost,
      colour: !env['NO_COLOR'], pushes: env['TERM_PROGRAM'] === 'vscode',
    })
    : new LineMode({ lines: typed ? new TtyLines(input, output, onInterrupt, onSuspend) : new PipeLines(input), output, typed, lang, onLost })
  const surface = new TerminalSurface('terminal', lang, output, display)
  const dispose = askSurfaces.register(surface)
  // After the registration, since cordis undoes the last thing first.
  ctx.effect(() => () => surface.close(), 'ask-terminal: input')
}
