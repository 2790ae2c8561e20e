// The programs that run a hook of ours: where their settings are, and what has to stand there.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Hook } from './hooks.ts'
import { readJson } from './settings-file.ts'
import type { Say } from './texts.ts'

/** Where we are. */
export interface Place {
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  readonly cwd: string
  /** Where an administrator's settings of Claude Code are. Default: by the system. */
  readonly managed?: string | undefined
}

/** What runs, without a shell. */
export interface HookCommand {
  readonly node: string
  /** The copy of our hook. */
  readonly hook: string
  /** See `stateFolder`. */
  readonly folder: string
}

/** A program that can be connected. */
export interface Program {
  /** As it is typed; also the name of its source's socket, and of the folder with its hook. */
  readonly name: 'claude-code' | 'codex'
  readonly title: string
  /** The name of the hook's copy, by which a hook of ours is known. */
  readonly hookName: string
  /** Whether there are settings of one project. */
  readonly hasProjects: boolean
  settings(place: Place, isProject: boolean): string
  /** The other files that may run the hook already. */
  others(place: Place, isProject: boolean): readonly string[]
  hooks(command: HookCommand): readonly Hook[]
  /** Why the program would run no hook of this person's; `undefined` where it would. */
  refusal(place: Place, isProject: boolean): Say | undefined
  /** What the person should know when it is done. */
  readonly afterwards: Say
}

/**
 * How long a hook may take, in seconds: a person may be away for a week. Claude Code 2.1 takes any positive number, and its timers
 * end at 2^31 milliseconds. A hook whose desk goes away ends at once, whatever stands here.
 */
const CLAUDE_TIMEOUT_S = 7 * 24 * 3600

/**
 * Codex holds its own dialog back while a hook runs, so this is what a stuck desk can cost at most, in seconds: its own default.
 */
const CODEX_TIMEOUT_S = 600

/** What Claude Code runs us for: the moment in which its own dialog is shown, for every tool. */
const CLAUDE_EVENTS = [['PermissionRequest', '*']] as const

/** What Codex runs us for: before a question, which it has no other event for, and when a tool needs permission. */
const CODEX_EVENTS = [['PreToolUse', 'request_user_input'], ['PermissionRequest', '*']] as const

const claudeFolder = ({ env, home }: Place) => env['CLAUDE_CONFIG_DIR'] || join(home, '.claude')

const claudeCode: Program = {
  name: 'claude-code',
  title: 'Claude Code',
  hookName: 'claude-code-hook.mjs',
  hasProjects: true,
  // The paths are those of this machine, so of a project it is the file that is not shared with others.
  settings: (place, isProject) => isProject ? join(place.cwd, '.claude', 'settings.local.json') : join(claudeFolder(place), 'settings.json'),
  others: (place, isProject) => isProject ? [join(claudeFolder(place), 'settings.json')] : [],
  hooks: ({ node, hook, folder }) => CLAUDE_EVENTS.map(([event, matcher]) => (
    { event, matcher, handler: { type: 'command', command: node, args: [hook, folder], timeout: CLAUDE_TIMEOUT_S } }
  )),
  refusal(place, isProject) {
    for (const path of managedFiles(place)) {
      const settings = settingsIn(path)
      if (settings['allowManagedHooksOnly'] === true || settings['disableAllHooks'] === true) return texts => texts.managed(path)
    }
    const project = isProject ? [join(place.cwd, '.claude', 'settings.json'), join(place.cwd, '.claude', 'settings.local.json')] : []
    const path = [join(claudeFolder(place), 'settings.json'), ...project].find(one => settingsIn(one)['disableAllHooks'] === true)
    return path === undefined ? undefined : texts => texts.hooksOff(path)
  },
  afterwards: texts => texts.afterClaudeCode,
}

const codex: Program = {
  name: 'codex',
  title: 'Codex',
  hookName: 'codex-hook.mjs',
  hasProjects: false,
  settings: ({ env, home }) => join(env['CODEX_HOME'] || join(home, '.codex'), 'hooks.json'),
  others: () => [],
  // Codex knows no `args`, its command goes through a shell.
  hooks: ({ node, hook, folder }) => CODEX_EVENTS.map(([event, matcher]) => (
    { event, matcher, handler: { type: 'command', command: [node, hook, folder].map(quoted).join(' '), timeout: CODEX_TIMEOUT_S } }
  )),
  refusal: () => undefined,
  afterwards: texts => texts.afterCodex,
}

export const PROGRAMS: readonly Program[] = [claudeCode, codex]

/** A word as every POSIX shell reads it. */
function quoted(word: string): string {
  return `'${word.replaceAll('\'', '\'\\\'\'')}'`
}

/** Claude Code's files for administrators. */
function managedFiles({ managed }: Place): readonly string[] {
  const folder = managed ?? (process.platform === 'darwin' ? '/Library/Application Support/ClaudeCode' : '/etc/claude-code')
  const more = join(folder, 'managed-settings.d')
  return [join(folder, 'managed-settings.json'), ...namesIn(more).map(name => join(more, name))]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter(name => name.endsWith('.json'))
  } catch {
    // There are none, or they are not for us.
    return []
  }
}

/** What a file says; nothing where it is missing or no JSON object. */
function settingsIn(path: string): Readonly<Record<string, unknown>> {
  try {
    // What is no file, such as a pipe, would be read for ever.
    return statSync(path).isFile() ? Object(readJson(readFileSync(path))?.value) as Record<string, unknown> : {}
  } catch {
    // There is none.
    return {}
  }
}
