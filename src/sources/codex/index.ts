// The plugin of the source Codex: a second client of the app-server that `codex` starts. Codex' own dialog and the surfaces ask at
// the same time, and whoever is first has answered. Where there is no app-server, Codex' hook asks instead.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { langOf } from '../../reply/lang.ts'
import { stateFolder } from '../local/folder.ts'
import { keepServing } from '../local/keep.ts'
import { provideStatus } from '../local/status.ts'
import { CODEX } from './asking.ts'
import { codexHome, Config } from './config.ts'
import { answerHook } from './hook-call.ts'
import { Watch } from './watch.ts'

/** The plugin's name. */
export const name = 'ask-codex'

export { Config }

/**
 * Watch Codex' app-server, and serve the socket `codex` for its hook, while there is a registry, whichever plugin provides it.
 *
 * @param config see {@link Config}. It is validated here too, for hosts that do not validate it.
 * @throws when a value is wrong; the message names the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const { home = codexHome(), folder = stateFolder(), holdMs, lang } = Config.parse(config ?? {})
  const logger = ctx.logger?.(name)
  const safely = (log: (message: string) => void) => (message: string) => {
    try {
      log(message)
    } catch {
      // A log that fails must not fail what is logged.
    }
  }
  const warn = safely(message => logger?.warn(message)), info = safely(message => logger?.info(message))
  ctx.inject(['askSurfaces'], (inner) => {
    const { askSurfaces } = inner as Context & { askSurfaces: AskSurfaces }
    const watch = new Watch({ home, askSurfaces, lang: langOf(lang), warn, info })
    const source = keepServing({ folder, name: 'codex', warn, handle: (body, signal) => answerHook(body, signal, { askSurfaces, holdMs, warn, isWatched: id => watch.has(id) }) })
    inner.effect(() => () => {
      watch.close()
      return source.close()
    }, 'ask-codex: app-server and socket')
    provideStatus(inner, () => {
      if (watch.isConnected) return { name: CODEX, state: 'connected', note: { en: 'by its app-server', zh: '通过 app-server' } }
      if (source.calls > 0) return { name: CODEX, state: 'connected', note: { en: 'by its hook', zh: '通过钩子' } }
      if (source.problem !== undefined) return { name: CODEX, state: 'wrong', note: { en: source.problem, zh: source.problem } }
      return { name: CODEX, state: 'waiting' }
    })
  })
}
