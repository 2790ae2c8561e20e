// The terminal surface's plugin: questions are answered on this process's own terminal.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { strictObject, z } from '../../protocol/zod.ts'
import { langOf, langSchema } from '../../reply/lang.ts'
import { LineMode } from './line-mode.ts'
import { PanelMode } from './panel-mode.ts'
import { panelTexts } from './panel-texts.ts'
import { PipeLines } from './pipe-lines.ts'
import { always } from './foreground.ts'
import { ownStreams, screenOf, type TerminalStreams } from './streams.ts'
import { isTaken, type Terminal } from './takeover.ts'
import { TerminalSurface } from './terminal-surface.ts'
import { TtyLines } from './tty-lines.ts'

export type { TerminalStreams } from './streams.ts'

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

/**
 * Register the terminal as the surface `terminal`. If something else already reads it key by key, or nobody could read a
 * question on it, say so and register nothing.
 *
 * @param config see {@link Config}; validated here too, for hosts that do not.
 * @param streams the terminal; default: this process's own.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown, streams: TerminalStreams = ownStreams): void => {
  const { input, others = [], onInterrupt, onSuspend, env = process.env } = streams
  const { lang: wanted, mode } = Config.parse(config)
  const lang = langOf(wanted, env)
  const isTyped = input.isTTY === true
  const { askSurfaces } = ctx as Context & { askSurfaces: AskSurfaces }
  const refuse = (why: string) => void (isTyped ? screenOf(streams) ?? streams.output : streams.output).write(`${why}\n`)
  if (isTyped && isTaken(input)) return refuse(panelTexts[lang].taken)
  // What is typed must be an answer to what is seen.
  const opened = isTyped && !screenOf(streams) ? streams.open?.() : undefined
  const output = isTyped ? screenOf(streams) ?? opened : streams.output
  if (!output) return void (others[0] ?? streams.output).write(`${panelTexts[lang].unseen}\n`)
  const isDumb = env['TERM'] === 'dumb'
  // Where the standard output goes elsewhere, another program on the same terminal may show it.
  const isPanel = isTyped && (mode === 'panel' || (mode === 'auto' && !isDumb && output === streams.output))
  const { foreground = always, setRaw = (raw: boolean) => void input.setRawMode?.(raw) } = isTyped ? streams : {}
  const own: Terminal = { input, output, foreground, setRaw }
  const onLost = (why: 'taken' | 'gone') => {
    surface.lose(why)
    // Later, so that the questions count as failed here before the surface leaves.
    queueMicrotask(() => dispose())
  }
  const display = isPanel
    ? new PanelMode({
      ...own, others: others.filter(other => other.isTTY && other !== output), lang, onInterrupt, onSuspend, onLost,
      colour: !env['NO_COLOR'], pushes: env['TERM_PROGRAM'] === 'vscode',
    })
    : new LineMode({ lines: isTyped ? new TtyLines(own, isDumb, onInterrupt, onSuspend) : new PipeLines(input), output, typed: isTyped, lang, onLost })
  const surface = new TerminalSurface('terminal', lang, output, display, foreground, () => askSurfaces.reconsider())
  const dispose = askSurfaces.register(surface)
  // After the registration, since cordis undoes the last thing first.
  ctx.effect(() => () => {
    surface.close()
    opened?.close()
  }, 'ask-terminal: input')
}
