// Finds Codex' app-server: its socket comes with the first `codex` and goes with the last one. While there is none, nothing happens
// here but what the file system tells.
import { existsSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Where the socket is in Codex' home: a link to it. */
const FOLDER = 'app-server-control', SOCKET = 'app-server-control.sock'

/** How often it is looked for where the file system tells nothing, in milliseconds. */
const LOOK_MS = 5000

/** After a try that failed, how long until the next ones, in milliseconds: the link may be there before anybody listens. */
const AGAIN_MS = [100, 300, 1000, 3000, 10_000, 60_000] as const

/** A connection that was found. */
export interface Found {
  close(): void
}

/** Looks for the app-server of one home. */
export class Finder {
  readonly #path: string
  readonly #connect: (path: string, signal: AbortSignal) => Promise<Found>
  readonly #closed = new AbortController()
  #watcher: FSWatcher | undefined
  #watched: string | undefined
  #timer: NodeJS.Timeout | undefined
  #tries = 0
  #found: Found | undefined
  #isTrying = false

  /**
   * @param home Codex' home, as an absolute path; it need not be there.
   * @param connect is called when the socket may be there, and not again until it has failed, or `lost` was called.
   */
  constructor(home: string, connect: (path: string, signal: AbortSignal) => Promise<Found>) {
    this.#path = join(home, FOLDER, SOCKET)
    this.#connect = connect
    this.#look()
  }

  /** The connection has ended: the app-server is gone, or starts again. */
  lost(): void {
    this.#found = undefined
    this.#again()
  }

  close(): void {
    this.#closed.abort()
    clearTimeout(this.#timer)
    this.#watcher?.close()
    this.#found?.close()
  }

  #look(): void {
    if (this.#closed.signal.aborted) return
    this.#rewatch()
    void this.#try()
  }

  async #try(): Promise<void> {
    if (this.#found || this.#isTrying || !existsSync(this.#path)) return
    this.#isTrying = true
    try {
      const found = await this.#connect(this.#path, this.#closed.signal)
      this.#tries = 0
      if (this.#closed.signal.aborted) found.close()
      else this.#found = found
    } catch {
      // Nobody listens: it is about to, or was ended without a word.
      this.#again()
    } finally {
      this.#isTrying = false
    }
  }

  #again(): void {
    if (this.#closed.signal.aborted) return
    clearTimeout(this.#timer)
    if (!existsSync(this.#path)) return
    const delay = AGAIN_MS[Math.min(this.#tries++, AGAIN_MS.length - 1)]
    this.#timer = setTimeout(() => this.#look(), delay).unref()
  }

  /** Watch the deepest folder on the way to the socket that is there, for the next step of the way. */
  #rewatch(): void {
    let folder = dirname(this.#path), next = SOCKET
    while (!existsSync(folder)) [folder, next] = [dirname(folder), basename(folder)]
    if (folder === this.#watched) return
    this.#watcher?.close()
    this.#watched = folder
    const names = [next, basename(folder)]
    try {
      this.#watcher = watch(folder, { persistent: false }, (_, name) => {
        if (name !== null && !names.includes(name)) return
        // A folder that was replaced has the same name and is another one.
        if (name !== next) this.#watched = undefined
        this.#tries = 0
        this.#look()
      })
      this.#watcher.on('error', () => this.#poll())
    } catch {
      this.#poll()
    }
  }

  /** The system has no watches left. */
  #poll(): void {
    this.#watched = undefined
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#look(), LOOK_MS).unref()
  }
}

