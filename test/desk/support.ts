// The program as a child process with folders of its own, and a desk in this process.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

/** The program. */
export const CLI = fileURLToPath(new URL('../../src/desk/cli.ts', import.meta.url))

const HOOK = fileURLToPath(new URL('../../src/sources/claude-code/hook.ts', import.meta.url))

/** Long enough for a start on a machine that has other things to do, in milliseconds. */
const PATIENCE = 20_000

/** A plugin that asks one question and says how it ended: its file. */
export const ASKER = `
export const inject = ['askSurfaces']
export const apply = (ctx) => {
  ctx.askSurfaces.ask({ questions: [{ id: 'db', header: 'Storage', question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }] }, {
    origin: { agent: 'Tester', machine: 'laptop', project: 'shop' },
  }).then(
    ({ answer, by }) => process.stderr.write(\`asker: \${by}: \${JSON.stringify(answer)}\\n\`),
    error => process.stderr.write(\`asker: \${error.code}\\n\`),
  )
}
`

/** Wait until it is so. */
export const until = <T>(condition: () => T | Promise<T>) => vi.waitFor(condition, { timeout: PATIENCE, interval: 20 })

/** A user's folders, and what runs in them. */
export class Home {
  readonly path = mkdtempSync(join(tmpdir(), 'desk-'))
  readonly file = join(this.path, 'config', 'dsh-ask-router', 'desk.yml')
  readonly folder = join(this.path, 'state', 'dsh-ask-router')
  readonly #programs: Program[] = []

  get env(): NodeJS.ProcessEnv {
    return {
      PATH: process.env['PATH'], HOME: this.path, LANG: 'C.UTF-8',
      XDG_CONFIG_HOME: join(this.path, 'config'), XDG_STATE_HOME: join(this.path, 'state'),
    }
  }

  /** Write a file beside desk.yml, or desk.yml itself. */
  write(text: string, name = 'desk.yml'): string {
    const path = join(dirname(this.file), name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  /** Start a command that goes on. */
  start(...argv: string[]): Program {
    const program = new Program(spawn(process.execPath, [CLI, ...argv], { env: this.env, stdio: ['ignore', 'pipe', 'pipe'] }))
    this.#programs.push(program)
    return program
  }

  /** Run Claude Code's hook as it does. */
  hook(input: object): Program {
    const child = spawn(process.execPath, [HOOK, this.folder], { env: this.env, stdio: ['pipe', 'pipe', 'pipe'] })
    child.stdin.end(JSON.stringify(input))
    const program = new Program(child)
    this.#programs.push(program)
    return program
  }

  /** Start a desk and wait until it is open. */
  async desk(...argv: string[]): Promise<Program> {
    const desk = this.start('desk', ...argv)
    const isOpen = desk.says('the desk is open'), failed = desk.ended.then(() => Promise.reject(new Error(`no desk: ${desk.stderr}`)))
    failed.catch(() => {})
    await Promise.race([isOpen, failed])
    return desk
  }

  /** Run a command to its end. */
  run(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...argv], { env: { ...this.env, ...env }, encoding: 'utf8', timeout: PATIENCE })
    return { code: status, stdout, stderr }
  }

  /** End everything and remove the folders. */
  async remove(): Promise<void> {
    for (const program of this.#programs) {
      program.child.kill('SIGKILL')
      await program.ended
    }
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** A command that runs. */
export class Program {
  stdout = ''
  stderr = ''
  readonly child: ChildProcess
  /** How it ended: its code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.on('data', chunk => void (this.stdout += String(chunk)))
    child.stderr?.on('data', chunk => void (this.stderr += String(chunk)))
    this.ended = new Promise(resolve => void child.on('close', (code, signal) => resolve(code ?? signal)))
  }

  /** The page's link. */
  get link(): string {
    return /https?:\/\/\S+#t=\S+/.exec(this.stderr)?.[0] ?? ''
  }

  /** Wait for a line. */
  async says(text: string): Promise<void> {
    await until(() => {
      if (!this.stderr.includes(text)) throw new Error(`it did not say "${text}": ${this.stderr}`)
    })
  }

  /** Call the page's server. */
  async api(path: string, body?: unknown): Promise<unknown> {
    const [url, token] = this.link.split('#t=') as [string, string]
    const response = await fetch(`${url}api/${path}`, {
      method: body === undefined ? 'GET' : 'POST', headers: { 'content-type': 'application/json', 'ask-secret': token },
      ...body !== undefined && { body: JSON.stringify(body) },
    })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return await response.json()
  }
}
