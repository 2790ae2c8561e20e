// The socket of a source for as long as its plugin is loaded, also where another program has it first.
import { type LocalSource, serveSource, type SourceOptions } from './server.ts'

/** How long to wait before the socket is tried again, in milliseconds. */
const AGAIN_MS = 10_000

/** A socket that is served as soon as it can be. */
export interface KeptSource {
  /** How many calls are open. */
  readonly calls: number
  /** Why it is not served; `undefined` while it is. */
  readonly problem: string | undefined
  /** Resolves after the first try. */
  readonly tried: Promise<void>
  /** Stop: open calls end without a word. */
  close(): Promise<void>
}

/** Serve the socket of a source, and try again where that fails. One warning says so, until something else is wrong. */
export function keepServing(options: SourceOptions): KeptSource {
  let source: LocalSource | undefined, problem: string | undefined, timer: NodeJS.Timeout | undefined, isClosed = false
  const attempt = async (): Promise<void> => {
    try {
      source = await serveSource(options)
      problem = undefined
      if (isClosed) await source.close()
    } catch (error) {
      const { message } = error as Error
      if (message !== problem && !isClosed) options.warn(`${options.name}: ${message}`)
      problem = message
      if (!isClosed) timer = setTimeout(() => void (current = attempt()), AGAIN_MS).unref()
    }
  }
  let current = attempt()
  return {
    get calls() {
      return source?.calls ?? 0
    },
    get problem() {
      return problem
    },
    tried: current,
    async close() {
      if (isClosed) return
      isClosed = true
      clearTimeout(timer)
      await current
      await source?.close()
    },
  }
}
