// A person at the terminal of Claude Code or Codex.
import { Person, type Place } from '../../pty/person.ts'

/** What the keys send. */
export const KEY = {
  enter: '\r', escape: '\u001B', tab: '\t', backtab: '\u001B[Z', space: ' ', up: '\u001B[A', down: '\u001B[B', right: '\u001B[C', left: '\u001B[D',
} as const

const SIZE = [110, 45] as const
/** Programs of 400 MB start slowly on a machine that does other things as well. */
const DEADLINE_MS = 60_000

/** One program on a terminal; everything that waits names what it waited for, and shows the screen. */
export class Terminal extends Person {
  constructor(command: string, args: readonly string[], place: Place) {
    super(command, args, SIZE, {}, { ...place, deadlineMs: DEADLINE_MS })
  }

  /** Wait until this is on the screen. */
  waitFor(wanted: string | RegExp): Promise<void> {
    return this.sees(wanted)
  }

  /** Wait until this is no longer on the screen: a dialog that was put away. */
  waitForNo(unwanted: string): Promise<void> {
    return this.sees(screen => !screen.includes(unwanted))
  }

  /** Type without sending. What comes together with Enter counts as pasted, so wait for it first. */
  async type(text: string): Promise<void> {
    this.press(text)
    await this.sees(text)
  }

  /** Type a prompt and send it. */
  async say(prompt: string): Promise<void> {
    await this.type(prompt)
    this.press(KEY.enter)
  }
}
