// Where the line mode gets its lines from: a pipe (pipe-lines.ts) or a TTY (tty-lines.ts). Both read only while a line is
// wanted, so that an idle surface keeps no process alive.

/** Receives lines. */
export interface LineSink {
  /**
   * A line was read.
   *
   * @param text without its line end.
   * @param stray whether it may be the rest of what was typed for a question that is gone.
   */
  line(text: string, stray: boolean): void
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
  /** Print a line above the prompt, unless the person is in the middle of a line. */
  aside(print: () => void): void
  /** Stop for good. */
  close(): void
}
