// Where the desk's file is.
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The file: `$XDG_CONFIG_HOME/dsh-ask-router/desk.yml`, by default in `~/.config`. */
export function defaultFile(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CONFIG_HOME']
  // The specification of these folders has a relative path ignored.
  return join(base?.startsWith('/') ? base : join(homedir(), '.config'), 'dsh-ask-router', 'desk.yml')
}
