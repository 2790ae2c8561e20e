// The processes these tests start: their environment, and that none of them outlives the tests, whatever happens.
import { spawn, type ChildProcess } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This repository's own folder. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const BIN = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))
/** For a command that has to end by itself; generous, as the machine may be busy. */
const RUN_DEADLINE_MS = 60_000
const alive = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

/**
 * What a child sees of this process' environment: not the test runner, and not how the person at this machine has set
 * up a dsh of their own. pnpm and the Node of this repository come first on PATH.
 */
export function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [key, value] of Object.entries(process.env)) {
    if (!/^(?:DSH_|DEEPSEEK_|VITEST|NODE_ENV$|NODE_OPTIONS$|NODE_CHANNEL_)/.test(key)) env[key] = value
  }
  const path = Object.keys(env).find(key => key.toUpperCase() === 'PATH') ?? 'PATH'
  env[path] = [BIN, env[path] ?? ''].join(delimiter)
  env.npm_config_prefer_offline = 'true' // pnpm asks the registry once a file at most, not once an install
  return { ...env, ...extra }
}

export interface Started {
  readonly child: ChildProcess
  /** Both of its streams, as they came. */
  output(): string
  stdout(): string
  stderr(): string
  /** Its status (null: a signal ended it) once it is gone and its streams are read to the end. */
  readonly ended: Promise<number | null>
  kill(): Promise<void>
}

export interface StartOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** Opens an IPC channel, which is how the probe bundle talks to a test. */
  readonly ipc?: boolean
  /** Its whole standard input; `null` leaves it open with nothing in it. */
  readonly input?: string | null
}

export function start(command: string, args: readonly string[], options: StartOptions): Started {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? environment(),
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(options.ipc ? ['ipc' as const] : [])],
  })
  alive.add(child)
  let both = ''
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      both += text
      texts[name] += text
    })
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => {
      alive.delete(child)
      resolve(code)
    })
  })
  ended.catch(() => alive.delete(child)) // reported to whoever awaits `ended`
  child.stdin?.on('error', () => {}) // it may end without reading
  if (typeof options.input === 'string') child.stdin?.end(options.input)
  return {
    child,
    output: () => both,
    stdout: () => texts.stdout,
    stderr: () => texts.stderr,
    ended,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended.catch(() => {})
    },
  }
}

export interface Finished {
  readonly code: number | null
  readonly output: string
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs a command to its end.
 *
 * @throws when it does not end in time, with what it printed.
 */
export async function run(command: string, args: readonly string[], options: StartOptions, deadlineMs = RUN_DEADLINE_MS): Promise<Finished> {
  const started = start(command, args, options)
  let late = false
  const timer = setTimeout(() => {
    late = true
    started.child.kill('SIGKILL')
  }, deadlineMs)
  try {
    const code = await started.ended
    if (late) throw new Error(`${command} ${args.join(' ')} did not end within ${deadlineMs} ms; it printed\n${started.output()}`)
    return { code, output: started.output(), stdout: started.stdout(), stderr: started.stderr() }
  } finally {
    clearTimeout(timer)
  }
}

/** The same, for a command that has to succeed. */
export async function mustRun(...args: Parameters<typeof run>): Promise<Finished> {
  const result = await run(...args)
  if (result.code !== 0) throw new Error(`${args[0]} ${args[1].join(' ')} ended with ${result.code}; it printed\n${result.output}`)
  return result
}
