// A real ntfy server on loopback for tests and benchmarks, where this machine has one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const candidates = [process.env['NTFY_BIN'], join(import.meta.dirname, '../.cache/ntfy/usr/bin/ntfy')]

/** The program: what NTFY_BIN names, what `npm run ntfy:install` has put here, or what is on the PATH. */
export const ntfy: string | undefined = candidates.find(path => path && existsSync(path))
  ?? (spawnSync('ntfy', ['--help']).status === 0 ? 'ntfy' : undefined)

/** How to get one. */
export const howToGetNtfy = 'Debian, Ubuntu: npm run ntfy:install. Elsewhere: https://docs.ntfy.sh/install/, then NTFY_BIN=<its path>.'

/** How long a server may take to start, in milliseconds. */
const UP_MS = 20_000

/** A running server. */
export class NtfyServer {
  readonly url: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'ntfy-'))
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, args: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`
    this.#args = [
      'serve', '--listen-http', `127.0.0.1:${port}`, '--base-url', this.url, '--cache-file', join(this.#folder, 'cache.db'),
      '--attachment-cache-dir', join(this.#folder, 'files'), '--visitor-request-limit-exempt-hosts', '127.0.0.1', ...args,
    ].map(arg => arg.replace('{folder}', this.#folder))
  }

  /** @param args further options of `ntfy serve`; `{folder}` in one stands for the server's own folder. */
  static async start(args: readonly string[] = []): Promise<NtfyServer> {
    const server = new NtfyServer(await freePort(), args)
    await server.up()
    return server
  }

  /** Start it, also again after {@link NtfyServer.down}; its messages are kept. */
  async up(): Promise<void> {
    this.#child = spawn(ntfy!, this.#args, { stdio: 'ignore' })
    const until = performance.now() + UP_MS
    while (!await fetch(`${this.url}/v1/health`).then(({ ok }) => ok, () => false)) {
      if (performance.now() > until || this.#child.exitCode !== null) throw new Error('the ntfy server does not start')
      await wait(20)
    }
  }

  /** Stop it. */
  async down(): Promise<void> {
    const child = this.#child
    if (!child) return
    this.#child = undefined
    const exit = once(child, 'exit')
    child.kill()
    await exit
  }

  /** Stop it for good. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.down()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}
