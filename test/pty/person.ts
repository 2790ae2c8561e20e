// A person at a terminal: a program in a pseudo-terminal, a screen to read and keys to press. Nothing here waits for a
// time to pass; everything waits for something to be seen.
import { execFileSync } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { IPty } from '@lydell/node-pty'
import xterm from '@xterm/headless'

const require = createRequire(import.meta.url)
const root = fileURLToPath(new URL('../..', import.meta.url))

/** What is missing for pseudo-terminals, in one line; `undefined` when they work. */
export const missing: string | undefined = (() => {
  try {
    const pty = (require('@lydell/node-pty') as typeof import('@lydell/node-pty')).spawn(process.execPath, ['-e', '0'], {})
    pty.kill()
    return undefined
  } catch (error) {
    return `Use a platform that @lydell/node-pty has binaries for, and npm ci without --omit=optional (${String(error).split('\n')[0]}).`
  }
})()

/** How many random sequences a terminal gets: many in the long run, `TERMINAL_RUNS=2000`. */
export const TERMINAL_RUNS = Number(process.env['TERMINAL_RUNS'] ?? 60)
/** Whether this is the long run. */
export const LONG = TERMINAL_RUNS >= 1000

/** How long to wait for anything, in milliseconds. */
export const DEADLINE = 20_000
/** How long a panel is deaf, in milliseconds, and some more. */
const TOO_EARLY_MS = 320
/** How long a test may take: it waits for many things. */
export const TEST_MS = 60_000

/**
 * Runs the program and stays, so that the terminal outlives it: what is written right before the last process on a
 * terminal ends may never be read, since libuv takes a short read with a hang-up for all that there was. The status is
 * told in a sequence that shows nothing.
 * At a Ctrl-C that no program reads as a key, the system throws away the output that the terminal has not taken yet, and what
 * switches the modes off with it: `noflsh` has it kept.
 */
const HOLDER = 'stty noflsh; trap : INT; "$@"; printf "\\033]7777;%d\\007" "$?"; exec cat >/dev/null'

/** Where a program runs, unless it is one of this repository's own. */
export interface Place {
  /** The folder. Default: this repository's. */
  readonly cwd?: string
  /** What it inherits. Default: this process' environment. */
  readonly inherited?: NodeJS.ProcessEnv
  /** How long to wait for anything, in milliseconds. Default: {@link DEADLINE}. */
  readonly deadlineMs?: number
}

/** One program on one terminal. */
export class Person {
  readonly #pty: IPty
  readonly #terminal: xterm.Terminal
  readonly #changed = new Set<() => void>()
  /** What is pressed and not taken by the terminal yet. */
  #unpressed = Buffer.alloc(0)
  #pressing: NodeJS.Timeout | undefined
  /** How many pieces of what was written are not on the screen yet. */
  #unread = 0
  /** Everything the program has written, as far as it is on the screen. */
  written = ''
  /** The program's status, once it has ended and all that it wrote is on the screen. */
  #status: number | undefined
  readonly #deadlineMs: number

