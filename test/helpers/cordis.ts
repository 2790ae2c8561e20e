// The real cordis with the plugin mounted, and a way to dispatch a question as the host does.
import { Context, type Message } from '@deepseek-ai/cordis'
import * as plugin from '../../src/index.ts'
import type { AskUserQuestionAnswer } from '../../src/protocol/answer.ts'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { AskSurface } from '../../src/protocol/surface.ts'
import type { FakeSurface } from './surface.ts'

/** Rejects as the host's own last word does. */
export const noAnswerer = () => Promise.reject(Object.assign(new Error('no user-questions answerer accepted the request'), {
  name: 'UserQuestionError', code: 'NO_PROVIDER',
}))

/**
 * A context with the router loaded, and everything that is logged from then on.
 *
 * @param before what is there before the router.
 */
export async function boot(config?: unknown, before?: (ctx: Context) => void) {
  const ctx = new Context()
  before?.(ctx)
  const logs: Message[] = []
  ctx.logger.exporter({ levels: { default: 3 }, export: message => void logs.push(message) })
  const fiber = await ctx.plugin(plugin, config)
  return { ctx, fiber, logs }
}

/** The messages of some severity, as one text. */
export function logged(logs: readonly Message[], ...types: readonly Message['type'][]): string {
  return logs.filter(({ type }) => types.includes(type)).map(({ args }) => args.map(String).join(' ')).join('\n')
}

/** Dispatch a question on the waterfall, as the host does for a request without an agent. */
export function dispatch(
  ctx: Context, request: AskUserQuestionRequest, host: () => unknown = noAnswerer, event = 'user-questions/request',
): Promise<AskUserQuestionAnswer> {
  // The event is the newer host's; the types of the host that the tests run on do not know it.
  const waterfall = ctx.waterfall.bind(ctx) as (...args: unknown[]) => Promise<AskUserQuestionAnswer>
  return waterfall(event, request, host)
}

/** The same, synchronous errors and all, without waiting for an answer: for tests that look at something else. */
export function dispatchAndForget(...args: Parameters<typeof dispatch>): void {
  dispatch(...args).catch(() => {})
}

/** Stand in the waterfall behind the router, as the host's own UIs do, or before it. */
export function answerer(
  ctx: Context, listener: (request: AskUserQuestionRequest, next: () => never) => unknown, prepend = false, event = 'user-questions/request',
) {
  return ctx.on(event as never, listener as never, { prepend })
}

/** Register surfaces from the root, which lives on when they go. Returns a disposer for each. */
export function register(ctx: Context, ...surfaces: AskSurface[]): (() => void)[] {
  const registry = ctx.get('askSurfaces')!
  return surfaces.map(surface => registry.register(surface))
}

/** Load a plugin that begins to go while its surface is asked for its claim. */
export async function loadFleeting(ctx: Context, surface: FakeSurface) {
  await ctx.plugin({
    name: surface.name,
    inject: ['askSurfaces'],
    apply(inner: Context) {
      surface.claim.mockImplementation(() => (void inner.fiber.dispose(), true))
      inner.askSurfaces.register(surface)
    },
  })
}

/** Register a surface as a plugin does, so that it goes with the fiber that is returned. */
export async function load(ctx: Context, surface: AskSurface, apply?: (inner: Context) => void) {
  return await ctx.plugin({
    name: `plugin-of-${surface.name}`,
    inject: ['askSurfaces'],
    apply(inner: Context) {
      inner.askSurfaces.register(surface)
      apply?.(inner)
    },
  })
}
