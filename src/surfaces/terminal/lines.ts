// Where the line mode gets its lines from: a pipe (pipe-lines.ts) or a TTY (tty-lines.ts). Both read only while a line is
// wanted, so that an idle surface keeps no process alive.

/** A line that was read. */
export interface Line {
  /** Without its line end. */
  readonly text: string
  /** Whether it may be the rest of what was typed for a question that is gone. */
  readonly isStray: boolean
  /** When its first character was read, by the clock of `performance`. */
  readonly since: number
  /** Whether it came together with more, as pastes and what another program writes do. */
  readonly isPasted: boolean
}

/** Receives lines. */
export interface LineSink {
  /** A line was read. */
  line(line: Line): void
  /** The line has no room for the last characters of a paste; the cursor is on a line of its own. */
  cut(count: number): void
  /** The terminal was used for something else meanwhile: say again what a line is wanted for. */
  returned(): void
  /** No more lines come: the input has ended, or something else reads it. */
  end(why: 'gone' | 'taken'): void
}

/** A source of lines. */
export interface LineSource {
  /** Deliver lines to the sink until {@link LineSource.stop}. */
  start(sink: LineSink): void
  /** Pause. */
  stop(): void
  /** Pause, and forget the unfinished line: it was typed for a question that is gone. */
  discard(): void
  /**
   * Print a line above the prompt.
   *
   * @param isNews whether it is printed also while the person is in the middle of a line, which is then drawn again.
   */
  aside(print: () => void, isNews: boolean): void
  /** Stop for good. */
  close(): void
}