  constructor(
    command: string, args: readonly string[], size: readonly [columns: number, rows: number], env: Record<string, string> = {},
    { cwd = root, inherited: all = process.env, deadlineMs = DEADLINE }: Place = {},
  ) {
    const [cols, rows] = size
    const { spawn } = require('@lydell/node-pty') as typeof import('@lydell/node-pty')
    const { NO_COLOR: _, ...inherited } = all
    this.#deadlineMs = deadlineMs
    this.#terminal = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 2000 })
    this.#pty = spawn('bash', ['--norc', '--noprofile', '-c', HOLDER, 'bash', command, ...args], {
      cols, rows, cwd, name: env['TERM'] ?? 'xterm-256color',
      env: { ...inherited, LANG: 'en_US.UTF-8', LC_ALL: '', LC_MESSAGES: '', ...env },
    })
    this.#pty.onData((data) => {
      this.#unread++
      this.#terminal.write(data, () => {
        this.#unread--
        this.written += data
        this.#tell()
      })
    })
    this.#terminal.onData(reply => this.press(reply))
    this.#terminal.parser.registerOscHandler(7777, (status) => {
      this.#status = Number(status)
      return true
    })
  }

  /** A program of node's. */
  static node(script: string, size: readonly [number, number], env?: Record<string, string>): Person {
    return new Person(process.execPath, [script], size, env)
  }

  /** The screen's cells. */
  get buffer(): xterm.IBuffer {
    return this.#terminal.buffer.active
  }

  /** What is on the screen. */
  get screen(): string {
    return this.#text(this.#terminal.buffer.active.baseY)
  }

  /** The same with everything that has scrolled away. */
  get scrolled(): string {
    return this.#text(0)
  }

  /** The same in one line. */
  get flat(): string {
    return this.scrolled.replaceAll('\n', '')
  }

  /** The cursor's cell, counted from 0. */
  get cursor(): readonly [column: number, row: number] {
    const { cursorX, cursorY } = this.#terminal.buffer.active
    return [cursorX, cursorY]
  }

  /** Whether the terminal is as it was: the cursor is shown, autowrap on and bracketed paste off. */
  get restored(): boolean {
    const lastOf = (mode: string) => this.written.lastIndexOf(`\u001B[?${mode}`)
    return lastOf('25h') >= lastOf('25l') && lastOf('7h') >= lastOf('7l') && !this.#terminal.modes.bracketedPasteMode
  }

  /** Forget what was written so far. */
  forget(): void {
    this.written = ''
  }

  /** The terminal's settings, as `stty` says. */
  get settings(): string {
    // The path of the other end is no part of node-pty's types.
    const { _pty: path } = this.#pty as unknown as { readonly _pty: string }
    return execFileSync('stty', ['-g', process.platform === 'linux' ? '-F' : '-f', path], { encoding: 'utf8' })
  }

  /** Press keys, or type. */
  press(keys: string | Buffer): void {
    this.#unpressed = Buffer.concat([this.#unpressed, Buffer.from(keys as string)])
    clearTimeout(this.#pressing)
    this.#type()
  }

  /**
   * Wait until a panel that is seen listens: what is pressed in its first moments does nothing, except Ctrl-L.
   *
   * @param moments how long they are, in milliseconds.
   */
  async ready(moments = TOO_EARLY_MS): Promise<void> {
    const drawn = () => this.written.split('\u001B[?2004h').length
    // Twice, since the moments are counted from the turn of the event loop after the one in which the panel appeared.
    for (const _ of [1, 2]) {
      const before = drawn()
      this.press('\u000C')
      await this.#until(() => drawn() > before, () => 'the panel to be drawn again')
    }
    await this.readyToSend(moments)
  }

  /** Wait until a line is taken for a question that is seen: what is sent in its first moments is not. */
  async readyToSend(moments = TOO_EARLY_MS): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, moments))
  }

  resize(columns: number, rows: number): void {
    this.#pty.resize(columns, rows)
    this.#terminal.resize(columns, rows)
  }

  /** Wait until the screen is so. */
  async sees(wanted: RegExp | string | ((screen: string) => boolean), where: 'screen' | 'scrolled' = 'screen'): Promise<void> {
    const is = (screen: string) => typeof wanted === 'function' ? wanted(screen) : typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)
    await this.#until(() => this.#isWhole() && is(this[where]), () => String(wanted))
  }

  /** Wait until something was written, whether a frame is half drawn or not: a program may be stopped in the middle of one. */
  async hears(holds: (written: string) => boolean): Promise<void> {
    await this.#until(() => holds(this.written), () => String(holds))
  }

  /** Wait until the program has ended. */
  async end(): Promise<number> {
    await this.#until(() => this.#status !== undefined && this.#unread === 0, () => 'the end of the program')
    return this.#status!
  }

  kill(): void {
    clearTimeout(this.#pressing)
    try {
      // The shell that stays, and the program.
      process.kill(-this.#pty.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    this.#terminal.dispose()
  }

  #until(holds: () => boolean, what: () => string): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        if (!holds()) return
        clearTimeout(timer)
        this.#changed.delete(check)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#changed.delete(check)
        reject(new Error(`waited for ${what()}, but the screen is\n${this.scrolled}`))
      }, this.#deadlineMs)
      this.#changed.add(check)
      check()
    })
  }

  /** Whether no frame is half drawn: autowrap is off while one is, or it is one synchronized update. */
  #isWhole(): boolean {
    return this.written.lastIndexOf('\u001B[?7h') >= this.written.lastIndexOf('\u001B[?7l') && !this.#terminal.modes.synchronizedOutputMode
  }

  /** Node-pty's own write never returns while the terminal takes no more, and then no deadline passes either. */
  #type(): void {
    const { fd } = this.#pty as unknown as { readonly fd: number }
    try {
      while (this.#unpressed.length > 0) this.#unpressed = this.#unpressed.subarray(writeSync(fd, this.#unpressed))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') this.#pressing = setTimeout(() => this.#type(), 1)
    }
  }

  #tell(): void {
    for (const check of this.#changed) check()
  }

  #text(from: number): string {
    const { active } = this.#terminal.buffer
    const lines: string[] = []
    for (let at = from; at < active.baseY + this.#terminal.rows; at++) lines.push(active.getLine(at)?.translateToString(true) ?? '')
    return lines.join('\n').trimEnd()
  }
}
