// Our hooks in a program's settings: `hooks.<event>[].hooks[]`, in Claude Code's settings as in Codex' hooks.json.
import { isDeepStrictEqual } from 'node:util'
import { type Child, childNamed, type Container, insert, readContainer, remove } from './json-edit.ts'

/** One hook that the program is to run. */
export interface Hook {
  readonly event: string
  /** Which tools it is for, as the program matches them. */
  readonly matcher: string
  readonly handler: Readonly<Record<string, unknown>>
}

/** Settings with our hooks. */
export interface Connected {
  readonly text: string
  /** The containers that were not there before: `hooks`, and `hooks.<event>`. */
  readonly made: readonly string[]
}

const groupOf = ({ matcher, handler }: Hook) => ({ matcher, hooks: [handler] })

/**
 * Find why settings cannot take hooks.
 *
 * @param value the parsed settings.
 * @returns `undefined` where they can, else what is wrong, to be read after the file's name.
 */
export function hooksProblem(value: unknown): string | undefined {
  if (!isObject(value)) return 'is no JSON object'
  const hooks = own(value, 'hooks')
  if (hooks !== undefined && !isObject(hooks)) return 'has "hooks" that are no JSON object'
  for (const [event, groups] of Object.entries(hooks ?? {})) {
    if (!Array.isArray(groups)) return `has "hooks.${event}" that is no list`
    if (!groups.every(group => isObject(group) && Array.isArray(own(group, 'hooks')))) return `has an entry in "hooks.${event}" without a list of hooks`
  }
  return undefined
}

/**
 * Add hooks, unless just these are there. Others of ours go.
 *
 * @param text settings without a problem.
 * @param name in the path of every hook of ours.
 */
export function addHooks(text: string, hooks: readonly Hook[], name: string): Connected {
  if (isConnected(text, hooks, name)) return { text, made: [] }
  const made: string[] = []
  let next = removeHooks(text, name, [])
  for (const hook of hooks) {
    const root = readContainer(next, 0), all = childNamed(root, 'hooks')
    if (!all) {
      next = insert(next, root, { [hook.event]: [groupOf(hook)] }, 'hooks')
      made.push('hooks', `hooks.${hook.event}`)
      continue
    }
    const events = readContainer(next, all.start), groups = childNamed(events, hook.event)
    if (groups) {
      next = insert(next, readContainer(next, groups.start), groupOf(hook))
    } else {
      next = insert(next, events, [groupOf(hook)], hook.event)
      made.push(`hooks.${hook.event}`)
    }
  }
  return { text: next, made }
}

/**
 * Remove every hook of ours, and the containers that are empty then and that we made.
 *
 * @param text settings without a problem.
 * @param made see `Connected`; where nobody knows, every container that this empties counts.
 */
export function removeHooks(text: string, name: string, made?: readonly string[]): string {
  let next = text
  for (let ours = findOurs(next, name); ours; ours = findOurs(next, name)) {
    next = remove(next, ours.container, ours.child)
    const isMade = (path: string) => made?.includes(path) ?? true
    const [root, all] = hooksIn(next), events = readContainer(next, all!.start), groups = childNamed(events, ours.event)!
    if (readContainer(next, groups.start).children.length > 0 || !isMade(`hooks.${ours.event}`)) continue
    next = events.children.length > 1 || !isMade('hooks') ? remove(next, events, groups) : remove(next, root, all!)
  }
  return next
}

/** Whether our hooks are there, as they should be, and no others of ours. */
function isConnected(text: string, hooks: readonly Hook[], name: string): boolean {
  const [, all] = hooksIn(text)
  if (!all) return false
  const value = JSON.parse(text.slice(all.start, all.end)) as Record<string, unknown[]>
  const found = Object.entries(value).flatMap(([event, groups]) => groups.filter(group => isOurs(group, name)).map(group => ({ event, group })))
  return found.length === hooks.length && hooks.every(hook => found.some(({ event, group }) => event === hook.event && isDeepStrictEqual(group, groupOf(hook))))
}

/** The first hook of ours, or the entry that has no other. */
function findOurs(text: string, name: string): { event: string, container: Container, child: Child } | undefined {
  const [, all] = hooksIn(text)
  const events = all && readContainer(text, all.start)
  // Of a key that is there twice only the last one counts, for the program as for us.
  for (const event of events?.children.filter(child => child === childNamed(events, child.key!)) ?? []) {
    const groups = readContainer(text, event.start)
    for (const group of groups.children) {
      const hooks = readContainer(text, childNamed(readContainer(text, group.start), 'hooks')!.start)
      const child = hooks.children.find(({ start, end }) => isOurs(JSON.parse(text.slice(start, end)), name))
      if (!child) continue
      const place = hooks.children.length > 1 ? { container: hooks, child } : { container: groups, child: group }
      return { event: event.key!, ...place }
    }
  }
  return undefined
}

function hooksIn(text: string): [root: Container, hooks: Child | undefined] {
  const root = readContainer(text, 0)
  return [root, childNamed(root, 'hooks')]
}

/** Whether a hook, or one in a group of hooks, runs our file. */
function isOurs(value: unknown, name: string): boolean {
  if (!isObject(value)) return false
  const hooks = own(value, 'hooks'), args = own(value, 'args')
  if (Array.isArray(hooks)) return hooks.some(hook => isOurs(hook, name))
  return [own(value, 'command'), ...Array.isArray(args) ? args : []].some(word => typeof word === 'string' && word.includes(`/dsh-ask-router/${name}`))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
