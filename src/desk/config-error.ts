// What is wrong with the desk's file, as one sentence that says where.

/** Where something is wrong, as far as it is known. */
export interface Place {
  /** From 1. */
  readonly line?: number | undefined
  /** The row's id. */
  readonly row?: string | undefined
  /** In the row, with dots: `config.topic`. */
  readonly field?: string | undefined
}

/** A configuration that cannot be used. The message is the whole sentence and holds no value of the file. */
export class ConfigError extends Error {
  /**
   * @param file its path.
   * @param what is wrong.
   */
  constructor(file: string, what: string, { line, row, field }: Place = {}) {
    const parts = [file, ...line === undefined ? [] : [`line ${line}`], ...row === undefined ? [] : [`row ${row}`], ...field === undefined ? [] : [`field ${field}`]]
    super(`${parts.join(', ')}: ${what}`)
    this.name = 'ConfigError'
  }
}
