// A person at the terminal of Claude Code or Codex.
import { setTimeout as sleep } from 'node:timers/promises'
import { Person, type Place } from '../../pty/person.ts'
import { LONG_MS } from './arrivals.ts'

/** What the keys send. */
export const KEY = {
  enter: '\r', escape: '\u001B', tab: '\t', backtab: '\u001B[Z', space: ' ', up: '\u001B[A', down: '\u001B[B', right: '\u001B[C', left: '\u001B[D',
} as const

const SIZE = [110, 45] as const
/** A dialog of Claude Code takes no key in its first 150 ms. */
const DEAF_MS = 400
/** Where a key has changed nothing after this time, it was not taken. */
const NOT_TAKEN_MS = 3000
/** A program that works moves something on its screen more often than this. */
const STILL_MS = 500

/** One program on a terminal; everything that waits names what it waited for, and shows the screen. */
export class Terminal extends Person {
  constructor(command: string, args: readonly string[], place: Place) {
    super(command, args, SIZE, {}, { ...place, deadlineMs: LONG_MS })
  }

  /** Wait until this is on the screen. */
  waitFor(wanted: string | RegExp): Promise<void> {
    return this.sees(wanted)
  }

  /** Wait until this is no longer on the screen: a dialog that was put away. */
  waitForNo(unwanted: string): Promise<void> {
    return this.sees(screen => !screen.includes(unwanted))
  }

  /** Wait until the screen stands still: nothing is at work any more, and no frame is half drawn. */
  async waitForStill(): Promise<void> {
    const until = performance.now() + LONG_MS
    let before: string
    do {
      before = this.screen
      await sleep(STILL_MS)
    } while (this.screen !== before && performance.now() < until)
  }

  /** Type, and see it. What comes together with Enter counts as pasted. */
  async type(text: string): Promise<void> {
    // A prompt that is typed while the turn before ends becomes part of that, or is not seen for what is drawn around it.
    await this.waitForStill()
    // What is typed stands below what was said before. It may push as much of that off the screen as it adds.
    const timesIn = (screen: string) => screen.split(text).length
    const lineOf = (screen: string) => screen.slice(0, screen.lastIndexOf(text)).split('\n').length
    const { screen: before } = this
    this.press(text)
    await this.sees(screen => timesIn(screen) > timesIn(before) || (screen.includes(text) && lineOf(screen) > lineOf(before)))
  }

  /** Type a prompt and send it. */
  async say(prompt: string): Promise<void> {
    await this.type(prompt)
    await this.enter(KEY.enter)
  }

  /**
   * Press one key after the other, as a person does who sees what each does. Each has to change the screen. What is waited for before
   * must be a sign of this very dialog, such as `Enter to select`: a question's text stays on the screen when it is answered.
   */
  async enter(...keys: string[]): Promise<void> {
    for (const key of keys) {
      await sleep(DEAF_MS)
      const before = this.screen
      const until = performance.now() + LONG_MS
      while (this.screen === before && performance.now() < until) {
        this.press(key)
        const again = performance.now() + NOT_TAKEN_MS
        while (this.screen === before && performance.now() < again) await sleep(20)
      }
    }
  }
}
