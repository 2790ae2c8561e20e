// Where a question comes from, as surfaces show it. reply/origin.ts reads it from a request.

/** Who asks, and where that runs. */
export interface Origin {
  /** The asking agent, by the name its person gave it; `dsh` when it has none or a plugin asks for itself. */
  readonly agent: string
  /** The name of the machine it runs on. */
  readonly machine: string
  /** The name of the folder it works in. */
  readonly project: string
  /** The title of its session, else the beginning of the session's id; absent when no session asks. */
  readonly session?: string
}
