// Somebody else's settings file: what may stand in the way of changing it, and how it is written without ever being half there.
import { accessSync, chmodSync, chownSync, closeSync, constants, fsyncSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync, renameSync, rmSync, type Stats, statSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** A file as it is now. */
export interface SettingsFile {
  /** Where it really is, behind symbolic links. */
  readonly target: string
  /** `undefined` where there is none. */
  readonly bytes?: Buffer
}

const BOM = '\uFEFF'

/** Folders whose files nobody writes but their own package manager. */
const STORES = ['/nix/store/', '/gnu/store/']

/**
 * Look at a file that we want to write.
 *
 * @returns the file, or one sentence about what is in the way.
 */
export function lookAt(path: string): SettingsFile | string {
  let target = path, stat: Stats | undefined
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) target = realpathSync(path)
    stat = statSync(target, { throwIfNoEntry: false })
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? `${path} is a link to a file that is not there.` : `${path} cannot be read: ${messageOf(error)}.`
  }
  // A folder of a link may lead there, too.
  const place = stat ? realpathSync(target) : target
  if (STORES.some(store => place.startsWith(store))) return `${path} is managed by a package manager (${place}): add the hook where that file is made.`
  if (!stat) {
    const folder = missingFolders(dirname(target))[0] ?? join(dirname(target), '-')
    return isWritable(dirname(folder)) ? { target } : `${path} cannot be made: ${dirname(folder)} is read-only.`
  }
  if (!stat.isFile()) return `${path} is no file.`
  // Permissions do not stop root, but whoever took them away meant it.
  if ((stat.mode & 0o222) === 0 || !isWritable(target) || !isWritable(dirname(target))) return `${path} is read-only.`
  // Writing it anew would take it from its owner, or cut it from its other names.
  if (stat.uid !== process.getuid?.() && process.getuid?.() !== 0) return `${path} belongs to another user.`
  if (stat.nlink > 1) return `${path} is one file with several names (hard links), so somebody else manages it.`
  return { target, bytes: readFileSync(target) }
}

/**
 * Read the text of a JSON file.
 *
 * @returns the text without its byte order mark, and that mark; `undefined` where it is no JSON.
 */
export function readJson(bytes: Buffer): { text: string, mark: string, value: unknown } | undefined {
  try {
    const all = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const mark = all.startsWith(BOM) ? BOM : '', text = all.slice(mark.length)
    return { text, mark, value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * Write a file as a whole or not at all, also when the machine stops meanwhile.
 *
 * @param mode of a new file; that of an old one stays, and so do its owner and group.
 * @throws what the file system says; nothing has changed then.
 */
export function writeAtomically(path: string, bytes: Buffer | string, mode = 0o666): void {
  const old = statSync(path, { throwIfNoEntry: false }), draft = draftOf(path)
  // Of a run that was killed.
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', old ? 0o600 : mode)
  try {
    try {
      const all = Buffer.from(bytes)
      for (let done = 0; done < all.length;) done += writeSync(file, all, done)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    if (old) {
      chownSync(draft, old.uid, old.gid)
      chmodSync(draft, old.mode & 0o7777)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}

/** Where a file is written before it takes its name. */
export function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.dsh-ask-router`)
}

/** Make a folder, and say which folders had to be made, the outermost first. */
export function makeFolders(folder: string): readonly string[] {
  const missing = missingFolders(folder)
  mkdirSync(folder, { recursive: true })
  return missing
}

/** The folders that are not there, down to this one, the outermost first. */
export function missingFolders(folder: string): readonly string[] {
  const missing: string[] = []
  for (let one = folder; !lstatSync(one, { throwIfNoEntry: false }); one = dirname(one)) missing.unshift(one)
  return missing
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } catch {
    // Not every file system can; the file itself is safe.
  } finally {
    closeSync(handle)
  }
}

/** The code of a file system's error. */
export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code
}

/** What an error says, in half a sentence. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
