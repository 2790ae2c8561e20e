// One open ask with everything around it, as most tests of the router begin.
import type { Context } from '@deepseek-ai/cordis'
import type { AskUserQuestionRequest } from '../../src/protocol/request.ts'
import type { PendingAsk } from '../../src/protocol/surface.ts'
import { answerer, boot, dispatch, register } from './cordis.ts'
import { FakeHost, FakeSurface, question } from './surface.ts'
import { macrotask, watch } from './time.ts'

/** What is there before a question is asked. */
export interface Setting<N extends string> {
  readonly config?: unknown
  /** Plain surfaces by these names; `a` and `b` where nothing is given, and no other surfaces either. */
  readonly names?: readonly N[]
  /** The names of those that claim. */
  readonly claims?: readonly NoInfer<N>[]
  /** Surfaces of other kinds, registered after the plain ones. */
  readonly surfaces?: readonly FakeSurface[]
}

/** Boot the router and register surfaces, with a host behind it and a turn in which questions are asked. */
export async function setUp<const N extends string = 'a' | 'b'>({ config, names, claims = [], surfaces }: Setting<N> = {}) {
  const { ctx, fiber, logs } = await boot(config)
  const plain = (names ?? (surfaces ? [] : ['a', 'b'] as N[])).map(name => new FakeSurface(name, claims.includes(name)))
  const all = [...plain, ...surfaces ?? []]
  const enter = (surface: FakeSurface) => {
    surface.dispose = register(ctx, surface)[0]!
  }
  all.forEach(enter)
  const host = new FakeHost()
  const controller = new AbortController()
  return {
    ...Object.fromEntries(plain.map(one => [one.name, one])) as Record<N, FakeSurface>,
    ctx, fiber, logs, registry: ctx.get('askSurfaces')!, host, controller,
    /** Ask: nothing has happened yet but what happens in the same tick. */
    open: (request = question({ signal: controller.signal }), next: () => unknown = host.next) => watch(dispatch(ctx, request, next)),
    /** Register one more, a plain one where a name is given. */
    join(given: string | FakeSurface, isClaimer = false): FakeSurface {
      const surface = typeof given === 'string' ? new FakeSurface(given, isClaimer) : given
      enter(surface)
      return surface
    },
    /** The names of those that were asked. */
    asked: () => all.filter(one => one.asked > 0).map(one => one.name).join(''),
  }
}

export interface Opening<N extends string> extends Setting<N> {
  readonly request?: AskUserQuestionRequest
}

/** The same, and a question is asked. */
export async function openAsk<const N extends string = 'a' | 'b'>(opening: Opening<N> = {}) {
  const all = await setUp(opening)
  return { ...all, ask: all.open(opening.request) }
}

/** The same, and a macrotask later, when a host in the race is asked, too. */
export async function startAsk<const N extends string = 'a' | 'b'>(opening: Opening<N> = {}) {
  const all = await openAsk(opening)
  await macrotask()
  return all
}

/** The same with plain surfaces of these names. */
export function start<const N extends string>(config?: unknown, ...names: N[]) {
  return startAsk({ config, names })
}

/** The state of a participant of the oldest open ask. */
export function stateOf(registry: { pending(): readonly PendingAsk[] }, name: string) {
  return registry.pending()[0]?.participants.find(one => one.name === name)?.state
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
