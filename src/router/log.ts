// Where the router logs what nobody gets as an answer or an error.

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
