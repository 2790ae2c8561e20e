// How the program ends. Documented in docs/desk.md; only ever added to.

/** Exit codes of `dsh-ask-router`. */
export const EXIT = {
  /** It did what it was to do. */
  done: 0,
  /** It could not: a wrong configuration, a file that cannot be written, a status without a desk. */
  failed: 1,
  /** The command line has a mistake. */
  usage: 2,
  /** Another desk of this user is running. */
  taken: 3,
} as const

/** An exit code. */
export type ExitCode = typeof EXIT[keyof typeof EXIT]
