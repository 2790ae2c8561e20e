// `dsh-ask-router connect` and `disconnect`: put our hook into the settings of a program, and take it out again. Every step leaves
// something that works when the next one never comes: the hook before the settings that name it, the record before the file it is
// about; and the other way round on the way out.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolder, socketPath, stateFolder } from '../../sources/local/folder.ts'
import { addHooks, hooksProblem, removeHooks } from './hooks.ts'
import { confirm, type ConnectIo, ioOfProcess } from './io.ts'
import { changedLines } from './lines.ts'
import { type Program, PROGRAMS } from './programs.ts'
import { type ConnectionRecord, forget, hashOf, readRecord, removeFolder, writeRecord } from './record.ts'
import { draftOf, lookAt, makeFolders, messageOf, missingFolders, readJson, type SettingsFile, writeAtomically } from './settings-file.ts'

/** The exit codes: it is as it was asked for; it is not, and a sentence says why; the command was wrong, or nobody could be asked. */
const DONE = 0, FAILED = 1, USAGE = 2

/** What the person asked for. */
interface Wish {
  readonly program: Program
  readonly isProject: boolean
  /** Whether not to ask. */
  readonly yes: boolean
}

/** A sentence for the person: it cannot be done. */
class Refusal extends Error {}

/**
 * Put our hook into a program's settings.
 *
 * @param args what stands behind `connect`: `claude-code [--project]` or `codex`, and `--yes`.
 * @returns the exit code: 0 when it is connected, 1 when not, 2 for a wrong command or when there is no terminal to ask on.
 */
export function connect(args: readonly string[], io: ConnectIo = ioOfProcess()): Promise<number> {
  return run('connect', args, io, put)
}

/**
 * Take our hook out again, and everything else that `connect` left.
 *
 * @param args as for `connect`.
 * @returns the exit code, as of `connect`.
 */
export function disconnect(args: readonly string[], io: ConnectIo = ioOfProcess()): Promise<number> {
  return run('disconnect', args, io, take)
}

async function run(verb: string, args: readonly string[], io: ConnectIo, act: (wish: Wish, io: ConnectIo) => Promise<number>): Promise<number> {
  const wish = wishOf(args)
  if (typeof wish === 'string') {
    io.stderr.write(`${wish}\nUsage: dsh-ask-router ${verb} claude-code [--project] [--yes]\n       dsh-ask-router ${verb} codex [--yes]\n`)
    return USAGE
  }
  try {
    return await act(wish, io)
  } catch (error) {
    io.stderr.write(`${error instanceof Refusal ? error.message : `It could not be done: ${messageOf(error)}.`}\n`)
    return FAILED
  }
}

/** @returns what is wanted, or what is wrong with it. */
function wishOf(args: readonly string[]): Wish | string {
  try {
    const { values, positionals: [name, ...more] } = parseArgs({ args: [...args], allowPositionals: true, options: { project: { type: 'boolean' }, yes: { type: 'boolean', short: 'y' } } })
    const program = PROGRAMS.find(one => one.name === name), { project: isProject = false, yes = false } = values
    if (!program || more.length > 0) return 'Say which program.'
    return isProject && !program.hasProjects ? `${program.title} has no settings of a project that a hook of ours could be in.` : { program, isProject, yes }
  } catch (error) {
    return messageOf(error)
  }
}

/** Where the pieces of one connection are. */
function placesOf({ program, isProject }: Wish, io: ConnectIo) {
  const folder = stateFolder(io.env, io.home)
  return { folder, hook: join(folder, program.hookName), settings: program.settings(io, isProject) }
}

async function put(wish: Wish, io: ConnectIo): Promise<number> {
  const { program, isProject } = wish, { folder, hook, settings } = placesOf(wish, io)
  const refusal = program.refusal(io, isProject)
  if (refusal !== undefined) throw new Refusal(refusal)
  const there = program.others(io, isProject).find(path => hasHooks(path, program))
  if (there !== undefined) {
    io.stdout.write(`${program.title} is connected for every project already (${there}).\n`)
    return DONE
  }
  // A path that is too long for a socket would make a hook that finds no desk.
  socketPath(folder, program.name)
  const source = builtHook(program, io), file = lookAt(settings)
  if (typeof file === 'string') throw new Refusal(file)
  const { text, mark } = textOf(file, settings), old = readRecord(folder, program.name, file.target)
  const next = addHooks(isBlank(text) ? '{}\n' : text, program.hooks({ node: io.node, hook, folder }), program.hookName)
  const isChanged = next.text !== text
  if (isChanged) {
    const code = await ask(wish, io, settings, text, next.text)
    if (code !== DONE) return code
  }
  const made = missingFolders(folder)
  makeFolder(folder)
  writeIfOther(hook, source)
  if (!isChanged) {
    io.stdout.write(`${program.title} is already connected (${settings}).\n`)
    return DONE
  }
  const bytes = Buffer.from(mark + next.text), isUntouched = old && file.bytes && old.written.includes(hashOf(file.bytes))
  // What somebody changed since stays when we go; what nobody changed is as it was before the first time.
  const original = !file.bytes ? null : isUntouched ? old.original : base64(mark + withoutHooks(text, program, old?.made))
  const record: ConnectionRecord = {
    target: file.target, original,
    written: [...isUntouched ? old.written : [], hashOf(bytes)],
    made: [...new Set([...old?.made ?? [], ...next.made])],
    folders: [...new Set([...old?.folders ?? [], ...made, ...missingFolders(dirname(file.target))])],
  }
  writeRecord(folder, program.name, record)
  makeFolders(dirname(file.target))
  writeUnlessChanged(file, settings, bytes)
  io.stdout.write(`${program.title} is connected. ${program.afterwards}\n`)
  return DONE
}

