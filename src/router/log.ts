// Where the router logs what nobody gets as an answer or an error.
import { inspect, types } from 'node:util'

/** The router's log. */
export interface RouterLog {
  /** For somebody who is looking for it. */
  debug(message: string, error?: unknown): void
  /**
   * For something that should be repaired.
   *
   * @param message names surfaces, never what was asked or answered.
   * @param error what was thrown. Its message is somebody else's text, so it goes to debug only.
   */
  warn(message: string, error?: unknown): void
}

/** For routers outside a host. */
export const noLog: RouterLog = { debug() {}, warn() {} }

/** The same log, which never throws: whatever its exporters do, and whatever was thrown by a surface. */
export function guarded(log: RouterLog): RouterLog {
  const guard = (level: keyof RouterLog) => (message: string, ...errors: unknown[]) => {
    try {
      // What is no Error may be anything, down to a Proxy that throws when it is printed.
      log[level](message, ...errors.map(error => types.isNativeError(error) ? error : inspect(error, { customInspect: false })))
    } catch {
      // There is nowhere left to say it.
    }
  }
  return { debug: guard('debug'), warn: guard('warn') }
}
