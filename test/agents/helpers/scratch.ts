// A folder of its own for one program under test, with a home and a project in it, and the care that nothing of it stays: no
// process and no file, whatever a test or a program does.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { type Finished, run } from '../../cli/children.ts'
import { until } from '../../cli/wait.ts'
import { Terminal } from './terminal.ts'

const opened = new Set<Scratch>()

process.on('exit', () => {
  for (const scratch of opened) scratch.kill()
})
afterAll(async () => {
  for (const scratch of opened) await scratch.remove()
})

/** One folder, and the processes that run for it. Goes after the tests of the file. */
export class Scratch {
  readonly folder = mkdtempSync(join(realpathSync(tmpdir()), 'agents-'))
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
    mkdirSync(this.home)
    mkdirSync(this.project)
    this.env = {
      HOME: this.home, XDG_STATE_HOME: this.state, TMPDIR: this.folder, SHELL: '/bin/bash', LANG: 'en_US.UTF-8',
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

  /** The processes that have this folder in their environment: all that was started here, and whatever they started. */
  processes(): number[] {
    return readdirSync('/proc').map(Number).filter(pid => pid > 0 && pid !== process.pid && environmentOf(pid).includes(this.folder))
  }

  /** End every process of this folder. */
  kill(): void {
    for (const terminal of this.#terminals.splice(0)) terminal.kill()
    for (const pid of this.processes()) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  /** End them, and remove the folder. */
  async remove(): Promise<void> {
    await until('the end of every process', () => {
      this.kill()
      return this.processes().length === 0
    })
    opened.delete(this)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

/** Empty for a process that has ended, or is another user's. */
function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return ''
  }
}
