// One desk: a cordis context with the rows of one file, the socket that says that it is there, and the file's edits.
import { readFileSync, rmdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { type LocalSource, serveSource } from '../sources/local/server.ts'
import type { Lang } from '../reply/lang.ts'
import { sourceStatuses } from '../sources/local/status.ts'
import { ConfigError } from './config-error.ts'
import { Context } from './cordis.ts'
import { type LoadedRow, loadRows } from './load.ts'
import { DeskLog } from './log.ts'
import { Mounts } from './mounts.ts'
import { PageLink } from './page-link.ts'
import { readRows } from './rows.ts'
import { describeDesk, statusRequestSchema } from './status.ts'
import { type DeskTexts, deskTexts } from './texts.ts'
import { watchFile } from './watch.ts'

/** How long a plugin may take to start, in milliseconds. */
const PATIENCE_MS = 20_000

/** How long an edit that is being applied may take when the desk closes, in milliseconds. */
const LAST_EDIT_MS = 1000

/** What a desk needs. */
export interface DeskOptions {
  /** The configuration. */
  readonly file: string
  /** Whether the file must be there; else there need be none. */
  readonly isNeeded: boolean
  /** See `stateFolder`. */
  readonly folder: string
  readonly version: string
  readonly lang: Lang
  /** Takes a line for whoever started the desk. One of them has the page's link, a secret. */
  readonly print: (line: string) => void
  /** Aborts while the desk is being opened: then it is not. */
  readonly signal?: AbortSignal
  /** For tests: how long a plugin may take to start, in milliseconds. */
  readonly patienceMs?: number
}

/** A desk that is open. */
export class Desk {
  readonly #options: DeskOptions
  readonly #texts: DeskTexts
  readonly #ctx = new Context()
  readonly #mounts: Mounts
  readonly #log: DeskLog
  readonly #page: PageLink
  readonly #since = Date.now()
  #socket: LocalSource | undefined
  #stopWatching: (() => void) | undefined
  /** The text of the file that was looked at last, whether it is in use or not. */
  #text: string | undefined
  #isFromFile = false
  #rows: readonly LoadedRow[] = []
  /** Why the file as it is now is not in use. */
  #problem: string | undefined
  /** One edit after the other. */
  #edits: Promise<void> = Promise.resolve()
  #isOpen = false
  #isClosed = false

  private constructor(options: DeskOptions) {
    this.#options = options
    this.#texts = deskTexts[options.lang]
    this.#mounts = new Mounts(this.#ctx, options.patienceMs ?? PATIENCE_MS)
    this.#log = new DeskLog(options.print)
    this.#log.follow(this.#ctx)
    this.#page = new PageLink(line => this.#log.warn(line), () => {
      if (this.#isOpen && this.#page.current !== undefined) this.#log.say(this.#texts.moved(this.#page.current))
    })
  }

  /**
   * Open a desk.
   *
   * @throws ConfigError when the file cannot be used; an error with the code `EADDRINUSE` when this user has a desk already; another
   *   error when a plugin does not start, or the folder cannot be used; the signal's reason. Nothing is left open then.
   */
  static async open(options: DeskOptions): Promise<Desk> {
    const desk = new Desk(options), { signal } = options, stopped = Promise.withResolvers<never>()
    const stop = () => stopped.reject(signal!.reason)
    signal?.addEventListener('abort', stop)
    try {
      await Promise.race([desk.#open(), stopped.promise])
      return desk
    } catch (error) {
      await desk.close()
      throw error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async #open(): Promise<void> {
    const { file, folder, version } = this.#options
    this.#socket = await serveSource({
      folder, name: 'desk', warn: message => this.#log.warn(message),
      handle: async (body) => {
        const { lang } = statusRequestSchema.parse(body)
        return { output: describeDesk(this.#ctx, { version, since: this.#since, log: this.#log.notes, problem: this.#problem, file: this.#isFromFile ? file : undefined }, lang) }
      },
    })
    this.#text = this.#read()
    this.#isFromFile = this.#text !== undefined
    await this.#apply(await this.#load(this.#text ?? ''))
    if (this.#isClosed) return
    this.#stopWatching = watchFile(file, () => this.#edited())
    this.#isOpen = true
    // It may have changed while plugins started.
    this.#edited()
    // What plugins begin when the registry is there comes a moment after them.
    await new Promise(resolve => setImmediate(resolve))
    const surfaces = this.#ctx.get('askSurfaces')
    if (!surfaces) this.#log.warn(`dsh-ask-router: ${this.#texts.noRouter}`)
    const names = (all: readonly { name: string }[]) => all.map(({ name }) => name).join(', ')
    this.#log.say(this.#texts.ready(names(sourceStatuses(this.#ctx)) || this.#texts.noSources, names(surfaces?.list() ?? []) || this.#texts.noSurfaces, this.#page.current))
  }

  /**
   * Close it: open questions go back to where they came from, and nothing is left. Calling it twice is harmless.
   */
  async close(): Promise<void> {
    this.#stopWatching?.()
    this.#isOpen = false
    this.#isClosed = true
    await Promise.race([this.#edits, setTimeout(LAST_EDIT_MS, undefined, { ref: false })])
    await this.#mounts.close()
    await this.#socket?.close()
    this.#socket = undefined
    try {
      rmdirSync(this.#options.folder)
    } catch {
      // Not empty: what \`connect\` put there, or another program's socket. Or it never was there.
    }
    // Last, since a plugin that hangs may keep it from coming to an end.
    await this.#ctx.fiber.dispose()
  }

  /** @returns the file's text; `undefined` where there is none and need be none. */
  #read(): string | undefined {
    const { file, isNeeded } = this.#options
    try {
      return readFileSync(file, 'utf8')
    } catch (error) {
      const code = String((error as NodeJS.ErrnoException).code)
      if (code === 'ENOENT' && !isNeeded) return undefined
      throw new ConfigError(file, `it cannot be read (${code})`)
    }
  }

  async #load(text: string): Promise<LoadedRow[]> {
    const { file } = this.#options
    return (await loadRows(readRows(text, file), file)).map(row => this.#page.wrap(row))
  }

  /** Run these rows; where one does not start, those from before. */
  async #apply(rows: readonly LoadedRow[]): Promise<void> {
    const before = this.#rows
    try {
      await this.#mounts.apply(rows)
      this.#rows = rows
    } catch (error) {
      await this.#mounts.apply(before).catch(() => {
        // The log has why; what could be loaded is.
      })
      throw error
    }
  }

  #edited(): void {
    this.#edits = this.#edits.then(() => this.#takeEdit())
  }

  async #takeEdit(): Promise<void> {
    if (!this.#isOpen) return
    try {
      const text = this.#read()
      if (text === this.#text) return
      this.#text = text
      if (text === undefined) return this.#refuse(this.#texts.gone(this.#options.file))
      await this.#apply(await this.#load(text))
      this.#isFromFile = true
      this.#problem = undefined
      this.#log.say(this.#texts.applied)
    } catch (error) {
      this.#refuse(this.#texts.kept(error instanceof Error ? error.message : String(error)))
    }
  }

  /** Say why the file is not in use, once. */
  #refuse(problem: string): void {
    if (problem !== this.#problem) this.#log.warn(problem)
    this.#problem = problem
  }
}