async function take(wish: Wish, io: ConnectIo): Promise<number> {
  const { program } = wish, { folder, hook, settings } = placesOf(wish, io), file = lookAt(settings)
  if (typeof file === 'string') throw new Refusal(file)
  const record = readRecord(folder, program.name, file.target), before = restored(file, settings, record, program)
  const isThere = before !== undefined
  if (isThere) {
    const code = await ask(wish, io, settings, shown(file.bytes), shown(before))
    if (code !== DONE) return code
    writeUnlessChanged(file, settings, before)
  }
  rmSync(draftOf(file.target), { force: true })
  const removeFolders = () => record?.folders.toReversed().forEach(removeFolder)
  // Before the record, which knows them, is gone; those around the record itself only after it.
  removeFolders()
  forget(folder, program.name, file.target, hook)
  removeFolders()
  io.stdout.write(`${program.title} is ${isThere ? 'disconnected' : 'not connected'} (${settings}).\n`)
  return DONE
}

/** What a file is to be without us: `null` where it is to be gone, `undefined` where nothing of ours is in it. */
function restored(file: SettingsFile, path: string, record: ConnectionRecord | undefined, program: Program): Buffer | null | undefined {
  if (!file.bytes) return undefined
  if (record?.written.includes(hashOf(file.bytes))) return record.original === null ? null : Buffer.from(record.original, 'base64')
  const { text, mark } = textOf(file, path)
  const next = withoutHooks(text, program, record?.made)
  if (next === text) return undefined
  return record?.original === null && /^\s*\{\s*\}\s*$/.test(next) ? null : Buffer.from(mark + next)
}

/** @throws Refusal where the file is none that hooks can be in. */
function textOf({ bytes }: SettingsFile, path: string): { text: string, mark: string } {
  // Claude Code takes an empty file for no settings.
  if (!bytes || isBlank(bytes.toString())) return { text: bytes?.toString() ?? '', mark: '' }
  const json = readJson(bytes)
  if (!json) throw new Refusal(`${path} is no valid JSON. Nothing was changed.`)
  const problem = hooksProblem(json.value)
  if (problem !== undefined) throw new Refusal(`${path} ${problem}. Nothing was changed.`)
  return json
}

/** Show the change, and ask. */
async function ask({ yes, program }: Wish, io: ConnectIo, path: string, before: string, after: string): Promise<number> {
  io.stdout.write(`${path}\n${changedLines(before, after).map(line => `${line}\n`).join('')}`)
  if (yes) return DONE
  const answer = await confirm(io, 'Write this?')
  if (answer === true) return DONE
  if (answer === false) io.stdout.write('Nothing was changed.\n')
  else io.stderr.write(`Nothing was changed: there is no terminal to ask on. With --yes, ${program.title}'s settings are changed as shown.\n`)
  return answer === false ? FAILED : USAGE
}

/** Write a file, or remove it, unless somebody was quicker. */
function writeUnlessChanged({ target, bytes: seen }: SettingsFile, path: string, bytes: Buffer | null): void {
  const now = statSync(target, { throwIfNoEntry: false }) ? readFileSync(target) : undefined
  if (now === undefined ? seen !== undefined : !seen?.equals(now)) throw new Refusal(`${path} was changed meanwhile by another program. Nothing was changed: try again.`)
  if (bytes) writeAtomically(target, bytes)
  else rmSync(target)
}

function withoutHooks(text: string, { hookName }: Program, made: readonly string[] | undefined): string {
  return isBlank(text) ? text : removeHooks(text, hookName, made)
}

function builtHook(program: Program, io: ConnectIo): Buffer {
  const path = io.hookFile(program)
  try {
    return readFileSync(path)
  } catch {
    throw new Refusal(`The hook for ${program.title} is not there (${path}): is the package whole?`)
  }
}

function writeIfOther(path: string, bytes: Buffer): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile() || !readFileSync(path).equals(bytes)) writeAtomically(path, bytes, 0o600)
}

function hasHooks(path: string, program: Program): boolean {
  const file = lookAt(path), json = typeof file === 'string' || !file.bytes ? undefined : readJson(file.bytes)
  return json !== undefined && hooksProblem(json.value) === undefined && removeHooks(json.text, program.hookName, []) !== json.text
}

const isBlank = (text: string) => text.trim() === ''

const base64 = (text: string) => Buffer.from(text).toString('base64')

const shown = (bytes: Buffer | null | undefined) => bytes?.toString() ?? ''
