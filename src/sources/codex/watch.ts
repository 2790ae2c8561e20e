// Watches one home of Codex for as long as the plugin is loaded: connects when its app-server is there, and again when it was gone.
import type { AskSurfaces } from '../../protocol/surface.ts'
import type { Lang } from '../../reply/lang.ts'
import { AppServer } from './app-server.ts'
import { CallFailed, connect, NotOurs } from './connection.ts'
import { Finder, type Found } from './finder.ts'

/** At most so often is it said that something is wrong with what Codex says, or with its socket, in milliseconds. */
const WARN_EVERY_MS = 60_000

/** What it needs. */
export interface WatchOptions {
  /** Codex' home. */
  readonly home: string
  readonly askSurfaces: Pick<AskSurfaces, 'ask'>
  readonly lang: Lang
  /** One line for whoever runs it. */
  readonly warn: (message: string) => void
  readonly info: (message: string) => void
}

/** One home that is watched. */
export class Watch {
  readonly #options: WatchOptions
  readonly #finder: Finder
  #server: AppServer | undefined
  #warnedAt = -Infinity

  constructor(options: WatchOptions) {
    this.#options = options
    options.info(`questions of Codex come by the app-server of ${options.home} while there is one, and by Codex' hook where there is none`)
    this.#finder = new Finder(options.home, (path, signal) => this.#connect(path, signal))
  }

  get isConnected(): boolean {
    return this.#server !== undefined
  }

  /** Whether a session is asked about by the app-server, so that its hook need not. */
  has(sessionId: string): boolean {
    return this.#server?.has(sessionId) ?? false
  }

  close(): void {
    this.#finder.close()
  }

  async #connect(path: string, signal: AbortSignal): Promise<Found> {
    const { askSurfaces, lang, warn, info } = this.#options
    let isStarted = false
    const server = new AppServer({
      askSurfaces, lang, warn,
      malformed: what => this.#rarely(`Codex' app-server said something that is not understood here, and is ignored: ${what}`),
      closed: () => {
        if (!isStarted) return
        this.#server = undefined
        info('the connection to Codex\' app-server has ended')
        this.#finder.lost()
      },
    })
    const connection = await connect(path, signal, server).catch((error) => {
      if (error instanceof NotOurs) this.#rarely(error.message)
      throw error
    })
    try {
      await server.start(connection)
      // It may have ended while its sessions were read, of which none is missed.
      if (!connection.isOpen) throw new CallFailed('the connection has ended')
    } catch (error) {
      connection.close()
      throw error
    }
    isStarted = true
    this.#server = server
    info('connected to Codex\' app-server')
    return connection
  }

  #rarely(warning: string): void {
    const now = performance.now()
    if (now - this.#warnedAt < WARN_EVERY_MS) return
    this.#warnedAt = now
    this.#options.warn(warning)
  }
}
