// The rows that the desk has by itself, as cordis.patch.yml has them for a dsh profile, and the plugins behind them.
import type { Plugin } from '@deepseek-ai/cordis'

/** A row that is there without a file. */
export interface OwnRow {
  readonly id: string
  /** The plugin's name, as in a profile. */
  readonly name: string
  /** Whether it is on where the file does not say. */
  readonly isOn: boolean
  /** Loads the plugin, and what it needs, only when its row is on. */
  readonly load: () => Promise<unknown>
}

/** In the order in which they are loaded. */
export const OWN_ROWS: readonly OwnRow[] = [
  { id: 'ask-router', name: 'dsh-ask-router', isOn: true, load: () => import('../index.ts') },
  { id: 'ask-commands', name: 'dsh-ask-router/commands', isOn: false, load: () => import('../commands/index.ts') },
  { id: 'ask-terminal', name: 'dsh-ask-router/terminal', isOn: false, load: () => import('../surfaces/terminal/index.ts') },
  { id: 'ask-web', name: 'dsh-ask-router/web', isOn: true, load: () => import('../surfaces/web/index.ts') },
  { id: 'ask-ntfy', name: 'dsh-ask-router/ntfy', isOn: false, load: () => import('../surfaces/ntfy/index.ts') },
  { id: 'ask-claude-code', name: 'dsh-ask-router/sources/claude-code', isOn: true, load: () => import('../sources/claude-code/index.ts') },
  { id: 'ask-codex', name: 'dsh-ask-router/sources/codex', isOn: true, load: () => import('../sources/codex/index.ts') },
  { id: 'ask-mcp', name: 'dsh-ask-router/sources/mcp', isOn: true, load: () => import('../sources/mcp/index.ts') },
]

/** What cordis can load: an object with `apply`, or a function. */
export function isPlugin(value: unknown): value is Plugin {
  return typeof value === 'function' || typeof (value as { apply?: unknown } | null)?.apply === 'function'
}
