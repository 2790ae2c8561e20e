// The plugin of the source MCP: any agent that speaks it asks its person here, by the server that it starts (server.ts).
import type { Context } from '@deepseek-ai/cordis'
import type { AskSurfaces } from '../../protocol/surface.ts'
import { strictObject, z } from '../../protocol/zod.ts'
import { stateFolder } from '../local/folder.ts'
import { keepServing } from '../local/keep.ts'
import { provideStatus } from '../local/status.ts'
import { answerCall } from './call.ts'

/** The plugin's name. */
export const name = 'ask-mcp'

/** Schema of the plugin's configuration. */
export const Config = strictObject({
  /** The folder of the socket, as an absolute path. Default: `stateFolder()`, where the servers look for it. */
  folder: z.string().startsWith('/', 'must be an absolute path').optional(),
}).prefault({})

/**
 * Serve the socket `mcp` while there is a registry, whichever plugin provides it.
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
    const source = keepServing({ folder, name: 'mcp', warn, handle: (body, signal) => answerCall(body, signal, { askSurfaces, warn }) })
    inner.effect(() => () => source.close(), 'ask-mcp: socket')
    provideStatus(inner, () => {
      if (source.problem !== undefined) return { name: 'MCP', state: 'wrong', note: { en: source.problem, zh: source.problem } }
      return { name: 'MCP', state: source.calls > 0 ? 'connected' : 'waiting' }
    })
  })
}
