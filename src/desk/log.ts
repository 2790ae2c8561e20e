// What plugins of the desk log, as plain lines; the last ones are kept for `status`.
import { format } from 'node:util'
import type { Context } from '@deepseek-ai/cordis'
import { truncate, visibleLine } from '../reply/visible.ts'

/** Something that was logged. */
export interface Note {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

const KEPT = 5, LONGEST_LINE = 1000

/** Everything but what is for debugging: cordis' levels are error 0, info 1, warn 2. */
const LEVEL = 2

/** The log of one desk. */
export class DeskLog {
  readonly #print: (line: string) => void
  #notes: Note[] = []

  /** @param print takes one line, without its end. */
  constructor(print: (line: string) => void) {
    this.#print = print
  }

  /** The last warnings and errors, oldest first. */
  get notes(): readonly Note[] {
    return this.#notes
  }

  /** Print what plugins log. */
  follow(ctx: Context): void {
    ctx.logger.exporter({
      levels: { default: LEVEL },
      export: ({ name, type, args }) => {
        const text = `${name}: ${format(...args.map(arg => arg instanceof Error ? arg.message : arg as unknown))}`
        if (type === 'info') this.say(text)
        else this.warn(text)
      },
    })
  }

  /** Print a line and keep it. */
  warn(text: string): void {
    const line = harmless(text)
    this.#notes = [...this.#notes, { at: Date.now(), text: line }].slice(-KEPT)
    this.#print(line)
  }

  /** Print a line that says nothing of trouble. */
  say(text: string): void {
    this.#print(harmless(text))
  }
}

function harmless(text: string): string {
  return truncate(visibleLine(text), LONGEST_LINE)
}
