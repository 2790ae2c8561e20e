// A folder of its own for one program under test, with a home and a project in it, and the care that nothing of it stays: no
// process and no file, whatever a test or a program does.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, inject } from 'vitest'
import { type Finished, run } from '../../cli/children.ts'
import { until } from '../../cli/wait.ts'
import { endAllIn, processesIn } from './processes.ts'
import { Terminal } from './terminal.ts'

const opened = new Set<Scratch>()
afterAll(async () => {
  for (const scratch of opened) await scratch.remove()
})

/** One folder, and the processes that run for it. Goes after the tests of the file. */
export class Scratch {
  // A short name: a socket's path has at most 103 bytes.
  readonly folder = mkdtempSync(`${inject('scratch')}/`)
  readonly home = join(this.folder, 'home')
  /** Where the program is started. */
  readonly project = join(this.folder, 'shop')
  /** For `XDG_STATE_HOME`. */
  readonly state = join(this.folder, 'state')
  /** What everything that runs here finds in its environment: of this process' own only where programs are. */
  readonly env: NodeJS.ProcessEnv
  readonly #terminals: Terminal[] = []

  /** @param env what the programs need beside a home. */
  constructor(env: Readonly<Record<string, string>>) {
    // Not the folder itself: Codex keeps helpers in its home, which may not be in the temporary folder.
    const tmp = join(this.folder, 'tmp')
    for (const folder of [this.home, this.project, tmp]) mkdirSync(folder)
    this.env = {
      HOME: this.home, XDG_STATE_HOME: this.state, TMPDIR: tmp, SHELL: '/bin/bash', LANG: 'en_US.UTF-8',
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), ...env,
    }
    opened.add(this)
  }

  /** Start a program on a terminal. */
  open(command: string, args: readonly string[]): Terminal {
    const terminal = new Terminal(command, args, { cwd: this.project, inherited: this.env })
    this.#terminals.push(terminal)
    return terminal
  }

  /** Run a program to its end, without a terminal and without input. */
  run(command: string, args: readonly string[]): Promise<Finished> {
    return run(command, args, { cwd: this.project, env: this.env })
  }

  /** The ids of all processes that were started here, and of whatever they started. */
  processes(): number[] {
    return processesIn(this.folder)
  }

  /** End every process, and remove the folder. */
  async remove(): Promise<void> {
    for (const terminal of this.#terminals.splice(0)) terminal.kill()
    await until('the end of every process', () => {
      endAllIn(this.folder)
      return this.processes().length === 0
    })
    opened.delete(this)
    // What was just ended may still have written.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
