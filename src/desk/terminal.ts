// How the program's commands speak: plain lines, in the language of the locale.
import { langOf } from '../reply/lang.ts'
import { type DeskTexts, deskTexts } from './texts.ts'

/** The language of whoever started the program. */
export const lang = langOf('auto')

/** Its texts. */
export const texts: DeskTexts = deskTexts[lang]

/** Print a result. */
export function out(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Print what is not the result. */
export function err(line: string): void {
  process.stderr.write(`${line}\n`)
}
