// One open ask with everything around it, as most tests of the router begin.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import { answerer, boot, dispatch, register } from './cordis.ts'
import { FakeHost, FakeSurface, question } from './surface.ts'
import { macrotask, watch } from './time.ts'

/** What an ask is opened with; where nothing is given, two surfaces that do not claim. */
export interface Opening {
  readonly config?: unknown
  readonly names?: readonly string[]
  /** The names of those that claim. */
  readonly claims?: readonly string[]
  readonly request?: AskUserQuestionRequest | undefined
  /** Runs before the question is asked. */
  readonly before?: (ctx: Context) => void
}

/** Boot the router, register surfaces, and ask: nothing has happened yet but what happens in the same tick. */
export async function openAsk({ config, names = ['a', 'b'], claims = [], request, before }: Opening) {
  const { ctx, fiber, logs } = await boot(config)
  before?.(ctx)
  const surfaces = names.map(name => new FakeSurface(name, claims.includes(name)))
  const disposers = register(ctx, ...surfaces)
  const host = new FakeHost()
  const controller = new AbortController()
  const asked = request ?? question({ signal: controller.signal })
  const ask = watch(dispatch(ctx, asked, host.next))
  const [a, b, c] = surfaces
  return {
    ctx, fiber, logs, registry: ctx.get('askSurfaces')!, disposers, host, controller, request: asked, ask,
    a: a!, b: b!, c: c!,
    /** The names of those that were asked. */
    asked: () => surfaces.filter(one => one.asked > 0).map(one => one.name).join(''),
  }
}

/** The same, and a macrotask later, when a host in the race is asked, too. */
export async function start(config?: unknown, ...names: string[]) {
  const all = await openAsk({ config, names })
  await macrotask()
  return all
}

/** A UI behind the router that reads the signal of its request whenever it likes. */
export class LateReader {
  readonly host = new FakeHost()
  request: AskUserQuestionRequest | undefined

  constructor(ctx: Context) {
    answerer(ctx, request => {
      this.request = request
      return this.host.next()
    })
  }

  get signal(): AbortSignal {
    return this.request!.signal!
  }
}

/** An ask that one surface and such a UI show. */
export async function startBefore(request: AskUserQuestionRequest, config?: unknown) {
  const { ctx, fiber } = await boot(config)
  const a = new FakeSurface('a')
  register(ctx, a)
  const ui = new LateReader(ctx)
  const ask = watch(dispatch(ctx, request))
  await macrotask()
  return { ctx, fiber, a, ui, ask }
}
