// The one folder of this package outside a project: the sockets by which local programs reach a source, and what `connect` has to
// remember. Only this user can enter it. Nothing here depends on another package: Claude Code's and Codex' hooks have it inside.
import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** A socket's path has at most this many bytes on every system (108 with the final zero on Linux, 104 elsewhere). */
const LONGEST_PATH = 103

/** The folder: `$XDG_STATE_HOME/dsh-ask-router`, by default in `~/.local/state`. */
export function stateFolder(env: NodeJS.ProcessEnv = process.env, home = homedir()): string {
  const base = env['XDG_STATE_HOME']
  // The specification of these folders has a relative path ignored.
  return join(base?.startsWith('/') ? base : join(home, '.local', 'state'), 'dsh-ask-router')
}

/**
 * Find what is wrong with the folder.
 *
 * @returns `undefined` for one that only this user can enter, `absent` where there is none, else a sentence.
 */
export function folderProblem(folder: string): string | undefined {
  let stat
  try {
    stat = lstatSync(folder)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'absent' : `${folder} cannot be read`
  }
  if (!stat.isDirectory()) return `${folder} is no folder`
  if (stat.uid !== process.getuid?.()) return `${folder} belongs to another user`
  return (stat.mode & 0o077) === 0 ? undefined : `others can enter ${folder}: its mode must be 0700`
}

/**
 * Make the folder, or close it to others.
 *
 * @throws Error when it cannot be made or belongs to another user.
 */
export function makeFolder(folder: string): void {
  make(folder)
  const stat = lstatSync(folder)
  if (stat.isDirectory() && stat.uid === process.getuid?.()) chmodSync(folder, 0o700)
  const problem = folderProblem(folder)
  if (problem !== undefined) throw new Error(problem)
}

/** Not `recursive`, with which Node.js never returns where a folder that is there says that it is not, as `/proc` does. */
function make(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error
    make(dirname(folder))
    make(folder)
  }
}

/**
 * The path of a socket in the folder.
 *
 * @param name of the source: `claude-code`, `codex`, `mcp`, or `desk`.
 * @throws Error when the path is too long for a socket.
 */
export function socketPath(folder: string, name: string): string {
  const path = join(folder, `${name}.sock`)
  if (Buffer.byteLength(path) > LONGEST_PATH) throw new Error(`${path} is too long for a socket: set XDG_STATE_HOME to a shorter path`)
  return path
}
