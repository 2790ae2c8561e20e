// A real ntfy server on loopback, where this machine has one.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

const candidates = [process.env['NTFY_BIN'], join(import.meta.dirname, '../../../.cache/ntfy/usr/bin/ntfy')]

/** The program, or `undefined` where there is none; then one line says so. */
export const ntfy = candidates.find(path => path && existsSync(path))
  ?? (spawnSync('ntfy', ['--help']).status === 0 ? 'ntfy' : undefined)

/** Said once by each file that skips. */
export const skipped = 'Skipped: the tests on a real ntfy server. Get one with `npm run ntfy:install`, or name one in NTFY_BIN.'

/** A running server. */
export class Server {
  readonly url: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'ntfy-'))
  readonly #args: readonly string[]
  #child: ChildProcess | undefined

  private constructor(port: number, args: readonly string[]) {
    this.url = `http://127.0.0.1:${port}`
    this.#args = [
      'serve', '--listen-http', `127.0.0.1:${port}`, '--base-url', this.url, '--cache-file', join(this.#folder, 'cache.db'),
      '--attachment-cache-dir', join(this.#folder, 'files'), ...args,
    ]
  }

  /** @param args further options of `ntfy serve`; `{folder}` in one stands for the server's own folder. */
  static async start(args: readonly string[] = ['--visitor-request-limit-exempt-hosts', '127.0.0.1']): Promise<Server> {
    const server = new Server(await freePort(), args)
    await server.up()
    return server
  }

  /** Start it, also again after {@link Server.down}; its messages are kept. */
  async up(): Promise<void> {
    const args = this.#args.map(arg => arg.replace('{folder}', this.#folder))
    this.#child = spawn(ntfy!, args, { stdio: 'ignore' })
    await vi.waitFor(async () => {
      const response = await fetch(`${this.url}/v1/health`)
      if (!response.ok) throw new Error(`health: ${response.status}`)
    }, { timeout: 20_000, interval: 20 })
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
