// A desk in this process: the real cordis with the router, the source under test, and a surface whose person is the test.
import type { Context } from '@deepseek-ai/cordis'
import { buildSync } from 'esbuild'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AskUserQuestionAnswer } from '../../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../../src/protocol/request.ts'
import type { AskContext, AskSurface } from '../../../src/protocol/surface.ts'
import { ROOT } from '../../cli/children.ts'
import { boot } from '../../helpers/cordis.ts'
import { cancelled, stopCode } from '../../helpers/surface.ts'
import { Arrivals } from './arrivals.ts'

/** How an ask ended for a surface that did not answer it. */
export type Ending =
  | { readonly by: string, readonly answer: AskUserQuestionAnswer | undefined }
  | { readonly aborted: unknown }

/** One ask as the test's person sees it. */
export class Asked {
  readonly request: AskUserQuestionRequest
  readonly context: AskContext
  readonly #answer = Promise.withResolvers<AskUserQuestionAnswer>()
  readonly #ended = Promise.withResolvers<Ending>()

  constructor(request: AskUserQuestionRequest, context: AskContext) {
    this.request = request
    this.context = context
    context.signal.addEventListener('abort', () => {
      const code = stopCode(context.signal)
      // Who settled it, and how, comes by `settled`.
      if (code !== 'ASK_SETTLED') this.#ended.resolve({ aborted: code })
    })
  }

  /** What the router waits for. */
  get promise(): Promise<AskUserQuestionAnswer> {
    return this.#answer.promise
  }

  /** How it ended without this surface: somebody else answered or declined, or it went away. */
  get ended(): Promise<Ending> {
    return this.#ended.promise
  }

  /** Answer it, item by item in the order of the questions, each a label, an option's id, or as the protocol has it. */
  answer(...items: (string | { readonly selected: readonly string[], readonly custom?: string })[]): void {
    const answers = this.request.questions.map(({ id }, at) => {
      const item = items[at] ?? { selected: [] }
      return { id, ...typeof item === 'string' ? { selected: [item] } : { ...item, selected: [...item.selected] } }
    })
    this.#answer.resolve({ answers })
  }

  /** Decline it for everybody. */
  decline(): void {
    this.#answer.reject(cancelled())
  }

  /** The router's word that somebody else settled it. */
  settle(by: string, answer: AskUserQuestionAnswer | undefined): void {
    this.#ended.resolve({ by, answer })
  }
}

/** A page, as far as the router sees one. */
export class Page implements AskSurface {
  readonly name = 'page'
  readonly personal = true
  readonly approvals = true
  readonly #asked = new Arrivals<Asked>('the page to be asked')

  /** The first ask that no `nextAsked` has returned yet, once it is there. */
  nextAsked(): Promise<Asked> {
    return this.#asked.next()
  }

  /** How often it was asked. */
  get count(): number {
    return this.#asked.all.length
  }

  ask(request: AskUserQuestionRequest, context: AskContext): Promise<AskUserQuestionAnswer> {
    const asked = new Asked(request, context)
    this.#asked.add(asked)
    return asked.promise
  }

  settled(request: AskUserQuestionRequest, by: string, answer?: AskUserQuestionAnswer): void {
    this.#asked.all.find(asked => asked.request === request)?.settle(by, answer)
  }
}

/** A plugin, as its module has it. */
interface Source {
  readonly name: string
  apply(ctx: Context, config?: unknown): void
}

/**
 * Open a desk with one source; it is closed after the tests of the file.
 *
 * @param config of the source.
 */
export async function openDesk(source: Source, config?: unknown) {
  const { ctx, fiber, logs } = await boot()
  const page = new Page()
  ctx.get('askSurfaces')!.register(page)
  const plugin = await ctx.plugin(source, config)
  const close = async () => {
    await plugin.dispose()
    await fiber.dispose()
  }
  afterAll(close)
  return { ctx, page, logs, close }
}

/**
 * The hook of a source as `connect` installs it: one file.
 *
 * @param source the folder of its sources.
 * @returns its path.
 */
export function builtHook(source: 'claude-code' | 'codex', folder: string): string {
  const outfile = join(folder, `${source}-hook.mjs`)
  buildSync({ entryPoints: [join(ROOT, 'src/sources', source, 'hook.ts')], outfile, bundle: true, platform: 'node', format: 'esm', target: 'node22' })
  return outfile
}
