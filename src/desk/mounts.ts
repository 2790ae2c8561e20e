// The rows that run: what differs between them and the rows that are wanted is unloaded, updated in place, and loaded.
import { isDeepStrictEqual } from 'node:util'
import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { LoadedRow } from './load.ts'

/** The plugins of the desk. One that does not come to a start, or to an end, is left behind. */
export class Mounts {
  readonly #ctx: Context
  readonly #patienceMs: number
  readonly #running = new Map<string, { readonly row: LoadedRow, readonly fiber: Fiber }>()

  /** @param patienceMs how long a plugin may take, in milliseconds. */
  constructor(ctx: Context, patienceMs: number) {
    this.#ctx = ctx
    this.#patienceMs = patienceMs
    // cordis drops the promise of a restart; \`await()\` has what became of it, and an unhandled rejection would end the desk.
    ctx.on('internal/update', (_config, _noSave, next: () => unknown) => {
      Promise.resolve(next()).catch(() => {})
    }, { global: true, prepend: true })
  }

  /**
   * Make it so that just these rows run. Rows that stay as they are notice nothing. One call at a time.
   *
   * @throws Error that names the first row that does not start; the rows before it are as wanted.
   */
  async apply(rows: readonly LoadedRow[]): Promise<void> {
    const wanted = new Map(rows.map(row => [row.id, row]))
    for (const [id, { row, fiber }] of this.#running) {
      if (wanted.get(id)?.plugin === row.plugin) continue
      this.#running.delete(id)
      await this.#inTime(fiber.dispose()).catch(() => {})
    }
    for (const row of rows) {
      const running = this.#running.get(row.id)
      if (!running) await this.#load(row)
      else if (!isDeepStrictEqual(running.row.config, row.config)) {
        const { fiber } = running
        this.#running.set(row.id, { row, fiber })
        try {
          fiber.update(row.config)
          await this.#inTime(fiber.await())
        } catch (error) {
          refuse(row, error)
        }
      }
    }
  }

  /** Unload all that run; one that does not come to an end keeps no other from it. */
  async close(): Promise<void> {
    // Whoever came last may need those before.
    const fibers = Array.from(this.#running.values(), ({ fiber }) => fiber).toReversed()
    this.#running.clear()
    await Promise.all(fibers.map(fiber => this.#inTime(fiber.dispose()).catch(() => {})))
  }

  async #load(row: LoadedRow): Promise<void> {
    const loading = this.#ctx.plugin(row.plugin, row.config as never)
    try {
      this.#running.set(row.id, { row, fiber: await this.#inTime(loading) })
    } catch (error) {
      await this.#inTime(loading.dispose()).catch(() => {})
      refuse(row, error)
    }
  }

  async #inTime<T>(whole: PromiseLike<T>): Promise<T> {
    const late = Promise.withResolvers<never>(), seconds = this.#patienceMs / 1000
    const timer = setTimeout(() => late.reject(new Error(`it is not done after ${seconds} seconds`)), this.#patienceMs)
    try {
      return await Promise.race([whole, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}

function refuse({ id }: LoadedRow, error: unknown): never {
  throw new Error(`row ${id} did not start: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
