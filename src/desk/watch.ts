// Notices that a file has changed, or has come, without looking at it again and again: an idle desk is woken by nothing.
import { type FSWatcher, realpathSync, statSync, watch } from 'node:fs'
import { basename, dirname, relative, sep } from 'node:path'

/** An editor writes in several steps; they are one change, in milliseconds. */
const SETTLED_MS = 150

/**
 * Call back each time that the file may have changed.
 *
 * @param file need not be there, nor its folder.
 * @returns a function that stops it.
 */
export function watchFile(file: string, onChange: () => void): () => void {
  let watchers: FSWatcher[] = [], timer: NodeJS.Timeout | undefined
  const touched = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Folders and links on the way may be others now.
      open()
      onChange()
    }, SETTLED_MS)
  }
  const open = () => {
    for (const one of watchers) one.close()
    watchers = [...new Set([file, realOf(file)])].flatMap((path) => {
      const folder = nearestFolder(path)
      // Of a folder that is still to come, what its parent gets next.
      const awaited = relative(folder, path).split(sep, 1)[0] ?? basename(path)
      try {
        const watcher = watch(folder, (_event, name) => {
          if (name === null || name === awaited) touched()
        })
        // The folder has gone, perhaps to come again.
        watcher.on('error', touched)
        return [watcher]
      } catch {
        // It went just now, or there are too many watchers: then an edit applies at the next start.
        return []
      }
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    for (const one of watchers) one.close()
  }
}

function realOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    // It is not there.
    return file
  }
}

function nearestFolder(path: string): string {
  const folder = dirname(path)
  return folder === path || statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? folder : nearestFolder(folder)
}
