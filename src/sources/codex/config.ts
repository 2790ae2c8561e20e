// The configuration of the source Codex.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { strictObject, z } from '../../protocol/zod.ts'
import { langSchema } from '../../reply/lang.ts'

const path = z.string().startsWith('/', 'must be an absolute path').optional()

/** How long Codex' dialog is held back while its person is away, by the hook, in milliseconds. */
const HOLD_MS = 60_000

/** The longest that a hook may take before Codex ends it, in milliseconds. */
const LONGEST_HOLD_MS = 590_000

/**
 * Schema of the plugin's configuration.
 *
 * - `home`: Codex' home, where its app-server listens. Default: `$CODEX_HOME`, else `~/.codex`.
 * - `folder`: the folder of the hook's socket; the hook in Codex' settings names the same. Default: `stateFolder()`.
 * - `holdMs`: how long the hook holds a question back while its person is away, in milliseconds (default 60,000); then Codex' own
 *   dialog comes.
 * - `lang`: of the notices: `auto` (default), `en` or `zh`.
 */
export const Config = strictObject({
  home: path,
  folder: path,
  holdMs: z.number().int().min(0).max(LONGEST_HOLD_MS).default(HOLD_MS),
  lang: langSchema,
}).prefault({})

/** Codex' home where the configuration names none. */
export function codexHome(env: NodeJS.ProcessEnv = process.env): string {
  return env['CODEX_HOME'] || join(homedir(), '.codex')
}
