// The rows that run: what differs between them and the rows that are wanted is unloaded, updated in place, and loaded.
import { isDeepStrictEqual } from 'node:util'
import type { Context, Fiber } from '@deepseek-ai/cordis'
import type { LoadedRow } from './load.ts'

/** The plugins of the desk. */
export class Mounts {
  readonly #ctx: Context
  readonly #running = new Map<string, { readonly row: LoadedRow, readonly fiber: Fiber }>()

  constructor(ctx: Context) {
    this.#ctx = ctx
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
      await fiber.dispose()
    }
    for (const row of rows) {
      const running = this.#running.get(row.id)
      if (!running) await this.#load(row)
      else if (!isDeepStrictEqual(running.row.config, row.config)) {
        const { fiber } = running
        this.#running.set(row.id, { row, fiber })
        try {
          fiber.update(row.config)
          await fiber.await()
        } catch (error) {
          refuse(row, error)
        }
      }
    }
  }

  async #load(row: LoadedRow): Promise<void> {
    const loading = this.#ctx.plugin(row.plugin, row.config as never)
    try {
      this.#running.set(row.id, { row, fiber: await loading })
    } catch (error) {
      await loading.dispose()
      refuse(row, error)
    }
  }
}

function refuse({ id }: LoadedRow, error: unknown): never {
  throw new Error(`row ${id} did not start: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
}
