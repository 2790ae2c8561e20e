// The plugin of the source Claude Code: its questions, plans and permissions come through a hook, and are asked on every surface
// while Claude Code's own dialog is open. Whoever is first has answered.
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { strictObject, z } from '../../protocol/zod.ts'
import { stateFolder } from '../local/folder.ts'
import { keepServing } from '../local/keep.ts'
import { provideStatus } from '../local/status.ts'
import { answerCall, CLAUDE_CODE } from './call.ts'

/** The plugin's name. */
export const name = 'ask-claude-code'

/** Schema of the plugin's configuration. */
export const Config = strictObject({
  /** The folder of the socket, as an absolute path; the hook in Claude Code's settings names the same. Default: `stateFolder()`. */
  folder: z.string().startsWith('/', 'must be an absolute path').optional(),
}).prefault({})

/**
 * Serve the socket `claude-code` while there is a registry, whichever plugin provides it.
 *
 * @param config see {@link Config}. It is validated here too, for hosts that do not validate it.
 * @throws when a value is wrong; the message names the field.
 */
// An arrow function: cordis would call a plain one with `new`.
export const apply = (ctx: Context, config?: unknown): void => {
  const { folder = stateFolder() } = Config.parse(config ?? {})
  const logger = ctx.logger?.(name)
  const warn = (message: string) => {
    try {
      logger?.warn(message)
    } catch {
      // A log that fails must not fail what is logged.
    }
  }
  ctx.inject(['askSurfaces'], (inner) => {
    const { askSurfaces } = inner as Context & { askSurfaces: AskSurfaces }
    const taken = new Set<string>()
    const source = keepServing({ folder, name: 'claude-code', warn, handle: (body, signal) => answerCall(body, signal, { askSurfaces, warn, taken }) })
    inner.effect(() => () => source.close(), 'ask-claude-code: socket')
    provideStatus(inner, () => {
      if (source.problem !== undefined) return { name: CLAUDE_CODE, state: 'wrong', note: { en: source.problem, zh: source.problem } }
      return { name: CLAUDE_CODE, state: source.calls > 0 ? 'connected' : 'waiting' }
    })
  })
}
